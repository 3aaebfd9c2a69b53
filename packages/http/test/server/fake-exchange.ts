/** An exchange that a test makes and looks at: no platform, no socket. */
import type { Body, Exchange, Headers } from "../../src/server/exchange.js"

/** JSON of which a test knows what it looks like. */
export type Json = ReturnType<typeof JSON.parse>

export interface Fake extends Exchange {
  /** Status, headers and body of the answer, once it has begun. */
  readonly status: () => number | undefined
  readonly headers: () => Headers
  /** The body as JSON, or nothing where it has none. */
  readonly json: () => Json
  readonly text: () => string | undefined
  /** Whether the answer is a stream, and all that was written to it. */
  readonly streams: () => boolean
  readonly written: () => string
  /** Its events: comments left out. */
  readonly events: () => ReadonlyArray<FakeEvent>
  /** The messages among its events. */
  readonly messages: () => ReadonlyArray<Json>
  readonly ended: () => boolean
  /** The client goes. */
  readonly leave: () => void
  /** From now on writes wait until `ease` is called. */
  readonly clog: () => void
  readonly ease: () => void
}

export interface FakeEvent {
  readonly id?: string
  readonly event?: string
  readonly retry?: number
  readonly data?: string
}

export interface FakeOptions {
  readonly method?: string
  readonly target?: string
  readonly headers?: Headers
  readonly body?: string | Body
  readonly from?: string
  readonly context?: unknown
  readonly authority?: string
}

export function fakeExchange(options: FakeOptions = {}): Fake {
  const { method = "POST", target = "/mcp", headers = {}, body = "", from, context, authority } = options
  let status: number | undefined
  let answered: Headers = {}
  let text: string | undefined
  let streams = false
  let written = ""
  let ended = false
  let isGone = false
  const listeners: Array<() => unknown> = []
  let room: Promise<void> | undefined
  let ease = (): void => undefined
  const begin = (code: number, given: Headers): void => {
    if (status !== undefined) throw new Error(`answered twice: ${status}, then ${code}`)
    status = code
    answered = given
  }
  const events = (): ReadonlyArray<FakeEvent> => parsed(written)
  return {
    method,
    target,
    from,
    context,
    authority,
    header: (name) => headers[name],
    body: (_limit, _ms, then) => {
      const came: Body = typeof body === "string" ? { _tag: "Text", text: body } : body
      queueMicrotask(() => then(came))
    },
    respond(code, given, content) {
      begin(code, given)
      text = content
      ended = true
    },
    stream(code, given) {
      begin(code, given)
      streams = true
      return {
        write(piece) {
          if (ended || isGone) return
          written += piece
          return room
        },
        end() {
          ended = true
        }
      }
    },
    onGone: (gone) => void listeners.push(gone),
    status: () => status,
    headers: () => answered,
    json: () => (text === undefined ? undefined : JSON.parse(text)),
    text: () => text,
    streams: () => streams,
    written: () => written,
    events,
    messages: () => events().flatMap(({ data }) => (data ? [JSON.parse(data)] : [])),
    ended: () => ended,
    leave() {
      if (ended || isGone) return
      isGone = true
      for (const gone of listeners.splice(0)) gone()
    },
    clog: () => void (room = new Promise((resolve) => (ease = resolve))),
    ease: () => {
      room = undefined
      ease()
    }
  }
}

/** What comes as the body of an exchange. */
export const bodyOf = (exchange: Exchange, limit = 1024, ms = 10_000): Promise<Body> =>
  new Promise((resolve) => exchange.body(limit, ms, resolve))

function parsed(written: string): ReadonlyArray<FakeEvent> {
  return written.split("\n\n").flatMap((block) => {
    const fields = block.split("\n").filter((line) => line !== "" && !line.startsWith(":"))
    if (fields.length === 0) return []
    const event: Record<string, string | number> = {}
    for (const line of fields) {
      const at = line.indexOf(":")
      const name = line.slice(0, at)
      const value = line.slice(at + 1).replace(/^ /, "")
      event[name] = name === "retry" ? Number(value) : value
    }
    return [event]
  })
}
