/** What the HTTP side of a server may be told, whichever platform it runs on. */
import type { Clock } from "@parley/driver"
import type { ServeOptions } from "@parley/server"
import type { Options } from "@parley/server/host"
import { known, serveOptions } from "@parley/server/host"
import type { EventStore } from "./event-store.js"
import { heed } from "./reporter.js"
import type { SessionStore } from "./store.js"

/** A request as `authenticate` sees it. */
export interface Asked {
  readonly method: string
  /** Path and query, as they were asked for. */
  readonly target: string
  /** A header's value by its name, in any case; several joined by ", ". */
  readonly header: (name: string) => string | undefined
  /** Who is at the other end as far as the platform knows, such as an address. */
  readonly from: string | undefined
  /** What the adapter's `context` made of it. */
  readonly context: unknown
}

/**
 * Who asks. `principal`: a name that is one user's for ever, such as `iss` and `sub` together; sessions and sealed answers
 * are good for their own principal only. Without one, nobody is told apart. `context`: what handlers get as `call.context`, in
 * place of what the adapter made of the request.
 */
export interface Admitted {
  readonly principal?: string | undefined
  readonly context?: unknown
}

/** Status 401 with `WWW-Authenticate: Bearer`, so that the client gets itself a token and comes again. */
export interface Unauthorized {
  readonly unauthorized: {
    /** The URL of the protected resource metadata (RFC 9728). */
    readonly resourceMetadata?: string | undefined
    /** The scopes to ask for, separated by spaces. */
    readonly scope?: string | undefined
    /** What is wrong with the token that came, when one came: `invalid_token` is then the error. Printable ASCII without `"` and `\`. */
    readonly description?: string | undefined
  }
}

/** Status 403. With `scope`, the token is good but for too little: `insufficient_scope`. */
export interface Forbidden {
  readonly forbidden: Unauthorized["unauthorized"] | true
}

export type Authentication = Admitted | Unauthorized | Forbidden

export interface HttpOptions extends Omit<ServeOptions, "session"> {
  /**
   * Origins of web pages that may ask, such as `https://app.example.com`; `"*"` for any. A browser gets the CORS headers it
   * needs. Pages elsewhere are refused with 403. Default: pages on `localhost`, `127.0.0.1` and `[::1]`, at any port, where only
   * those names are allowed as hosts; none otherwise.
   */
  readonly allowedOrigins?: ReadonlyArray<string>
  /**
   * Names by which clients may reach this server, as the `Host` header has them: `mcp.example.com` at any port, or with one;
   * `"*"` for any. Others are refused with 403, so that no page can reach a local server by a name of its own (DNS rebinding).
   * Default: the names of this machine for itself, `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly allowedHosts?: ReadonlyArray<string>
  /**
   * Asked of every request but a browser's preflight, before its body is read. Without it everybody is let in, and nobody has a
   * principal. What it throws is told to `crashed`, and answered with 500.
   */
  readonly authenticate?: (request: Asked) => Authentication | Promise<Authentication>
  /** The largest body, in bytes. Beyond it: 413. Default 4 MiB. */
  readonly maxBodyBytes?: number
  /** How long a body may take to arrive, in ms. Beyond it: 408. Default 10,000. */
  readonly bodyMs?: number
  /** How long `authenticate` may take, in ms. Beyond it: 503, and `crashed` is told. Default 30,000. */
  readonly authenticateMs?: number
  /** How long a request may run before its answer becomes a stream, in ms, so that nothing on the way gives up. Default 2,000. */
  readonly streamAfterMs?: number
  /** How often a stream that says nothing shows that it is alive, in ms. Default 15,000. */
  readonly keepAliveMs?: number
  /** How long a session may be without a request or an open stream, in ms (up to 2025-11-25). Default 30 minutes. */
  readonly sessionIdleMs?: number
  /** Sessions of all clients together. For one more the one ends that was unused for longest; where all are in use: 503. Default 10,000. */
  readonly maxSessions?: number
  /** Sessions of one client: of a principal, or where there is none of an address. One more is as above; where all are in use: 429. Default 100. */
  readonly maxSessionsPerClient?: number
  /** Streams that one client has open by `subscriptions/listen`, or in sessions by GET. One more is refused with 429. Default 100. */
  readonly maxStreamsPerClient?: number
  /** Whether 2024-11-05's pair of endpoints is served too. Default false: it is deprecated. */
  readonly legacySse?: boolean
  /** How long the events of a stream that was cut are kept for a client that comes back, in ms. Default 300,000. */
  readonly resumeMs?: number
  /** Where sessions are kept. Default: in this process, as what they are. */
  readonly sessions?: SessionStore
  /** Where the events of their streams are kept. Default: in this process. */
  readonly events?: EventStore
  /**
   * How long `sessions` and `events` may take for one thing, in ms. Beyond it: 503, and `crashed` is told; what `events` has not kept is
   * said to a client that is connected all the same. Default 10,000.
   */
  readonly storeMs?: number
  /** Where time comes from. Default: the platform's. */
  readonly clock?: Clock
}

const { session: _, ...serving } = serveOptions

const httpOptions = {
  ...serving,
  allowedOrigins: true,
  allowedHosts: true,
  authenticate: "a function",
  maxBodyBytes: 1,
  bodyMs: 1,
  authenticateMs: 1,
  streamAfterMs: 0,
  keepAliveMs: 1,
  sessionIdleMs: 1,
  maxSessions: 0,
  maxSessionsPerClient: 0,
  maxStreamsPerClient: 1,
  legacySse: "a boolean",
  resumeMs: 0,
  sessions: "an object",
  events: "an object",
  storeMs: 1,
  clock: "an object"
} as const satisfies Options<HttpOptions>

/**
 * Looks at the options of an adapter. `more`: those that only it has.
 * @throws TypeError for an option that is none, or is of another kind; `what` says whose it is
 */
export function checkOptions(what: string, given: HttpOptions, more: Options<object> = {}): void {
  known(what, given, { ...httpOptions, ...more })
  lists(
    what,
    "allowedOrigins",
    given.allowedOrigins,
    origin,
    'an origin is "*", "null", or a scheme and a host without a path'
  )
  lists(what, "allowedHosts", given.allowedHosts, name, 'a host is "*", or a name with or without a port')
}

/**
 * What `from` came to.
 * @throws TypeError when that is no text, such as a promise of one: nobody waits for it
 */
export function named(who: string | undefined): string | undefined {
  if (who === undefined || typeof who === "string") return who
  heed(who as unknown)
  throw new TypeError("from must return a text or undefined, and at once")
}

function lists(what: string, option: string, given: unknown, form: RegExp, rule: string): void {
  if (given === undefined) return
  if (!areTexts(given)) throw new TypeError(`${what} needs a list of texts for ${option}`)
  const odd = given.find((one) => !form.test(one))
  if (odd !== undefined) throw new TypeError(`${what} can not take ${JSON.stringify(odd)} for ${option}: ${rule}`)
}

const areTexts = (given: unknown): given is ReadonlyArray<string> =>
  Array.isArray(given) && given.every((one) => typeof one === "string")

const origin = /^(\*|null|[a-z][a-z\d+.-]*:\/\/[^/?#\s]+)$/i
const name = /^(\*|(\[[\da-f:.]+\]|[^/:?#@\s]+)(:\d+)?)$/i

/** The options with their defaults, as the parts of the server read them. */
export interface Settings {
  readonly maxBodyBytes: number
  readonly bodyMs: number
  readonly authenticateMs: number
  readonly streamAfterMs: number
  readonly keepAliveMs: number
  readonly sessionIdleMs: number
  readonly maxSessions: number
  readonly maxSessionsPerClient: number
  readonly maxStreamsPerClient: number
  readonly resumeMs: number
  readonly storeMs: number
  readonly legacySse: boolean
}

export const settingsOf = (options: HttpOptions): Settings => ({
  maxBodyBytes: options.maxBodyBytes ?? 4 * 1024 * 1024,
  bodyMs: options.bodyMs ?? 10_000,
  authenticateMs: options.authenticateMs ?? 30_000,
  streamAfterMs: options.streamAfterMs ?? 2_000,
  keepAliveMs: options.keepAliveMs ?? 15_000,
  sessionIdleMs: options.sessionIdleMs ?? 30 * 60_000,
  maxSessions: options.maxSessions ?? 10_000,
  maxSessionsPerClient: options.maxSessionsPerClient ?? 100,
  maxStreamsPerClient: options.maxStreamsPerClient ?? 100,
  resumeMs: options.resumeMs ?? 300_000,
  storeMs: options.storeMs ?? 10_000,
  legacySse: options.legacySse ?? false
})
