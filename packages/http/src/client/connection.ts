/** What the exchanges of one channel share: where they go, the session, and the one reader of what comes. */
import type { RequestId } from "@parley/core"
import type { ChannelEvents, Closed, Frame } from "@parley/driver"
import { tooManyValues } from "@parley/driver"
import type { Ask } from "./asking.js"
import { ask } from "./asking.js"
import type { Settings } from "./options.js"
import { answers, errorFor, parsed, spoilt } from "./reply.js"

export interface Connection {
  readonly settings: Settings
  readonly url: URL
  /** The session's id as the server gave it, up to 2025-11-25. */
  session: string | undefined
  /** The server has ended the session, and another is not begun yet. */
  lost: boolean
  /** The revision that a handshake agreed on: said also where no message goes out. */
  version: string | undefined
  /** The session has served something since it was opened. */
  served: boolean
  /** A request was answered well: the server is there, and speaks. */
  met: boolean
  /** Where messages go when the server speaks HTTP+SSE. */
  endpoint: URL | undefined
  /** The server's own stream. */
  standing: AbortController | undefined
  readonly isOver: () => boolean
  /** Settles when more may be read. */
  readonly room: () => Promise<void> | undefined
  /** Hands up one at a time. Drops it when all is over. Never rejects. */
  readonly frame: (frame: Frame) => Promise<void>
  /** Nothing more arrives. */
  readonly end: (why: Closed) => void
}

export function connection(url: URL, settings: Settings, on: ChannelEvents): Connection {
  let over = false
  let busy: Promise<void> | undefined

  async function frame(frame: Frame): Promise<void> {
    for (let wait = busy; wait !== undefined; wait = busy) await wait
    if (over) return
    const pending = handled(on, frame)
    if (pending === undefined) return
    const one: Promise<void> = pending.catch(thrown).then(() => {
      if (busy === one) busy = undefined
    })
    busy = one
    await one
  }

  return {
    settings,
    url,
    session: undefined,
    served: false,
    lost: false,
    version: undefined,
    met: false,
    endpoint: undefined,
    standing: undefined,
    isOver: () => over,
    room: () => busy,
    frame,
    end: (why) => {
      if (over) return
      over = true
      on.closed(why)
    }
  }
}

/** A request that carries no message, or one: what the session says in headers is added. */
export const asked = (
  { settings, session, version }: Connection,
  request: Omit<Ask, "headers">,
  headers: Readonly<Record<string, string>>
): Promise<Response> =>
  ask(settings, {
    ...request,
    headers: {
      ...headers,
      ...(version !== undefined && { "mcp-protocol-version": version }),
      ...(session !== undefined && { "mcp-session-id": session })
    }
  })

/** One message came as text: it is handed up, and whether it settles that request is told. */
export async function taken(
  connection: Connection,
  text: string,
  id: RequestId | undefined,
  batches: boolean
): Promise<boolean> {
  const { frame } = connection
  if (tooManyValues(text)) {
    await frame({ _tag: "Garbled", why: "tooLarge", via: VIA, detail: "it holds too many values" })
    return false
  }
  const json = parsed(text)
  if (json === undefined) {
    await frame({ _tag: "Garbled", why: "json", via: VIA, detail: text.slice(0, 200) })
    return false
  }
  if (id !== undefined) return settled(connection, json, id, batches, 0)
  await frame({ _tag: "Parsed", json, via: VIA })
  return false
}

/**
 * What came by the exchange of that request is handed up, and whether it settles it is told. What can be nothing but its reply, and
 * is none, fails it: whoever waits would wait for what came already.
 */
export async function settled(
  { frame }: Connection,
  json: unknown,
  id: RequestId,
  batches: boolean,
  status: number
): Promise<boolean> {
  const error = errorFor(json, id)
  const why = error === undefined ? spoilt(json, id, batches) : undefined
  const replies = error !== undefined || answers(json, id)
  // What else an array holds is judged by whoever reads it.
  if (why === undefined || Array.isArray(json)) await frame({ _tag: "Parsed", json: error?.reply ?? json, via: VIA })
  if (why !== undefined) await frame({ _tag: "Refused", id, status, body: why })
  return replies || why !== undefined
}

/** The session is gone, and with it the stream that belonged to it. */
export function sessionOver(connection: Connection): void {
  connection.session = undefined
  connection.lost = true
  connection.standing?.abort()
  connection.standing = undefined
}

/** Where a message came by does not matter: each goes out in an exchange of its own. */
export const VIA = "http"

function handled(on: ChannelEvents, frame: Frame): Promise<void> | undefined {
  try {
    return on.frame(frame) ?? undefined
  } catch (error) {
    thrown(error)
    return undefined
  }
}

/** An error of whoever reads is no failure of the exchange. */
function thrown(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
