/** A user's listener is told something: what it throws ends nothing but its own turn, and the console is told. */

/** Also what comes of it later, when the listener is asynchronous. */
export function calmly<A extends ReadonlyArray<unknown>>(
  listener: ((...args: A) => unknown) | undefined,
  ...args: A
): void {
  try {
    const later = listener?.(...args)
    if (later instanceof Promise) later.catch(failed)
  } catch (error) {
    failed(error)
  }
}

/** The same listener, to be told calmly every time. */
export const calm = <A extends ReadonlyArray<unknown>>(
  listener: ((...args: A) => unknown) | undefined
): ((...args: A) => void) | undefined =>
  listener === undefined ? undefined : (...args) => calmly<A>(listener, ...args)

/** What it says, and nothing when it throws. */
export function said<A>(says: () => A): A | undefined {
  try {
    return says()
  } catch (error) {
    failed(error)
    return undefined
  }
}

function failed(error: unknown): void {
  try {
    console.error("A listener failed:", error)
  } catch {
    console.error("A listener failed, and what it threw can not be shown")
  }
}

/** Whatever it is; even asking may throw. */
export function inBrief(reason: unknown): string {
  try {
    return String(reason instanceof Error ? reason.message : reason)
  } catch {
    return "it can not be shown"
  }
}

/** Whether it is one of that class. What throws when it is looked at is none. */
export function isOne<A>(value: unknown, of: abstract new (...args: never) => A): value is A {
  try {
    return value instanceof of
  } catch {
    return false
  }
}
