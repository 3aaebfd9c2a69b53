/** Server-sent events as text. */

/** What else an event has beside its data. */
export interface EventFields {
  readonly id?: string | undefined
  readonly event?: string | undefined
  /** After how many ms a client that was cut off comes back. */
  readonly retry?: number | undefined
}

/** The headers of an answer that is a stream of events; proxies are told to pass each on at once. */
export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no"
} as const

/** One event. A JSON text has no line ends, so a message is one line of data; other data may have some. */
export function sseEvent(data: string, fields?: EventFields): string {
  const text = lines.test(data) ? data.replace(/\r\n|\r|\n/g, "\ndata: ") : data
  if (fields === undefined) return `data: ${text}\n\n`
  const { id, event, retry } = fields
  let head = ""
  if (event !== undefined) head += `event: ${event}\n`
  if (id !== undefined) head += `id: ${id}\n`
  if (retry !== undefined) head += `retry: ${retry}\n`
  return `${head}data: ${text}\n\n`
}

const lines = /[\r\n]/

/** Says nothing, and keeps the connection alive. */
export const sseComment = ":\n\n"
