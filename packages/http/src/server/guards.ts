/** Who may ask at all: by which name they came, from which page, and on whose behalf. */
import type { Exchange } from "./exchange.js"
import type { Authentication, HttpOptions, Unauthorized } from "./options.js"
import { turnAway } from "./status.js"

/** Whether a request comes by a name of this server's, from a page that may ask. */
export interface Guard {
  /** With what status and why not, or nothing. */
  readonly refuses: (exchange: Exchange) => readonly [status: number, why: string] | undefined
}

/**
 * Every revision since 2025-03-26, Security Warning: a page that a browser has loaded from elsewhere must not reach a server of
 * this machine, nor one of its network, by a name that its author has given it.
 */
export function guard({ allowedHosts, allowedOrigins }: Pick<HttpOptions, "allowedHosts" | "allowedOrigins">): Guard {
  const hosts = allowedHosts === undefined ? loopback : new Set(allowedHosts.map(lower))
  const anyHost = hosts.has("*")
  const origins = allowedOrigins && new Set(allowedOrigins.map(lower))
  const anyOrigin = origins?.has("*") === true
  const localPages = origins === undefined && [...hosts].every((host) => loopback.has(host.replace(/:\d+$/, "")))

  /** The last one that was known: nearly always it is the same again. */
  let usual: string | undefined

  function knowsHost(said: string | undefined): boolean {
    if (anyHost || (said !== undefined && said === usual)) return true
    if (said === undefined) return false
    const host = lower(said)
    if (!hosts.has(host) && !hosts.has(host.replace(/:\d+$/, ""))) return false
    usual = said
    return true
  }

  function knowsOrigin(said: string): boolean {
    if (anyOrigin) return true
    const origin = lower(said)
    return localPages ? local.test(origin) : origins?.has(origin) === true
  }

  return {
    refuses: (exchange) => {
      const host = exchange.header("host")
      if (!knowsHost(host))
        return [
          403,
          "Forbidden: this server is not known by the name in Host; whoever runs it can add it to allowedHosts"
        ]
      // RFC 9112 section 3.2.2: a whole address has the host that counts. One that Host contradicts got past whoever looks at that alone.
      const { authority } = exchange
      if (authority !== undefined && host !== undefined && differs(authority, host) && !knowsHost(authority))
        return [400, "Bad request: the address that was asked for has another host than Host"]
      const origin = exchange.header("origin")
      if (origin !== undefined && !knowsOrigin(origin))
        return [
          403,
          "Forbidden: pages of this Origin may not ask; whoever runs this server can add it to allowedOrigins"
        ]
      return undefined
    }
  }
}

/** Whether they are two hosts; the port of a scheme need not be said. */
const differs = (one: string, other: string): boolean => one !== other && bare(one) !== bare(other)

const bare = (host: string): string => lower(host).replace(/:(80|443)$/, "")

const lower = (text: string): string => text.toLowerCase()

/** The names of a machine for itself. */
const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

const local = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/**
 * Who asks, or nothing when they were turned away.
 * @throws TypeError for an answer of `authenticate` that is none
 */
export function admitted(
  exchange: Exchange,
  said: Authentication
): { readonly principal?: string | undefined; readonly context?: unknown } | undefined {
  if (typeof said !== "object" || said === null)
    throw new TypeError(
      "authenticate must return an object: { principal }, { unauthorized: {} } or { forbidden: true }"
    )
  if ("unauthorized" in said) {
    const token = exchange.header("authorization") !== undefined
    const challenge = bearer(said.unauthorized, token ? "invalid_token" : undefined)
    turnAway(exchange, 401, "Unauthorized: a valid access token is needed", { "www-authenticate": challenge })
    return undefined
  }
  if ("forbidden" in said) {
    const { forbidden } = said
    const more = forbidden === true ? undefined : { "www-authenticate": bearer(forbidden, "insufficient_scope") }
    turnAway(exchange, 403, "Forbidden: the access token is not good for this", more)
    return undefined
  }
  const { principal } = said
  if (principal !== undefined && (typeof principal !== "string" || principal === ""))
    throw new TypeError("authenticate must return a principal that is a text, and not an empty one")
  return said
}

/** RFC 6750 section 3, RFC 9728 section 5.1. */
function bearer(
  { resourceMetadata, scope, description }: Unauthorized["unauthorized"],
  error: string | undefined
): string {
  const all: ReadonlyArray<readonly [string, string | undefined]> = [
    ["error", error],
    ["error_description", error && description],
    ["scope", scope],
    ["resource_metadata", resourceMetadata]
  ]
  const said = all.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${quotable(value)}"`]))
  return said.length === 0 ? "Bearer" : `Bearer ${said.join(", ")}`
}

const quotable = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "'")
