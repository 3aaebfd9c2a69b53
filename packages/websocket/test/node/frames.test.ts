/** Frames by hand against a server that listens: cut anywhere, in parts, and all that is no message. */
import { defineServer, tool } from "@parley/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Listening } from "../../src/node/listen.js"
import { listen } from "../../src/node/listen.js"
import type { Raw } from "../raw.js"
import { frame, opened, text } from "../raw.js"

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" })
const pong = (id: number) => ({ jsonrpc: "2.0", id, result: {} })
const initialize = {
  jsonrpc: "2.0",
  id: "open",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
}

let gone: (why: string) => void = () => {}
const hangs = tool(
  "hang",
  {},
  (_, call) => new Promise<string>(() => call.signal.addEventListener("abort", () => gone("aborted")))
)

let listening: Listening
let raw: Raw
beforeEach(async () => {
  listening = await listen(defineServer({ name: "framed", version: "1.0.0" }, [hangs]), {
    maxMessageBytes: 2_000,
    closeMs: 200
  })
  raw = await opened(listening.url, { "sec-websocket-protocol": "mcp" })
})
afterEach(async () => {
  raw.socket.destroy()
  await listening.close()
  if (listening.count() > 0) throw new Error(`${listening.count()} connections are left`)
})

const answered = async (): Promise<unknown> => JSON.parse(await raw.next())

describe("a message", () => {
  it("may be cut at every byte", async () => {
    const bytes = text(ping(1))
    for (let at = 1; at < bytes.length; at++) {
      raw.write(bytes.subarray(0, at))
      await new Promise((resolve) => setImmediate(resolve))
      raw.write(bytes.subarray(at))
      expect(await answered()).toEqual(pong(1))
    }
  })

  it("may come byte by byte", async () => {
    for (const byte of text(ping(1))) {
      raw.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await answered()).toEqual(pong(1))
  })

  it("may come in fragments, with control frames between, cut inside a character", async () => {
    const bytes = Buffer.from(JSON.stringify({ ...ping(1), params: { _meta: { text: "é😀" } } }))
    raw.write(frame(1, bytes.subarray(0, 0), false))
    for (let at = 0; at < bytes.length; at++) {
      raw.write(frame(0, bytes.subarray(at, at + 1), false))
      if (at % 16 === 0) raw.write(frame(9, "beat"))
    }
    raw.write(frame(0, "", true))
    expect(await answered()).toEqual(pong(1))
  })

  it("is one of many in one chunk", async () => {
    raw.write(Buffer.concat(Array.from({ length: 1_000 }, () => frame(9, "p"))))
    raw.write(Buffer.concat([1, 2, 3].map((id) => text(ping(id)))))
    expect([await answered(), await answered(), await answered()]).toEqual([1, 2, 3].map(pong))
  })

  it("that is no JSON is answered, and the connection lives", async () => {
    raw.write(text("a banner"))
    expect(await answered()).toMatchObject({ error: { code: -32700 } })
    raw.write(text(ping(1)))
    expect(await answered()).toEqual(pong(1))
  })
})

describe("what no message may be", () => {
  it.each([
    ["a binary frame", frame(2, JSON.stringify(ping(1))), 1003],
    ["text that is not UTF-8", frame(1, Buffer.of(0x22, 0xff, 0x22)), 1007],
    ["text that is not UTF-8 at its end", frame(1, Buffer.of(0x22, 0xe2, 0x82)), 1007],
    ["a message that is too large", text("x".repeat(2_001)), 1009],
    [
      "a message that is too large in fragments",
      Buffer.concat([frame(1, "x".repeat(1_500), false), frame(0, "x".repeat(501))]),
      1009
    ],
    ["a frame without a mask", Buffer.of(0x81, 2, 0x7b, 0x7d), 1002],
    ["a frame of an unknown kind", frame(3, ""), 1002],
    ["a continuation of nothing", frame(0, "{}"), 1002],
    ["a close frame without its code", frame(8, Buffer.of(1)), 1002]
  ])("%s", async (_, bytes, code) => {
    raw.write(text(initialize))
    expect(await answered()).toMatchObject({ id: "open", result: {} })
    raw.write(bytes)
    raw.write(text(ping(1)))
    expect(await raw.closed).toBe(code)
    await expect(raw.next()).rejects.toThrow("ended")
  })
})

describe("a client that goes", () => {
  const goes: ReadonlyArray<readonly [string, () => void]> = [
    ["by a close frame", () => raw.write(frame(8, Buffer.of(0x03, 0xe8)))],
    ["by the end of its side only", () => raw.socket.end()],
    ["without a word", () => raw.socket.resetAndDestroy()],
    ["in the middle of a frame", () => raw.socket.end(text(ping(2)).subarray(0, 9))]
  ]
  it.each(goes)("%s interrupts what runs", async (_, go) => {
    const aborted = new Promise<string>((resolve) => (gone = resolve))
    raw.write(text(initialize))
    await raw.next()
    raw.write(text({ jsonrpc: "2.0", method: "notifications/initialized" }))
    raw.write(text({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "hang", arguments: {} } }))
    raw.write(text(ping(2)))
    expect(await answered()).toEqual(pong(2))
    go()
    expect(await aborted).toBe("aborted")
  })
})
