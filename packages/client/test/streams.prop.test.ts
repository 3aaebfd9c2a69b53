/** Whatever is wanted and left, and whatever the server makes of it: one stream in the end, for what is wanted, and no gap before. */
import fc from "fast-check"
import { expect, it } from "vitest"
import type { Subscription } from "../src/index.js"
import type { Filter } from "./listened.js"
import { listened } from "./listened.js"

const uris = ["a:1", "a:2", "a:3"]
const changed = ["notifications/tools/list_changed", "notifications/prompts/list_changed"] as const
const members = ["toolsListChanged", "promptsListChanged"]

type Move =
  | { readonly _tag: "watch" | "close"; readonly which: number }
  | { readonly _tag: "listen" | "stop"; readonly which: number }
  | { readonly _tag: "rest" | "acknowledge" }

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ _tag: fc.constantFrom("watch", "close"), which: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constantFrom("listen", "stop"), which: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constantFrom("rest", "acknowledge") }) }
)

/** What a stream tells of. */
const told = (filter: Filter): ReadonlyArray<string> =>
  Object.entries(filter)
    .flatMap(([member, wanted]) => (wanted === true ? [member] : wanted))
    .toSorted()

it("keeps one stream for what is wanted, and never leaves one before the next has begun", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 30 }), async (moves) => {
      const { client, server, acknowledge, settled, ignored } = await listened()
      const waiting: Array<number> = []
      server.answers["subscriptions/listen"] = (_, id) => void waiting.push(id)
      const begun = new Map<number, { readonly filter: Filter; readonly at: number }>()
      const begin = (): void => {
        const id = waiting.shift()
        if (id === undefined) return
        const filter = server.heard.find((one) => one.id === id).params.notifications
        begun.set(id, { filter, at: server.heard.length })
        acknowledge(id)
      }
      const watched = new Map<string, Subscription>()
      const listening = new Map<number, () => void>()
      const live = () => {
        const over = new Set(server.asked("notifications/cancelled").map(({ params }) => params.requestId as number))
        return [...begun].filter(([id]) => !over.has(id))
      }
      for (const one of moves) {
        switch (one._tag) {
          case "watch":
            if (!watched.has(uris[one.which]!)) watched.set(uris[one.which]!, client.subscribe(uris[one.which]!))
            break
          case "close":
            watched.get(uris[one.which]!)?.close()
            watched.delete(uris[one.which]!)
            break
          case "listen":
            if (!listening.has(one.which))
              listening.set(
                one.which,
                client.on(changed[one.which]!, () => {})
              )
            break
          case "stop":
            listening.get(one.which)?.()
            listening.delete(one.which)
            break
          case "acknowledge":
            begin()
            break
          case "rest":
            await settled()
            expect(live().length).toBeLessThanOrEqual(1)
        }
      }
      for (let i = 0; i < 12; i++) {
        await settled()
        begin()
      }
      await settled()
      const wanted = [...watched.keys(), ...[...listening.keys()].map((which) => members[which]!)].toSorted()
      const streams = live().map(([, { filter }]) => told(filter))
      expect(streams).toEqual(wanted.length === 0 ? [] : [wanted])
      for (const [, subscription] of watched) await subscription.ready
      // What was to replace a stream had begun when that one was left.
      for (const [at, { method, params }] of server.heard.entries()) {
        if (method !== "notifications/cancelled") continue
        const newer = server.heard
          .slice(0, at)
          .filter(({ method, id }) => method === "subscriptions/listen" && id > params.requestId)
        if (newer.length > 0) expect(newer.some(({ id }) => (begun.get(id)?.at ?? Infinity) <= at)).toBe(true)
      }
      expect(ignored()).toEqual([])
      await client.close()
    }),
    { numRuns: 100 }
  )
})
