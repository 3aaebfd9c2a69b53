/** What `webSocket` can be told, looked at where it is given. */
import type { Clock } from "@parley/driver"
import { systemClock } from "@parley/driver"

export interface WebSocketOptions {
  /**
   * Headers of the request that opens the connection, or a function that is asked for them before each. Pages can not send any: give
   * a `token` there.
   */
  readonly headers?: Headers | (() => Headers | Promise<Headers>)
  /**
   * An access token, or a function that is asked for one before each connection. It goes out as `Authorization: Bearer`, and from
   * pages as a subprotocol of its own, which servers on `@parley/websocket` understand. Printable ASCII without spaces.
   */
  readonly token?: string | (() => string | Promise<string>)
  /**
   * Whether a connection that is lost is opened again, once a server has answered by it. `true` is the same as `{}`. Default false:
   * the channel is closed then. Calls that were under way fail; sessions up to 2025-11-25 are begun anew; whatever listened is listened
   * to again, and told that there may have been changes.
   */
  readonly reconnect?: boolean | Reconnect
  /** How long the server may take to open the connection, in ms. Default 30,000. */
  readonly openMs?: number
  /** The longest message that is read, in bytes (in characters on a platform's own WebSocket). Default 67,108,864 (64 MiB). */
  readonly maxMessageBytes?: number
  /** How often a silent server is pinged, in ms; with `ws` only. Default 30,000. */
  readonly heartbeatMs?: number
  /** How long the server may give no sign of life, in ms; then the connection is cut. With `ws` only. Default 60,000. */
  readonly silenceMs?: number
  /** How long the server may take over the closing handshake, in ms. Default 2,000. */
  readonly closeMs?: number
  /** Where time comes from. Default: the platform's. */
  readonly clock?: Clock
}

type Headers = Readonly<Record<string, string>>

export interface Reconnect {
  /** The wait before the first try, in ms; doubled with each one in vain, from at least 50, and longer by up to a quarter. Default 1,000. */
  readonly initialMs?: number
  /** The longest wait, in ms. Default 30,000. */
  readonly maxMs?: number
  /**
   * How often in a row it is tried in vain before it is given up. In vain is also a connection that does not last 10 seconds, or
   * `maxMs` if that is less. Default 10.
   */
  readonly tries?: number
}

export interface Settings extends Required<Omit<WebSocketOptions, "reconnect" | "token">> {
  readonly token: WebSocketOptions["token"]
  readonly reconnect: Required<Reconnect> | undefined
}

/** @throws TypeError for an option that is none, or can not be used */
export function settled(given: WebSocketOptions): Settings {
  looked("", given, options)
  const { reconnect = false, headers = {}, token } = given
  if (typeof reconnect === "object") looked("reconnect.", reconnect, reconnecting)
  if (typeof headers !== "function") sound(headers)
  if (typeof token === "string") soundToken(token)
  return {
    headers,
    token,
    reconnect: reconnect === false ? undefined : { ...defaults, ...(reconnect === true ? {} : reconnect) },
    openMs: given.openMs ?? 30_000,
    maxMessageBytes: given.maxMessageBytes ?? 64 * 1024 * 1024,
    heartbeatMs: given.heartbeatMs ?? 30_000,
    silenceMs: given.silenceMs ?? 60_000,
    closeMs: given.closeMs ?? 2_000,
    clock: given.clock ?? systemClock
  }
}

const defaults = { initialMs: 1_000, maxMs: 30_000, tries: 10 }

/** @throws TypeError when the server's address can not be one */
export function addressed(url: string | URL): URL {
  const such = 'such as "ws://localhost:3000/mcp"'
  if (!URL.canParse(String(url)))
    throw new TypeError(`webSocket needs the server's whole address, ${such}, not ${shown(url)}`)
  const address = new URL(url)
  if (address.protocol !== "ws:" && address.protocol !== "wss:")
    throw new TypeError(`webSocket needs an address that begins with ws: or wss:, not ${shown(url)}`)
  if (address.username !== "" || address.password !== "")
    throw new TypeError(
      "webSocket takes no user and password in the address: give them by headers: { authorization: ... }"
    )
  // RFC 6455 section 3: there is no such thing.
  address.hash = ""
  return address
}

/** @throws TypeError for what is no header, by its name only: its value may be a secret */
export function sound(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    const problem = theirs.has(name.toLowerCase()) ? "is set by the protocol itself" : fault(name, value)
    if (problem !== undefined) throw new TypeError(`the header ${shown(name)} of the option headers ${problem}`)
  }
  return headers
}

/** @throws TypeError for what is no token. It is not repeated. */
export function soundToken(token: unknown): string {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError("the option token needs a text of printable ASCII characters without spaces")
}

const theirs: ReadonlySet<string> = new Set([
  "connection",
  "upgrade",
  "sec-websocket-extensions",
  "sec-websocket-key",
  "sec-websocket-protocol",
  "sec-websocket-version"
])

const fault = (name: string, value: unknown): string | undefined =>
  /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name) && typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? undefined
    : "has a name or a value that no header can have"

interface Kind {
  readonly be: string
  readonly fits: (value: unknown) => boolean
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isFunction = (value: unknown): boolean => typeof value === "function"
const aWait = (from: number): Kind => ({
  be: `a number of milliseconds from ${from} on`,
  fits: (value) => typeof value === "number" && value >= from
})
const aCount = (from: number): Kind => ({
  be: `a whole number from ${from} on`,
  fits: (value) => value === Infinity || (Number.isSafeInteger(value) && (value as number) >= from)
})

const options: { readonly [N in keyof WebSocketOptions]-?: Kind } = {
  headers: { be: "an object or a function", fits: (value) => isObject(value) || isFunction(value) },
  token: { be: "a text or a function", fits: (value) => typeof value === "string" || isFunction(value) },
  reconnect: { be: "a boolean or an object", fits: (value) => typeof value === "boolean" || isObject(value) },
  openMs: aWait(1),
  maxMessageBytes: aCount(1),
  heartbeatMs: aCount(1),
  silenceMs: aCount(1),
  closeMs: aWait(0),
  clock: { be: "an object", fits: isObject }
}

const reconnecting: { readonly [N in keyof Reconnect]-?: Kind } = {
  initialMs: aWait(0),
  maxMs: aWait(0),
  tries: aCount(0)
}

function looked(path: string, given: object, kinds: Readonly<Record<string, Kind>>): void {
  if (!isObject(given)) throw new TypeError(`webSocket needs an object for its options, not ${shown(given)}`)
  for (const [name, value] of Object.entries(given) as ReadonlyArray<[string, unknown]>) {
    if (!Object.hasOwn(kinds, name))
      throw new TypeError(`webSocket has no option ${path}${name}; there are ${Object.keys(kinds).join(", ")}`)
    const { be, fits } = kinds[name]!
    if (value !== undefined && !fits(value))
      throw new TypeError(`webSocket needs ${be} for ${path}${name}, not ${shown(value)}`)
  }
}

const shown = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : isObject(value) ? "an object" : String(value)
