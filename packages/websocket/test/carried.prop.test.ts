/** Invariant 13: streams, HTTP and WebSocket carry the same conversation as the bare core has it, whatever the revision. */
import { describe, expect, it } from "vitest"
import { inProcess, streams } from "../../http/test/ways.js"
import { assertCarried } from "../../testing/src/index.js"
import { sockets } from "./ways.js"

const seed = Number(process.env["PARLEY_SEED"] ?? Date.now() | 0)

describe(`the same conversation gets the same replies (seed ${seed})`, () => {
  it("by streams, by the fetch handler and over WebSocket", { timeout: 120_000 }, async () => {
    const ways = [streams, inProcess("fetch"), sockets("WebSocket")]
    const rows = await assertCarried(ways, { seed, conversations: 100 })
    expect(rows.size).toBeGreaterThan(60)
  })

  it("over WebSocket, where the session rests between any two messages", { timeout: 120_000 }, async () => {
    await assertCarried([sockets("WebSocket that rests", { rests: true })], { seed: seed + 1, conversations: 120 })
  })
})
