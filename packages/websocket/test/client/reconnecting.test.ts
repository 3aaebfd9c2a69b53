/** A client whose connection is cut: every call is settled once, and what was listened to is listened to again. */
import { createServer } from "node:net"
import { connect } from "@parley/client"
import type { ConnectOptions } from "@parley/client"
import type { Channel, Clock } from "@parley/driver"
import { systemClock } from "@parley/driver"
import { defineServer, live, resource, tool } from "@parley/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { WebSocket } from "ws"
import { WebSocketServer } from "ws"
import { webSocket } from "../../src/client/web-socket.js"
import { socketChannel } from "../../src/server/acceptor.js"
import { host } from "@parley/server/host"
import { legacy } from "../legacy.js"

/** Nobody waits in these tests: what is due in a second is due at once. */
const soon: Clock = {
  now: systemClock.now,
  after: (ms, callback) => systemClock.after(ms >= 10_000 ? ms : ms / 1_000, callback)
}

let began: () => void
const hang = tool("hang", {}, () => {
  began()
  return new Promise<string>(() => {})
})
const hello = tool("hello", {}, () => "Hello!")
const echo = tool("echo", { input: { type: "object", properties: { word: { type: "string" } } } }, ({ word }) =>
  String(word)
)
const note = resource("note://1", { name: "note" }, () => "a note")
const subject = live(
  defineServer({ name: "cut", version: "1.0.0" }, [hang, hello, echo, note], {
    declare: { tools: { listChanged: true }, resources: { subscribe: true }, logging: true }
  })
)

let sockets: WebSocketServer
let url: string
/** The connections, in the order in which they came. */
let all: Array<WebSocket>
let texts: Array<string>
/** What they serve, to be ended as a server does that restarts. */
let served: Array<{ readonly close: () => Promise<void> }>
const channelOf = (socket: WebSocket): Channel => socketChannel(socket, { closeMs: 100 })
beforeEach(async () => {
  all = []
  texts = []
  served = []
  const hosting = host(subject)
  await hosting.ready
  sockets = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "mcp" })
  sockets.on("connection", (socket) => {
    all.push(socket)
    socket.on("message", (data: Buffer) => texts.push(`${all.indexOf(socket)} ${methodIn(data.toString())}`))
    const { feed, closed } = hosting.serve(channelOf(socket))
    served.push({
      close: async () => {
        feed({ _tag: "Stopping" })
        await closed
        socket.close(1001)
      }
    })
  })
  await new Promise((resolve) => sockets.once("listening", resolve))
  url = `ws://127.0.0.1:${(sockets.address() as { port: number }).port}`
})
afterEach(async () => {
  await subject.set([hang, hello, echo, note])
  for (const socket of all) socket.terminate()
  await new Promise((resolve) => sockets.close(resolve))
})

const methodIn = (text: string): string => (JSON.parse(text) as { readonly method?: string }).method ?? "a reply"

const options = (prefer: ConnectOptions["prefer"]) => ({
  clientInfo: { name: "demo", version: "1.0.0" },
  clock: soon,
  ...(prefer !== undefined && { prefer })
})
const again = { reconnect: { initialMs: 1, tries: 3 } }

describe.each(["2026-07-28", "2025-11-25", "2024-11-05"] as const)("in %s, a connection that is cut", (prefer) => {
  it("fails what was under way, once, and serves what comes after", async () => {
    const client = await connect(webSocket(url, again), options(prefer))
    const started = new Promise<void>((resolve) => (began = resolve))
    let settled = 0
    const lost = [client.callTool("hang"), client.callTool("hang")].map((call) => call.finally(() => settled++))
    await started
    const both = Promise.allSettled(lost)
    all[0]!.terminate()
    for (const one of await both)
      expect(String((one as PromiseRejectedResult).reason)).toContain("the connection was lost before the reply came")
    const calls = [client.callTool("hello"), client.callTool("hello")]
    for (const one of await Promise.all(calls)) expect(one.content).toEqual([{ type: "text", text: "Hello!" }])
    expect([settled, all.length]).toEqual([2, 2])
    expect(texts.filter((one) => one.startsWith("1 ")).slice(0, 2)).toEqual(
      prefer === "2026-07-28" ? ["1 tools/call", "1 tools/call"] : ["1 initialize", "1 notifications/initialized"]
    )
    await client.close()
    expect((await client.closed)._tag).toBe("Closed")
  })

  it("again and again, is opened again and again", async () => {
    // What lasts as long as the longest wait was not in vain.
    const client = await connect(webSocket(url, { reconnect: { initialMs: 0, maxMs: 0, tries: 3 } }), options(prefer))
    const hello = (): Promise<unknown> => client.callTool("hello").then(({ content }) => content)
    for (let time = 0; time < 5; time++) {
      // The one that finds out that the connection is gone may be lost by that.
      expect(await hello().catch(hello)).toEqual([{ type: "text", text: "Hello!" }])
      all.at(-1)!.terminate()
    }
    expect(await hello().catch(hello)).toEqual([{ type: "text", text: "Hello!" }])
    expect(all.length).toBe(6)
    await client.close()
  })

  it("while the session is begun anew, is opened once more", async () => {
    const client = await connect(webSocket(url, again), options(prefer))
    sockets.once("connection", (socket: WebSocket) => socket.once("message", () => socket.terminate()))
    const ended = new Promise((resolve) => sockets.on("connection", (socket) => socket.on("message", resolve)))
    all[0]!.terminate()
    if (prefer === "2026-07-28") await expect.poll(() => all.length).toBeGreaterThan(1)
    else await ended
    const outcome = await client.callTool("hello").then(
      ({ content }) => content,
      () => client.callTool("hello").then(({ content }) => content)
    )
    expect(outcome).toEqual([{ type: "text", text: "Hello!" }])
    expect(client.peer.revision).toBe(prefer)
    await client.close()
  })

  it("keeps whole what is called while it is opened again, and while a session is begun anew", async () => {
    const client = await connect(webSocket(url, again), options(prefer))
    const echo = (word: string): Promise<unknown> => client.callTool("echo", { word }).then(({ content }) => content)
    await echo("first")
    const held = new Promise<unknown>((resolve) =>
      sockets.once("connection", (socket: WebSocket) =>
        // Whatever opens the new connection is not answered yet.
        socket.once("message", () => resolve(Promise.all([echo("held"), echo("too")])))
      )
    )
    all[0]!.close()
    await new Promise((resolve) => all[0]!.once("close", resolve))
    const early = ["early", "as well"].map((word) => echo(word).catch(() => echo(word)))
    const said = (text: string) => [{ type: "text", text }]
    expect(await Promise.all(early)).toEqual([said("early"), said("as well")])
    expect(await held).toEqual([said("held"), said("too")])
    await client.close()
  })

  it("takes subscriptions along", async () => {
    const client = await connect(webSocket(url, again), options(prefer))
    const updates = client.subscribe("note://1")
    await updates.ready
    all[0]!.terminate()
    const asks = prefer === "2026-07-28" ? "1 subscriptions/listen" : "1 resources/subscribe"
    await expect.poll(() => texts).toContain(asks)
    await client.callTool("hello")
    const next = updates.next()
    const stop = setInterval(() => subject.updated("note://1"), 5)
    expect(await next).toEqual({ done: false, value: expect.objectContaining({ uri: "note://1" }) })
    clearInterval(stop)
    await client.close()
  })

  it.each(["closed by a server that restarts", "cut"])("hears of changes as before, at once: %s", async (how) => {
    const client = await connect(webSocket(url, again), { ...options(prefer), clock: systemClock })
    let heard = 0
    const stop = client.on("notifications/tools/list_changed", () => heard++)
    const updates = client.subscribe("note://1")
    await updates.ready
    await client.callTool("hello")
    if (how === "cut") all[0]!.terminate()
    else await served[0]!.close()
    // What may have changed meanwhile is said to have, without a second's wait for it.
    expect(await updates.next()).toEqual({ done: false, value: { uri: "note://1" } })
    await expect.poll(() => heard).toBe(1)
    await client.callTool("hello")
    await subject.set([hang, hello, note])
    await expect.poll(() => heard).toBe(2)
    subject.updated("note://1")
    expect((await updates.next()).value).toMatchObject({ uri: "note://1" })
    expect(all.length).toBe(2)
    stop()
    await client.close()
  })

  it("and a server that is gone for good, end it, and say so", async () => {
    const client = await connect(webSocket(url, again), options(prefer))
    sockets.close()
    all[0]!.terminate()
    expect(await client.closed).toMatchObject({ _tag: "Gone", detail: expect.stringContaining("1006") })
    const call = client.callTool("hello")
    await expect(call).rejects.toThrow(/could not be opened again in 3 tries: .*ECONNREFUSED/)
  })

  it("without being asked to reconnect, ends it", async () => {
    const client = await connect(webSocket(url), options(prefer))
    const started = new Promise<void>((resolve) => (began = resolve))
    const call = client.callTool("hang")
    await started
    all[0]!.close(1012, "moving")
    await expect(call).rejects.toThrow("restarting): moving")
    await expect(client.callTool("hello")).rejects.toThrow()
    expect(all.length).toBe(1)
  })
})

describe.each([
  ["closes the connection on server/discover", { code: 1002, reason: "initialize first" }],
  ["cuts it", undefined]
])("a server of older revisions that %s", (_, end) => {
  it("is connected to again where a channel can be made again, also with reconnect", async () => {
    const { url, first, close } = await legacy(end)
    for (const reconnect of [false, true]) {
      const client = await connect(() => webSocket(url, { reconnect }), options(undefined))
      expect(client.peer.revision).toBe("2025-06-18")
      expect((await client.callTool("hi")).content).toEqual([{ type: "text", text: "hi" }])
      await client.close()
    }
    expect(first).toEqual(["server/discover", "initialize", "server/discover", "initialize"])
    await close()
  })

  it("is told of else, with what to do", async () => {
    const { url, close } = await legacy(end)
    await expect(connect(webSocket(url, again), options(undefined))).rejects.toThrow(
      /give connect a function that makes the channel/
    )
    await close()
  })
})

it("a server that pings a hundred times at once is answered, and its connection stays", async () => {
  const client = await connect(webSocket(url), options(undefined))
  let pongs = 0
  all[0]!.on("pong", () => pongs++)
  for (let i = 0; i < 100; i++) all[0]!.ping()
  await client.callTool("hello")
  await expect.poll(() => pongs).toBe(100)
  await client.close()
})

describe("a connection that can not be opened", () => {
  it("is not tried again", async () => {
    sockets.close()
    // And nothing is said of servers that end on what they are asked: it was asked nothing.
    await expect(connect(webSocket(url, again), options(undefined))).rejects.toThrow(
      /^server\/discover was not answered: the connection could not be opened: .*ECONNREFUSED[^;]*$/
    )
  })

  it("because the server chooses no subprotocol says so", async () => {
    sockets.options.handleProtocols = () => false
    await expect(connect(webSocket(url, again), options(undefined))).rejects.toThrow(
      'did not choose the subprotocol "mcp"'
    )
  })

  it.each([
    [
      "302 Found",
      "location: https://elsewhere.example/mcp?token=secret",
      "",
      /302 .*: it is at https:\/\/elsewhere.example\/mcp$/
    ],
    ["500 No", "x: y", "\u001b[31mRED\u202e", /answered HTTP 500 .*: \[31mRED$/],
    ["401 No", "x: y", '{"error":"a token is needed"}', /answered HTTP 401 .*: a token is needed$/]
  ])("because of %s says what came, and no more", async (status, header, body, said) => {
    const server = createServer((socket) =>
      socket
        .on("error", () => {})
        .once("data", () =>
          socket.end(`HTTP/1.1 ${status}\r\n${header}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
        )
    )
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { port: number }
    const failed = connect(webSocket(`ws://127.0.0.1:${port}/`), options(undefined))
    await expect(failed).rejects.toThrow(said)
    await new Promise((resolve) => server.close(resolve))
  })

  it("can be closed meanwhile", async () => {
    const channel = webSocket(url, { closeMs: 1 })
    let told = 0
    channel.open({ frame: () => {}, closed: () => told++ })
    await channel.close()
    await channel.close()
    expect(told).toBe(1)
  })
})
