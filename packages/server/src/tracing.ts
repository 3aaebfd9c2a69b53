/** What a tracer is told of each run of a handler; `@parley/server/opentelemetry` is one. */
import type { JsonObject, Peer, RequestId } from "@parley/core"
import type { CallFailure, Target } from "@parley/core/server"

export interface Tracing {
  /** A handler is about to run. Called again for the same request when the handler is run again with the client's answers. */
  readonly begin: (request: Traced) => Span
}

/** The request that a handler serves. */
export interface Traced {
  /** The tool or prompt that is called, or the method. */
  readonly target: Target
  readonly id: RequestId
  readonly peer: Peer
  /** The request's `_meta`, in which a client may tell its own trace. */
  readonly meta: JsonObject | undefined
  /** Numbers the sessions of this process. */
  readonly session: number
}

export interface Span {
  /** Runs the handler, so that what it does is seen as part of this. */
  readonly run: <A>(work: () => A) => A
  /** Called once, when the run has ended. */
  readonly end: (outcome: Outcome) => void
}

export type Outcome =
  /** There is a result, which may be an `isError` one, or one that the machine refuses to send. */
  | { readonly _tag: "Succeeded"; readonly result: unknown }
  /** The arguments did not fit; no handler ran. */
  | { readonly _tag: "ArgumentsRefused"; readonly why: string }
  /** The handler failed, and the client is told `failure`. `error` is what was thrown. */
  | { readonly _tag: "Failed"; readonly failure: CallFailure; readonly error: unknown }
  /** The handler waits for answers, and will be run again. */
  | { readonly _tag: "Suspended" }
  /** Nobody wants the result any more. */
  | { readonly _tag: "Interrupted" }
