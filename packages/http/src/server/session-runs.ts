/** Runs of handlers that a platform is to wait for: their exchange may be answered before they end, as one is that brings an answer. */
import type { Input } from "@parley/core/server"
import type { Exchange } from "./exchange.js"
import { isLast } from "./session-calls.js"

export class Runs {
  readonly #ends = new Map<number, () => void>()

  began(call: number, goesOn: NonNullable<Exchange["goesOn"]>): void {
    goesOn(new Promise((resolve) => void this.#ends.set(call, resolve)))
  }

  /** What a handler says may be its last word; `kept` settles when that is kept, where it takes a while. */
  heard(input: Input, kept: () => Promise<void> | undefined): void {
    if (!isLast(input)) return
    const work = kept()
    if (work === undefined) this.end(input.call)
    else void work.then(() => this.end(input.call))
  }

  end(call: number): void {
    this.#ends.get(call)?.()
    this.#ends.delete(call)
  }

  endAll(): void {
    for (const call of this.#ends.keys()) this.end(call)
  }
}
