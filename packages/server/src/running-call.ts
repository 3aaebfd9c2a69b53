/** One run of a handler, with the hand that can interrupt it. */
import type { JsonObject, Peer, RequestId } from "@parley/core"
import type { Input, Invoke } from "@parley/core/server"
import type { AnyAsk, Asks } from "./asks.js"
import type { Call } from "./call.js"
import { isEffect, runEffect } from "./effects.js"
import type { Maybe } from "./maybe.js"
import type { Once } from "./once.js"
import type { Questions } from "./questions.js"
import { Suspended } from "./suspended.js"

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
  readonly #misplaced: (error: TypeError) => void
  #asks: Asks
  #controller: AbortController | undefined
  #aborted: { readonly reason: unknown } | undefined
  #ended = false
  #finished = false
  #suspended = false
  /** How often it asked after that. */
  #vain = 0
  #questions: Questions | undefined
  #once: Once | undefined

  /** `once`: what earlier runs did; `misplaced` is told of a question that no handler may ask. */
  constructor(
    invoke: Invoke & Around,
    feed: (input: Input) => void,
    asks: Asks,
    once?: Once,
    misplaced: (error: TypeError) => void = () => undefined
  ) {
    this.#invoke = invoke
    this.#feed = feed
    this.#asks = asks
    this.#misplaced = misplaced
    this.#once = once?.by(misplaced)
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

  /** Whether this run ends, or has ended, to wait for answers: what it still comes to is dropped. */
  get suspended(): boolean {
    return this.#suspended
  }

  /** Whether it was answered. */
  get finished(): boolean {
    return this.#finished
  }

  /** What was done once, for the next run. */
  get done(): Once | undefined {
    return this.#once?.next()
  }

  /** Settles when nothing is being done once. */
  async settled(): Promise<void> {
    await this.#once?.settled()
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
    return (key) => {
      const ask = this.#asked(key)
      return ask !== undefined && this.#asking(ask).can(ask)
    }
  }

  get ask(): (key: string, params?: unknown) => Promise<never> {
    return (key, params) => unminded(this.#ask(key, params))
  }

  get askAll(): (params: { readonly [key: string]: unknown }) => Promise<never> {
    return (params) => unminded(this.#askAll(params))
  }

  get once(): <R>(key: string, effect: () => Maybe<R>) => Promise<R> {
    return (key, effect) => unminded(this.#do(key, effect))
  }

  async #askAll(params: { readonly [key: string]: unknown }): Promise<never> {
    const asks = Object.entries(params).map(([key, one]) => [key, this.#declared(key), one] as const)
    this.#once?.beforeAsking()
    if (asks.length > 0 && !this.#suspended) this.#asking(asks[0]![1]).together(asks)
    const entries = asks.map(async ([key, , one]) => [key, await this.ask(key, one)] as const)
    return Object.fromEntries(await Promise.all(entries)) as never
  }

  async #ask(key: string, params: unknown): Promise<never> {
    const ask = this.#declared(key)
    this.#once?.beforeAsking()
    if (this.#suspended) return this.#again()
    return this.#asking(ask).ask(key, ask, params)
  }

  async #do<R>(key: string, effect: () => Maybe<R>): Promise<R> {
    // The next run would not know of what begins now, unless it is part of what the next run waits for.
    if (this.#suspended && (this.#ended || this.#once?.busy !== true)) throw new Suspended("once")
    // Also who asks nothing is run again, after a page that was required.
    if (this.#once === undefined) {
      const own = Object.values(this.#asks)[0]?.asking.once(this.#invoke, this.#misplaced)
      const made = own ?? (await import("./once-again.js")).onceOf(this.#invoke)
      // Several may have begun meanwhile.
      this.#once ??= made
    }
    return (await this.#once.do(key, () => this.value(effect()))) as R
  }

  /** What may be asked from now on. */
  may(asks: Asks): this {
    this.#asks = asks
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

  #silent(): boolean {
    return this.#finished || this.#ended
  }

  /** A handler that catches it all and asks for ever would hold up the process: at some time it gets no answer at all. */
  #again(): Promise<never> {
    if (++this.#vain > 100) return new Promise<never>(() => undefined)
    throw new Suspended()
  }

  #asked(key: string): AnyAsk | undefined {
    return Object.hasOwn(this.#asks, key) ? this.#asks[key] : undefined
  }

  #declared(key: string): AnyAsk {
    const ask = this.#asked(key)
    if (ask === undefined) throw new TypeError(`${key} is not among what was declared that is asked`)
    return ask
  }

  #asking(ask: AnyAsk): Questions {
    return (this.#questions ??= ask.asking.questions({
      invoke: this.#invoke,
      feed: this.#feed,
      silent: () => this.#silent(),
      suspend: () => (this.#suspended = true),
      once: () => this.#once,
      leave: () => this.#leave()
    }))
  }

  /** What is being done once is not broken off: it would be done by half. */
  #leave(): void {
    this.#ended = true
    const reason = new Suspended()
    if (this.#once?.busy === true) void this.#once.settled().then(() => this.#abort(reason))
    else this.#abort(reason)
  }

  #abort(reason: unknown): void {
    this.#aborted = { reason }
    this.#controller?.abort(reason)
    this.#questions?.end(reason)
  }
}

/** A handler that does not wait for it leaves no rejection behind that nobody handles. */
function unminded<A>(promise: Promise<A>): Promise<A> {
  promise.catch(() => undefined)
  return promise
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
