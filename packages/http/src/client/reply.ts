/** What a body has to say to a request: its reply, or what a person can make of it. */
import type { RequestId } from "@parley/core"
import { isObject } from "@parley/core"

/** Whether it is the reply to the request with that id, or a batch that has it. */
export const answers = (json: unknown, id: RequestId): boolean =>
  Array.isArray(json) ? json.some((one) => isReply(one, id)) : isReply(json, id)

const isReply = (json: unknown, id: RequestId): boolean => says(json, id) === "reply"

/** Whether it is the reply to that request, or can be nothing but its reply and is none. A request of the server's may have that id too. */
function says(json: unknown, id: RequestId): "reply" | "spoilt" | undefined {
  if (!isObject(json) || json["id"] !== id) return undefined
  const outcome = Object.hasOwn(json, "result") || Object.hasOwn(json, "error")
  if (Object.hasOwn(json, "method")) return outcome ? "spoilt" : undefined
  return outcome ? "reply" : "spoilt"
}

/** Why what came in place of the reply to that request is none. Nothing when it is one, or is about something else. */
export function spoilt(json: unknown, id: RequestId, batches: boolean): string | undefined {
  const found = Array.isArray(json) ? json.map((one) => says(one, id)) : [says(json, id)]
  if (Array.isArray(json) && !batches && found.some((one) => one !== undefined))
    return "the reply came in an array, which this version does not have: a server sends one message at a time"
  if (found.includes("reply") || !found.includes("spoilt")) return undefined
  return "the reply is none: it has neither a result nor an error, or a method beside it"
}

/**
 * The error by which a whole body answers the request, with its id. Where the server could not read an id, or has no place for
 * one, the exchange still says which request it is about.
 */
export function errorFor(json: unknown, id: RequestId): { readonly code: unknown; readonly reply: object } | undefined {
  if (!isObject(json) || Object.hasOwn(json, "method") || !isObject(json["error"])) return undefined
  const given = json["id"] ?? null
  if (given !== null && given !== id) return undefined
  return { code: json["error"]["code"], reply: { ...json, id } }
}

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * 2026-07-28 basic/transports/streamable-http, Backward Compatibility: a modern server says so by an error that others do not
 * have, or by not knowing the method.
 */
export const isModern = (code: unknown): boolean =>
  code === -32601 || (typeof code === "number" && -32022 <= code && code <= -32020)

/** What happened, and what may be done about it. */
export function refusal(response: Response, text: string): string {
  const { status, statusText, headers } = response
  const said = brief(text)
  const challenge = status === 401 ? headers.get("www-authenticate") : null
  return [
    `HTTP ${status}${statusText === "" ? "" : ` ${statusText}`}`,
    ...(said === "" ? [] : [`: ${said}`]),
    ...(challenge === null ? [] : [` (${challenge})`]),
    ...(advice[status] === undefined ? [] : [`; ${advice[status]}`])
  ].join("")
}

const advice: Readonly<Record<number, string>> = {
  401: "the server wants to know who asks: give credentials by the options headers or fetch",
  403: "the server does not allow it to whoever asks, or from where",
  404: "is the address right?",
  405: "is the address right?",
  407: "a proxy wants credentials: give a fetch that has them",
  429: "the server is asked too often: try again later",
  503: "the server can not serve now: try again later"
}

/** What a body says, where it is an error of any of the usual kinds; else how it begins. */
function brief(text: string): string {
  const json = parsed(text)
  const error = isObject(json)
    ? (json["error_description"] ?? json["error"] ?? json["message"] ?? json["detail"])
    : text
  const said = isObject(error) ? error["message"] : error
  const words = (typeof said === "string" ? said : text)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
  return words.length <= 200 ? words : `${words.slice(0, 200)}...`
}
