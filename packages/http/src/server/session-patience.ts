/** Stores may take their time, and no longer: whoever waits for one learns that it has not answered. */
import type { Deadlines } from "./session-deadlines.js"
import type { SessionStore } from "./store.js"

export class Patience {
  readonly #deadlines: Deadlines
  readonly #now: () => number
  readonly #ms: number
  /** Until then nothing is asked: what was asked before was not answered. So those who queue do not wait one after the other. */
  #tired = -Infinity
  #waiting: Set<(why: Error) => void> | undefined

  constructor(deadlines: Deadlines, now: () => number, ms: number) {
    this.#deadlines = deadlines
    this.#now = now
    this.#ms = ms
  }

  /** Settles as the work does. It rejects when that takes too long, or when other work has just done so: then nothing is begun. */
  with<A>(work: () => A | PromiseLike<A>): Promise<A> {
    if (this.#now() < this.#tired) return Promise.reject(new Error(`${unanswered} before this: it is asked again soon`))
    return new Promise((resolve, reject) => {
      const forget = this.#deadlines.after(this.#ms, () => {
        this.#tired = this.#now() + this.#ms
        fail(new Error(`${unanswered} within ${this.#ms} ms`))
      })
      const fail = (why: unknown): void => {
        forget()
        this.#waiting?.delete(fail)
        reject(why)
      }
      ;(this.#waiting ??= new Set()).add(fail)
      const answer = (value: A): void => {
        forget()
        this.#waiting?.delete(fail)
        resolve(value)
      }
      settling(work).then(answer, fail)
    })
  }

  /** Nobody waits any longer. */
  end(): void {
    for (const fail of this.#waiting ?? []) fail(new Error(`${unanswered} before this process had to end`))
  }
}

/** The store, of which nobody waits for more than that. A touch is waited for by nobody. */
export const patient = (store: SessionStore, patience: Patience): SessionStore => ({
  create: (...what) => patience.with(() => store.create(...what)),
  load: (id) => patience.with(() => store.load(id)),
  swap: (...what) => patience.with(() => store.swap(...what)),
  touch: (...what) => store.touch(...what),
  delete: (id) => patience.with(() => store.delete(id))
})

/** What throws at once rejects. */
const settling = async <A>(work: () => A | PromiseLike<A>): Promise<A> => work()

const unanswered = "the store did not answer"
