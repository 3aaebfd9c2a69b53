/** Streams on real sockets: readers that read, stop reading, and go. */
import { afterEach, describe, expect, it } from "vitest"
import type { Taking } from "../../src/node/requests.js"
import { requests } from "../../src/node/requests.js"
import type { Exchange, Stream } from "../../src/server/exchange.js"
import { bodyOf } from "../server/fake-exchange.js"
import type { Raw, Stage } from "./sockets.js"
import { post, stage, still } from "./sockets.js"

let staged: Stage | undefined
afterEach(() => staged?.stop())

const head = { "content-type": "text/event-stream" }
const ask = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

interface Met {
  readonly raw: Raw
  readonly exchange: Exchange
}

/** So many requests on one connection, as the server has them. */
async function meetAll(many: number, request: string, more: Partial<Taking> = {}) {
  const exchanges: Array<Exchange> = []
  let all: () => void
  const came = new Promise<void>((resolve) => (all = resolve))
  const handle = (exchange: Exchange): void => {
    if (exchanges.push(exchange) === many) all()
  }
  staged = await stage(requests({ ...still, ...more, handle }))
  const raw = staged.raw()
  raw.write(request.repeat(many))
  await came
  return { raw, exchanges }
}

async function meet(request = ask, more: Partial<Taking> = {}): Promise<Met> {
  const { raw, exchanges } = await meetAll(1, request, more)
  return { raw, exchange: exchanges[0]! }
}

const goes = (exchange: Exchange): Promise<void> => new Promise((resolve) => exchange.onGone(resolve))

/** Writes until nothing more is taken; resolves to the promise of room that stays pending, and how much was taken. */
async function fill(stream: Stream, piece: string): Promise<{ readonly room: Promise<void>; readonly taken: number }> {
  for (let taken = piece.length; ; taken += piece.length) {
    const room = stream.write(piece)
    if (room !== undefined && !(await settled(room))) return { room, taken }
    if (taken > 64 * 1024 * 1024) throw new Error("there was always room")
  }
}

async function settled(promise: Promise<void>): Promise<boolean> {
  const seen = { done: false }
  void promise.then(() => (seen.done = true))
  for (let turns = 0; turns < 50 && !seen.done; turns++) await new Promise((resolve) => setImmediate(resolve))
  return seen.done
}

describe("a stream", () => {
  it("sends its head at once, its texts as they come, and keeps the connection", async () => {
    const { raw, exchange } = await meet()
    const stream = exchange.stream(200, head)
    await raw.until(/content-type: text\/event-stream\r\n[^]*\r\n\r\n$/)
    expect(stream.write("data: 1\n\n")).toBeUndefined()
    await raw.until(/data: 1/)
    void stream.write("data: 2\n\n")
    stream.end()
    stream.end()
    void stream.write("late")
    expect(await raw.until(/0\r\n\r\n$/)).toMatch(/^connection: keep-alive\r$/im)
    expect(raw.text()).toMatch(/data: 2/)
    expect(raw.text()).not.toMatch(/late/)
  })

  it("sends its head with the first text when that comes at once", async () => {
    const { raw, exchange } = await meet()
    const chunks: Array<string> = []
    raw.socket.on("data", (chunk: string) => chunks.push(chunk))
    const stream = exchange.stream(200, head)
    void stream.write("data: 1\n\n")
    await raw.until(/data: 1/)
    expect(chunks).toHaveLength(1)
  })

  it("may end before anything was written", async () => {
    const { raw, exchange } = await meet()
    exchange.stream(200, head).end()
    expect(await raw.until(/\r\n\r\n0\r\n\r\n$/)).toMatch("200 OK")
  })

  it("ends with the connection for a client of HTTP/1.0", async () => {
    const { raw, exchange } = await meet("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
    const stream = exchange.stream(200, head)
    void stream.write("data: 1\n\n")
    stream.end()
    expect(await raw.closed).toMatch(/\r\n\r\ndata: 1\n\n$/)
  })

  it("that began before the server closes ends with its connection", async () => {
    let closing = false
    const { raw, exchange } = await meet(ask, { closing: () => closing })
    const stream = exchange.stream(200, head)
    await raw.until(/200 OK/)
    closing = true
    stream.end()
    expect(await raw.closed).toMatch(/0\r\n\r\n$/)
  })
})

describe("a client that does not read", () => {
  it("is waited for, and reads all once it does", async () => {
    const { raw, exchange } = await meet()
    raw.socket.pause()
    const stream = exchange.stream(200, head)
    const piece = `data: ${"a".repeat(64 * 1024)}\n\n`
    const { room, taken } = await fill(stream, piece)
    // The kernel takes some megabytes, this process next to nothing.
    expect(taken).toBeLessThan(32 * 1024 * 1024)
    raw.socket.resume()
    await room
    stream.end()
    const all = await raw.until(/0\r\n\r\n$/)
    expect(all.split("data: ").length - 1).toBe(taken / piece.length)
  })

  it("does not make memory grow: who offers it a lot waits", async () => {
    const { raw, exchange } = await meet()
    raw.socket.pause()
    const stream = exchange.stream(200, head)
    const { room } = await fill(stream, `data: ${"a".repeat(1024 * 1024)}\n\n`)
    expect(stream.write("data: more\n\n")).toBe(room)
    raw.socket.destroy()
    await room
    expect(stream.write("data: late\n\n")).toBeUndefined()
  })

  it("is let go when it takes nothing for too long, and whoever waited goes on", async () => {
    const { raw, exchange } = await meet(ask, { stallMs: 50 })
    const gone = goes(exchange)
    raw.socket.pause()
    const { room } = await fill(exchange.stream(200, head), "a".repeat(1024 * 1024))
    await Promise.all([gone, room])
  })

  it.each<readonly [string, (exchange: Exchange, text: string) => unknown]>([
    ["an answer that is whole", (exchange, text) => exchange.respond(200, head, text)],
    [
      "the end of a stream",
      (exchange, text) => {
        const stream = exchange.stream(200, head)
        void stream.write(text)
        stream.end()
      }
    ]
  ])("is let go too when it takes nothing of %s", async (_, answer) => {
    const { raw, exchange } = await meet(ask, { stallMs: 50 })
    raw.socket.pause()
    answer(exchange, "a".repeat(16 * 1024 * 1024))
    // Nothing is idle, and yet the server has no connections left.
    await new Promise((resolve) => staged!.server.close(resolve))
  })
})

describe("a client that goes", () => {
  it.each([
    ["hangs up", (raw: Raw) => raw.socket.destroy()],
    ["ends its side", (raw: Raw) => raw.socket.end()],
    ["resets", (raw: Raw) => raw.socket.resetAndDestroy()]
  ])("is told of, once, when it %s before the answer", async (_, leave) => {
    const { raw, exchange } = await meet(post("{}"))
    await bodyOf(exchange, 10)
    let times = 0
    exchange.onGone(() => void times++)
    const gone = goes(exchange)
    leave(raw)
    await gone
    exchange.respond(200, head, "late")
    await new Promise((resolve) => setImmediate(resolve))
    expect(times).toBe(1)
  })

  it("is told of in the midst of a stream, and not after its end", async () => {
    const { raw, exchange } = await meet()
    const gone = goes(exchange)
    const stream = exchange.stream(200, head)
    await raw.until(/200 OK/)
    raw.socket.destroy()
    await gone
    expect(stream.write("late")).toBeUndefined()
    stream.end()
  })

  it("is not told of when all was answered", async () => {
    const { raw, exchange } = await meet()
    let told = false
    exchange.onGone(() => void (told = true))
    exchange.respond(200, head, "{}")
    await raw.until(/\{\}$/)
    raw.socket.destroy()
    await new Promise((resolve) => staged!.server.close(resolve))
    expect(told).toBe(false)
  })

  it("is told of to each of its pipelined requests, in whichever order they would be answered", async () => {
    const { exchanges } = await meetAll(15, ask)
    const gone = Promise.all(exchanges.map(goes))
    const { room } = await fill(exchanges[14]!.stream(200, head), "a".repeat(1024 * 1024))
    staged!.server.closeAllConnections()
    await Promise.all([gone, room])
  })
})
