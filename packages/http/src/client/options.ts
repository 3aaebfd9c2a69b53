/** What `http` can be told, looked at where it is given. */
import { callsAtOnce } from "./page.js"

export interface HttpClientOptions {
  /**
   * Makes the requests; the platform's `fetch` by default. Proxies, certificates, retries and logging in are this function's
   * affair. It gets an address and what `fetch` gets beside it, and has to heed `signal` and `redirect: "manual"`.
   */
  readonly fetch?: Fetch
  /**
   * Headers for every request, such as `Authorization`, or a function that is asked for them before each, and may take its time.
   * What the protocol itself says in headers is not changed by them.
   */
  readonly headers?: HeadersOption
  /** How long the server may be silent within an answer that is not a stream, in ms. Default 30,000; `Infinity`: no limit. */
  readonly bodyMs?: number
  /**
   * How long the server may take to take a notification or an answer of ours, and to open a stream, in ms. For a call there is
   * no such limit: it has its own. Default 30,000; `Infinity`: no limit.
   */
  readonly answerMs?: number
  /** How long `close` waits until the server has taken what was sent and ended its session, in ms. Default 2,000. */
  readonly closeMs?: number
  /** How a stream that was cut is opened again, up to 2025-11-25. Later revisions do not open one again. */
  readonly reconnect?: Reconnect
  /** Whether a server that has no Streamable HTTP is tried by HTTP+SSE of 2024-11-05, which is deprecated. Default `"auto"`: it is. */
  readonly legacySse?: "auto" | false
  /** The largest message that is read, in bytes, or in characters where it comes on a stream. Default 67,108,864 (64 MiB). */
  readonly maxMessageBytes?: number
  /**
   * How many requests of a session may be under way at once, up to 2025-11-25; further ones wait until one of them is over, and
   * their `timeoutMs` counts meanwhile. Where connections are few, calls that ask something would otherwise leave none for the
   * answers. Default: 4 in a browser where the address begins with `http:`, for then it has six connections; elsewhere `Infinity`.
   */
  readonly maxCalls?: number
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type HeadersOption =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

export interface Reconnect {
  /**
   * The wait before the first try, in ms, where the server does not say how long to wait; doubled with each one in vain, and
   * longer by up to a quarter, so that not all clients come at once. Where the server says so (`retry`) it is waited for longer;
   * less only as long as messages come of it: from the second stream in a row on that brings none, it is this at least. Default 1,000.
   */
  readonly initialMs?: number
  /** The longest wait, in ms, unless the server asks for a longer one. Default 30,000. */
  readonly maxMs?: number
  /**
   * How often in a row it is tried in vain before it is given up: no stream comes, or one that ends soon and without any event.
   * Soon is before `initialMs` for a call, and before `maxMs` for the server's own stream. Default 10.
   */
  readonly tries?: number
}

export type Settings = Required<Omit<HttpClientOptions, "reconnect">> & { readonly reconnect: Required<Reconnect> }

/** @throws TypeError for an option that is none, or can not be used */
export function settled(given: HttpClientOptions, url: URL): Settings {
  looked("", given, options)
  const { reconnect = {}, headers = {} } = given
  looked("reconnect.", reconnect, reconnecting)
  if (typeof headers !== "function") sound(headers)
  return {
    fetch: given.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    headers,
    bodyMs: given.bodyMs ?? 30_000,
    answerMs: given.answerMs ?? 30_000,
    closeMs: given.closeMs ?? 2_000,
    legacySse: given.legacySse ?? "auto",
    maxMessageBytes: given.maxMessageBytes ?? 64 * 1024 * 1024,
    maxCalls: given.maxCalls ?? callsAtOnce(url),
    reconnect: {
      initialMs: reconnect.initialMs ?? 1_000,
      maxMs: reconnect.maxMs ?? 30_000,
      tries: reconnect.tries ?? 10
    }
  }
}

/** @throws TypeError when the server's address can not be one */
export function addressed(url: string | URL): URL {
  let address: URL
  try {
    address = new URL(url)
  } catch {
    throw new TypeError(`http needs the server's whole address, such as "http://localhost:3000/mcp", not ${shown(url)}`)
  }
  if (address.protocol !== "http:" && address.protocol !== "https:")
    throw new TypeError(`http needs an address that begins with http: or https:, not ${shown(url)}`)
  if (address.username !== "" || address.password !== "")
    throw new TypeError("http takes no user and password in the address: give them by headers: { authorization: ... }")
  return address
}

/** @throws TypeError for what is no header, by its name only: its value may be a secret */
export function sound(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers))
    try {
      new Headers().append(name, value)
    } catch {
      throw new TypeError(
        `the header ${shown(name)} of the option headers has a name or a value that no header can have`
      )
    }
  return headers
}

interface Kind {
  readonly be: string
  readonly fits: (value: unknown) => boolean
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isFunction = (value: unknown): boolean => typeof value === "function"
const aFunction: Kind = { be: "a function", fits: isFunction }
const anObject: Kind = { be: "an object", fits: isObject }
const aWait: Kind = {
  be: "a number of milliseconds from 0 on",
  fits: (value) => typeof value === "number" && value >= 0
}
const aCount = (from: number): Kind => ({
  be: `a whole number from ${from} on`,
  fits: (value) => value === Infinity || (Number.isSafeInteger(value) && (value as number) >= from)
})

const options: { readonly [N in keyof HttpClientOptions]-?: Kind } = {
  fetch: aFunction,
  headers: { be: "an object or a function", fits: (value) => isObject(value) || isFunction(value) },
  bodyMs: aWait,
  answerMs: aWait,
  closeMs: aWait,
  reconnect: anObject,
  legacySse: { be: '"auto" or false', fits: (value) => value === "auto" || value === false },
  maxMessageBytes: aCount(1),
  maxCalls: aCount(1)
}

const reconnecting: { readonly [N in keyof Reconnect]-?: Kind } = { initialMs: aWait, maxMs: aWait, tries: aCount(0) }

function looked(path: string, given: object, kinds: Readonly<Record<string, Kind>>): void {
  if (!isObject(given)) throw new TypeError(`http needs an object for its options, not ${shown(given)}`)
  for (const [name, value] of Object.entries(given) as ReadonlyArray<[string, unknown]>) {
    if (!Object.hasOwn(kinds, name))
      throw new TypeError(`http has no option ${path}${name}; there are ${Object.keys(kinds).join(", ")}`)
    const { be, fits } = kinds[name]!
    if (value !== undefined && !fits(value))
      throw new TypeError(`http needs ${be} for ${path}${name}, not ${shown(value)}`)
  }
}

const shown = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : isObject(value) ? "an object" : String(value)
