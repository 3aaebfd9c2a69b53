/** What goes over HTTP, as far as a person wants to know: which status came to what, and from whom. Never what headers say of us. */
import type { HttpClientOptions } from "@parley/http/client"

export interface Exchanged {
  /** Milliseconds from the start. */
  readonly at: number
  readonly verb: string
  /** The method of the message, or what is asked for by a GET or DELETE. */
  readonly about: string
  /** Where it went to, when not to the address that was given. */
  readonly path: string | undefined
  /** Nothing while no answer has come. */
  status: number | undefined
  took: number | undefined
  /** The media type alone. */
  type: string | undefined
  /** What a login is to be like (401), or a proxy (407). */
  challenge: string | undefined
  /** The server gave an id of a session. */
  session: boolean
  /** Why there was no answer: what the platform calls it. */
  failure: { readonly code: string; readonly words: string } | undefined
}

export interface Web {
  readonly exchanges: ReadonlyArray<Exchanged>
  readonly fetch: NonNullable<HttpClientOptions["fetch"]>
}

export interface Transport {
  readonly name: "Streamable HTTP" | "HTTP+SSE"
  readonly session: boolean
}

const most = 100

export function web(url: string, now: () => number): Web {
  const exchanges: Array<Exchanged> = []
  const begun = now()
  const given = new URL(url)
  return {
    exchanges,
    fetch: async (to, init) => {
      const { pathname, search, href } = new URL(to)
      const one: Exchanged = {
        at: now() - begun,
        verb: init.method ?? "GET",
        about: aboutOf(init),
        path: href === given.href ? undefined : `${pathname}${search === "" ? "" : "?…"}`,
        status: undefined,
        took: undefined,
        type: undefined,
        challenge: undefined,
        session: false,
        failure: undefined
      }
      if (exchanges.length < most) exchanges.push(one)
      try {
        const response = await fetch(to, init)
        const { status, headers } = response
        one.status = status
        one.type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
        one.challenge = headers.get(status === 407 ? "proxy-authenticate" : "www-authenticate") ?? undefined
        one.session = headers.has("mcp-session-id")
        return response
      } catch (error) {
        if (init.signal?.aborted !== true) one.failure = failureOf(error)
        throw error
      } finally {
        one.took = now() - begun - one.at
      }
    }
  }
}

/** By which way the server answered, and whether it keeps a session; nothing when it did not. */
export function transportOf(exchanges: ReadonlyArray<Exchanged>): Transport | undefined {
  const opened = exchanges.findLast(
    ({ verb, about, status }) => verb === "POST" && isOpening(about) && status !== undefined && status < 300
  )
  if (opened === undefined) return undefined
  return { name: opened.path === undefined ? "Streamable HTTP" : "HTTP+SSE", session: opened.session }
}

const isOpening = (about: string): boolean => about === "initialize" || about === "server/discover"

/** `POST initialize: 404, text/html`. */
export function exchangeInWords({ verb, about, path, status, type, failure }: Exchanged): string {
  const came =
    status === undefined ? (failure?.code ?? "no answer") : type === undefined ? `${status}` : `${status}, ${type}`
  return `${verb} ${about}${path === undefined ? "" : ` (${path})`}: ${came}`
}

function aboutOf({ method, body }: RequestInit): string {
  if (method === "GET") return "a stream"
  if (method === "DELETE") return "the end of the session"
  if (typeof body !== "string") return "a message"
  // The message itself is ours, and may be long.
  const named = /"method":"([^"]{1,100})"/.exec(body.slice(0, 2_000))
  return named?.[1] ?? "an answer"
}

function failureOf(error: unknown): NonNullable<Exchanged["failure"]> {
  let code = ""
  const words: Array<string> = []
  for (let one = error; one instanceof Error && words.length < 4; one = one.cause) {
    const named = (one as { readonly code?: unknown }).code
    if (typeof named === "string") code = named
    if (one.message !== "") words.push(one.message)
  }
  return { code: code === "" ? "no answer" : code, words: words.join(": ") }
}
