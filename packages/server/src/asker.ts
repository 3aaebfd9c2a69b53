/** What one run of a handler asks and does once. It comes with the first question that is declared, or with what is first done once. */
import type { JsonObject } from "@parley/core"
import type { Input, Invoke, NeedsInput } from "@parley/core/server"
import type { AnyAsk, Asks } from "./asks.js"
import { asksByResult, elsewhere } from "./elsewhere.js"
import type { Maybe } from "./maybe.js"
import { Once } from "./once.js"
import type { Questions } from "./questions.js"
import type { RunningCall } from "./running-call.js"
import { Suspended } from "./suspended.js"
import type { Waiting } from "./waiting.js"
import { waiting } from "./waiting.js"

/** Who is told of a run that may ask. */
export interface Behind {
  /** What earlier runs in this process did once. */
  readonly once: Once | undefined
  /** It ends, to wait for answers: `here` where the next run is in this process. `pages` are the visits that are asked for. */
  readonly waits: (here: Here | undefined, pages: ReadonlyArray<string>) => void
  /** It asked what no handler may ask. */
  readonly misplaced: (error: TypeError) => void
}

export interface Here {
  /** What it did once. */
  readonly once: Once | undefined
  readonly waiting: () => Waiting
}

export class Asker {
  readonly #call: RunningCall
  readonly #invoke: Invoke
  readonly #feed: (input: Input) => void
  readonly #behind: Behind | undefined
  #asks: Asks = {}
  #suspended = false
  /** How often it asked after that. */
  #vain = 0
  #questions: Questions | undefined
  #once: Once | undefined

  constructor(call: RunningCall, invoke: Invoke, feed: (input: Input) => void, behind: Behind | undefined) {
    this.#call = call
    this.#invoke = invoke
    this.#feed = feed
    this.#behind = behind
    if (behind !== undefined) this.#once = behind.once?.by(behind.misplaced)
  }

  /** Whether this run ends, or has ended, to wait for answers: what it still comes to is dropped. */
  get suspended(): boolean {
    return this.#suspended
  }

  /** What was done once, for the next run. */
  get done(): Once | undefined {
    return this.#once?.next()
  }

  /** Settles when nothing is being done once. */
  async settled(): Promise<void> {
    await this.#once?.settled()
  }

  /** What may be asked from now on. */
  may(asks: Asks): void {
    this.#asks = asks
  }

  can(key: string): boolean {
    const ask = this.#asked(key)
    return ask !== undefined && this.#asking(ask).can(ask)
  }

  async askAll(params: { readonly [key: string]: unknown }): Promise<never> {
    const asks = Object.entries(params).map(([key, one]) => [key, this.#declared(key), one] as const)
    this.#once?.beforeAsking()
    if (asks.length > 0 && !this.#suspended) this.#asking(asks[0]![1]).together(asks)
    const entries = asks.map(async ([key, , one]) => [key, await this.#call.ask(key, one)] as const)
    return Object.fromEntries(await Promise.all(entries)) as never
  }

  async ask(key: string, params: unknown): Promise<never> {
    const ask = this.#declared(key)
    this.#once?.beforeAsking()
    if (!this.#suspended) return this.#asking(ask).ask(key, ask, params)
    // A handler that catches it all and asks for ever would hold up the process: at some time it gets no answer at all.
    if (++this.#vain > 100) return new Promise<never>(() => undefined)
    throw new Suspended()
  }

  async do<R>(key: string, effect: () => Maybe<R>): Promise<R> {
    // The next run would not know of what begins now, unless it is part of what the next run waits for.
    if (this.#suspended && (this.#call.over || this.#once?.busy !== true)) throw new Suspended("once")
    this.#once ??= new Once(
      this.#invoke.once?.["done"] as JsonObject | undefined,
      this.#behind?.misplaced ?? (() => undefined)
    )
    return (await this.#once.do(key, () => this.#call.value(effect()))) as R
  }

  /** The run is over: what waits will not be answered in it. */
  end(reason: unknown): void {
    this.#questions?.end(reason)
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
      feed: (input) => this.#waits(input),
      silent: () => this.#call.over || this.#call.finished,
      suspend: () => (this.#suspended = true),
      once: () => this.#once,
      leave: () => this.#leave()
    }))
  }

  /** What is being done once is not broken off: it would be done by half. */
  #leave(): void {
    const reason = new Suspended()
    const busy = this.#once?.busy === true
    this.#call.leave(busy ? undefined : reason)
    if (busy) void this.#once?.settled().then(() => this.#call.leave(reason))
  }

  #waits(asked: NeedsInput): void {
    const invoke = this.#invoke
    const ids = asksByResult(invoke) ? [] : asked.questions.map(({ params }) => params?.["elicitationId"])
    const pages = ids.filter((id) => typeof id === "string")
    this.#behind?.waits(elsewhere(invoke) ? undefined : { once: this.done, waiting }, pages)
    this.#feed(asked)
  }
}
