/** What a user's listener throws ends nothing but its own turn. */

/** The same listener, of which nothing escapes: what it throws, or its promise rejects with, is told on the console. */
export const calmly =
  <A extends ReadonlyArray<unknown>>(tell: (...args: A) => unknown) =>
  (...args: A): void => {
    try {
      heed(tell(...args))
    } catch (error) {
      fell(error)
    }
  }

/** What a user's function returned: a promise that rejects is told on the console too, whoever's promise it is. */
export function heed<A>(returned: A): A {
  if (isThenable(returned)) void Promise.resolve(returned).then(undefined, fell)
  return returned
}

export const isThenable = (returned: unknown): returned is PromiseLike<unknown> =>
  typeof (returned as { readonly then?: unknown } | null | undefined)?.then === "function"

export const fell = (error: unknown): void => console.error(`A listener failed: ${inBrief(error)}`)

/** Even reading the message of what was thrown may throw. */
function inBrief(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return "what it threw can not be shown"
  }
}
