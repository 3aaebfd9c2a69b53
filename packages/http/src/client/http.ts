/** The client's side of Streamable HTTP, as one channel: each message in an exchange of its own, in every revision. */
import type { RequestId } from "@parley/core"
import type { Channel, Outgoing } from "@parley/driver"
import { encodeHeaderValue } from "../mirror.js"
import { ask } from "./asking.js"
import { discard } from "./body.js"
import type { Connection } from "./connection.js"
import { connection } from "./connection.js"
import { follow } from "./following.js"
import type { HttpClientOptions, Settings } from "./options.js"
import { addressed, settled } from "./options.js"
import type { Posting } from "./posting.js"
import { post } from "./posting.js"
import { turns } from "./turns.js"

/**
 * A channel to the server at this address. Nothing is sent before it is opened. One channel is for one session, of whichever
 * revision: `connect` finds out, by `server/discover`, then `initialize`, then HTTP+SSE of 2024-11-05 where `legacySse` lets it.
 *
 * ```ts no-run
 * import { connect } from "@parley/client"
 * import { http } from "@parley/http"
 *
 * const headers = { authorization: `Bearer ${process.env.TOKEN}` }
 * const client = await connect(http("https://example.com/mcp", { headers }), {
 *   clientInfo: { name: "demo", version: "1.0.0" }
 * })
 * ```
 *
 * What the server says by HTTP instead of by a reply comes up as `Refused`, with its status and words for a person: 0 where there
 * was no answer, or none to the end. Up to 2025-11-25 a stream that is cut is opened again where it has event ids, the server's
 * own messages are listened to, and a session that the server has ended comes up as `SessionLost`; closing ends the session. On
 * 2026-07-28 a stream that is cut is a failed request, and abandoning a request closes its exchange. Redirects are followed within
 * the origin only. However many calls there are, each has a connection of its own while it is under way.
 *
 * @throws TypeError when the address or an option can not be used
 */
export function http(url: string | URL, options: HttpClientOptions = {}): Channel {
  const address = addressed(url)
  const settings = settled(options, address)
  /** Exchanges of requests, which end with the channel. */
  const requests = new Map<RequestId, AbortController>()
  /** Exchanges of what has no answer: it is sent out before the channel closes. */
  const rest = new Map<AbortController, Promise<void>>()
  let connected: Connection | undefined
  let closing: Promise<void> | undefined
  let easing: { readonly eased: Promise<void>; readonly ease: () => void } | undefined
  /** What is sent waits until the server knows that the session is open. */
  let opening: Promise<void> | undefined
  const calls = turns(settings.maxCalls)

  function send(out: Outgoing): void | Promise<void> {
    const text = out.text ?? JSON.stringify(out.message)
    if (connected === undefined || connected.isOver() || closing !== undefined) return
    const posting = posted(out, text)
    const { id, method, cut } = posting
    const counts = id !== undefined && !posting.alone
    posting.after = both(counts ? calls.take() : undefined, opening)
    if (out.mirror === undefined) connected.version = out.revision
    const done = post(connected, posting)
    if (id !== undefined) {
      requests.set(id, cut)
      void done.then(() => {
        if (counts) calls.give()
        if (requests.get(id) === cut) requests.delete(id)
      })
      return
    }
    rest.set(cut, done)
    if (method === "notifications/initialized") opening = done
    void done.then(() => {
      rest.delete(cut)
      if (opening === done) opening = undefined
      if (method === "notifications/initialized") listen()
      if (rest.size <= room) {
        easing?.ease()
        easing = undefined
      }
    })
    if (rest.size > room) return (easing ??= easingOff()).eased
  }

  /** What the server has to say on its own comes by a stream of its own. */
  function listen(): void {
    if (connected === undefined || connected.isOver() || closing !== undefined) return
    if (connected.endpoint !== undefined || connected.lost) return
    const one = connected
    const cut = new AbortController()
    one.standing?.abort()
    one.standing = cut
    void follow(one, undefined, { id: undefined, batches: false, resumable: true, cut }).then((why) => {
      if (why === undefined) return
      const body = `the stream of the server's own messages is over: ${why}`
      return one.frame({ _tag: "Refused", id: undefined, status: 0, body })
    })
  }

  async function shut(): Promise<void> {
    const one = connected
    const { session } = one ?? {}
    for (const cut of requests.values()) cut.abort()
    if (one !== undefined) {
      // By HTTP+SSE nothing goes out any more when this is closed.
      if (one.endpoint === undefined) one.standing?.abort()
      await within(settings.closeMs, Promise.all(rest.values()))
      one.standing?.abort()
    }
    for (const cut of rest.keys()) cut.abort()
    easing?.ease()
    if (session !== undefined) await ended(settings, address, session, one!.version)
    one?.end({ _tag: "Closed" })
  }

  return {
    cancels: "exchange",
    headers: true,
    open: (on) => {
      if (connected !== undefined)
        throw new TypeError("This channel is open already: call http() once for each session.")
      if (closing !== undefined) return
      connected = connection(address, settings, {
        frame: (frame) => (closing === undefined ? on.frame(frame) : undefined),
        closed: (why) => {
          for (const cut of requests.values()) cut.abort()
          on.closed(why)
        }
      })
    },
    send,
    abort: (id) => requests.get(id)?.abort(),
    close: () => (closing ??= shut())
  }
}

/** Messages without an answer that may be under way before the sender is told to wait. */
const room = 64

function posted({ message, revision, mirror }: Outgoing, text: string): Posting {
  const one = Array.isArray(message) ? undefined : (message as { readonly id?: RequestId; readonly method?: string })
  const method = one?.method
  const headers: Record<string, string> = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json"
  }
  if (revision !== undefined) headers["mcp-protocol-version"] = revision
  for (const [name, value] of mirror ?? []) headers[name.toLowerCase()] = encodeHeaderValue(value)
  return {
    text,
    id: method === undefined ? undefined : one?.id,
    method,
    headers,
    alone: mirror !== undefined || method === "initialize",
    // 2025-03-26 basic, Batching: no other version has arrays of messages.
    batches: revision === "2025-03-26",
    resumable: mirror === undefined,
    cut: new AbortController(),
    after: undefined
  }
}

const both = (one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<void> | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one.then(() => other)

/** 2025-11-25 basic/transports, Session Management: the server is told that the session is over. It may not care. */
async function ended(settings: Settings, url: URL, session: string, version: string | undefined): Promise<void> {
  const headers = { "mcp-session-id": session, ...(version !== undefined && { "mcp-protocol-version": version }) }
  try {
    const cut = new AbortController()
    await discard(await ask(settings, { method: "DELETE", url, headers, cut, ms: settings.closeMs }))
  } catch {
    // It forgets the session by itself.
  }
}

function easingOff(): { readonly eased: Promise<void>; readonly ease: () => void } {
  let ease!: () => void
  const eased = new Promise<void>((resolve) => {
    ease = resolve
  })
  return { eased, ease }
}

/** Settles with the work, or when the time is over. */
function within(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1))
    void work.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
