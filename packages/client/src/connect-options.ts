/** What `connect` can be told. */
import type { JsonObject, Report, RevisionName, Revision, ServerInfo } from "@parley/core"
import type { Prior } from "@parley/core/client"
import type { Clock } from "@parley/driver"
import type { AnswerRoots, Answers } from "./answers.js"
import type { Cache } from "./cache.js"
import type { ClientExtension } from "./extending.js"
import type { Listeners } from "./notifications.js"

export interface ConnectOptions<S = unknown, X extends ReadonlyArray<ClientExtension> = []> {
  /** Who we are: `clientInfo`. */
  readonly clientInfo: ServerInfo
  /** A server as `defineServer` makes it: `callTool` gets the types of its tools. Only its type is used. */
  readonly of?: S
  /** What the server may ask of us, and who answers. Nothing by default, and then every question is refused. */
  readonly answer?: Answers
  /** The revisions spoken, newest first. All of them by default. */
  readonly revisions?: ReadonlyArray<Revision>
  /**
   * What is spoken beside the specification with servers that have it too, since 2026-07-28: announced with every request. Without
   * it, or where the server did not announce it, nothing of it is sent, and a result of its types is invalid.
   */
  readonly extensions?: X
  /**
   * Which revision to agree on where both sides speak several: the newest (default), the oldest, or the one of that name and no
   * other, which is in `revisions` then.
   */
  readonly prefer?: "newest" | "oldest" | RevisionName
  /**
   * How long a server may be silent when it is asked by `server/discover` what it speaks, in ms, before `initialize` is tried as
   * well: servers before 2026-07-28 may not answer at all. One that is merely slow loses nothing: its answer still counts, also
   * for as long again after it refused `initialize`. Default 3,000.
   */
  readonly probeMs?: number
  /** What `client.prior` was the last time, for this configuration of this server: then it is not asked how it is opened. */
  readonly prior?: Prior
  /**
   * How long the opening may take, in ms, which is all that bounds `connect`: `timeoutMs` is for what is asked later. This and
   * every other wait and limit is none when it is `Infinity`. Default 60,000.
   */
  readonly openingMs?: number
  /**
   * How long a reply may take, in ms, once the session is open: `connect` has `openingMs`. For a tool that asks the user something that includes the answer where the question is a
   * request of the server's, up to 2025-11-25; since then each reply has this time, and the user has `answer.timeoutMs`.
   * Default 60,000.
   */
  readonly timeoutMs?: number
  /** Pages of one list before the walk is given up with `WalkTooLong`. Default 1,000. */
  readonly maxPages?: number
  /**
   * Where lists and resources are kept for as long as the server allows (2026-07-28): a `cache()` that clients of the same server
   * share, or `false` for none. By default each client has one of its own.
   */
  readonly cache?: false | Cache
  /**
   * Names whose access this is, such as a user's id: with a shared cache, what the server calls private is served to clients of
   * the same name only. By default to no other client.
   */
  readonly authorization?: string
  /**
   * What goes into the `_meta` of each request, asked for each time. For trace context (`traceparent`, `tracestate`, `baggage`) of
   * OpenTelemetry: `() => { const meta = {}; propagation.inject(context.active(), meta); return meta }`.
   */
  readonly meta?: () => JsonObject | undefined
  /** Listeners by method, which hear also what comes before `connect` settles. */
  readonly on?: Listeners
  /** Told of every notification that the server was allowed to send; where those are asked for, all changes of lists are. */
  readonly onNotification?: (method: string, params: JsonObject | undefined) => void
  /**
   * Told of what the protocol sees: what was agreed, what was ignored or could not be sent, with `why` in words, and what was
   * refused, which `errorOf(failure).message` of `@parley/core` puts into words.
   */
  readonly report?: (report: Report) => void
  /** Where time comes from, for tests. */
  readonly clock?: Clock
}

/** The promise that `client.rootsChanged` keeps. */
export interface PromisingRoots {
  readonly answer: { readonly roots: { readonly list: AnswerRoots; readonly listChanged: true } }
}
