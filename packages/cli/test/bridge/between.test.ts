/** Passing on between two channels, with a scripted far side. */
import type { Channel, ChannelEvents, Frame, Outgoing } from "@parley/driver"
import { link } from "@parley/driver"
import { describe, expect, it, vi } from "vitest"
import { between } from "../../src/bridge/between.js"

/** A far side that keeps what it is sent. */
function far() {
  const sent: Array<Outgoing> = []
  const aborted: Array<unknown> = []
  let on!: ChannelEvents
  let closed = false
  const channel: Channel = {
    cancels: "exchange",
    headers: true,
    open: (events) => (on = events),
    send: (out) => void sent.push(out),
    abort: (id) => void aborted.push(id),
    close: async () => {
      closed = true
    }
  }
  const say = (json: unknown) => on.frame({ _tag: "Parsed", json, via: "" })
  return { channel, sent, aborted, say, frame: (frame: Frame) => on.frame(frame), closed: () => closed, on: () => on }
}

function stage() {
  const [near, own] = link()
  const server = far()
  const complaints: Array<string> = []
  const relaying = between(own, server.channel, (text) => complaints.push(text))
  const got: Array<unknown> = []
  let ended = false
  near.open({
    frame: (frame) => void got.push(frame._tag === "Text" ? JSON.parse(frame.text) : frame),
    closed: () => (ended = true)
  })
  const say = (message: object) =>
    near.send({ message: { jsonrpc: "2.0", ...message } as never, via: undefined, last: false })
  return { near, server, complaints, relaying, got, say, ended: () => ended }
}

interface Answer {
  readonly id: unknown
  readonly error: { readonly code: number }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
const region = { type: "string", "x-mcp-header": "Region" }
const listed = [
  { name: "t", inputSchema: { type: "object", properties: { region } } },
  { name: "bad", inputSchema: { type: "object", items: region } }
]

describe("headers", () => {
  it("of 2026-07-28 say what the envelope, the method and the lists say", async () => {
    const { server, say, got, complaints } = stage()
    void say({ id: 1, method: "tools/list", params: { _meta } })
    await turn()
    void server.say({ jsonrpc: "2.0", id: 1, result: { tools: listed } })
    void say({ id: 2, method: "tools/call", params: { name: "t", arguments: { region: "eu" }, _meta } })
    void say({ id: 3, method: "resources/read", params: { uri: "a:b", _meta } })
    await turn()
    expect(server.sent.map(({ revision, mirror }) => [revision, mirror])).toEqual([
      ["2026-07-28", [["Mcp-Method", "tools/list"]]],
      [
        "2026-07-28",
        [
          ["Mcp-Method", "tools/call"],
          ["Mcp-Name", "t"],
          ["Mcp-Param-Region", "eu"]
        ]
      ],
      [
        "2026-07-28",
        [
          ["Mcp-Method", "resources/read"],
          ["Mcp-Name", "a:b"]
        ]
      ]
    ])
    // A tool whose headers can not be said is none over HTTP.
    expect(got).toMatchObject([{ id: 1, result: { tools: [{ name: "t" }] } }])
    expect(complaints).toMatchObject([expect.stringContaining("The tool bad is left out")])
  })

  it("of a session say what was agreed, and what is not understood goes on unchanged", async () => {
    const { server, say } = stage()
    void say({ id: 0, method: "initialize", params: {} })
    await turn()
    void server.say({ jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-06-18" } })
    void say({ method: "notifications/odd", params: { a: 1.5 }, more: true })
    await turn()
    expect(server.sent.map(({ revision, mirror }) => [revision, mirror])).toEqual([
      [undefined, undefined],
      ["2025-06-18", undefined]
    ])
    expect(server.sent[1]!.text).toBe('{"jsonrpc":"2.0","method":"notifications/odd","params":{"a":1.5},"more":true}')
  })
})

describe("a call that is refused for its headers", () => {
  const call = (id: number) => ({ id, method: "tools/call", params: { name: "t", arguments: { region: "eu" }, _meta } })
  const misheaded = (id: number) => ({ jsonrpc: "2.0", id, error: { code: -32020, message: "no" } })
  const mirrors = (sent: ReadonlyArray<Outgoing>) => sent.map(({ mirror }) => mirror!.at(-1)!.join(" "))
  const idOf = (out: Outgoing | undefined) => (out!.message as { readonly id: unknown }).id

  it("is made once more when the tools were listed, all of them, for all that wait", async () => {
    const { server, say, got } = stage()
    for (const id of [1, 2]) void say(call(id))
    await turn()
    for (const id of [1, 2]) void server.say(misheaded(id))
    expect(server.sent.slice(2).map(({ message }) => message)).toMatchObject([
      { method: "tools/list", params: { _meta } }
    ])
    void server.say({ jsonrpc: "2.0", id: idOf(server.sent[2]), result: { tools: [], nextCursor: "c" } })
    await turn()
    expect(server.sent[3]!.message).toMatchObject({ method: "tools/list", params: { cursor: "c", _meta } })
    void server.say({ jsonrpc: "2.0", id: idOf(server.sent[3]), result: { tools: listed } })
    await turn()
    expect(mirrors(server.sent)).toEqual([
      "Mcp-Name t",
      "Mcp-Name t",
      "Mcp-Method tools/list",
      "Mcp-Method tools/list",
      "Mcp-Param-Region eu",
      "Mcp-Param-Region eu"
    ])
    // What is refused once more is not mended by another list.
    void server.say(misheaded(2))
    void server.say({ jsonrpc: "2.0", id: 1, result: {} })
    await turn()
    expect(server.sent).toHaveLength(6)
    expect(got).toMatchObject([misheaded(2), { id: 1, result: {} }])
  })

  it.each([
    ["is refused", (id: unknown): Frame => ({ _tag: "Refused", id: id as number, status: 502, body: "no" })],
    [
      "has no such tool",
      (id: unknown): Frame => ({ _tag: "Parsed", json: { jsonrpc: "2.0", id, result: { tools: [] } }, via: "" })
    ]
  ])("is answered as it was where the list %s", async (_, frame) => {
    const { server, say, got, complaints } = stage()
    void say(call(1))
    await turn()
    void server.say(misheaded(1))
    void server.frame(frame(idOf(server.sent[1])))
    await turn()
    expect([server.sent.length, got, complaints]).toEqual([2, [misheaded(1)], []])
  })

  it("is answered as it was where no list comes, after a while", async () => {
    const { server, say, got } = stage()
    void say(call(1))
    await turn()
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      void server.say(misheaded(1))
      await vi.advanceTimersByTimeAsync(29_999)
      expect(got).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
    } finally {
      vi.useRealTimers()
    }
    await turn()
    expect([server.sent.length, got]).toEqual([2, [misheaded(1)]])
    expect(server.aborted).toEqual([idOf(server.sent[1])])
  })

  it("and withdrawn meanwhile is not made again", async () => {
    const { server, say, got } = stage()
    void say(call(1))
    await turn()
    void server.say(misheaded(1))
    void say({ method: "notifications/cancelled", params: { requestId: 1 } })
    await turn()
    void server.say({ jsonrpc: "2.0", id: idOf(server.sent[1]), result: { tools: listed } })
    await turn()
    expect([server.sent.length, got]).toEqual([2, []])
  })

  it("is not listed for in a session, which has no such headers", async () => {
    const { server, say, got } = stage()
    void say({ id: 1, method: "tools/call", params: { name: "t" } })
    await turn()
    void server.say(misheaded(1))
    await turn()
    expect([server.sent.length, got]).toEqual([1, [misheaded(1)]])
  })
})

it("withdraws a request of 2026-07-28 by its exchange, and one of a session by the message", async () => {
  const { server, say } = stage()
  void say({ id: 1, method: "tools/call", params: { name: "t", _meta } })
  void say({ id: 2, method: "tools/call", params: { name: "t" } })
  for (const requestId of [1, 2]) void say({ method: "notifications/cancelled", params: { requestId } })
  await turn()
  expect(server.aborted).toEqual([1])
  expect(server.sent.slice(2)).toMatchObject([{ message: { params: { requestId: 2 } } }])
})

it("says by an error what HTTP says by a status", async () => {
  const { server, say, got, complaints } = stage()
  void say({ id: 1, method: "ping" })
  await turn()
  void server.frame({ _tag: "Refused", id: 1, status: 502, body: "HTTP 502" })
  void server.frame({ _tag: "Refused", id: undefined, status: 0, body: "the stream is over" })
  await turn()
  expect(got).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "HTTP 502", data: { status: 502 } } }])
  expect(complaints).toEqual(["the stream is over"])
})

it("opens a lost session again, and ends where that comes to nothing", async () => {
  const { server, say, got, ended } = stage()
  void say({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } })
  await turn()
  void server.say({ jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25" } })
  void say({ id: 1, method: "ping" })
  await turn()
  void server.frame({ _tag: "SessionLost", id: 1 })
  void say({ id: 2, method: "ping" })
  await turn()
  const { id } = server.sent.at(-1)!.message as { readonly id: unknown }
  expect(server.sent).toHaveLength(3)
  void server.say({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25" } })
  expect(server.sent.slice(3).map(({ message }) => message)).toMatchObject([
    { method: "notifications/initialized" },
    { id: 1 },
    { id: 2 }
  ])
  void server.frame({ _tag: "SessionLost", id: 1 })
  void server.say({ jsonrpc: "2.0", id, error: { code: -32602, message: "no" } })
  await turn()
  await turn()
  expect(got.slice(1)).toMatchObject([
    { id: 1, error: {} },
    { id: 2, error: {} }
  ])
  expect([ended(), server.closed()]).toEqual([true, true])
})

it("answers what can not go out by HTTP, and sends none of it", async () => {
  const { near, server, got } = stage()
  for (const json of [[1], [], {}, { jsonrpc: "2.0", id: 7 }, { jsonrpc: "1.0", id: "x", method: "ping" }])
    void near.send({ message: json as never, via: undefined, last: false })
  await turn()
  expect(got.map((one) => [(one as Answer).id, (one as Answer).error.code])).toEqual([
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [7, -32600],
    ["x", -32600]
  ])
  expect(server.sent).toEqual([])
})

it("passes a batch on message by message, and its replies back as one", async () => {
  const { near, server, got, say } = stage()
  void say({ id: 0, method: "initialize", params: {} })
  await turn()
  void server.say({ jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-03-26" } })
  const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" })
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }
  for (const batch of [[ping(1), ping(2), { jsonrpc: "2.0", method: "notifications/x" }], [ping(3)], [ping(4), 1]])
    void near.send({ message: batch as never, via: undefined, last: false })
  await turn()
  expect(server.sent.slice(1).map(({ message }) => (message as { id?: number }).id)).toEqual([1, 2, undefined, 3, 4])
  for (const id of [3, 1, 4]) void server.say({ jsonrpc: "2.0", id, result: {} })
  void near.send({ message: cancelled as never, via: undefined, last: false })
  await turn()
  expect(got.slice(1)).toMatchObject([
    { id: null, error: { code: -32600 } },
    [{ id: 3, result: {} }],
    [{ id: 4, result: {} }],
    [{ id: 1, result: {} }]
  ])
  void near.send({ message: [ping(5), { ...ping(6), method: "initialize" }] as never, via: undefined, last: false })
  await turn()
  expect(got.at(-1)).toMatchObject({ id: null, error: { message: expect.stringMatching(/initialize can not be/) } })
})

it("reads no more while 256 requests are under way", async () => {
  const { server, say } = stage()
  for (let id = 0; id < 300; id++) void say({ id, method: "ping" })
  await turn()
  expect(server.sent).toHaveLength(256)
  void server.say({ jsonrpc: "2.0", id: 0, result: {} })
  await turn()
  expect(server.sent).toHaveLength(257)
})

describe("closing", () => {
  const listen = { method: "subscriptions/listen", params: { notifications: {}, _meta } }
  const subscription = (id: number) => ({ "io.modelcontextprotocol/subscriptionId": id })
  const ended = (id: number) => [
    { jsonrpc: "2.0", id, result: { resultType: "complete", _meta: subscription(id) } },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, _meta: subscription(id) } }
  ]
  const failed = (id: number, why: string) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: why } })

  /** A near side whose input can end while its output is read. */
  const input = () => {
    const server = far()
    const sent: Array<unknown> = []
    let on!: ChannelEvents
    const near: Channel = {
      cancels: "message",
      open: (events) => (on = events),
      send: ({ message }) => void sent.push(message),
      abort: () => undefined,
      close: async () => undefined
    }
    const relaying = between(near, server.channel, () => undefined)
    return { server, sent, on, relaying }
  }

  it("answers whoever waits: what listens has ended, and what runs has failed", async () => {
    const { say, got, relaying } = stage()
    void say({ id: 1, ...listen })
    void say({ id: 2, method: "ping" })
    await turn()
    await relaying.close()
    expect(got).toEqual([...ended(1), failed(2, "The server is stopping")])
  })

  it("waits after the end of the input for what runs, and not for ever", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const { server, sent, on, relaying } = input()
      for (const message of [
        { id: 1, ...listen },
        { id: 2, method: "ping" },
        { id: 3, method: "ping" }
      ])
        void on.frame({ _tag: "Parsed", json: { jsonrpc: "2.0", ...message }, via: "" })
      on.closed({ _tag: "Ended" })
      void server.say({ jsonrpc: "2.0", id: 2, result: {} })
      await vi.advanceTimersByTimeAsync(4_999)
      expect([sent.length, server.closed()]).toEqual([1, false])
      await vi.advanceTimersByTimeAsync(1)
      await relaying.closed
      const why = "the input of the bridge ended, and the answer did not come within 5000 ms after that"
      expect(sent.slice(1)).toEqual([...ended(1), failed(3, why)])
      expect([server.closed(), vi.getTimerCount()]).toEqual([true, 0])
    } finally {
      vi.useRealTimers()
    }
  })

  it("at the end of the input waits for no stream that only listens", async () => {
    const { server, sent, on, relaying } = input()
    void on.frame({ _tag: "Parsed", json: { jsonrpc: "2.0", id: 1, ...listen }, via: "" })
    on.closed({ _tag: "Ended" })
    await relaying.closed
    expect(sent).toEqual(ended(1))
    expect(server.closed()).toBe(true)
  })

  it("of either side closes the other", async () => {
    const one = stage()
    await one.near.close()
    await one.relaying.closed
    expect(one.server.closed()).toBe(true)
    const two = stage()
    two.server.on().closed({ _tag: "Gone", detail: "gone" })
    await two.relaying.closed
    expect([two.ended(), two.complaints]).toEqual([true, ["gone"]])
  })
})
