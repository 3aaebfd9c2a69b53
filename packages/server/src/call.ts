/** What a handler is given beside its arguments: who asks, how to report and to ask back, and whether it is still wanted. */
import type { JsonObject, LoggingLevel, Peer } from "@parley/core"
import type { AnswerOf, Asks, ParamsOf } from "./asks.js"
import type { Maybe } from "./maybe.js"

/** One running call of a handler. `A` is what its tool declared that it may ask. */
export interface Call<A extends Asks = {}> {
  /** The client: the revision in force, its capabilities, its `clientInfo`. */
  readonly peer: Peer
  /** The request's `_meta`, as it came. */
  readonly meta: JsonObject | undefined
  /** On whose behalf the request came: what the transport's `authenticate` found out. Nothing where nobody asks, as on stdio. */
  readonly principal: string | undefined
  /**
   * What the transport hands over: what `context` of an HTTP adapter made of the request that led to this run. After a question
   * that is the one which brought the answer. Nothing elsewhere, and after the session has moved to another process.
   */
  readonly context: unknown
  /**
   * Lets the exchange go that waits for the reply, so that a call which takes long holds no connection: the client comes back
   * for the reply, after `retryMs` where that is given, and hears then what was told meanwhile. Does nothing where clients can
   * not do that: on stdio, and over HTTP but in sessions of 2025-11-25 that keep their events.
   */
  readonly release: (options?: { readonly retryMs?: number }) => void
  /** Aborted when the client withdraws the request, the session ends, or the call has to wait for answers. Made when first read. */
  readonly signal: AbortSignal
  /** True when the client asked to be told of progress; telling it is harmless otherwise. */
  readonly wantsProgress: boolean
  /**
   * Tells the client how far the call has got. `progress` must increase with each telling; one that does not is dropped,
   * and so is everything told after the call has ended.
   */
  readonly progress: (progress: number, total?: number, message?: string) => void
  /**
   * Writes to the client's log, at the level that the client asked for and above: of the session, or since 2026-07-28 of this
   * request, where nothing is written for a request that asks for none. The server must declare `logging: true`.
   */
  readonly log: (level: LoggingLevel, data: unknown, logger?: string) => void
  /** Whether this client can be asked: it declared what the question needs, and its revision can say it. */
  readonly can: (key: keyof A & string) => boolean
  /**
   * Asks the client. When the answer is not there yet, this run of the handler ends here, and it is run again, from its
   * beginning, when the answer has come; whatever this run still returns or throws is dropped. So do nothing twice that
   * matters: put it into `once`. Rejects `AskDeclined` and `AskFailed`. The same key may be asked several times, in the same
   * order in every run. It is the same handler that is run again, also when a live server has another one by then; in
   * another process it is the one of that name, if it asks the same kind of question by that key. If not, the client is told
   * so, and `crashed` as well.
   *
   * Since 2026-07-28 every question ends the request: the client makes it again with its answers and with what was sealed of
   * this call, in any process that has the key (`seal` of `serve`). There the handler is run that has the name by then; a client
   * that can not or will not answer makes no such request, so of `AskFailed` the handler hears only that it can not ask, or that
   * an answer does not fit.
   */
  readonly ask: <K extends keyof A & string>(
    key: K,
    ...params: ParamsOf<A[K]> extends void ? [] : [params: ParamsOf<A[K]>]
  ) => Promise<AnswerOf<A[K]>>
  /**
   * Asks several things at once, so that the handler is run again only once. Where the client can not be asked one of them it is
   * asked none, and `AskFailed` names all that it lacks (`answer.needs`).
   */
  readonly askAll: <K extends keyof A & string>(params: { readonly [key in K]: ParamsOf<A[key]> }) => Promise<{
    readonly [key in K]: AnswerOf<A[key]>
  }>
  /**
   * Does this once, however often the handler is run again: later runs get what the first one got, as JSON has it. What
   * throws was not done. What JSON can not say was done, and is not done again: it rejects, in every run. The effect may be
   * asynchronous, or an Effect. It may not ask: that ends the call, and is told to `crashed`.
   *
   * A question waits for what is being done once, for a second at most. What takes longer is done to its end all the same,
   * and `signal` is not aborted before: the next run waits for it where it needs it. Only when the session goes on in
   * another process meanwhile nobody knows how it ended; it is not done again there, and rejects. Since 2026-07-28, where the
   * next run may be anywhere, a question waits until it is done.
   */
  readonly once: <R>(key: string, effect: () => Maybe<R>) => Promise<R>
}
