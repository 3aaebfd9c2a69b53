/** Runs an Effect: loaded when the first one comes. */
import type { Effect } from "effect/Effect"
import { runPromise } from "effect/Effect"

/** Effect begins before it looks at the signal. */
export function run(effect: Effect<unknown, unknown>, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted()
  return runPromise(effect, { signal })
}
