/** However the messages of a legacy client and a modern one are mixed on one channel, each is told what it would be told alone. */
import { revisions } from "@parley/core/revisions"
import { link } from "@parley/driver"
import { defineServer, form, live, resource, serve, tool } from "@parley/server"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { subscriptionId } from "./modern-wire.js"
import { initialize, modern, notification, request } from "./one-pipe.js"
import type { Wire } from "./recorded.js"

const seed = Number(process.env["PARLEY_SEED"] ?? Date.now() | 0)
const runs = Number(process.env["PARLEY_RUNS"] ?? 60)

const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const

/** A server of its own for each run, on a channel in memory. */
function served() {
  let updated: (uri: string) => void = () => undefined
  const items = [
    tool("echo", { input: text }, ({ text }) => text),
    tool("say", { input: text }, ({ text }, call) => {
      for (const level of ["debug", "info", "warning"] as const) call.log(level, `${text} at ${level}`)
    }),
    tool("touch", { input: text }, ({ text }) => updated(text)),
    tool("book", { asks: { guests } }, async (_, call) => {
      const { guests } = await call.ask("guests", { message: "How many?" })
      return `${guests} guests`
    }),
    tool("need", { asks: { guests }, requires: ["guests"] }, () => "needed"),
    tool("steps", {}, (_, call) => {
      for (const step of [1, 2]) call.progress(step)
    }),
    resource("note://one", { name: "one" }, () => "one")
  ]
  const server = live(
    defineServer({ name: "both", version: "1.0.0" }, items, {
      declare: { resources: { subscribe: true }, logging: true },
      revisions
    })
  )
  updated = (uri) => server.updated(uri)
  const [near, far] = link()
  serve(server, far)
  const said: Array<Wire> = []
  let look = (): void => undefined
  near.open({
    frame: (frame) => {
      if (frame._tag === "Text") said.push(JSON.parse(frame.text))
      look()
    },
    closed: () => undefined
  })
  /** Resolves as soon as something is there among what was said. */
  const until = <A>(found: () => A | undefined): Promise<A> =>
    new Promise((resolve) => {
      look = () => {
        const value = found()
        if (value !== undefined) resolve(value)
      }
      look()
    })
  return { said, near, until }
}

/** What a client sends, one after the other; a function waits until it was told what that depends on. */
type Script = ReadonlyArray<object | ((said: ReadonlyArray<Wire>) => object | undefined)>

const after = (id: string | number, message: object) => (said: ReadonlyArray<Wire>) =>
  said.some((one) => one.id === id && one.method === undefined) ? message : undefined

const call = (name: string, args: object = {}): object => ({ name, arguments: args })
const accept = (guests: number): object => ({ action: "accept", content: { guests } })
const token = (progressToken: string): object => ({ _meta: { progressToken } })
const level = (name: string): object => ({ "io.modelcontextprotocol/logLevel": name })

const legacyScript: Script = [
  initialize(1, { elicitation: {} }),
  notification("notifications/initialized"),
  request(2, "logging/setLevel", { level: "warning" }),
  request(3, "tools/list"),
  request(4, "resources/subscribe", { uri: "note://l" }),
  request(5, "tools/call", call("touch", { text: "note://l" })),
  request(6, "tools/call", call("say", { text: "l" })),
  request(7, "tools/call", call("book")),
  (said) => {
    const asked = said.find(({ method }) => method === "elicitation/create")
    return asked && { jsonrpc: "2.0", id: asked.id, result: accept(1) }
  },
  request(8, "tools/call", { ...call("steps"), ...token("l") }),
  request(9, "tools/call", call("need")),
  request(10, "server/discover", {}),
  after(5, request(11, "resources/unsubscribe", { uri: "note://l" })),
  request(12, "tools/call", call("touch", { text: "note://l" })),
  request(13, "resources/read", { uri: "note://none" }),
  request(14, "ping")
]

const modernScript: Script = [
  request("a", "server/discover", modern()),
  request("b", "subscriptions/listen", modern({ notifications: { resourceSubscriptions: ["note://m"] } })),
  request("c", "tools/list", modern()),
  request("d", "tools/call", modern(call("touch", { text: "note://m" }))),
  request("e", "tools/call", modern(call("say", { text: "m" }))),
  request("f", "tools/call", modern(call("say", { text: "m" }), {}, level("info"))),
  request("g", "tools/call", modern(call("book"), { elicitation: {} })),
  (said) => {
    const state = said.find(({ id }) => id === "g")?.result?.requestState
    const answers = { requestState: state, inputResponses: { guests: accept(2) } }
    return state && request("h", "tools/call", modern({ ...call("book"), ...answers }, { elicitation: {} }))
  },
  request("i", "tools/call", modern(call("steps"), {}, { progressToken: "m" })),
  request("j", "tools/call", modern(call("need"))),
  request("k", "ping", modern()),
  after("d", notification("notifications/cancelled", { requestId: "b" })),
  request("l", "tools/call", modern(call("touch", { text: "note://m" }))),
  request("m", "resources/read", modern({ uri: "note://none" }))
]

const isModern = ({ id, method, params }: Wire): boolean => {
  if (method === undefined) return typeof id === "string"
  if (params?._meta?.[subscriptionId] !== undefined) return true
  if (method === "notifications/message") return params.data.startsWith("m ")
  return params?.progressToken === "m"
}

/** What each of them is told when they take turns like this; `pauses` says after which messages all is waited for. */
async function lived(turns: ReadonlyArray<"l" | "m">, pauses: ReadonlyArray<boolean>) {
  const { said, near, until } = served()
  const left = { l: [...legacyScript], m: [...modernScript] }
  const due = new Set<unknown>()
  const send = async (who: "l" | "m"): Promise<void> => {
    const next = left[who].shift()!
    const message = (typeof next === "function" ? await until(() => next(said)) : next) as Wire
    // A stream is not answered, and a tool that asks not before its question was answered.
    if (message.method !== undefined && message.id !== undefined && message.id !== "b" && message.id !== 7)
      due.add(message.id)
    if (message.method === undefined) due.add(7)
    void near.send({ message, via: undefined, last: false })
  }
  const settled = () =>
    until(() => {
      for (const { id, method } of said) if (method === undefined) due.delete(id)
      return due.size === 0 ? true : undefined
    })
  for (const [index, who] of turns.entries()) {
    await send(who)
    if (pauses[index % pauses.length] === true) await settled()
  }
  await settled()
  await near.close()
  // What the server seals and how it numbers its questions is its own affair.
  const plain = said.map(({ id, result, ...rest }): Wire => {
    if (rest.method !== undefined && id !== undefined) return { ...rest, id: 0 }
    const state = result?.requestState === undefined ? {} : { requestState: "sealed" }
    return { ...rest, ...(id !== undefined && { id }), ...(result && { result: { ...result, ...state } }) }
  })
  return { l: told(plain.filter((one) => !isModern(one))), m: told(plain.filter(isModern)) }
}

/** By request, and by stream: in which order these come among each other is nobody's to say. */
const told = (messages: ReadonlyArray<Wire>): ReadonlyArray<string> =>
  messages.map((one) => JSON.stringify(one)).toSorted()

const whole = (who: "l" | "m"): ReadonlyArray<"l" | "m"> => (who === "l" ? legacyScript : modernScript).map(() => who)

describe(`a legacy client and a modern one on one channel (seed ${seed}, ${runs} ways to mix them)`, () => {
  it("are each told what they would be told alone", async () => {
    const alone = { l: (await lived(whole("l"), [true])).l, m: (await lived(whole("m"), [true])).m }
    // Asks its client once, tells of one update and one message; and the other way round two messages and one update.
    expect(alone.l).toHaveLength(14 + 1 + 1 + 1 + 2)
    expect(alone.m).toHaveLength(12 + 1 + 1 + 2 + 2)
    const mixed = fc.shuffledSubarray([...whole("l"), ...whole("m")], {
      minLength: legacyScript.length + modernScript.length
    })
    await fc.assert(
      fc.asyncProperty(mixed, fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }), async (turns, pauses) => {
        expect(await lived(turns, pauses)).toEqual(alone)
      }),
      { seed, numRuns: runs }
    )
  })
})
