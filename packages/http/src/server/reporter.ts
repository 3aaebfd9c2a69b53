/** What users' functions throw, or their promises reject with, ends nothing: somebody is told of it, calmly. */

export type Crashed = (what: string, error: unknown) => void

/** Tells the user of what their functions throw; what the teller itself throws, or rejects with, is told on the console. */
export function reporter(crashed: Crashed | undefined): Crashed {
  return (what, error) => {
    if (crashed === undefined) console.error(`The handler of ${what} failed:`, error)
    else attempt(() => crashed(what, error), fell)
  }
}

const fell = (error: unknown): void => console.error(error)

/** Does work for whose end nobody waits. `failed` is told when it throws or rejects, and throws nothing itself. */
export function attempt(work: () => unknown, failed: (error: unknown) => void): void {
  try {
    heed(work(), failed)
  } catch (error) {
    failed(error)
  }
}

/** Hands on what a user's function returned. Where it is a promise, it may reject before anybody looks at it, or though nobody ever does. */
export function heed<A>(given: A, failed: (error: unknown) => void = () => undefined): A {
  if (isThenable(given)) void Promise.resolve(given).then(undefined, failed)
  return given
}

export const isThenable = (given: unknown): given is PromiseLike<unknown> =>
  typeof given === "object" && given !== null && typeof (given as { readonly then?: unknown }).then === "function"
