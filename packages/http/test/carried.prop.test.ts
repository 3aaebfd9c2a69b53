/** Invariant 13: HTTP and stdio carry a conversation as the bare core has it, whatever the revision. */
import { describe, expect, it } from "vitest"
import { assertCarried } from "../../testing/src/index.js"
import { inProcess, sockets, streams } from "./ways.js"

const seed = Number(process.env["PARLEY_SEED"] ?? Date.now() | 0)

describe(`the same conversation gets the same replies (seed ${seed})`, () => {
  it("in this process, by streams and by the fetch handler", { timeout: 60_000 }, async () => {
    const ways = [streams, inProcess("fetch"), inProcess("fetch that streams at once", { streamAfterMs: 0 })]
    const rows = await assertCarried(ways, { seed, conversations: 240 })
    // Most of all rows are reached even so; all of them in the long run.
    expect(rows.size).toBeGreaterThan(80)
  })

  it("over sockets", { timeout: 60_000 }, async () => {
    await assertCarried([sockets], { seed, conversations: 60 })
  })
})
