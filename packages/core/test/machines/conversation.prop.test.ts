/** Any conversation of our client with our server, of either kind: neither ever has anything to object to in what the other says. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ClientTimer, Input as ClientInput } from "../../src/client/index.js"
import type { JsonObject } from "../../src/json.js"
import { isObject } from "../../src/json.js"
import { handshakeRevisions, revisionNamed, revisions, v2025_03_26, v2026_07_28 } from "../../src/revisions/index.js"
import type { Input as ServerInput, Output as ServerOutput } from "../../src/server/index.js"
import { both, called } from "../client/by-hand.js"
import { define as server, everything } from "../server/by-hand.js"
import type { Pair } from "./pair.js"
import { pair } from "./pair.js"

const definition = server(everything, {
  prompts: [{ name: "p" }],
  resources: [{ uri: "a:1", name: "r" }],
  templates: [{ uriTemplate: "a:{x}", name: "t" }],
  caching: { "tools/list": { ttlMs: 5, cacheScope: "public" } }
})
const capabilities = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } }

/** What happens next, as far as it can. */
type Move = (two: Pair, memory: Memory) => void

interface Memory {
  /** Calls that were made and not settled, the timers that run, and the questions that are open. */
  readonly calls: Set<number>
  readonly timers: Map<string, ClientTimer>
  readonly asks: Map<number, { readonly id: string | number | undefined; readonly method: string }>
  settled: number
  at: { near: number; far: number }
}

/** One of them, if there is any. */
const one = <A>(all: Iterable<A>, at: number): A | undefined => {
  const list = [...all]
  return list[at % Math.max(1, list.length)]
}

const listens: ReadonlyArray<JsonObject> = [
  {},
  { toolsListChanged: true },
  { promptsListChanged: true, resourceSubscriptions: ["a:1"] },
  { resourceSubscriptions: ["a:1", "a:2"] }
]
const requests: ReadonlyArray<readonly [string, JsonObject | undefined]> = [
  ["tools/list", undefined],
  ["tools/call", { name: "slow", arguments: {} }],
  ["tools/call", { name: "echo", _meta: { traceparent: "00-1-1-01" } }],
  ["prompts/get", { name: "p" }],
  ["resources/read", { uri: "a:1" }],
  ["resources/list", undefined],
  ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "n", value: "v" } }],
  ["server/discover", undefined],
  ["ping", undefined],
  ["logging/setLevel", { level: "info" }],
  ["resources/subscribe", { uri: "a:1" }],
  ...listens.map((notifications) => ["subscriptions/listen", { notifications }] as const)
]

const call = fc
  .tuple(
    fc.constantFrom(...requests),
    fc.boolean(),
    fc.constantFrom(undefined, 900),
    fc.constantFrom(undefined, "info")
  )
  .map(([[method, params], progress, totalMs, logLevel]): Move => (two, memory) => {
    const call = two.near().last + 1
    memory.calls.add(call)
    client(two, memory, called(call, method, params, { progress, totalMs, logLevel }))
  })

const form = { message: "m", requestedSchema: { type: "object" as const, properties: {} } }
const questions = [
  { key: "a", method: "elicitation/create", params: form },
  { key: "b", method: "roots/list", params: undefined },
  { key: "c", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }
]
const answers: { readonly [method: string]: object } = {
  "elicitation/create": { action: "accept", content: { a: 1 } },
  "roots/list": { roots: [] },
  "sampling/createMessage": { role: "assistant", content: { type: "text", text: "t" }, model: "m" }
}

/** What a handler says, one of the last that were invoked. */
const said = fc
  .tuple(fc.nat(3), fc.nat(9), fc.subarray(questions, { minLength: 1 }))
  .map(([at, what, some]): Move => (two, memory) => {
    const invoked = two.run.filter(
      (output): output is Extract<ServerOutput, { _tag: "Invoke" }> => output._tag === "Invoke"
    )
    // Calls that were asked about are rare, and to be answered as well.
    const resumed = at < 2 ? invoked.findLast(({ answers }) => answers !== undefined) : undefined
    const of = resumed ?? invoked.at(-1 - at)
    if (of === undefined) return
    const { call, id, target, answers } = of
    const about = { call, id }
    const asked = target._tag === "Method" ? target.method : target._tag
    if (what < (answers === undefined ? 3 : 1) && (target._tag !== "Method" || asked === "resources/read")) {
      const known = some.filter(({ method }) => method in revisionNamed(of.peer.revision)!.questions)
      if (known.length === 0) return
      const left = known.filter(({ key }) => answers?.[key] === undefined)
      return host(two, memory, {
        _tag: "NeedsInput",
        call,
        id,
        questions: left.length > 0 ? left : known.map(again),
        once: {}
      })
    }
    if (what === 3) return host(two, memory, { _tag: "Progressed", call, id, progress: two.run.length })
    if (what === 4) return host(two, memory, { _tag: "Logged", level: "warning", data: 1, about })
    if (what === 5) return host(two, memory, { _tag: "Failed", call, id, failure: { _tag: "Crashed" } })
    host(two, memory, { _tag: "Succeeded", call, id, result: results[asked] ?? {} })
  })
const again = (question: (typeof questions)[number]) => ({ ...question, key: `${question.key}#2` })
const results: { readonly [asked: string]: object } = {
  Tool: { content: [{ type: "text", text: "x" }] },
  Prompt: { messages: [] },
  "resources/read": { contents: [] },
  "completion/complete": { completion: { values: [] } }
}

const news = fc
  .constantFrom<ServerInput>(
    { _tag: "Updated", uri: "a:1" },
    { _tag: "Updated", uri: "a:2" },
    { _tag: "Changed", families: ["tools"] },
    { _tag: "Changed", families: ["prompts", "resources"] },
    { _tag: "Logged", level: "error", data: 1 }
  )
  .map(
    (input): Move =>
      (two, memory) =>
        host(two, memory, input)
  )

const answer = fc.tuple(fc.nat(9), fc.nat(9)).map(([at, how]): Move => (two, memory) => {
  const open = one(memory.asks, at)
  if (open === undefined) return
  const [ask, { id, method }] = open
  memory.asks.delete(ask)
  client(
    two,
    memory,
    how === 0
      ? { _tag: "Declined", ask, id, error: { code: -1, message: "no" } }
      : { _tag: "Answered", ask, id, result: answers[method] }
  )
})

const abandoned = fc.nat(9).map((at): Move => (two, memory) => {
  const number = one(memory.calls, at)
  if (number !== undefined) client(two, memory, { _tag: "Abandoned", call: number, reason: "enough" })
})

const timer = fc.nat(9).map((at): Move => (two, memory) => {
  const due = one(
    [...memory.timers.values()].filter(({ of }) => of !== "opening"),
    at
  )
  if (due !== undefined) client(two, memory, { _tag: "TimerFired", timer: due })
})

const moved: Move = (two) => two.move()
const up: Move = (two, memory) => {
  two.up()
  learn(two, memory)
}
const down: Move = (two, memory) => {
  two.down()
  learn(two, memory)
}

const move = fc.oneof(
  { weight: 5, arbitrary: call },
  { weight: 8, arbitrary: said },
  { weight: 3, arbitrary: news },
  { weight: 6, arbitrary: answer },
  { weight: 1, arbitrary: abandoned },
  { weight: 1, arbitrary: timer },
  { weight: 24, arbitrary: fc.constantFrom(up, up, down, down, moved) }
)

function client(two: Pair, memory: Memory, input: ClientInput): void {
  two.toClient(input)
  learn(two, memory)
}

function host(two: Pair, memory: Memory, input: ServerInput): void {
  two.toServer(input)
  learn(two, memory)
}

/** What may be said of a message that crossed another on its way. */
const crossed =
  /no such request is in flight|a reply to no request of ours|no such question is open|names no stream of ours that is open|progress for no request of ours|came after|the handler of .* failed/

function learn(two: Pair, memory: Memory): void {
  for (; memory.at.near < two.heard.length; memory.at.near++) {
    const output = two.heard[memory.at.near]!
    if (output._tag === "StartTimer") memory.timers.set(`${output.timer.of} ${output.timer.call}`, output.timer)
    if (output._tag === "StopTimer") {
      const key = `${output.timer.of} ${output.timer.call}`
      expect(memory.timers.delete(key), `${key} runs`).toBe(true)
    }
    if (output._tag === "Ask") memory.asks.set(output.ask, output)
    if (output._tag === "WithdrawAsk") expect(memory.asks.delete(output.ask)).toBe(true)
    if (output._tag === "Settle") {
      expect(memory.calls.delete(output.call), `call ${output.call} is settled once`).toBe(true)
      memory.settled++
      if (output.outcome._tag === "Failed") expect(output.outcome.error._tag).not.toBe("ResultInvalid")
    }
    if (output._tag === "Report") expect(output.report).toSatisfy(isHarmless)
  }
  for (; memory.at.far < two.run.length; memory.at.far++) {
    const output = two.run[memory.at.far]!
    if (output._tag === "Report") expect(output.report).toSatisfy(isHarmless)
  }
}

interface Told {
  readonly _tag: string
  readonly why?: string
  readonly method?: string | undefined
  readonly failure?: { readonly _tag: string }
}

/** A client may ask before it knows, a handler may crash and a user be slow, and what crossed something else is nothing. */
function isHarmless({ _tag, why = "", method, failure }: Told): boolean {
  switch (_tag) {
    case "Ignored":
      return crossed.test(why)
    case "Unsendable":
      return why === "not answered within 50 ms"
    case "Refused":
      return method === "server/discover" || failure!._tag === "HandlerCrashed"
    default:
      return true
  }
}

/** Both of the message's ends find it well-formed; requests of the newest revision say so, and others do not. */
function holds(line: string, revision: string): void {
  const message = JSON.parse(line.slice(3)) as JsonObject
  const method = message["method"] as string | undefined
  if (method === undefined || method === "server/discover" || method === "initialize") return
  const { client, server } = revisionNamed(revision)!
  const row = (line.startsWith("->") ? client : server)[method]
  expect(row, `${method} is in ${revision}`).toBeDefined()
  expect(row!.params(message["params"] ?? {})).toBeUndefined()
  const meta = isObject(message["params"]) ? message["params"]["_meta"] : undefined
  const says = isObject(meta) && "io.modelcontextprotocol/protocolVersion" in meta
  expect(says).toBe(revision === "2026-07-28" && message["id"] !== undefined)
}

const cells = [
  { name: "both of 2026-07-28", theirs: [v2026_07_28], ours: [v2026_07_28] },
  { name: "both of all", theirs: revisions, ours: revisions },
  { name: "a server of older ones", theirs: handshakeRevisions, ours: revisions },
  { name: "a client of older ones", theirs: revisions, ours: handshakeRevisions },
  { name: "batches", theirs: [v2025_03_26], ours: [v2025_03_26] }
]

describe.each(cells)("a client and a server, $name", ({ theirs, ours }) => {
  it("get on in any conversation", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.array(move, { minLength: 160, maxLength: 320 }), (moves) => {
        const options = { client: { askMs: 50, maxRounds: 3 } }
        const two = pair({ ...definition, revisions: theirs }, both(capabilities, { revisions: ours }), options)
        const memory: Memory = {
          calls: new Set(),
          timers: new Map(),
          asks: new Map(),
          settled: 0,
          at: { near: 0, far: 0 }
        }
        client(two, memory, { _tag: "Open" })
        two.flush()
        learn(two, memory)
        for (const next of moves) next(two, memory)
        two.flush()
        learn(two, memory)
        const { phase } = two.near()
        const revision = phase._tag === "Open" ? phase.peer.revision : ""
        for (const line of two.sent) holds(line, revision)
        client(two, memory, { _tag: "Stopping" })
        expect([...memory.calls, ...memory.timers.keys(), ...memory.asks.keys()]).toEqual([])
        for (const output of two.heard) {
          seen.add(output._tag === "Settle" ? output.outcome._tag : output._tag)
          if (output._tag === "Settle" && output.outcome._tag === "Succeeded" && output.outcome.rounds !== undefined)
            seen.add("Rounds")
          if (output._tag === "Notice") seen.add(output.method)
        }
      }),
      { numRuns: 150 }
    )
    const modern = theirs.includes(v2026_07_28) && ours.includes(v2026_07_28)
    expect([...seen]).toEqual(
      expect.arrayContaining([
        "Opened",
        "Succeeded",
        "Failed",
        "Progress",
        "notifications/message",
        ...(modern ? ["Ask", "Rounds", "Acknowledged", "notifications/resources/updated"] : [])
      ])
    )
  })
})
