/** What is due, against a list that is sorted. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { Expiries } from "../../src/tasks/expiries.js"

const act = fc.oneof(
  fc.record({ add: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ now: fc.integer({ min: 0, max: 50 }) })
)

/** Adds and asks, and says what is due as a list has it. */
function behaves(acts: ReadonlyArray<{ readonly add: number } | { readonly now: number }>): void {
  const expiries = new Expiries()
  let kept: Array<{ readonly id: string; readonly at: number }> = []
  for (const [number, one] of acts.entries()) {
    if ("add" in one) {
      kept.push({ id: `${number}`, at: one.add })
      expiries.add(`${number}`, one.add)
      continue
    }
    const due = expiries.due(one.now)
    const times = due.map((id) => kept.find((one) => one.id === id)!.at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(due.toSorted()).toEqual(
      kept
        .filter(({ at }) => at <= one.now)
        .map(({ id }) => id)
        .toSorted()
    )
    kept = kept.filter(({ at }) => at > one.now)
  }
}

it("tells what is due once, the soonest first, and nothing else", () => {
  fc.assert(fc.property(fc.array(act, { maxLength: 60 }), behaves))
})
