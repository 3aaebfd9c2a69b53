/** What a client is told unasked while it does not read: no more than one of each kind, and nothing that matters is lost. */
import { afterEach, describe, expect, it, vi } from "vitest"
import type { ByHand } from "../../driver/test/by-hand.js"
import { byHand, text } from "../../driver/test/by-hand.js"
import type { Call } from "../src/index.js"
import { defineServer, live, resource, serve, tool } from "../src/index.js"

const info = { name: "unread", version: "1.0.0" }
const declare = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: true
} as const
interface Heard {
  readonly method?: string
  readonly params?: { readonly uri?: string }
}

const ask = (id: number, method: string, params: object = {}) => text({ jsonrpc: "2.0", id, method, params })
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const note = resource("note://a", { name: "a" }, () => "")

/** A session whose client subscribed to two notes and whose one call goes on; its channel is in the test's hands. */
async function opened() {
  let call!: Call
  const log = tool("log", {}, (_, running) => {
    call = running
    return new Promise<string>(() => undefined)
  })
  const server = live(defineServer(info, [log, note], { declare }))
  const channel: ByHand = byHand()
  let opening!: () => void
  const open = new Promise<void>((resolve) => (opening = resolve))
  channel.open = (on) => {
    channel.on = on
    opening()
  }
  serve(server, channel)
  await open
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } }
  void channel.on.frame(ask(1, "initialize", client))
  void channel.on.frame(text({ jsonrpc: "2.0", method: "notifications/initialized" }))
  void channel.on.frame(ask(2, "resources/subscribe", { uri: "note://a" }))
  void channel.on.frame(ask(3, "resources/subscribe", { uri: "note://b" }))
  void channel.on.frame(ask(4, "tools/call", { name: "log" }))
  const said = () => channel.sent.splice(0).map(({ message }) => message as Heard)
  said()
  /** The client stops reading, having got one more update; the returned function makes it read again. */
  const stops = () => {
    let free!: () => void
    channel.room = new Promise((resolve) => (free = resolve))
    const { room } = channel
    server.updated("note://a")
    said()
    return async () => {
      channel.room = undefined
      free()
      await room
      await turn()
    }
  }
  return { channel, server, call, said, stops, items: server.server.items }
}

describe("while the client does not read", () => {
  it("updates are kept once for each resource, and told when it reads again", async () => {
    const { server, said, stops } = await opened()
    const reads = stops()
    for (let n = 0; n < 10_000; n++) for (const uri of ["note://b", "note://a", "note://c"]) server.updated(uri)
    expect(said()).toEqual([])
    await reads()
    const updated = (uri: string) => ({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } })
    expect(said()).toEqual([updated("note://b"), updated("note://a")])
    server.updated("note://a")
    expect(said()).toEqual([updated("note://a")])
  })

  it("what it no longer wants to hear of is not told", async () => {
    const { channel, server, said, stops } = await opened()
    const reads = stops()
    server.updated("note://a")
    void channel.on.frame(ask(5, "resources/unsubscribe", { uri: "note://a" }))
    said()
    await reads()
    expect(said()).toEqual([])
  })

  it("changes of lists are told once for each list", async () => {
    const { server, said, stops, items } = await opened()
    const reads = stops()
    for (let n = 0; n < 50; n++) {
      await server.set([...items, tool(`t${n}`, {}, () => "")])
      await server.set([...items, resource(`note://${n}`, { name: "n" }, () => "")])
    }
    expect(said()).toEqual([])
    await reads()
    expect(said().map(({ method }) => method)).toEqual([
      "notifications/tools/list_changed",
      "notifications/resources/list_changed"
    ])
  })

  it("logs are kept up to 4 MiB, and one more says how many were left out", async () => {
    const { call, said, stops } = await opened()
    const reads = stops()
    for (let n = 0; n < 10_000; n++) call.log("error", "x".repeat(10_000))
    const kept = said()
    expect(JSON.stringify(kept).length).toBeLessThan(4.5 * 1024 * 1024)
    expect(kept.length).toBeGreaterThan(400)
    await reads()
    const data = `${10_000 - kept.length} log messages were left out: nobody read them`
    expect(said()).toEqual([{ jsonrpc: "2.0", method: "notifications/message", params: { level: "error", data } }])
    call.log("info", "again")
    expect(said()).toMatchObject([{ params: { data: "again" } }])
  })

  it("a burst of logs is not lost on one that reads a moment later", async () => {
    const { call, said, stops } = await opened()
    const reads = stops()
    for (let n = 0; n < 1_000; n++) call.log("info", "y".repeat(1_000))
    expect(said()).toHaveLength(1_000)
    await reads()
    expect(said()).toEqual([])
  })

  it("what was left out waits on when there is no room again at once", async () => {
    const { channel, server, call, said, stops } = await opened()
    const reads = stops()
    for (let n = 0; n < 500; n++) call.log("error", "x".repeat(10_000))
    server.updated("note://a")
    server.updated("note://b")
    said()
    const reading = reads()
    let free!: () => void
    const room = (channel.room = new Promise<void>((resolve) => (free = resolve)))
    await reading
    expect(said()).toMatchObject([{ method: "notifications/message" }])
    channel.room = undefined
    free()
    await room
    expect(said().map(({ params }) => params?.uri)).toEqual(["note://a", "note://b"])
  })
})

describe("a log message that can not be told", () => {
  afterEach(() => void vi.restoreAllMocks())

  async function logging(given: object, options: object = {}) {
    const { talking } = await import("./talk.js")
    const wrong = tool("wrong", {}, (_, call) => {
      for (let n = 0; n < 3; n++) call.log("warn" as never, n)
      for (let n = 0; n < 3; n++) call.log("error", n)
      return "done"
    })
    const talk = await talking(defineServer(info, [wrong], given), options)
    expect(await talk.call("wrong")).toEqual({ content: [{ type: "text", text: "done" }] })
    return talk.heard.filter(({ method }) => method !== undefined)
  }

  it.each([
    ["logging was not declared", {}, "logging was not declared; declare: { logging: true }", 0],
    ["there is no such level", { declare: { logging: true } }, expect.stringContaining('level: expected "debug" or'), 3]
  ])("is reported once a session: %s", async (_, given, why, count) => {
    const reports: Array<unknown> = []
    const heard = await logging(given, { report: (report: unknown) => reports.push(report) })
    expect(heard).toHaveLength(count)
    expect(reports.slice(1)).toEqual([{ _tag: "Unsendable", method: "notifications/message", why }])
  })

  it("is told on the console where nobody listens to reports", async () => {
    const told = vi.spyOn(console, "error").mockReturnValue()
    await logging({})
    expect(told.mock.calls).toEqual([
      ["A notifications/message was not sent: logging was not declared; declare: { logging: true }"]
    ])
  })
})
