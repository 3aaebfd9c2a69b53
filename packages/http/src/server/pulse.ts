/** One alarm for all answers that are open: each is asked now and then whether something is due. */
import type { Alarm, Clock } from "@parley/driver"

export interface Beating {
  /** `now` is the clock's. */
  readonly beat: (now: number) => void
}

export class Pulse {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #beating = new Set<Beating>()
  #alarm: Alarm | undefined

  /** What is due after `shortestMs` comes no later than a quarter of it. */
  constructor(clock: Clock, shortestMs: number) {
    this.#clock = clock
    this.#everyMs = Math.min(1_000, Math.max(10, Math.ceil(shortestMs / 4)))
  }

  add(one: Beating): void {
    this.#beating.add(one)
    if (this.#alarm === undefined) this.#wait()
  }

  remove(one: Beating): void {
    if (!this.#beating.delete(one) || this.#beating.size > 0) return
    this.#alarm?.cancel()
    this.#alarm = undefined
  }

  #wait(): void {
    this.#alarm = this.#clock.after(this.#everyMs, () => {
      this.#alarm = undefined
      const now = this.#clock.now()
      for (const one of this.#beating) one.beat(now)
      if (this.#beating.size > 0) this.#wait()
    })
    // The connections keep the process alive, not the wait.
    this.#alarm.hold(false)
  }
}
