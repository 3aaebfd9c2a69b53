/** One run of a handler, with the hand that can interrupt it. */
import type { JsonObject, Peer, RequestId } from "@parley/core"
import type { Input, Invoke } from "@parley/core/server"
import type { Asker, Behind } from "./asker.js"
import type { Asking } from "./asking.js"
import type { Asks } from "./asks.js"
import type { Call } from "./call.js"
import { isEffect, runEffect } from "./effects.js"
import type { Maybe } from "./maybe.js"
import type { Suspended } from "./suspended.js"

/** What only some transports have around a call. */
export interface Around {
  readonly around?: {
    readonly context: unknown
    /** Whether the next run may be in another process, though the session goes on. */
    readonly moves?: boolean | undefined
    readonly release: ((id: RequestId, retryMs: number | undefined) => void) | undefined
  }
}

export class RunningCall implements Call<Asks> {
  readonly #invoke: Invoke & Around
  readonly #feed: (input: Input) => void
  readonly #behind: Behind | undefined
  #asker: Asker | undefined
  #controller: AbortController | undefined
  #aborted: { readonly reason: unknown } | undefined
  #ended = false
  #finished = false

  constructor(invoke: Invoke & Around, feed: (input: Input) => void, behind?: Behind) {
    this.#invoke = invoke
    this.#feed = feed
    this.#behind = behind
  }

  get peer(): Peer {
    return this.#invoke.peer
  }

  get meta(): JsonObject | undefined {
    return this.#invoke.meta
  }

  get principal(): string | undefined {
    return this.#invoke.principal
  }

  get context(): unknown {
    return this.#invoke.around?.context
  }

  get release(): Call["release"] {
    return (options) => {
      if (!this.#silent()) this.#invoke.around?.release?.(this.#invoke.id, options?.retryMs)
    }
  }

  get wantsProgress(): boolean {
    return this.#invoke.progress
  }

  /** A controller costs more than a whole call, so there is none until somebody looks. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason)
    }
    return this.#controller.signal
  }

  /** What it asks and does once; nothing where nothing may be asked, and nothing was done. */
  get asker(): Asker | undefined {
    return this.#asker
  }

  /** Whether it was answered. */
  get finished(): boolean {
    return this.#finished
  }

  /** Whether nobody wants to know any more what the handler comes to. */
  get over(): boolean {
    return this.#ended
  }

  // Handlers may take these apart, and most need none: each is made when it is looked at.
  get progress(): Call["progress"] {
    return (progress, total, message) => {
      const { call, id } = this.#invoke
      if (this.#invoke.progress && !this.#silent())
        this.#feed({ _tag: "Progressed", call, id, progress, total, message })
    }
  }

  get log(): Call["log"] {
    return (level, data, logger) => {
      const { call, id } = this.#invoke
      if (!this.#silent()) this.#feed({ _tag: "Logged", level, data: loggable(data), logger, about: { call, id } })
    }
  }

  get can(): (key: string) => boolean {
    return (key) => this.#asker?.can(key) ?? false
  }

  get ask(): (key: string, params?: unknown) => Promise<never> {
    return (key, params) => this.#by((asker) => asker.ask(key, params))
  }

  get askAll(): (params: { readonly [key: string]: unknown }) => Promise<never> {
    return (params) => this.#by((asker) => asker.askAll(params))
  }

  get once(): <R>(key: string, effect: () => Maybe<R>) => Promise<R> {
    return (key, effect) => this.#by((asker) => asker.do(key, effect))
  }

  /** What may be asked from now on. */
  may(asks: Asks): this {
    const [one] = Object.values(asks)
    if (one !== undefined) this.#made(one.asking)
    this.#asker?.may(asks)
    return this
  }

  /** What a value that was returned comes to: an Effect is run, and interrupted with the call. */
  value(returned: unknown): unknown {
    return isEffect(returned) ? runEffect(returned, this.signal) : returned
  }

  /** It was answered: what the handler still says is not heard, and what it asks is not asked. */
  finish(): void {
    this.#finished = true
  }

  interrupt(reason: string | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#abort(new DOMException(reason ?? "the request was cancelled", "AbortError"))
  }

  /** It waits for answers. With a reason, what still goes on is to stop. */
  leave(reason?: Suspended): void {
    this.#ended = true
    if (reason !== undefined) this.#abort(reason)
  }

  #silent(): boolean {
    return this.#finished || this.#ended
  }

  #by<A>(work: (asker: Asker) => Promise<A>): Promise<A> {
    // Who asks nothing may do something once: it is run again after a page that was required.
    const asker = this.#asker
    const working = asker === undefined ? import("./asker.js").then((made) => work(this.#made(made))) : work(asker)
    // A handler that does not wait for it leaves no rejection behind that nobody handles.
    working.catch(() => undefined)
    return working
  }

  #made({ Asker }: Pick<Asking, "Asker">): Asker {
    return (this.#asker ??= new Asker(this, this.#invoke, this.#feed, this.#behind))
  }

  #abort(reason: unknown): void {
    this.#aborted = { reason }
    this.#controller?.abort(reason)
    this.#asker?.end(reason)
  }
}

/** What JSON can not say is said in words, so that writing to a log never fails. */
function loggable(data: unknown): unknown {
  if (typeof data === "string") return data
  if (data instanceof Error) return String(data)
  try {
    return JSON.stringify(data) === undefined ? null : data
  } catch {
    return String(data)
  }
}
