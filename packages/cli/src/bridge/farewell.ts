/** What whoever still waits is told when a bridge ends. */
import type { Message, Notification, Request, RequestId, ResultReply } from "@parley/core"
import { errorOf } from "@parley/core"

const subscriptionId = "io.modelcontextprotocol/subscriptionId"

export const stopping = errorOf({ _tag: "Stopping" }).message

export const isListen = (message: unknown): boolean => (message as Partial<Request>).method === "subscriptions/listen"

/** 2026-07-28 basic/patterns/subscriptions, Graceful Closure: the end of a stream is the answer to the request that opened it. */
export const closure = (id: RequestId): ResultReply => ({
  jsonrpc: "2.0",
  id,
  result: { resultType: "complete", _meta: { [subscriptionId]: id } }
})

/** 2026-07-28 basic/patterns/cancellation: where a stream has no exchange that ends with it, that is said as well. */
const cancelled = (id: RequestId): Notification => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: id, _meta: { [subscriptionId]: id } }
})

/** For a request on streams: one that listens has ended, and any other has failed. */
export const farewell = (id: RequestId, message: unknown, why: string): ReadonlyArray<Message> =>
  isListen(message) ? [closure(id), cancelled(id)] : [{ jsonrpc: "2.0", id, error: { code: -32603, message: why } }]
