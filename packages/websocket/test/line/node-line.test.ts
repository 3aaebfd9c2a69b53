/** What a line makes of pings and of bytes, with a socket that does as it is told. */
import { EventEmitter, once } from "node:events"
import type { Socket } from "node:net"
import type { Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import type { WebSocket } from "ws"
import { NodeLine } from "../../src/line/node-line.js"
import { connected, limit } from "../pairs.js"

function staged(ours = true) {
  const state = { bufferedAmount: 0, moved: 0 }
  const pongs: Array<string> = []
  /** Told when the system has taken what was sent. */
  const taken: Array<() => void> = []
  const socket = Object.assign(new EventEmitter(), {
    readyState: 1,
    OPEN: 1,
    CLOSED: 3,
    send: (_: string, callback: () => void) => void taken.push(callback),
    pong: (data: Buffer, _: undefined, callback: () => void) => {
      pongs.push(data.toString())
      taken.push(callback)
    }
  })
  Object.defineProperty(socket, "bufferedAmount", { get: () => state.bufferedAmount })
  const below = { bytesRead: 0, _handle: { writeQueueSize: 0 } as { writeQueueSize: number } | null }
  const wire = Object.assign(below, { cork: () => {}, uncork: () => {} })
  const line = new NodeLine(socket as unknown as WebSocket, 1_000, ours ? (wire as unknown as Writable) : undefined)
  line.listen({
    text: () => {},
    wrong: () => {},
    moved: () => state.moved++,
    ended: () => {},
    closed: () => {}
  })
  const ping = (text: string): boolean => socket.emit("ping", Buffer.from(text))
  return { line, state, pongs, taken, ping, below, socket }
}

describe("pings", () => {
  it("are each answered while there is room, however many they are", () => {
    const { line, pongs, ping } = staged()
    line.heard()
    for (let i = 0; i < 1_000; i++) ping(String(i))
    expect([pongs.length, pongs.at(-1), line.heard(), line.heard()]).toEqual([1_000, "999", true, false])
  })

  it("that come while much waits are answered by the last of them, once, when it is taken", () => {
    const { line, pongs, taken, ping, state } = staged()
    line.send("a message")
    state.bufferedAmount = 1_000_000
    for (let i = 0; i < 1_000; i++) ping(String(i))
    expect(pongs).toEqual([])
    state.bufferedAmount = 0
    taken.shift()!()
    expect(pongs).toEqual(["999"])
    taken.shift()!()
    expect([pongs, state.moved]).toEqual([["999"], 2])
  })

  it("are left to whoever the socket is of", () => {
    const { line, pongs, ping } = staged(false)
    line.heard()
    ping("a")
    expect([pongs, line.heard()]).toEqual([[], true])
  })

  it("that come when it is closing are not answered", () => {
    const { pongs, ping, socket } = staged()
    socket.readyState = 2
    ping("a")
    expect(pongs).toEqual([])
  })
})

it("tells of each byte that came, and of each that was taken", () => {
  const { line, below } = staged()
  expect([line.received(), line.held()]).toEqual([0, 0])
  below.bytesRead = 7
  below._handle!.writeQueueSize = 9
  expect([line.received(), line.held()]).toEqual([7, 9])
  below._handle = null
  expect([line.received(), line.held()]).toEqual([7, 0])
})

it("knows nothing of bytes where there is no connection to look at", () => {
  const { line } = staged(false)
  expect([line.received(), line.held()]).toEqual([0, 0])
})

const under = (socket: WebSocket): Socket => (socket as unknown as { readonly _socket: Socket })._socket

const deaf = { text() {}, wrong() {}, moved() {}, ended() {}, closed() {} }

it.each([true, false])("hears pings, pongs and messages, each once (the connection at hand: %s)", async (isAtHand) => {
  const { near, far, release } = await connected()
  const line = new NodeLine(far, limit, isAtHand ? under(far) : undefined)
  let came!: () => void
  line.listen({ ...deaf, text: () => came() })
  expect([line.heard(), line.heard()]).toEqual([true, false])
  const pinged = once(far, "ping")
  near.ping()
  await pinged
  expect([line.heard(), line.heard()]).toEqual([true, false])
  const ponged = once(far, "pong")
  line.ping()
  await ponged
  expect([line.heard(), line.heard()]).toEqual([true, false])
  const told = new Promise<void>((resolve) => (came = resolve))
  near.send("{}")
  await told
  expect([line.heard(), line.heard()]).toEqual([true, false])
  await release()
})

it("hears a message that is not there whole yet, where the connection is at hand", async () => {
  const { near, far, release } = await connected()
  const line = new NodeLine(far, limit, under(far))
  line.listen(deaf)
  const before = line.received()
  const part = once(under(far), "data")
  under(near).write(Buffer.of(0x81, 0xff, 0, 0, 0))
  await part
  expect(line.received()).toBeGreaterThan(before)
  await release()
})
