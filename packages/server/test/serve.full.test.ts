/** A server whose client does not read, or sends what is too much. */
import { describe, expect, it, vi } from "vitest"
import type { ByHand } from "../../driver/test/by-hand.js"
import { byHand, text } from "../../driver/test/by-hand.js"
import type { Call } from "../src/index.js"
import { defineServer, serve, tool } from "../src/index.js"

const info = { name: "full", version: "1.0.0" }
const ask = (id: number, method: string, params: object = {}) => text({ jsonrpc: "2.0", id, method, params })

/** A session over a channel by hand, with one tool whose calls end when they are told to. */
async function opened() {
  const calls: Array<{ readonly call: Call; readonly end: (text: string) => void }> = []
  const slow = tool("slow", {}, (_, call) => new Promise<string>((end) => calls.push({ call, end })))
  const channel: ByHand = byHand()
  serve(defineServer(info, [slow]), channel)
  await Promise.resolve()
  await Promise.resolve()
  void channel.on.frame(
    ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } })
  )
  void channel.on.frame(text({ jsonrpc: "2.0", method: "notifications/initialized" }))
  const said = () => channel.sent.splice(0).map(({ message }) => message)
  said()
  return { channel, calls, said }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("while the client does not read", () => {
  it("progress is left out, and replies are not", async () => {
    const { channel, calls, said } = await opened()
    void channel.on.frame(ask(2, "tools/call", { name: "slow", _meta: { progressToken: "t" } }))
    const [{ call, end }] = calls as [(typeof calls)[0]]
    call.progress(1)
    expect(said()).toMatchObject([{ params: { progress: 1 } }])
    let free!: () => void
    channel.room = new Promise((resolve) => (free = resolve))
    const { room } = channel
    expect(channel.on.frame(ask(3, "ping"))).toBe(room)
    expect(said()).toMatchObject([{ id: 3 }])
    call.progress(2)
    expect(said()).toEqual([])
    channel.room = undefined
    free()
    await room
    call.progress(3)
    expect(said()).toMatchObject([{ params: { progress: 3 } }])
    channel.room = new Promise(() => {})
    void channel.on.frame(ask(4, "ping"))
    call.progress(4)
    end("done")
    await turn()
    expect(said()).toMatchObject([{ id: 4 }, { id: 2, result: { content: [{ text: "done" }] } }])
  })
})

describe("a text of nothing but brackets", () => {
  it("is refused as too large without being parsed, and the session lives", async () => {
    const { channel, said } = await opened()
    const parse = vi.spyOn(JSON, "parse")
    void channel.on.frame({ _tag: "Text", text: "[".repeat(17 * 1024 * 1024), via: "a" })
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
    expect(said()).toMatchObject([{ error: { code: -32600, message: "Message too large: it was discarded unread" } }])
    void channel.on.frame(ask(2, "ping"))
    expect(said()).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }])
  })
})
