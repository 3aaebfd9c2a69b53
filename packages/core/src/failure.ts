/** Everything a peer can be told is wrong. */
import type { Problem } from "./check.js"
import type { EitherFailure, Spelling } from "./failure-of-either.js"
import {
  capabilityMissing,
  error,
  headerMismatch,
  internal,
  internalError,
  invalidParams,
  invalidRequest,
  ofEither,
  paramsInvalid,
  parseError,
  revisionUnsupported,
  shown,
  told
} from "./failure-of-either.js"
import type { ErrorObject } from "./jsonrpc.js"

export { resourceNotFound, told } from "./failure-of-either.js"

export type Failure =
  | EitherFailure
  | { readonly _tag: "ParseFailed"; readonly why: "utf8" | "json" }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "BatchRefused"; readonly why: string }
  | { readonly _tag: "NotInitialized"; readonly method: string; readonly supported: ReadonlyArray<string> }
  | { readonly _tag: "AlreadyInitialized" }
  | { readonly _tag: "VersionUnsupported"; readonly requested: string; readonly supported: ReadonlyArray<string> }
  /** Every request says who asks, and this one does not, or not all of it. */
  | {
      readonly _tag: "EnvelopeInvalid"
      readonly method: string
      readonly problem: Problem
      readonly supported: ReadonlyArray<string>
    }
  /** The envelope names a version that is not spoken in that way. */
  | { readonly _tag: "RevisionUnsupported"; readonly requested: string; readonly supported: ReadonlyArray<string> }
  | { readonly _tag: "HeaderMismatch"; readonly header: string; readonly body: unknown }
  /** What the client would have to declare, each as the names that lead to it, such as `elicitation` and `url`. */
  | {
      readonly _tag: "CapabilityMissing"
      /** In words: what needs them. */
      readonly asked: string
      readonly needs: ReadonlyArray<ReadonlyArray<string>>
    }
  /** What came with the questions did not come back unchanged, in time, and with the same request of the same user. */
  | { readonly _tag: "StateRefused"; readonly method: string }
  | { readonly _tag: "ToolUnknown"; readonly name: string }
  | { readonly _tag: "PromptUnknown"; readonly name: string }
  | { readonly _tag: "ResourceUnknown"; readonly uri: string; readonly code: number }
  | { readonly _tag: "ArgumentMissing"; readonly prompt: string; readonly argument: string }
  | { readonly _tag: "CursorInvalid"; readonly method: string; readonly cursor: string }
  | { readonly _tag: "ArgumentsInvalid"; readonly tool: string; readonly why: string }
  | { readonly _tag: "HandlerCrashed"; readonly method: string }
  | { readonly _tag: "TooManySubscriptions"; readonly limit: number }
  | { readonly _tag: "Stopping" }
  | { readonly _tag: "Interrupted" }
  | { readonly _tag: "Chosen"; readonly code: number; readonly message: string; readonly data?: unknown }

/** The failure as JSON-RPC spells it. The message names the method and the member; a handler's stack is never in it. */
export const errorOf = (failure: Failure): ErrorObject =>
  (errors[failure._tag] as (failure: Failure) => ErrorObject)(failure)

const errors: Spelling<Failure> = /* @__PURE__ */ Object.assign({}, ofEither, {
  ParseFailed: ({ why }) => error(parseError, `Parse error: not valid ${why === "utf8" ? "UTF-8" : "JSON"}`),
  TooLarge: () => error(invalidRequest, "Message too large: it was discarded unread"),
  BatchRefused: ({ why }) => error(invalidRequest, `Invalid request: ${why}`),
  NotInitialized: ({ method, supported }) =>
    error(invalidRequest, `Not initialized: send initialize before ${shown(method)}`, { supported }),
  AlreadyInitialized: () => error(invalidRequest, "Already initialized: initialize is sent once"),
  VersionUnsupported: (failure) => unsupported(invalidParams, failure),
  EnvelopeInvalid: ({ method, problem, supported }) =>
    paramsInvalid(
      method,
      `${told(problem)}${versionless.test(problem.at) ? `; every request names its version, one of ${supported.join(", ")}` : ""}`,
      { supported }
    ),
  RevisionUnsupported: (failure) => unsupported(revisionUnsupported, failure),
  HeaderMismatch: ({ header, body }) =>
    error(
      headerMismatch,
      `Header mismatch: MCP-Protocol-Version is ${shown(header)}, and the body ${typeof body === "string" ? `says ${shown(body)}` : "names none"}`
    ),
  CapabilityMissing: ({ asked, needs }) =>
    error(
      capabilityMissing,
      `${asked} needs what the client did not declare: ${needs.map((path) => path.join(".")).join(", ")}`,
      { requiredCapabilities: capabilitiesOf(needs) }
    ),
  StateRefused: ({ method }) => paramsInvalid(method, "requestState: expected what came with the questions, unchanged"),
  ToolUnknown: ({ name }) => error(invalidParams, `Unknown tool: ${shown(name)}`),
  PromptUnknown: ({ name }) => error(invalidParams, `Unknown prompt: ${shown(name)}`),
  ResourceUnknown: ({ uri, code }) => error(code, `Resource not found: ${shown(uri)}`, { uri }),
  ArgumentMissing: ({ prompt, argument }) =>
    paramsInvalid("prompts/get", `arguments.${argument}: expected a string, which the prompt ${prompt} requires`),
  CursorInvalid: ({ method }) => error(invalidParams, `Invalid cursor for ${shown(method)}: list again from the start`),
  ArgumentsInvalid: ({ tool, why }) => error(invalidParams, `Invalid arguments for tool ${tool}: ${why}`),
  HandlerCrashed: ({ method }) => internal(`the handler of ${shown(method)} failed`),
  TooManySubscriptions: ({ limit }) => error(internalError, `Too many subscriptions: the limit is ${limit}`),
  Stopping: () => error(internalError, "The server is stopping"),
  Interrupted: () => error(internalError, "The server was restarted while it served this request"),
  Chosen: ({ code, message, data }) => error(code, message, data)
} satisfies Spelling<Exclude<Failure, EitherFailure>>)

const unsupported = (
  code: number,
  { requested, supported }: { readonly requested: string; readonly supported: ReadonlyArray<string> }
): ErrorObject => error(code, `Unsupported protocol version: ${shown(requested)}`, { supported, requested })

/** The places at which it is the version that is missing. */
const versionless = /^_meta(.+Version)?$/

/** `needs`: such as `elicitation.url`. */
export const incapable = (asked: string, needs: ReadonlyArray<string>): Failure => ({
  _tag: "CapabilityMissing",
  asked,
  needs: needs.map((need) => need.split("."))
})

/** `["elicitation", "url"]` is `{ elicitation: { url: {} } }`. */
function capabilitiesOf(paths: ReadonlyArray<ReadonlyArray<string>>): object {
  const all: Record<string, object> = {}
  for (const path of paths) {
    let at = all
    for (const name of path) at = (at[name] ??= {}) as Record<string, object>
  }
  return all
}
