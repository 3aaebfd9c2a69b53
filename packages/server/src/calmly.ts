/** What a user's listener throws ends nothing but its own turn. */

/** The same listener, of which nothing escapes: what it throws, or its promise rejects with, is told on the console. */
export const calmly =
  <A extends ReadonlyArray<unknown>>(tell: (...args: A) => unknown) =>
  (...args: A): void => {
    try {
      const told = tell(...args)
      if (told instanceof Promise) told.catch(fell)
    } catch (error) {
      fell(error)
    }
  }

export const fell = (error: unknown): void => console.error(`A listener failed: ${inBrief(error)}`)

/** Even reading the message of what was thrown may throw. */
function inBrief(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return "what it threw can not be shown"
  }
}
