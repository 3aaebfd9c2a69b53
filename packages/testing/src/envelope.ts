/** What a JSON value is on the wire, judged anew: the machines' own reader is under test. */
import type { RequestId } from "@parley/core"

export interface Fields {
  readonly [key: string]: unknown
}

export type Kind = "request" | "notification" | "reply" | "garbage"

export interface Read {
  readonly kind: Kind
  readonly id: RequestId | undefined
  readonly method: string
  readonly params: unknown
  /** For garbage: whether it looks like a reply, which is never answered. */
  readonly replyish: boolean
}

export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const own = (value: unknown, key: string): unknown => {
  const object = fields(value)
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export const isId = (id: unknown): id is RequestId =>
  typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id))

/** JSON-RPC 2.0 as MCP narrows it. */
export function reading(json: unknown): Read {
  const id = own(json, "id")
  const method = own(json, "method")
  const params = own(json, "params")
  const [result, error] = [own(json, "result"), own(json, "error")]
  const replyish = method === undefined && (result !== undefined || error !== undefined)
  const known = isId(id) ? id : undefined
  const read = (kind: Kind): Read => ({
    kind,
    id: known,
    method: typeof method === "string" ? method : "",
    params,
    replyish
  })
  if (own(json, "jsonrpc") !== "2.0") return read("garbage")
  if (replyish) return read(isReply(id, result, error) ? "reply" : "garbage")
  if (typeof method !== "string" || result !== undefined || error !== undefined) return read("garbage")
  if (params !== undefined && (typeof params !== "object" || params === null)) return read("garbage")
  if (id === undefined) return read("notification")
  return read(known === undefined ? "garbage" : "request")
}

function isReply(id: unknown, result: unknown, error: unknown): boolean {
  if (result !== undefined) return error === undefined && isId(id) && isObject(result)
  if (!isObject(error) || !Number.isSafeInteger(own(error, "code"))) return false
  return typeof own(error, "message") === "string" && (isId(id) || id === undefined || id === null)
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

/** The id of a `notifications/cancelled` that is well-formed. */
export function withdrawn({ kind, method, params }: Read): RequestId | undefined {
  if (kind !== "notification" || method !== "notifications/cancelled") return undefined
  const [id, reason, meta] = [own(params, "requestId"), own(params, "reason"), own(params, "_meta")]
  if (!isId(id) || !(reason === undefined || typeof reason === "string")) return undefined
  return meta === undefined || isObject(meta) ? id : undefined
}

/** Whether params may be read at all as the params of a notification without members. */
export const plainParams = (params: unknown): boolean =>
  params === undefined || (isObject(params) && (own(params, "_meta") === undefined || isObject(own(params, "_meta"))))

export const isReplyMessage = (message: Fields): boolean => own(message, "method") === undefined

/** The error's code, when the message is an error. */
export const codeOf = (message: Fields): unknown => own(own(message, "error"), "code")

export const succeeded = (message: Fields): boolean => own(message, "result") !== undefined
