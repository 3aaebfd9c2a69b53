/** What either side can be told is wrong, and the one place where JSON-RPC's numbers live. */
import type { Problem } from "./check.js"
import type { ErrorObject, RequestId } from "./jsonrpc.js"

/** The failures that a client has for a server's questions too. */
export type EitherFailure =
  | { readonly _tag: "InvalidRequest"; readonly why: string }
  | { readonly _tag: "NotReady"; readonly method: string }
  | { readonly _tag: "IdInUse"; readonly id: RequestId }
  | { readonly _tag: "MethodUnknown"; readonly method: string; readonly why: string }
  | { readonly _tag: "MethodUndeclared"; readonly method: string; readonly needs: string }
  | { readonly _tag: "ParamsInvalid"; readonly method: string; readonly problem: Problem }
  | { readonly _tag: "ResultInvalid"; readonly method: string }
  | { readonly _tag: "TooManyRequests"; readonly limit: number }

/** How each failure is spelled, by its tag. */
export type Spelling<F extends { readonly _tag: string }> = {
  readonly [Tag in F["_tag"]]: (failure: Extract<F, { readonly _tag: Tag }>) => ErrorObject
}

export const ofEither: Spelling<EitherFailure> = {
  InvalidRequest: ({ why }) => error(invalidRequest, `Invalid request: ${why}`),
  NotReady: ({ method }) => error(invalidRequest, `Not ready: send notifications/initialized before ${shown(method)}`),
  IdInUse: ({ id }) =>
    error(invalidRequest, `Id in use: the request with id ${JSON.stringify(id)} is not answered yet`),
  MethodUnknown: ({ method, why }) => error(methodNotFound, `Method not found: ${shown(method)} ${why}`),
  MethodUndeclared: ({ method, needs }) =>
    error(methodNotFound, `Method not found: ${shown(method)} needs the capability ${needs}, which was not declared`),
  ParamsInvalid: ({ method, problem }) => paramsInvalid(method, told(problem)),
  ResultInvalid: ({ method }) => internal(`the result of ${shown(method)} was not valid and was not sent`),
  TooManyRequests: ({ limit }) => error(internalError, `Too many requests in flight: the limit is ${limit}`)
}

/** The failure as JSON-RPC spells it. */
export const spelled = (failure: EitherFailure): ErrorObject =>
  (ofEither[failure._tag] as (failure: EitherFailure) => ErrorObject)(failure)

export const internal = (why: string): ErrorObject => error(internalError, `Internal error: ${why}`)

export const paramsInvalid = (method: string, why: string, data?: unknown): ErrorObject =>
  error(invalidParams, `Invalid params for ${shown(method)}: ${why}`, data)

/** `clientInfo.name: expected a string`, or without a path `expected an object`. */
export const told = (problem: Problem): string =>
  problem.at === "" ? `expected ${problem.expected}` : `${problem.at}: expected ${problem.expected}`

/** A peer's own words, which may be a megabyte long. */
export const shown = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 200)}...`)

export const error = (code: number, message: string, data?: unknown): ErrorObject =>
  data === undefined ? { code, message } : { code, message, data }

export const parseError = -32700
export const invalidRequest = -32600
const methodNotFound = -32601
export const invalidParams = -32602
export const internalError = -32603
/** 2024-11-05 to 2025-11-25 server/resources, Error Handling. */
export const resourceNotFound = -32002
/** 2026-07-28 basic, Error Codes. */
export const headerMismatch = -32020
export const capabilityMissing = -32021
export const revisionUnsupported = -32022
