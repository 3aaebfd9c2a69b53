/** The server side where the platform opens WebSockets: with sockets like those of pages, Deno and Workers, and of Bun. */
import { defineServer, serve, tool } from "@parley/server"
import { describe, expect, it } from "vitest"
import { acceptor, socketChannel } from "../../src/server/acceptor.js"
import type { Admission } from "../../src/server/acceptor.js"
import type { BunSocket } from "../../src/server/bun.js"
import { bunHandlers } from "../../src/server/bun.js"
import type { SocketOptions } from "../../src/server/options.js"
import type { SocketEvent, SocketLike } from "../../src/line/web-line.js"
import { simulated } from "../../../driver/test/simulated.js"
import { connected } from "../pairs.js"

const server = defineServer({ name: "accepted", version: "1.0.0" }, [
  tool("who", {}, (_, call) => JSON.stringify([call.principal, call.context]))
])
const request = (headers: Readonly<Record<string, string>> = {}, url = "http://localhost:3000/mcp"): Request =>
  new Request(url, { headers: { upgrade: "websocket", ...headers } })

/** One that a platform has opened: what is sent by it, and how it was closed. */
function socket(closes = true) {
  const listeners: { [type: string]: ((event: SocketEvent) => void) | undefined } = {}
  const sent: Array<string> = []
  const ended: Array<unknown> = []
  const emit = (type: string, event: object): void => listeners[type]?.({ type, ...event })
  const one = {
    readyState: 1,
    bufferedAmount: 0,
    send: (text: string) => void sent.push(text),
    close: (code?: number, reason?: string) => {
      ended.push([code, reason])
      one.readyState = 2
      if (closes) queueMicrotask(() => emit("close", { code: 1005, reason: "" }))
    },
    addEventListener: (type: string, listener: (event: SocketEvent) => void) => void (listeners[type] = listener)
  }
  return { one: one satisfies SocketLike, sent, ended, emit }
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
const pong = { jsonrpc: "2.0", id: 1, result: {} }

describe("acceptor", () => {
  it.each<readonly [number, Request]>([
    [426, new Request("http://localhost/mcp")],
    [403, request({ origin: "https://evil.example.com" })],
    [403, request({ host: "evil.example.com" })],
    [403, request({}, "http://evil.example.com/mcp")],
    [400, request({ "sec-websocket-protocol": "soap" })],
    [405, new Request("http://localhost/mcp", { method: "POST", headers: { upgrade: "websocket" } })],
    [426, request({ "sec-websocket-version": "8", "sec-websocket-origin": "https://evil.example.com" })]
  ])("answers %i", async (status, asked) => {
    const mcp = acceptor(server)
    expect(((await mcp.admit(asked)) as Response).status).toBe(status)
    await mcp.close()
  })

  it("serves what it has admitted, counts it, and closes it with 1001", async () => {
    const mcp = acceptor(server)
    const admitted = (await mcp.admit(request({ "sec-websocket-protocol": "mcp" }), { from: "1.2.3.4" })) as Admission
    expect([admitted.protocol, admitted.headers]).toEqual(["mcp", { "sec-websocket-protocol": "mcp" }])
    const { one, sent, ended, emit } = socket()
    admitted.serve(one)
    expect(mcp.count()).toBe(1)
    emit("message", { data: JSON.stringify(ping) })
    await expect.poll(() => sent.map((text) => JSON.parse(text) as unknown)).toEqual([pong])
    await mcp.close()
    expect(ended).toEqual([[1001, expect.any(String)]])
    expect(mcp.count()).toBe(0)
    expect(((await mcp.admit(request())) as Response).status).toBe(503)
  })

  it("closes with 1013 what was admitted before it was full", async () => {
    const mcp = acceptor(server, { maxConnections: 1 })
    const both = (await Promise.all([mcp.admit(request()), mcp.admit(request())])) as ReadonlyArray<
      Admission | Response
    >
    const let_ = both.filter((one) => !(one instanceof Response)) as ReadonlyArray<Admission>
    const [first, second] = [socket(), socket()]
    let_[0]!.serve(first.one)
    if (let_[1] !== undefined) {
      let_[1].serve(second.one)
      await expect.poll(() => second.ended).toEqual([[1013, "there are too many connections"]])
    }
    expect(mcp.count()).toBe(1)
    expect(((await mcp.admit(request())) as Response).status).toBe(503)
    await mcp.close()
  })
})

describe("what an admission is given to serve", () => {
  const admitted = async (options: SocketOptions = {}) => {
    const mcp = acceptor(server, { maxConnectionsPerClient: 1, ...options })
    const admit = (): Promise<Admission> => mcp.admit(request(), { from: "x" }) as Promise<Admission>
    return { mcp, admit, one: await admit() }
  }

  it("closed already, is counted no more in a moment: of a platform", async () => {
    const { mcp, admit, one } = await admitted()
    one.serve({ ...socket().one, readyState: 3 })
    await expect.poll(mcp.count).toBe(0)
    expect(await admit()).not.toBeInstanceOf(Response)
    await mcp.close()
  })

  it("closed already, is counted no more in a moment: of ws", async () => {
    const { mcp, one } = await admitted()
    const { far, near, release } = await connected()
    const closed = new Promise((resolve) => far.once("close", resolve))
    near.terminate()
    await closed
    one.serve(far)
    await expect.poll(mcp.count).toBe(0)
    await mcp.close()
    await release()
  })

  it("that never opens, is let go after a while", async () => {
    const clock = simulated()
    const { mcp, one } = await admitted({ clock })
    const { one: given, ended } = socket(false)
    one.serve({ ...given, readyState: 0 })
    clock.advance(60_000)
    expect(mcp.count()).toBe(1)
    clock.advance(60_000)
    expect([mcp.count(), ended]).toEqual([0, [[1008, expect.any(String)]]])
    await mcp.close()
  })

  it("that opens late, may be silent", async () => {
    const clock = simulated()
    const { mcp, one } = await admitted({ clock })
    const { one: given } = socket()
    given.readyState = 0
    one.serve(given)
    clock.advance(30_000)
    given.readyState = 1
    clock.advance(600_000)
    expect(mcp.count()).toBe(1)
    await mcp.close()
  })

  it.each([undefined, null, {}, { addEventListener: () => {} }, "socket"])("which is none (%s), throws", async (no) => {
    const { mcp, one } = await admitted()
    expect(() => one.serve(no as never)).toThrow("What is served must be a WebSocket")
    expect(() => socketChannel(no as never)).toThrow(TypeError)
    expect(mcp.count()).toBe(0)
    await mcp.close()
  })

  it("a second time, throws", async () => {
    const { mcp, one } = await admitted({ maxConnectionsPerClient: 9 })
    one.serve(socket().one)
    expect(() => one.serve(socket().one)).toThrow("served its connection already")
    expect(mcp.count()).toBe(1)
    await mcp.close()
  })

  it.each([undefined, {}, { url: "no" }])("for what is no request (%s) is nothing, and that is told", async (no) => {
    const crashes: Array<unknown> = []
    const mcp = acceptor(server, { crashed: (what) => crashes.push(what) })
    expect(((await mcp.admit(no as never)) as Response).status).toBe(500)
    expect(crashes).toEqual(["a WebSocket request"])
    await mcp.close()
  })
})

describe("a platform's own WebSocket", () => {
  it.each([
    [1003, new ArrayBuffer(2)],
    [1003, new Blob(["{}"])],
    [1009, "x".repeat(101)]
  ])("is closed with %i for what no message may be", async (code, data) => {
    const { one, ended, emit } = socket()
    const serving = serve(server, socketChannel(one, { maxMessageBytes: 100 }))
    emit("message", { data })
    expect(await serving.closed).toMatchObject({ _tag: "Gone", detail: expect.stringContaining(`closed with ${code}`) })
    expect(ended[0]).toEqual([code, expect.any(String)])
  })

  it("that the other side closes is answered, once", async () => {
    const { one, ended, emit } = socket()
    const serving = serve(server, socketChannel(one))
    emit("close", { code: 1001, reason: "bye" })
    expect(await serving.closed).toEqual({
      _tag: "Gone",
      detail: "the other side closed the connection (1001, going away): bye"
    })
    expect(ended).toEqual([[1000, ""]])
  })

  it("in a page is closed with 3000 more", async () => {
    const { one, emit } = socket()
    const codes: Array<number | undefined> = []
    const page = {
      ...one,
      close: (code?: number) => {
        if (code !== undefined && code !== 1000 && code < 3000) throw new Error("InvalidAccessError")
        codes.push(code)
        queueMicrotask(() => emit("close", { code }))
      }
    }
    const serving = serve(server, socketChannel(page))
    emit("message", { data: new ArrayBuffer(2) })
    await serving.closed
    expect(codes[0]).toBe(4003)
  })

  it("is closed with 1008 when far too much is sent before it is read", async () => {
    const { one, ended, emit } = socket()
    const channel = socketChannel(one, { maxMessageBytes: 16 * 1024 * 1024 })
    const closed = new Promise<unknown>((resolve) =>
      channel.open({ frame: () => new Promise<void>((resolve) => setTimeout(resolve, 1)), closed: resolve })
    )
    const data = "x".repeat(12 * 1024 * 1024)
    for (let time = 0; time < 5; time++) emit("message", { data })
    expect(ended).toEqual([[1008, expect.any(String)]])
    expect(await closed).toMatchObject({ _tag: "Gone", detail: expect.stringContaining("1008") })
  })

  it("that never tells of its end is left all the same", async () => {
    const { one, ended } = socket(false)
    const channel = socketChannel(one, { closeMs: 10 })
    let told = 0
    channel.open({ frame: () => {}, closed: () => told++ })
    await channel.close("enough")
    expect(told).toBe(1)
    expect(ended[0]).toEqual([1000, "enough"])
  })
})

describe("a WebSocket of Bun", () => {
  it("is served by its handlers", async () => {
    const mcp = acceptor(server)
    const data = (await mcp.admit(request())) as Admission
    const sent: Array<string> = []
    let waiting = 0
    const one: BunSocket & { readyState: number } = {
      data,
      readyState: 1,
      send: (text) => sent.push(text),
      ping: () => 1,
      close: (code = 1005, reason = "") => {
        one.readyState = 3
        queueMicrotask(() => bunHandlers.close(one, code, reason))
      },
      terminate: () => bunHandlers.close(one, 1006, ""),
      getBufferedAmount: () => waiting
    }
    bunHandlers.open(one)
    bunHandlers.message(one, JSON.stringify(ping))
    await expect.poll(() => sent.map((text) => JSON.parse(text) as unknown)).toEqual([pong])
    waiting = 100_000
    bunHandlers.message(one, JSON.stringify(ping))
    await expect.poll(() => sent.length).toBe(2)
    waiting = 0
    bunHandlers.drain(one)
    bunHandlers.pong(one)
    expect(mcp.count()).toBe(1)
    bunHandlers.message(one, new Uint8Array(1))
    await expect.poll(() => mcp.count()).toBe(0)
    await mcp.close()
  })
})
