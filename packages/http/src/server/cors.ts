/** What a browser has to be told so that a page elsewhere may ask (CORS). */
import type { Exchange, Headers, Stream } from "./exchange.js"

/** What the page may read of an answer's headers. */
const exposed = "mcp-session-id, mcp-protocol-version, www-authenticate, retry-after"

/** A header's name, or several. */
const names = /^[\w!#$%&'*+\-.^`|~]+( *, *[\w!#$%&'*+\-.^`|~]+)*$/

/** A page of an allowed origin asks whether it may ask. Any header may come: those that mirror arguments have names of the tools' own. */
export function preflight(exchange: Exchange, origin: string, methods: string): void {
  const wanted = exchange.header("access-control-request-headers")
  const headers: Record<string, string> = {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": methods,
    "access-control-max-age": "7200",
    vary: "origin, access-control-request-headers"
  }
  if (wanted !== undefined && names.test(wanted)) headers["access-control-allow-headers"] = wanted
  // Pages of the web that ask a local server, where browsers look at that.
  if (exchange.header("access-control-request-private-network") === "true")
    headers["access-control-allow-private-network"] = "true"
  exchange.respond(204, headers)
}

/** The same exchange, whose answers the page may read. */
export const readable = (exchange: Exchange, origin: string): Exchange =>
  new Altered(exchange, exchange.context, {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposed,
    vary: "origin"
  })

/** The same exchange, with another context for handlers. */
export const inContext = (exchange: Exchange, context: unknown): Exchange => new Altered(exchange, context, undefined)

class Altered implements Exchange {
  readonly method: string
  readonly target: string
  readonly authority: string | undefined
  readonly goesOn: Exchange["goesOn"]
  readonly from: string | undefined
  readonly context: unknown
  readonly #inner: Exchange
  readonly #more: Headers | undefined

  constructor(inner: Exchange, context: unknown, more: Headers | undefined) {
    this.context = context
    this.method = inner.method
    this.target = inner.target
    this.authority = inner.authority
    this.goesOn = inner.goesOn
    this.from = inner.from
    this.#inner = inner
    this.#more = more
  }

  header(name: string): string | undefined {
    return this.#inner.header(name)
  }

  body(...how: Parameters<Exchange["body"]>): void {
    this.#inner.body(...how)
  }

  respond(status: number, headers: Headers, body?: string): void {
    this.#inner.respond(status, this.#all(headers), body)
  }

  stream(status: number, headers: Headers): Stream {
    return this.#inner.stream(status, this.#all(headers))
  }

  onGone(gone: Parameters<Exchange["onGone"]>[0]): void {
    this.#inner.onGone(gone)
  }

  #all(headers: Headers): Headers {
    return this.#more === undefined ? headers : Object.assign({}, headers, this.#more)
  }
}
