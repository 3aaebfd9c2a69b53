/** Whoever seals for a server in a drawn conversation: what it sealed, and what it was asked to seal or to open and has not yet. */
import type { Seal } from "./ledger.js"

interface Sealed {
  readonly bound: string
  readonly payload: unknown
}

export class Vault {
  /** What it was asked to do, each once. */
  due: Array<Seal> = []
  /** What it did lately, which may be said twice. */
  done: Array<Seal> = []
  readonly #sealed = new Map<string, Sealed>()

  take(output: Seal): void {
    if (!this.due.some(({ _tag, call }) => _tag === output._tag && call === output.call)) this.due.push(output)
  }

  finish(output: Seal): void {
    this.due = this.due.filter((one) => one !== output)
    this.done = [...this.done.slice(-3), output]
  }

  seal({ bound, payload }: Extract<Seal, { _tag: "Seal" }>): string {
    const token = `sealed-${this.#sealed.size}`
    this.#sealed.set(token, { bound, payload })
    return token
  }

  /** Nothing where it was not sealed here, or for something else. */
  open({ token, bound }: Extract<Seal, { _tag: "Unseal" }>): unknown {
    const found = this.#sealed.get(token)
    return found?.bound === bound ? found.payload : undefined
  }
}
