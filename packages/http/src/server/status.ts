/** The status of an answer, by what it refuses; and refusals in which no machine has a part. */
import type { Failure, RequestId } from "@parley/core"
import { errorOf } from "@parley/core"
import type { Exchange, Headers } from "./exchange.js"

/**
 * 2026-07-28: a method that is not there is 404; what is wrong with a message before anybody looks at what it asks for is 400;
 * what is wrong with what it asks for is an answer like any other, 200.
 */
export const statuses = {
  ParseFailed: 400,
  TooLarge: 413,
  InvalidRequest: 400,
  BatchRefused: 400,
  IdInUse: 400,
  NotInitialized: 400,
  AlreadyInitialized: 400,
  NotReady: 400,
  VersionUnsupported: 400,
  EnvelopeInvalid: 400,
  RevisionUnsupported: 400,
  HeaderMismatch: 400,
  CapabilityMissing: 400,
  MethodUnknown: 404,
  MethodUndeclared: 404,
  ParamsInvalid: 200,
  CursorInvalid: 200,
  StateRefused: 200,
  ToolUnknown: 200,
  PromptUnknown: 200,
  ResourceUnknown: 200,
  ArgumentMissing: 200,
  ArgumentsInvalid: 200,
  HandlerCrashed: 200,
  ResultInvalid: 200,
  Chosen: 200,
  Interrupted: 200,
  TooManySubscriptions: 429,
  TooManyRequests: 429,
  Stopping: 503
} as const satisfies { readonly [tag in Failure["_tag"]]: number }

export const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store" } as const

/** Refuses by an error of the protocol. Without an id it has none. */
export function refuse(
  exchange: Exchange,
  failure: Failure,
  id?: RequestId,
  status: number = statuses[failure._tag],
  headers: Headers = jsonHeaders
): void {
  const error = errorOf(failure)
  exchange.respond(
    status,
    headers,
    JSON.stringify(id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error })
  )
}

/** Refuses what HTTP itself refuses. `why` is for whoever sees to the client, and tells nothing of the server. */
export function turnAway(exchange: Exchange, status: number, why: string, more?: Headers): void {
  const error = { code: -32600, message: why }
  const headers: Headers = more === undefined ? jsonHeaders : Object.assign({}, jsonHeaders, more)
  exchange.respond(status, headers, exchange.method === "HEAD" ? undefined : JSON.stringify({ jsonrpc: "2.0", error }))
}
