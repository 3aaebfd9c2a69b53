/** Why a call came to nothing, as something to catch. */
import type { CallError as Cause } from "@parley/core/client"
import { explain } from "@parley/core/client"

/** What only this package can find wrong; the rest comes from the core's machine. */
export type Reason =
  | Cause
  /** The server lists no tool of that name; nothing was sent. */
  | { readonly _tag: "ToolUnlisted"; readonly tool: string; readonly listed: ReadonlyArray<string> }
  /** The arguments do not fit the tool's `inputSchema`; nothing was sent. */
  | { readonly _tag: "ArgumentsInvalid"; readonly tool: string; readonly why: string }
  /** `structuredContent` does not fit the tool's `outputSchema`, or is missing. */
  | { readonly _tag: "StructuredContentInvalid"; readonly tool: string; readonly why: string }
  /** A walk through a list's pages met its limit: of time when `ms` is given, else of pages. `items` is what was found until then. */
  | {
      readonly _tag: "WalkTooLong"
      readonly method: string
      readonly pages: number
      readonly ms: number | undefined
      readonly items: ReadonlyArray<unknown>
    }

/**
 * A call that has no result. `reason` says what happened, by `_tag`; the message says it in words.
 * `code` and `data` are those of the server's JSON-RPC error when it answered with one.
 */
export class CallError extends Error {
  override readonly name = "CallError"
  readonly reason: Reason
  readonly code: number | undefined
  readonly data: unknown

  constructor(reason: Reason) {
    super(inWords(reason))
    this.reason = reason
    this.code = reason._tag === "Answered" ? reason.error.code : undefined
    this.data = reason._tag === "Answered" ? reason.error.data : undefined
  }
}

function inWords(reason: Reason): string {
  switch (reason._tag) {
    case "ToolUnlisted":
      return `The server lists no tool ${reason.tool}; it lists ${reason.listed.length === 0 ? "none" : reason.listed.map((name) => JSON.stringify(name)).join(", ")}`
    case "ArgumentsInvalid":
      return `The arguments for tool ${reason.tool} do not fit its input schema: ${reason.why}; nothing was sent`
    case "StructuredContentInvalid":
      return `The result of tool ${reason.tool} does not fit its output schema: ${reason.why}`
    case "WalkTooLong":
      return `${reason.method} did not come to an end within ${reason.pages} pages${reason.ms === undefined ? "" : ` and ${reason.ms} ms`}; ${reason.items.length} items were found`
    default:
      return explain(reason)
  }
}
