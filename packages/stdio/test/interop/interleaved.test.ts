/** A legacy client and a modern one that take turns on the pipes of one server process see nothing of each other. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"
import { subscriptionId } from "./modern-wire.js"
import type { OnePipe } from "./one-pipe.js"
import { initialize, modern, notification, onePipe, request } from "./one-pipe.js"
import type { Wire } from "./recorded.js"

let server: Bundled
let pipe: OnePipe
beforeAll(async () => void (server = await bundled("../interop/eras.ts")))
afterAll(() => server.remove())
beforeEach(() => void (pipe = onePipe(server.path)))
afterEach(() => pipe.close())

const logLevel = (level: string): object => ({ "io.modelcontextprotocol/logLevel": level })
const call = (name: string, args: object = {}): object => ({ name, arguments: args })
const touch = (note: string): object => call("touch", { note })
const logs = (messages: ReadonlyArray<Wire>): ReadonlyArray<unknown> =>
  messages.flatMap(({ method, params }) => (method === "notifications/message" ? [params.data] : []))
const streamOf = ({ params }: Wire): unknown => params?._meta?.[subscriptionId]
/** What came beside replies, sorted: what it says, and the subscription that it came for, if it came for one. */
const news = (): ReadonlyArray<string> =>
  pipe
    .said()
    .flatMap((message) =>
      message.method === undefined ? [] : [`${message.method} ${String(streamOf(message) ?? "session")}`]
    )
    .toSorted()
const updated = (of: string | number): string => `notifications/resources/updated ${of}`
const changed = (of: string | number): string => `notifications/tools/list_changed ${of}`

async function handshake(capabilities: object = {}): Promise<void> {
  pipe.send(initialize(0, capabilities), notification("notifications/initialized"))
  await pipe.reply(0)
}
async function listen(id: string | number, notifications: object): Promise<void> {
  pipe.send(request(id, "subscriptions/listen", modern({ notifications })))
  await pipe.told((message) => message.method?.endsWith("/acknowledged") && streamOf(message) === id)
}
/** Sends, waits for the replies, and looks at what has come since. */
async function after(...requests: ReadonlyArray<Wire>): Promise<ReadonlyArray<Wire>> {
  pipe.mark()
  pipe.send(...requests)
  await Promise.all(requests.flatMap(({ id }) => (id === undefined ? [] : [pipe.reply(id)])))
  return pipe.said()
}

describe("two clients of different kinds on one pair of pipes", () => {
  it("are each answered by their own revision, in one burst and before and after the handshake", async () => {
    const all = await after(
      request("m1", "tools/list", modern()),
      initialize(1),
      request("m2", "resources/read", modern({ uri: "note://one" })),
      notification("notifications/initialized"),
      request(2, "tools/list"),
      request("m3", "server/discover", modern()),
      request(3, "resources/read", { uri: "note://one" }),
      request(4, "ping"),
      request("m4", "ping", modern()),
      request(5, "server/discover", {}),
      request("m5", "resources/read", modern({ uri: "note://none" })),
      request(6, "resources/read", { uri: "note://none" })
    )
    const of = (id: string | number): Wire => all.find((message) => message.id === id)
    for (const id of ["m1", "m2", "m3"])
      expect(of(id).result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" })
    for (const id of [1, 2, 3, 4])
      for (const member of ["resultType", "_meta", "ttlMs", "cacheScope"])
        expect(of(id).result).not.toHaveProperty(member)
    expect(of(1).result.protocolVersion).toBe("2025-11-25")
    expect(of(4).result).toEqual({})
    expect(of("m4").error.code).toBe(-32601)
    expect(of(5).error.code).toBe(-32602)
    expect(of("m5").error.code).toBe(-32602)
    expect(of(6).error.code).toBe(-32002)
    expect(all).toHaveLength(11)
  })

  it("have log levels of their own: the session's says nothing about a request's, nor the other way round", async () => {
    await handshake()
    const say = (by: string): object => call("say", { by })
    expect(logs(await after(request(1, "logging/setLevel", { level: "warning" })))).toEqual([])
    expect(logs(await after(request("m1", "tools/call", modern(say("m")))))).toEqual([])
    expect(logs(await after(request("m2", "tools/call", modern(say("m"), {}, logLevel("debug")))))).toEqual([
      "m at debug",
      "m at info",
      "m at warning"
    ])
    expect(logs(await after(request(2, "tools/call", say("l"))))).toEqual(["l at warning"])
    pipe.mark()
    const [theirs, ours] = [modern(say("m"), {}, logLevel("info")), say("l")]
    const both = await after(request("m3", "tools/call", theirs), request(3, "tools/call", ours))
    expect(logs(both).toSorted()).toEqual(["l at warning", "m at info", "m at warning"])
  })

  it("have subscriptions of their own, and each is told once", async () => {
    await handshake()
    await listen("m1", { toolsListChanged: true, resourceSubscriptions: ["note://two"] })
    await after(request(1, "resources/subscribe", { uri: "note://one" }))
    await after(request("m2", "tools/call", modern(touch("note://one"))))
    expect(news()).toEqual([updated("session")])
    await after(request(2, "tools/call", touch("note://two")))
    expect(news()).toEqual([updated("m1")])
    await listen(3, { resourceSubscriptions: ["note://one"] })
    await after(request(4, "tools/call", touch("note://one")))
    expect(news()).toEqual([updated(3), updated("session")])
    await after(request(5, "resources/unsubscribe", { uri: "note://one" }))
    await after(request(6, "tools/call", touch("note://one")))
    expect(news()).toEqual([updated(3)])
    pipe.send(notification("notifications/cancelled", { requestId: 3 }))
    await after(request(7, "tools/call", touch("note://one")))
    expect(news()).toEqual([])
    await after(request(8, "tools/call", call("grow")))
    expect(news()).toEqual([changed("m1"), changed("session")])
  })

  it("are told of changed lists by what each asked for, and before the handshake only listeners are", async () => {
    await listen("m1", { toolsListChanged: true })
    await listen("m2", { promptsListChanged: true })
    await after(request("m3", "tools/call", modern(call("grow"))))
    expect(news()).toEqual([changed("m1")])
  })

  it("share one space of ids: one in use is refused by either, and the first request is unaffected", async () => {
    await handshake()
    pipe.send(request("same", "tools/call", { ...call("count", { steps: 1 }), _meta: { progressToken: "l" } }))
    await pipe.told(({ params }) => params?.progressToken === "l")
    const [refused] = await after(request("same", "tools/list", modern()))
    expect(refused.error.code).toBe(-32600)
    pipe.mark()
    pipe.send(request("m", "tools/call", modern(call("finish"))))
    expect((await pipe.reply("same")).result).toEqual({ content: [{ type: "text", text: "counted to 1" }] })

    await listen(7, {})
    const [other] = await after(request(7, "ping"))
    expect(other.error.code).toBe(-32600)
    expect((await after(request("7", "ping")))[0].result).toEqual({})
  })

  it("can each be asked what it said, the way its revision asks", async () => {
    await handshake({ elicitation: {} })
    const need = call("need")
    const refused = await after(request("m1", "tools/call", modern(need)), request(1, "tools/call", need))
    expect(refused.find(({ id }) => id === "m1").error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } }
    })
    expect(refused.find(({ id }) => id === 1).result).toEqual({ content: [{ type: "text", text: "asked nothing" }] })

    pipe.mark()
    pipe.send(
      request("m2", "tools/call", modern(call("book"), { elicitation: {} })),
      request(2, "tools/call", call("book"))
    )
    const asked = await pipe.told(({ method }) => method === "elicitation/create")
    const { result } = await pipe.reply("m2")
    expect(result).toMatchObject({
      resultType: "input_required",
      inputRequests: { guests: { method: "elicitation/create", params: { message: "first" } } }
    })
    expect(asked.params.message).toBe("first")
    const accept = (guests: number): object => ({ action: "accept", content: { guests } })
    pipe.mark()
    pipe.send(
      { jsonrpc: "2.0", id: asked.id, result: accept(1) },
      request(
        "m3",
        "tools/call",
        modern(
          { ...call("book"), requestState: result.requestState, inputResponses: { guests: accept(10) } },
          { elicitation: {} }
        )
      )
    )
    const again = await pipe.told(({ method }) => method === "elicitation/create")
    const next = (await pipe.reply("m3")).result
    pipe.mark()
    pipe.send(
      { jsonrpc: "2.0", id: again.id, result: accept(2) },
      request(
        "m4",
        "tools/call",
        modern(
          { ...call("book"), requestState: next.requestState, inputResponses: { "guests#2": accept(20) } },
          { elicitation: {} }
        )
      )
    )
    expect((await pipe.reply(2)).result).toEqual({ content: [{ type: "text", text: "3 guests" }] })
    expect((await pipe.reply("m4")).result.content).toEqual([{ type: "text", text: "30 guests" }])
    const told = await pipe.close()
    expect(told.filter(({ method }) => method === "elicitation/create")).toHaveLength(2)
  })

  it("are told the end of what they wait for, each in its own words, when the input ends", async () => {
    await handshake()
    await listen("m1", { toolsListChanged: true })
    pipe.mark()
    const said = await pipe.close()
    const about = said.filter(
      (message) => message.id === "m1" || message.params?.requestId === "m1" || streamOf(message) === "m1"
    )
    expect(about.map(({ method, id }) => method ?? id)).toEqual([
      "notifications/subscriptions/acknowledged",
      "m1",
      "notifications/cancelled"
    ])
    expect(about.map((one) => streamOf(one) ?? one.result?._meta?.[subscriptionId])).toEqual(["m1", "m1", "m1"])
    expect(said.at(0).id).toBe(0)
    expect(said).toHaveLength(4)
  })
})
