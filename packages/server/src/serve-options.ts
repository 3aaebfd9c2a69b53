/** What `serve` may be told beside what it serves. */
import type { JsonObject, Peer, Report } from "@parley/core"
import type { SealOptions } from "@parley/driver"
import type { Options } from "./declared.js"
import type { Crashed } from "./job.js"
import type { KeptSession } from "./kept.js"
import type { Session } from "./logger.js"
import type { TaskOptions } from "./tasks/options.js"
import type { Tracing } from "./tracing.js"

export interface ServeOptions {
  /** How long running handlers may take to finish once the input has ended or `close` was called, in ms. Default 5,000. */
  readonly drainMs?: number
  /** Requests in flight from one client; the next one is refused. Default 16,384. */
  readonly maxInFlight?: number
  /** How long a client may take to answer a question, in ms. Default 600,000. */
  readonly askMs?: number
  /**
   * Told of what the protocol sees: who connected, what was refused and why; `logger(write)` makes lines of it. Without it
   * only what handlers came to or said and could not be sent is told, by `console.error`.
   */
  readonly report?: (report: Report, session: Session) => void
  /** Told of what handlers throw. Without it the error goes to `console.error`; the client never sees it. */
  readonly crashed?: Crashed
  /** Told of what the client tells on its own, such as `notifications/roots/list_changed`. */
  readonly onNotification?: (notification: ClientNotification) => void
  /** How tasks are kept. Only for tools that may be tasks. */
  readonly tasks?: TaskOptions
  /**
   * Keeps the session's state elsewhere, so that another process can go on with it. A question goes on waiting for its answer
   * there, and what was to be done `once` is not done again. A handler that was running is run again where its tool says
   * `idempotentHint`; elsewhere the client is told that its call was interrupted. Tasks end with their process.
   */
  readonly session?: KeptSession
  /**
   * How what a call has asked and done is sealed while its client keeps it (2026-07-28). Processes that may get each other's
   * requests need the same `keys`, as `sealer` of `@parley/driver` has them; without any, the answers are good in this process
   * only. `ttlMs`: how long the client may take to answer; default `askMs`. A seal is good for one request of one user, and
   * within that time for as often as it is sent: what may happen only once, a handler has to see to.
   */
  readonly seal?: Pick<SealOptions, "keys" | "ttlMs">
  /** Told of each run of a handler: `openTelemetry()` of `@parley/server/opentelemetry`, or a tracer of your own. */
  readonly tracing?: Tracing
}

export const serveOptions = {
  drainMs: 0,
  maxInFlight: 1,
  askMs: 0,
  report: "a function",
  crashed: "a function",
  onNotification: "a function",
  tasks: { store: "an object", ttlMs: 0, maxTtlMs: 0, pollMs: 0, most: 1, pageSize: 1, clock: "a function" },
  session: { state: true, keep: "a function" },
  seal: { keys: true, ttlMs: 0 },
  tracing: "an object"
} as const satisfies Options<ServeOptions> & {
  readonly seal: Options<NonNullable<ServeOptions["seal"]>>
  readonly tasks: Options<TaskOptions>
  readonly session: Options<KeptSession>
}

export interface ClientNotification {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly peer: Peer | undefined
}
