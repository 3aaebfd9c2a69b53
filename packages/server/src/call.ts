/** What a handler is given beside its arguments: who asks, how to report progress, and whether it is still wanted. */
import type { JsonObject, Peer } from "@parley/core"
import type { Input, Invoke } from "@parley/core/server"

/** One running call of a tool. */
export interface Call {
  /** The client: the revision in force, its capabilities, its `clientInfo`. */
  readonly peer: Peer
  /** The request's `_meta`, as it came. */
  readonly meta: JsonObject | undefined
  /** Aborted when the client withdraws the request, or the session ends. Made when first read. */
  readonly signal: AbortSignal
  /** True when the client asked to be told of progress; telling it is harmless otherwise. */
  readonly wantsProgress: boolean
  /**
   * Tells the client how far the call has got. `progress` must increase with each telling; one that does not is dropped,
   * and so is everything told after the call has ended.
   */
  readonly progress: (progress: number, total?: number, message?: string) => void
}

/** A call with the hand that can interrupt it. */
export class RunningCall implements Call {
  readonly #invoke: Invoke
  readonly #feed: (input: Input) => void
  #controller: AbortController | undefined
  #interrupted: { readonly reason: unknown } | undefined

  constructor(invoke: Invoke, feed: (input: Input) => void) {
    this.#invoke = invoke
    this.#feed = feed
  }

  get peer(): Peer {
    return this.#invoke.peer
  }

  get meta(): JsonObject | undefined {
    return this.#invoke.meta
  }

  get wantsProgress(): boolean {
    return this.#invoke.progress
  }

  /** A controller costs more than a whole call, so there is none until somebody looks. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#interrupted !== undefined) this.#controller.abort(this.#interrupted.reason)
    }
    return this.#controller.signal
  }

  progress = (progress: number, total?: number, message?: string): void => {
    const { call, id } = this.#invoke
    if (this.#invoke.progress) this.#feed({ _tag: "Progressed", call, id, progress, total, message })
  }

  get interrupted(): boolean {
    return this.#interrupted !== undefined
  }

  interrupt(reason: string | undefined): void {
    if (this.#interrupted !== undefined) return
    this.#interrupted = { reason: new DOMException(reason ?? "the request was cancelled", "AbortError") }
    this.#controller?.abort(this.#interrupted.reason)
  }
}
