/** The envelope: JSON-RPC 2.0 as MCP narrows it, read once and strictly. */
import type { JsonObject } from "./json.js"
import { isObject } from "./json.js"

/** A string, or an integer that a double holds exactly. `"1"` and `1` are two ids. */
export type RequestId = string | number

export interface Notification {
  readonly jsonrpc: "2.0"
  readonly method: string
  readonly params?: JsonObject
}

export interface Request extends Notification {
  readonly id: RequestId
}

export interface ResultReply {
  readonly jsonrpc: "2.0"
  readonly id: RequestId
  readonly result: JsonObject
}

export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** `id` is null or absent when the id of what it answers could not be read. */
export interface ErrorReply {
  readonly jsonrpc: "2.0"
  readonly id?: RequestId | null
  readonly error: ErrorObject
}

export type Message = Request | Notification | ResultReply | ErrorReply

/** What a value turned out to be. `Malformed` has the id when one could be read, and says whether a reply is due. */
export type Envelope =
  | { readonly _tag: "Request"; readonly message: Request }
  | { readonly _tag: "Notification"; readonly message: Notification }
  | { readonly _tag: "Result"; readonly message: ResultReply }
  | { readonly _tag: "Error"; readonly message: ErrorReply }
  | Malformed

export interface Malformed {
  readonly _tag: "Malformed"
  readonly id: RequestId | undefined
  readonly why: string
  /** True when it looks like a reply: answering a broken reply could settle a request of the peer's own. */
  readonly reply: boolean
}

/** Strings, and integers up to 2^53-1 either way; everything else could not be echoed exactly. */
export const isRequestId = (id: unknown): id is RequestId => typeof id === "string" || Number.isSafeInteger(id)

/** Reads one message, not a batch. Members it does not know are left alone; names are exact. */
export function read(json: unknown): Envelope {
  if (!isObject(json)) return malformed(undefined, "a message must be an object", false)
  const id = json.id
  const method = json.method
  const looksLikeReply = method === undefined && (json.result !== undefined || json.error !== undefined)
  const known = isRequestId(id) ? id : undefined
  if (json.jsonrpc !== "2.0") return malformed(known, 'jsonrpc must be "2.0"', looksLikeReply)
  if (looksLikeReply) return readReply(json, id, known)
  if (typeof method !== "string") return malformed(known, "method must be a string", false)
  if (json.result !== undefined || json.error !== undefined)
    return malformed(known, "a message has either a method or a result or an error", false)
  const params = json.params
  if (params !== undefined && (typeof params !== "object" || params === null))
    return malformed(known, "params must be an object", false)
  if (id === undefined) return { _tag: "Notification", message: json as unknown as Notification }
  if (known === undefined) return malformed(undefined, "id must be a string or an integer up to 2^53-1", false)
  return { _tag: "Request", message: json as unknown as Request }
}

function readReply(json: { readonly [key: string]: unknown }, id: unknown, known: RequestId | undefined): Envelope {
  const result = json.result
  const error = json.error
  if (result !== undefined && error !== undefined)
    return malformed(known, "a reply has either a result or an error", true)
  if (error === undefined) {
    if (known === undefined) return malformed(undefined, "a reply needs the id of its request", true)
    if (!isObject(result)) return malformed(known, "result must be an object", true)
    return { _tag: "Result", message: json as unknown as ResultReply }
  }
  // An error may lack its id: 2025-11-25 basic, Responses; JSON-RPC 2.0 section 5.
  if (known === undefined && id !== undefined && id !== null)
    return malformed(undefined, "a reply needs the id of its request", true)
  if (!isObject(error)) return malformed(known, "error must be an object", true)
  if (!Number.isSafeInteger(error.code)) return malformed(known, "error.code must be an integer", true)
  if (typeof error.message !== "string") return malformed(known, "error.message must be a string", true)
  return { _tag: "Error", message: json as unknown as ErrorReply }
}

const malformed = (id: RequestId | undefined, why: string, reply: boolean): Malformed => ({
  _tag: "Malformed",
  id,
  why,
  reply
})
