/** Deadlines against a model that knows when each is due. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { timers } from "../src/timers.js"
import { simulated } from "./simulated.js"

type Move =
  | { readonly _tag: "start"; readonly call: number; readonly ms: number }
  | { readonly _tag: "stop"; readonly call: number }
  | { readonly _tag: "wait"; readonly ms: number }
  | { readonly _tag: "clear" }

const call = fc.nat(5)
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("start" as const), call, ms: fc.nat(200) }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("stop" as const), call }) },
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("wait" as const), ms: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.constant({ _tag: "clear" as const }) }
)

it("fires a timer once, between its time and a grain and the alarm's lateness after it, unless it was stopped", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), fc.nat(50), (moves, late) => {
      const clock = simulated()
      clock.late = late
      // The model: when each is due.
      const due = new Map<number, number>()
      const running = timers<"wait">(clock, ({ call }) => {
        const at = due.get(call)
        expect(at, `timer ${call} was not running`).toBeDefined()
        expect(clock.now()).toBeGreaterThanOrEqual(at!)
        expect(clock.now()).toBeLessThanOrEqual(at! + 10 + late)
        due.delete(call)
      })
      for (const move of [...moves, { _tag: "wait", ms: 300 + late } as const]) {
        switch (move._tag) {
          case "start":
            running.start({ of: "wait", call: move.call }, move.ms)
            due.set(move.call, clock.now() + move.ms)
            break
          case "stop":
            running.stop({ of: "wait", call: move.call })
            due.delete(move.call)
            break
          case "wait":
            clock.advance(move.ms)
            break
          case "clear":
            running.clear()
            due.clear()
        }
        expect(clock.pending()).toBeLessThanOrEqual(1)
        expect(clock.holding()).toBe(due.size > 0 ? 1 : 0)
      }
      expect([...due]).toEqual([])
    }),
    { numRuns: 500 }
  )
})
