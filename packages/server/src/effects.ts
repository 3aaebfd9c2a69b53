/** Handlers that return an Effect: recognised by its brand, and run by what is loaded when the first one comes. */
import type { Effect } from "effect/Effect"

export const isEffect = (value: unknown): value is Effect<unknown, unknown> =>
  typeof value === "object" && value !== null && "~effect/Effect" in value

/** The Effect's value, or a rejection with what it failed with. Interrupted when the signal is aborted. */
export async function runEffect(effect: Effect<unknown, unknown>, signal: AbortSignal): Promise<unknown> {
  return (await import("./run-effect.js")).run(effect, signal)
}
