/** What an answer holds is read: whole, or event by event, within a limit, and no faster than it is taken. */
import { createParser } from "eventsource-parser"
import { cutShort, deadline, inWords, Unanswered } from "./asking.js"

export interface Reading {
  readonly response: Response
  /** Ends it. */
  readonly cut: AbortController
  /** The largest message, in bytes. */
  readonly limit: number
  /** Settles when more may be read. */
  readonly room: () => Promise<void> | undefined
}

/** The whole of it, when that is UTF-8. Rejects `Unanswered`. */
export async function wholeText(reading: Reading, ms: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let size = 0
  await chunks(reading, ms, (chunk) => {
    size += chunk.byteLength
    if (size > reading.limit) throw tooLarge(reading.limit)
    text += decoding(() => decoder.decode(chunk, { stream: true }))
  })
  return text + decoding(() => decoder.decode())
}

export interface Event {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

/**
 * Each event in turn, and what the server says of when to come again; settles when the stream ends, and rejects `Unanswered`
 * when it breaks. Bytes that are no UTF-8 are replaced, as the format of event streams has it.
 */
export async function events(
  reading: Reading,
  onEvent: (event: Event) => Promise<void> | void,
  onRetry: (ms: number) => void
): Promise<void> {
  const decoder = new TextDecoder()
  const waiting: Array<Event> = []
  const unix = lineEnds()
  let broken = false
  const parser = createParser({
    maxBufferSize: reading.limit,
    onEvent: ({ event = "message", id, data }) => {
      if (data.length > reading.limit) broken = true
      if (!broken) waiting.push({ event, id, data })
    },
    onRetry,
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") broken = true
    }
  })
  await chunks(reading, Infinity, async (chunk) => {
    parser.feed(unix(decoder.decode(chunk, { stream: true })))
    for (const event of waiting) await onEvent(event)
    waiting.length = 0
    if (broken) throw tooLarge(reading.limit)
  })
}

/**
 * Line ends of whichever kind as the one that is over when it is there: after a lone CR a parser waits for the LF that may follow,
 * and an event that is whole would wait with it.
 */
function lineEnds(): (text: string) => string {
  let half = false
  return (text) => {
    if (text === "") return text
    const rest = half && text.startsWith("\n") ? text.slice(1) : text
    half = text.endsWith("\r")
    return rest.includes("\r") ? rest.replaceAll(/\r\n?/g, "\n") : rest
  }
}

/** What it holds is of no use. */
export const discard = async ({ body }: Response): Promise<void> => {
  await body?.cancel().catch(() => undefined)
}

/** `ms`: how long the next of them may take. */
async function chunks(
  { response, cut, room }: Reading,
  ms: number,
  take: (chunk: Uint8Array) => Promise<void> | void
): Promise<void> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const { signal } = cut
  // Whoever made the request may not heed the signal.
  const leave = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener("abort", leave, { once: true })
  try {
    for (;;) {
      await room()
      const stop = deadline(cut, ms, `nothing more of the answer came within ${ms} ms`)
      const { done, value } = await reader.read().finally(stop)
      if (signal.aborted) throw new Unanswered(0, cutShort(cut) ?? "it was given up")
      if (done) return
      await take(value)
    }
  } catch (error) {
    throw error instanceof Unanswered ? error : new Unanswered(0, cutShort(cut) ?? inWords(error))
  } finally {
    signal.removeEventListener("abort", leave)
    leave()
  }
}

const tooLarge = (limit: number): Unanswered =>
  new Unanswered(0, `a message is larger than ${limit} bytes (maxMessageBytes), and was not read`, true)

function decoding(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw new Unanswered(0, "the answer is not UTF-8")
  }
}
