/** How processes tell each other which handlers of a session are not wanted any more. */
import type { EventStore } from "./event-store.js"
import type { Append } from "./session-outlet.js"

/** No client can name it. */
const via = "!"

export class Aside {
  readonly #events: EventStore
  readonly #session: string
  readonly #heard: (call: number, reason: string | undefined) => void
  readonly #failed: (error: unknown) => void
  #listening: AbortController | undefined

  constructor(
    events: EventStore,
    session: string,
    heard: (call: number, reason: string | undefined) => void,
    failed: (error: unknown) => void
  ) {
    this.#events = events
    this.#session = session
    this.#heard = heard
    this.#failed = failed
  }

  tell(append: Append, call: number, reason: string | undefined): void {
    void append(via, JSON.stringify({ call, reason }), false)
  }

  /** From now on, until `stop`. What was told before is heard again: no two calls of a session have the same number. */
  listen(): void {
    if (this.#listening !== undefined) return
    const listening = (this.#listening = new AbortController())
    void this.#tail(listening.signal)
      .catch(this.#failed)
      .finally(() => {
        if (this.#listening === listening) this.#listening = undefined
      })
  }

  stop(): void {
    this.#listening?.abort()
    this.#listening = undefined
  }

  async #tail(signal: AbortSignal): Promise<void> {
    for await (const { text } of this.#events.tail(this.#session, via, undefined, signal)) {
      if (signal.aborted) return
      const { call, reason } = JSON.parse(text) as { readonly call: number; readonly reason?: string }
      this.#heard(call, reason)
    }
  }
}
