/** A stream of events is followed to its end, and beyond where it can be opened again (2025-03-26 to 2025-11-25, Resumability and Redelivery). */
import type { RequestId } from "@parley/core"
import { Unanswered } from "./asking.js"
import { discard, events } from "./body.js"
import type { Connection } from "./connection.js"
import { asked, sessionOver, taken } from "./connection.js"
import { refusal } from "./reply.js"

export interface Followed {
  /** The request whose reply is waited for. None: the server's own stream, which has no end. */
  readonly id: RequestId | undefined
  /** Whether the revision lets a reply come in an array with others. */
  readonly batches: boolean
  /** Whether the revision lets a stream be opened again. */
  readonly resumable: boolean
  /** Ends it, whether it is open or about to be. */
  readonly cut: AbortController
}

/** Where it was left, and how it went so far. */
interface Progress {
  lastId: string | undefined
  /** How long the server wants us to wait, in ms. */
  retryMs: number | undefined
  /** Tries in a row that came to nothing: no stream, or one without an event. */
  vain: number
  /** Streams in a row that ended soon and brought no message. */
  idle: number
  replied: boolean
  /** It was open once. */
  opened: boolean
}

/** Settles when there is nothing more to be had: with why, where something is still waited for. Never rejects. */
export async function follow(
  connection: Connection,
  first: Response | undefined,
  followed: Followed
): Promise<string | undefined> {
  const { id, resumable, cut } = followed
  const { reconnect } = connection.settings
  const progress: Progress = {
    lastId: undefined,
    retryMs: undefined,
    vain: 0,
    idle: 0,
    replied: false,
    opened: first !== undefined
  }
  let response = first
  let why = ""
  for (let wait = first !== undefined; ; wait = true) {
    if (response !== undefined) {
      const end = await through(connection, response, followed, progress)
      if (progress.replied || cut.signal.aborted) return undefined
      why = end.why
      if (end.lasting && id !== undefined) return why
    }
    if (!resumable) return why
    // 2025-11-25 basic/transports, Resumability: without an id nothing says where to go on from.
    if (id !== undefined && progress.lastId === undefined)
      return `${why}, and it can not be resumed: it had no event ids`
    if (progress.vain > reconnect.tries) return `${why}; it was tried ${reconnect.tries} times to open it again`
    if (wait) await pause(waiting(connection, progress), cut.signal)
    if (cut.signal.aborted) return undefined
    const opened = await open(connection, followed, progress)
    if (cut.signal.aborted) return undefined
    if (typeof opened === "string") {
      if (id === undefined && !progress.opened) return undefined
      return `${why}, and it can not be resumed: ${opened}`
    }
    response = opened.response
    if (response === undefined) why = opened.why
  }
}

/** Reads it to its end, and says how that came. */
async function through(
  connection: Connection,
  response: Response,
  { id, batches, cut }: Followed,
  progress: Progress
): Promise<{ readonly why: string; readonly lasting: boolean }> {
  const { settings, room } = connection
  const began = performance.now()
  const one = within(cut)
  let linger: ReturnType<typeof setTimeout> | undefined
  let alive = false
  let telling = false
  let end = { why: "the stream ended before the reply came", lasting: false }
  try {
    await events(
      { response, cut: one.cut, limit: settings.maxMessageBytes, room },
      async (event) => {
        alive = true
        if (event.id !== undefined) progress.lastId = event.id === "" ? undefined : event.id
        if (event.event !== "message" || event.data === "") return
        telling = true
        const replied = await taken(connection, event.data, id, batches)
        if (!replied || progress.replied) return
        progress.replied = true
        // After the reply the server should end the stream. A connection that it ends itself can be used again.
        linger = setTimeout(() => one.cut.abort(), lingerMs)
      },
      (ms) => {
        progress.retryMs = ms
      }
    )
  } catch (error) {
    const { message, lasting } = error as Unanswered
    end = { why: `the stream broke before the reply came: ${message}`, lasting }
  } finally {
    clearTimeout(linger)
    one.free()
  }
  progress.opened = true
  const { initialMs, maxMs } = settings.reconnect
  // 2025-11-25: a server may close a connection at any time, to be asked again. A call is asked after like that for as long as it lasts.
  const lasted = performance.now() - began >= (id === undefined ? maxMs : initialMs)
  progress.vain = alive || lasted ? 0 : progress.vain + 1
  progress.idle = telling || lasted ? 0 : progress.idle + 1
  return end
}

/** The stream again; nothing but why when it may be had another time, and a text when it may not. */
async function open(
  connection: Connection,
  { id, cut }: Followed,
  progress: Progress
): Promise<{ readonly response: Response | undefined; readonly why: string } | string> {
  const { settings, url, session } = connection
  const one = within(cut)
  try {
    const response = await asked(
      connection,
      { method: "GET", url, cut: one.cut, ms: settings.answerMs },
      {
        accept: "text/event-stream",
        ...(progress.lastId !== undefined && { "last-event-id": latin1(progress.lastId) })
      }
    )
    if (response.ok && isStream(response)) return { response, why: "" }
    await discard(response)
    const { status } = response
    if (
      status === 404 &&
      session !== undefined &&
      connection.session === session &&
      progress.opened &&
      id === undefined
    ) {
      sessionOver(connection)
      await connection.frame({ _tag: "SessionLost", id: undefined })
    }
    if (status < 500 && status !== 408 && status !== 429) return refusal(response, "")
    progress.vain++
    return { response: undefined, why: refusal(response, "") }
  } catch (error) {
    progress.vain++
    return { response: undefined, why: (error as Error).message }
  } finally {
    // What is read of it from now on is cut by who reads it.
    one.free()
  }
}

export const isStream = ({ headers }: Response): boolean => typeOf(headers) === "text/event-stream"

export const typeOf = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase()

function waiting({ settings }: Connection, { retryMs, vain, idle }: Progress): number {
  const { initialMs, maxMs } = settings.reconnect
  const backoff = Math.min(initialMs * 2 ** Math.max(0, vain - 1), maxMs)
  // 2025-11-25 basic/transports: `retry` MUST be respected. Where nothing comes of it, it does not make us ask sooner than we would.
  const ms = retryMs === undefined ? backoff : vain > 0 || idle > 1 ? Math.max(retryMs, backoff) : retryMs
  return ms + Math.random() * 0.25 * Math.min(ms, maxMs)
}

/** Settles when the time is over, or when it is cut short. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", over)
      resolve()
    }
    const timer = setTimeout(over, Math.min(ms, 2 ** 31 - 1))
    signal.addEventListener("abort", over, { once: true })
    if (signal.aborted) over()
  })
}

/** What can be cut alone, and is cut with the whole. */
function within({ signal }: AbortController): { readonly cut: AbortController; readonly free: () => void } {
  const cut = new AbortController()
  const leave = (): void => cut.abort()
  if (signal.aborted) leave()
  else signal.addEventListener("abort", leave, { once: true })
  return { cut, free: () => signal.removeEventListener("abort", leave) }
}

/** An id is any text, and a header has bytes. */
const latin1 = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

/** How long the server has to end a stream when all has been said, in ms. */
const lingerMs = 1_000
