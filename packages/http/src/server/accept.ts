/** What the client takes for an answer: one JSON text, a stream of events, or either. */

export interface Accepted {
  readonly json: boolean
  readonly events: boolean
}

/** A header that is missing takes anything. RFC 9110 section 12.5.1, by which what is most exact counts. */
export function accepted(header: string | undefined): Accepted {
  // What nearly every client says.
  if (header === undefined || header === "application/json, text/event-stream" || header === "*/*") return either
  const ranges = new Map<string, boolean>()
  for (const range of header.toLowerCase().split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim())
    if (type !== "") ranges.set(type!, !parameters.some((one) => /^q\s*=\s*0(\.0*)?$/.test(one)))
  }
  if (ranges.size === 0) return either
  const takes = (type: string): boolean =>
    ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf("/"))}/*`) ?? ranges.get("*/*") ?? false
  return { json: takes("application/json"), events: takes("text/event-stream") }
}

const either: Accepted = { json: true, events: true }

/** Whether the body is said to be JSON. */
export const isJson = (contentType: string | undefined): boolean =>
  contentType === "application/json" || (contentType !== undefined && /^application\/json\s*(;|$)/i.test(contentType))

/** Whether the body is its bytes: RFC 9110 section 8.4, RFC 9112 section 6.1. Which coding chunks come in is the platform's affair. */
export const isPlain = (contentEncoding: string | undefined, transferEncoding?: string): boolean =>
  (contentEncoding === undefined || /^identity$/i.test(contentEncoding)) &&
  (transferEncoding === undefined || /^chunked$/i.test(transferEncoding))
