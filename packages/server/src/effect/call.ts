/** What a handler is given beside its arguments, for generators: each is an Effect, and interruption takes the place of a signal. */
import type { JsonObject, LoggingLevel, Peer } from "@parley/core"
import * as Cause from "effect/Cause"
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import type { AnswerOf, Asks, ParamsOf } from "../asks.js"
import type { Call as Promising } from "../call.js"
import { AskDeclined as Declined, AskFailed as Failed } from "../index.js"
import type { Run } from "./running.js"

/** The user said no, or closed the question. Uncaught, it is an `isError` result that says so. */
export type AskDeclined = Declined & { readonly _tag: "AskDeclined" }

/** There is no answer, for another reason than the user's will. Uncaught, it is an `isError` result that says so. */
export type AskFailed = Failed & { readonly _tag: "AskFailed" }

/** One running call of a handler. `A` is what its tool declared that it may ask. */
export interface Call<A extends Asks = {}> {
  /** The client: the revision in force, its capabilities, its `clientInfo`. */
  readonly peer: Peer
  /** The request's `_meta`, as it came. */
  readonly meta: JsonObject | undefined
  /** On whose behalf the request came: what the transport's `authenticate` found out. Nothing where nobody asks, as on stdio. */
  readonly principal: string | undefined
  /** What the transport hands over: what `context` of an HTTP adapter made of the request that led to this run. */
  readonly context: unknown
  /** Lets the exchange go that waits for the reply: the client comes back for it, where clients can do that (2025-11-25 over HTTP). */
  readonly release: (options?: { readonly retryMs?: number }) => Effect.Effect<void>
  /** True when the client asked to be told of progress; telling it is harmless otherwise. */
  readonly wantsProgress: boolean
  /** Tells the client how far the call has got. `progress` must increase with each telling; one that does not is dropped. */
  readonly progress: (progress: number, total?: number, message?: string) => Effect.Effect<void>
  /** Writes to the client's log, at the level that the client asked for and above. The server must declare `logging: true`. */
  readonly log: (level: LoggingLevel, data: unknown, logger?: string) => Effect.Effect<void>
  /** Whether this client can be asked: it declared what the question needs, and its revision can say it. */
  readonly can: (key: keyof A & string) => boolean
  /**
   * Asks the client. When the answer is not there yet, this run of the handler is interrupted here, and the handler is run
   * again, from its beginning, when the answer has come. So do nothing twice that matters: put it into `once`. The same key
   * may be asked several times, in the same order in every run.
   */
  readonly ask: <K extends keyof A & string>(
    key: K,
    ...params: ParamsOf<A[K]> extends void ? [] : [params: ParamsOf<A[K]>]
  ) => Effect.Effect<AnswerOf<A[K]>, AskDeclined | AskFailed>
  /** Asks several things at once, so that the handler is run again only once. Questions of fibers side by side are asked one by one. */
  readonly askAll: <K extends keyof A & string>(params: { readonly [key in K]: ParamsOf<A[key]> }) => Effect.Effect<
    { readonly [key in K]: AnswerOf<A[key]> },
    AskDeclined | AskFailed
  >
  /**
   * Does this once, however often the handler is run again: later runs get what the first one got, as JSON has it. What fails
   * was not done. What JSON can not say was done, and is not done again: it dies, in every run. It may not ask. A question
   * waits for it, and does not interrupt it; a client that withdraws the request does.
   */
  readonly once: <B, E, R>(key: string, effect: Effect.Effect<B, E, R>) => Effect.Effect<B, E, R>
}

/** What was to be done once and was not. Its cause in the language's own sense is what the run that began it looks at. */
class Undone extends Error {
  readonly of: Cause.Cause<unknown>

  constructor(of: Cause.Cause<unknown>, why: unknown) {
    super("it was not done", { cause: why })
    this.of = of
  }
}

export function yieldable(call: Promising, run: Run<never>): Call {
  /** Why this run ends, once it does. */
  let suspended: unknown

  function waiting<A, E>(begin: () => Promise<A>): Effect.Effect<A, E> {
    return Effect.callback((resume) => {
      begin().then(
        (value) => resume(Effect.succeed(value)),
        (error: unknown) => resume(ended(error) as Effect.Effect<never, E>)
      )
    })
  }

  function ended(error: unknown): Effect.Effect<never, unknown> {
    if (error instanceof Declined) return Effect.fail(Object.assign(error, { _tag: "AskDeclined" as const }))
    if (error instanceof Failed) return Effect.fail(Object.assign(error, { _tag: "AskFailed" as const }))
    if (error instanceof Undone) return Effect.failCause(error.of)
    // The handler waits for an answer: it is no failure, and nothing that one should catch.
    if (!(error instanceof Error && error.name === "Suspended")) return Effect.die(error)
    suspended = error
    return Effect.interrupt
  }

  const once = <B, E, R>(key: string, effect: Effect.Effect<B, E, R>): Effect.Effect<B, E, R> =>
    Effect.contextWith((context: Context<R>) =>
      waiting<B, E>(() =>
        call.once(key, async () => {
          const exit = await run(Effect.provideContext(effect, context), call.signal)
          if (exit._tag === "Success") return exit.value
          throw new Undone(exit.cause, suspended ?? Cause.squash(exit.cause))
        })
      )
    )

  return {
    peer: call.peer,
    meta: call.meta,
    principal: call.principal,
    context: call.context,
    release: (options) => Effect.sync(() => call.release(options)),
    wantsProgress: call.wantsProgress,
    progress: (progress, total, message) => Effect.sync(() => call.progress(progress, total, message)),
    log: (level, data, logger) => Effect.sync(() => call.log(level, data, logger)),
    can: call.can,
    ask: (...asked: ReadonlyArray<unknown>) => waiting(() => call.ask(...(asked as [never]))),
    askAll: (params) => waiting(() => call.askAll(params)),
    once
  }
}
