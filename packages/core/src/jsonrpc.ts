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
  if (!isObject(json)) return { _tag: "Malformed", id: undefined, why: "a message must be an object", reply: false }
  const { id, method, result, error } = json as Members
  const reply = method === undefined && (result !== undefined || error !== undefined)
  const known = isRequestId(id) ? id : undefined
  const why = wrongWith(json, known, reply)
  if (why !== undefined) return { _tag: "Malformed", id: known, why, reply }
  const _tag = reply ? (error === undefined ? "Result" : "Error") : id === undefined ? "Notification" : "Request"
  return { _tag, message: json } as unknown as Envelope
}

type Members = Partial<Record<"jsonrpc" | "id" | "method" | "params" | "result" | "error", unknown>>

function wrongWith(json: Members, known: RequestId | undefined, reply: boolean): string | undefined {
  const { id, method, params, result, error } = json
  if (json.jsonrpc !== "2.0") return 'jsonrpc must be "2.0"'
  if (!reply && typeof method !== "string") return "method must be a string"
  if (reply ? result !== undefined && error !== undefined : result !== undefined || error !== undefined)
    return "a message has either a method or a result or an error"
  if (!reply) {
    if (params !== undefined && (typeof params !== "object" || params === null)) return "params must be an object"
    return id === undefined || known !== undefined ? undefined : "id must be a string or an integer up to 2^53-1"
  }
  // An error may lack its id: 2025-11-25 basic, Responses; JSON-RPC 2.0 section 5.
  if (known === undefined && (error === undefined || (id !== undefined && id !== null)))
    return "a reply needs the id of its request"
  if (error === undefined) return isObject(result) ? undefined : "result must be an object"
  if (!isObject(error)) return "error must be an object"
  if (!Number.isSafeInteger(error.code)) return "error.code must be an integer"
  return typeof error.message === "string" ? undefined : "error.message must be a string"
}
