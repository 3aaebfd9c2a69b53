/** Handlers that return an Effect: recognised by its brand, and run by `effect/Effect`, which is loaded when the first one comes. */
import type { Effect } from "effect/Effect"

export const isEffect = (value: unknown): value is Effect<unknown, unknown> =>
  typeof value === "object" && value !== null && "~effect/Effect" in value

/** The Effect's value, or a rejection with what it failed with. Interrupted when the signal is aborted. */
export async function runEffect(effect: Effect<unknown, unknown>, signal: AbortSignal): Promise<unknown> {
  const { runPromise } = await import("effect/Effect")
  // Effect begins before it looks at the signal.
  signal.throwIfAborted()
  return runPromise(effect, { signal })
}
