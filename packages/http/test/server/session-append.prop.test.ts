/** Whatever an event store fails at, and however, who is connected is told everything, once and in its order. */
import { tool } from "@parley/server"
import fc from "fast-check"
import { expect, test, vi } from "vitest"
import type { EventStore } from "../../src/server/event-store.js"
import { call, defined, serving, settled } from "./serving.js"
import { sharedStores } from "./shared-stores.js"

/** What becomes of an event. `denied`: it is kept, and the store says otherwise; `silent`: and says nothing. */
const fates = ["kept", "thrown", "rejected", "denied", "unanswered", "silent"] as const
type Fate = (typeof fates)[number]

function failing(inner: EventStore, fate: () => Fate): EventStore {
  const append: EventStore["append"] = (...what) => {
    switch (fate()) {
      case "kept":
        return inner.append(...what)
      case "thrown":
        throw new Error("down")
      case "rejected":
        return Promise.reject(new Error("down"))
      case "denied":
        return Promise.resolve(inner.append(...what)).then(() => Promise.reject(new Error("no answer")))
      case "silent":
        void inner.append(...what)
        return new Promise(() => {})
      case "unanswered":
        return new Promise(() => {})
    }
  }
  return { append, tail: inner.tail }
}

const steps = 4
const tell = tool("tell", {}, async (_, { progress }) => {
  for (let step = 1; step <= steps; step++) {
    progress(step)
    await settled()
  }
  return "done"
})

const conversation = fc.record({
  fates: fc.array(fc.constantFrom(...fates), { maxLength: 3 * (steps + 2) }),
  pauses: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
  shared: fc.boolean()
})

test("who is connected is told everything, once and in its order", async () => {
  await fc.assert(
    fc.asyncProperty(conversation, async ({ fates, pauses, shared }) => {
      let turns = 0
      const { sessions, events } = sharedStores(() => pauses[turns++ % pauses.length]!)
      const left = [...fates]
      let bad = false
      const { clock, post } = await serving(defined([tell]), {
        events: failing(events, () => (bad ? (left.shift() ?? "kept") : "kept")),
        ...(shared ? { sessions } : {}),
        storeMs: 1_000,
        crashed: () => {}
      })
      const until = (what: () => boolean) =>
        vi.waitFor(
          () => {
            clock.advance(20)
            expect(what()).toBe(true)
          },
          { interval: 1, timeout: 5_000 }
        )
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
      const opening = post({ jsonrpc: "2.0", id: 0, method: "initialize", params })
      await until(opening.ended)
      const headers = { "mcp-session-id": opening.headers()["mcp-session-id"]! }
      bad = true
      const replies = [1, 2].map((id) => post(call(id, "tell", {}, { _meta: { progressToken: id } }), { headers }))
      await until(() => replies.every(({ ended }) => ended()))
      for (const reply of replies) {
        const said = reply.messages().map(({ params, result }) => params?.progress ?? result.content[0].text)
        expect(said).toEqual([1, 2, 3, 4, "done"])
      }
    }),
    { numRuns: 40 }
  )
})
