/** What must come to its end within a time that is the same for all, by one timer for all: each costs no timer and no look at a clock. */

/** Something that is awaited. */
export interface Awaited {
  /** It took too long. */
  readonly late: () => void
}

/** Into so many parts the time is cut: what is late is found out by one part later. */
const parts = 8

export class Patience {
  /** In the order in which they began, with the part in which they did. */
  readonly #awaited = new Map<Awaited, number>()
  #now = 0
  #timer: NodeJS.Timeout | undefined

  /** `ms`: the same with every call. */
  add(one: Awaited, ms: number): void {
    this.#awaited.set(one, this.#now)
    if (this.#timer === undefined) this.#timer = this.#wait(ms)
  }

  delete(one: Awaited): void {
    this.#awaited.delete(one)
  }

  /** The timer runs on for a while when nothing is awaited: mostly the next one comes soon. The connections keep the process alive. */
  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#now++
      for (const [one, began] of this.#awaited) {
        if (this.#now - began <= parts) break
        this.#awaited.delete(one)
        one.late()
      }
      this.#timer = this.#awaited.size > 0 ? this.#wait(ms) : undefined
    }, ms / parts).unref()
  }
}
