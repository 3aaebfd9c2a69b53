/** What the WebSocket side of a server may be told, whichever platform it runs on. */
import type { Clock } from "@parley/driver"
import type { ServeOptions } from "@parley/server"
import type { Options } from "@parley/server/host"
import { known, serveOptions } from "@parley/server/host"

/** A request to open a connection, as `authenticate` sees it. */
export interface Asked {
  /** Path and query, as they were asked for. */
  readonly target: string
  /**
   * A header's value by its name, in any case. Where the client sent its token as a subprotocol, as pages have to, it is in
   * `authorization`, as `Bearer` and the token.
   */
  readonly header: (name: string) => string | undefined
  /** Who is at the other end as far as is known, such as an address. */
  readonly from: string | undefined
  /** What the adapter's `context` made of it. */
  readonly context: unknown
}

/**
 * Who connects, as long as the connection lasts. `principal`: a name that is one user's for ever; without one, nobody is told
 * apart. `context`: what handlers get as `call.context`, in place of what the adapter made of the request.
 */
export interface Admitted {
  readonly principal?: string | undefined
  readonly context?: unknown
}

/** Status 401 with `WWW-Authenticate: Bearer`. Pages are not told it by their browser. */
export interface Unauthorized {
  readonly unauthorized: {
    /** The URL of the protected resource metadata (RFC 9728). */
    readonly resourceMetadata?: string | undefined
    /** The scopes to ask for, separated by spaces. */
    readonly scope?: string | undefined
  }
}

/** Status 403. */
export interface Forbidden {
  readonly forbidden: true
}

export type Authentication = Admitted | Unauthorized | Forbidden

export interface SocketOptions extends Omit<ServeOptions, "session"> {
  /**
   * Origins of web pages that may connect, such as `https://app.example.com`; `"*"` for any. Pages elsewhere are refused with 403.
   * Default: pages on `localhost`, `127.0.0.1` and `[::1]`, at any port, where only those names are allowed as hosts; none otherwise.
   */
  readonly allowedOrigins?: ReadonlyArray<string>
  /**
   * Names by which clients may reach this server, as the `Host` header has them: `mcp.example.com` at any port, or with one;
   * `"*"` for any. Others are refused with 403. Default: `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly allowedHosts?: ReadonlyArray<string>
  /**
   * Asked once for each connection, before it is opened. Without it everybody is let in, and nobody has a principal. What it
   * throws is told to `crashed`, and answered with 500.
   */
  readonly authenticate?: (request: Asked) => Authentication | Promise<Authentication>
  /** The longest message, in bytes (in characters where the platform reads messages itself). Beyond it: closed with 1009. Default 4 MiB. */
  readonly maxMessageBytes?: number
  /** How often a silent connection is pinged, in ms, where the platform lets us. Default 30,000. */
  readonly heartbeatMs?: number
  /** How long a client may give no sign of life, or take nothing of what waits for it, in ms; then it is cut. Default 60,000. */
  readonly silenceMs?: number
  /** How long a client may take over the closing handshake, in ms. Default 2,000. */
  readonly closeMs?: number
  /** Connections of all clients together. One more is refused with 503. Default 10,000. */
  readonly maxConnections?: number
  /** Connections of one client: of a principal, or where there is none of an address. One more is refused with 429. Default 100. */
  readonly maxConnectionsPerClient?: number
  /** Where time comes from. Default: the platform's. */
  readonly clock?: Clock
}

const { session: _, ...serving } = serveOptions

const socketOptions = {
  ...serving,
  allowedOrigins: true,
  allowedHosts: true,
  authenticate: "a function",
  maxMessageBytes: 1,
  heartbeatMs: 1,
  silenceMs: 1,
  closeMs: 0,
  maxConnections: 1,
  maxConnectionsPerClient: 1,
  clock: "an object"
} as const satisfies Options<SocketOptions>

/**
 * Looks at the options of an adapter. `more`: those that only it has.
 * @throws TypeError for an option that is none, or is of another kind; `what` says whose it is
 */
export function checkOptions(what: string, given: SocketOptions, more: Options<object> = {}): void {
  known(what, given, { ...socketOptions, ...more })
  for (const [option, form, rule] of lists) {
    const list: unknown = given[option]
    if (list === undefined) continue
    if (!Array.isArray(list) || !list.every((one) => typeof one === "string"))
      throw new TypeError(`${what} needs a list of texts for ${option}`)
    const odd = list.find((one: string) => !form.test(one))
    if (odd !== undefined) throw new TypeError(`${what} can not take ${JSON.stringify(odd)} for ${option}: ${rule}`)
  }
}

const lists = [
  [
    "allowedOrigins",
    /^(\*|null|[a-z][a-z\d+.-]*:\/\/[^/?#\s]+)$/i,
    'an origin is "*", "null", or a scheme and a host without a path'
  ],
  ["allowedHosts", /^(\*|(\[[\da-f:.]+\]|[^/:?#@\s]+)(:\d+)?)$/i, 'a host is "*", or a name with or without a port']
] as const

/** The longest message where nothing else is said. */
export const defaultLimit = 4 * 1024 * 1024
