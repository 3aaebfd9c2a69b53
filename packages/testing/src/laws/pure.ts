/** A machine is a function of its state and its input, and a state can be written down at any moment. */
import type { Machine } from "@parley/core"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Taken } from "../run.js"
import { take } from "../run.js"

interface PureRun<State, Input, Output> {
  readonly machine: Machine<State, Input, Output>
  readonly steps: ReadonlyArray<PureStep<State, Input, Output>>
}

interface PureStep<State, Input, Output> extends Taken<State, Input, Output> {
  readonly changed?: { readonly machine: Machine<State, Input, Output> }
}

/** 11: step is total, deterministic, leaves its arguments alone, and a decoded state behaves as the one encoded. */
export function* pure<State, Input extends { readonly _tag: string }, Output>({
  machine: first,
  steps
}: PureRun<State, Input, Output>): Iterable<Violation> {
  let machine = first
  for (const [at, { input, outputs, before, after, threw, changed }] of steps.entries()) {
    machine = changed?.machine ?? machine
    if (threw !== undefined) {
      yield { at, why: `step threw on ${input._tag}: ${String(threw)}` }
      continue
    }
    const again = take(machine, before, input)
    if (!same(again.outputs, outputs)) yield { at, why: "the same state and input led to other outputs" }
    if (!same(written(machine, again.after), written(machine, after)))
      yield { at, why: "the same state and input led to another state" }
    const moved = machine.decode(JSON.parse(JSON.stringify(machine.encode(before))))
    if (!moved.ok) {
      yield { at, why: `the state before ${input._tag} does not decode: ${moved.error}` }
      continue
    }
    const there = take(machine, moved.value, input)
    if (!same(there.outputs, outputs)) yield { at, why: `after encode and decode ${input._tag} leads to other outputs` }
    if (!same(written(machine, there.after), written(machine, after)))
      yield { at, why: `after encode and decode ${input._tag} leads to another state` }
  }
}

/** 12: two sessions of one machine, taken in turns, behave as each would alone. */
export function* alone<State, Input, Output>(run: PureRun<State, Input, Output>): Iterable<Violation> {
  const { steps } = run
  let machine = run.machine
  let [one, other] = [machine.initial, machine.initial]
  for (const [at, { input, outputs, threw, changed }] of steps.entries()) {
    if (threw !== undefined) return
    machine = changed?.machine ?? machine
    // The other session lives the same conversation backwards.
    other = take(machine, other, steps[steps.length - 1 - at]!.input).after
    const taken = take(machine, one, input)
    one = taken.after
    if (!same(taken.outputs, outputs)) yield { at, why: `another session changed the answer: ${brief(taken.outputs)}` }
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A state as JSON, its collections in one order: what is kept by key has none. */
function written<State>(machine: Machine<State, never, unknown>, state: State): unknown {
  const sorted = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => JSON.stringify(item)).toSorted()
    if (typeof value !== "object" || value === null || depth === 0) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sorted(inner, depth - 1)]))
  }
  return sorted(machine.encode(state), 2)
}
