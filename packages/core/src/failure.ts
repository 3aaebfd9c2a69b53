/** Everything a peer can be told is wrong, and the one place where JSON-RPC's numbers live. */
import type { Problem } from "./check.js"
import type { ErrorObject, RequestId } from "./jsonrpc.js"

export type Failure =
  | { readonly _tag: "ParseFailed"; readonly why: "utf8" | "json" }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "InvalidRequest"; readonly why: string }
  | { readonly _tag: "BatchRefused"; readonly why: string }
  | { readonly _tag: "NotInitialized"; readonly method: string; readonly supported: ReadonlyArray<string> }
  | { readonly _tag: "AlreadyInitialized" }
  | { readonly _tag: "NotReady"; readonly method: string }
  | { readonly _tag: "IdInUse"; readonly id: RequestId }
  | { readonly _tag: "VersionUnsupported"; readonly requested: string; readonly supported: ReadonlyArray<string> }
  | { readonly _tag: "MethodUnknown"; readonly method: string; readonly why: string }
  | { readonly _tag: "MethodUndeclared"; readonly method: string; readonly needs: string }
  | { readonly _tag: "ParamsInvalid"; readonly method: string; readonly problem: Problem }
  | { readonly _tag: "ToolUnknown"; readonly name: string }
  | { readonly _tag: "CursorInvalid"; readonly method: string; readonly cursor: string }
  | { readonly _tag: "ArgumentsInvalid"; readonly tool: string; readonly why: string }
  | { readonly _tag: "HandlerCrashed"; readonly method: string }
  | { readonly _tag: "ResultInvalid"; readonly method: string }
  | { readonly _tag: "TooManyRequests"; readonly limit: number }
  | { readonly _tag: "Stopping" }
  | { readonly _tag: "Interrupted" }
  | { readonly _tag: "Chosen"; readonly code: number; readonly message: string; readonly data: unknown }

/** The failure as JSON-RPC spells it. The message names the method and the member; a handler's stack is never in it. */
export function errorOf(failure: Failure): ErrorObject {
  switch (failure._tag) {
    case "ParseFailed":
      return error(parseError, failure.why === "utf8" ? "Parse error: not valid UTF-8" : "Parse error: not valid JSON")
    case "TooLarge":
      return error(invalidRequest, "Message too large: it was discarded unread")
    case "InvalidRequest":
      return error(invalidRequest, `Invalid request: ${failure.why}`)
    case "BatchRefused":
      return error(invalidRequest, `Invalid request: ${failure.why}`)
    case "NotInitialized":
      return error(invalidRequest, `Not initialized: send initialize before ${shown(failure.method)}`, {
        supported: failure.supported
      })
    case "AlreadyInitialized":
      return error(invalidRequest, "Already initialized: initialize is sent once")
    case "NotReady":
      return error(invalidRequest, `Not ready: send notifications/initialized before ${shown(failure.method)}`)
    case "IdInUse":
      return error(invalidRequest, `Id in use: the request with id ${JSON.stringify(failure.id)} is not answered yet`)
    case "VersionUnsupported":
      return error(invalidParams, `Unsupported protocol version: ${shown(failure.requested)}`, {
        supported: failure.supported,
        requested: failure.requested
      })
    case "MethodUnknown":
      return error(methodNotFound, `Method not found: ${shown(failure.method)} ${failure.why}`)
    case "MethodUndeclared":
      return error(
        methodNotFound,
        `Method not found: ${shown(failure.method)} needs the capability ${failure.needs}, which was not declared`
      )
    case "ParamsInvalid":
      return error(invalidParams, `Invalid params for ${shown(failure.method)}: ${told(failure.problem)}`)
    case "ToolUnknown":
      return error(invalidParams, `Unknown tool: ${shown(failure.name)}`)
    case "CursorInvalid":
      return error(invalidParams, `Invalid cursor for ${shown(failure.method)}: list again from the start`)
    case "ArgumentsInvalid":
      return error(invalidParams, `Invalid arguments for tool ${failure.tool}: ${failure.why}`)
    case "HandlerCrashed":
      return error(internalError, `Internal error: the handler of ${shown(failure.method)} failed`)
    case "ResultInvalid":
      return error(
        internalError,
        `Internal error: the result of ${shown(failure.method)} was not valid and was not sent`
      )
    case "TooManyRequests":
      return error(internalError, `Too many requests in flight: the limit is ${failure.limit}`)
    case "Stopping":
      return error(internalError, "The server is stopping")
    case "Interrupted":
      return error(internalError, "The server was restarted while it served this request")
    case "Chosen":
      return error(failure.code, failure.message, failure.data)
  }
}

/** `clientInfo.name: expected a string`, or without a path `expected an object`. */
export const told = (problem: Problem): string =>
  problem.at === "" ? `expected ${problem.expected}` : `${problem.at}: expected ${problem.expected}`

/** A peer's own words, which may be a megabyte long. */
const shown = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 200)}...`)

const parseError = -32700
const invalidRequest = -32600
const methodNotFound = -32601
const invalidParams = -32602
const internalError = -32603

const error = (code: number, message: string, data?: unknown): ErrorObject =>
  data === undefined ? { code, message } : { code, message, data }
