/** Readers that stop, on either side: memory does not grow, and nothing hangs. */
import { connect } from "@parley/client"
import { defineServer, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import type { WebSocket } from "ws"
import { WebSocketServer } from "ws"
import { webSocket } from "../../src/client/web-socket.js"
import type { Listening } from "../../src/node/listen.js"
import { listen } from "../../src/node/listen.js"
import { opened, text } from "../raw.js"

let listening: Listening | undefined
afterEach(async () => {
  await listening?.close()
  listening = undefined
})

const mib = 1024 * 1024
const initialize = {
  jsonrpc: "2.0",
  id: "open",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
}

describe("a client that stops reading", () => {
  it("costs nothing beyond what waits, whatever it is told", async () => {
    let ended!: (times: number) => void
    const over = new Promise<number>((resolve) => (ended = resolve))
    const shout = tool("shout", {}, async (_, call) => {
      let times = 0
      for (; times < 4_096 && !call.signal.aborted; times++) {
        call.log("error", "a".repeat(65_536))
        call.progress(times)
        await new Promise((resolve) => setImmediate(resolve))
      }
      ended(times)
      return "said"
    })
    listening = await listen(defineServer({ name: "loud", version: "1.0.0" }, [shout], { declare: { logging: true } }))
    const raw = await opened(listening.url)
    raw.write(text(initialize))
    await raw.next()
    raw.write(text({ jsonrpc: "2.0", method: "notifications/initialized" }))
    raw.socket.pause()
    const before = process.memoryUsage.rss()
    raw.write(
      text({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "shout", arguments: {}, _meta: { progressToken: 1 } }
      })
    )
    expect(await over).toBe(4_096)
    expect(process.memoryUsage.rss() - before).toBeLessThan(160 * mib)
    raw.socket.destroy()
  })

  it("and goes on asking, is not read any more", async () => {
    const big = tool("big", {}, () => "x".repeat(mib))
    let calls = 0
    const counted = tool("count", {}, () => {
      calls++
      return "x".repeat(mib)
    })
    listening = await listen(defineServer({ name: "asked", version: "1.0.0" }, [big, counted]))
    const raw = await opened(listening.url)
    raw.write(text(initialize))
    await raw.next()
    raw.write(text({ jsonrpc: "2.0", method: "notifications/initialized" }))
    raw.socket.pause()
    const ask = (id: number) =>
      text({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "count", arguments: {} } })
    const many = 512
    for (let id = 0; id < many; id++) raw.write(ask(id))
    await expect.poll(() => calls).toBeGreaterThan(0)
    const settled = async (): Promise<number> => {
      for (let before = -1; before !== calls; await new Promise((resolve) => setTimeout(resolve, 100))) before = calls
      return calls
    }
    expect(await settled()).toBeLessThan(many / 2)
    raw.socket.resume()
    for (let id = 0; id < many; id++) await raw.next()
    expect(calls).toBe(many)
    raw.socket.destroy()
  })
})

describe("a server that stops reading", () => {
  it("makes the sender wait, and its end is told", async () => {
    const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "mcp" })
    await new Promise((resolve) => sockets.once("listening", resolve))
    const far = new Promise<WebSocket>((resolve) => sockets.once("connection", resolve))
    const channel = webSocket(`ws://127.0.0.1:${(sockets.address() as { port: number }).port}`, { closeMs: 50 })
    const closed = new Promise<unknown>((resolve) => channel.open({ frame: () => {}, closed: resolve }))
    const server = await far
    server.pause()
    const message = { jsonrpc: "2.0", method: "x", params: { text: "x".repeat(mib) } } as const
    let room: void | Promise<void> = undefined
    for (let sent = 0; sent < 64; sent++) {
      room = channel.send({ message, via: undefined, last: false })
      if (
        room !== undefined &&
        !(await Promise.race([room.then(() => true), new Promise((resolve) => setTimeout(resolve, 100))]))
      )
        break
    }
    expect(room).toBeInstanceOf(Promise)
    server.terminate()
    await room
    expect(await closed).toMatchObject({ _tag: "Gone" })
    await channel.close()
    await new Promise((resolve) => sockets.close(resolve))
  })

  it("can be left in bounded time", async () => {
    const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "mcp" })
    await new Promise((resolve) => sockets.once("listening", resolve))
    sockets.once("connection", (socket: WebSocket) => socket.pause())
    const channel = webSocket(`ws://127.0.0.1:${(sockets.address() as { port: number }).port}`, { closeMs: 50 })
    const rejected = connect(channel, { clientInfo: { name: "demo", version: "1.0.0" } })
    rejected.catch(() => {})
    await new Promise((resolve) => sockets.once("connection", resolve))
    await channel.close()
    await expect(rejected).rejects.toThrow()
    for (const socket of sockets.clients) socket.terminate()
    await new Promise((resolve) => sockets.close(resolve))
  })
})
