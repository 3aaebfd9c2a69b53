/** Invariant 13: WebSocket carries a conversation as the bare core has it, whatever the revision. */
import { describe, expect, it } from "vitest"
import type { Way } from "../../testing/src/index.js"
import { assertCarried, byChannel } from "../../testing/src/index.js"
import { NodeLine } from "../src/line/node-line.js"
import { SocketChannel } from "../src/line/socket-channel.js"
import { connected, limit } from "./pairs.js"

const seed = Number(process.env["PARLEY_SEED"] ?? Date.now() | 0)

const manner = { closeMs: 1_000, code: () => 1000 }
const sockets: Way = byChannel("WebSocket", async () => {
  const { near, far, release } = await connected()
  const channel = (socket: typeof near) => new SocketChannel(new NodeLine(socket, limit), manner)
  const ends = { near: channel(near), far: channel(far), garble: (text: string) => near.send(text) }
  far.once("close", () => void release())
  return ends
})

describe(`the same conversation gets the same replies (seed ${seed})`, () => {
  it("over WebSocket", { timeout: 60_000 }, async () => {
    const rows = await assertCarried([sockets], { seed, conversations: 120 })
    expect(rows.size).toBeGreaterThan(60)
  })
})
