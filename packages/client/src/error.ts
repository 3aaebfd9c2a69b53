/** Why a call came to nothing, as something to catch. */
import type { ElicitUrlParams, ErrorObject } from "@parley/core"
import type { CallError as Cause } from "@parley/core/client"
import { elicitationsIn, explain } from "@parley/core/client"

/** What only this package can find wrong; the rest comes from the core's machine. */
export type Reason =
  | Cause
  /** The server lists no tool of that name; nothing was sent. */
  | { readonly _tag: "ToolUnlisted"; readonly tool: string; readonly listed: ReadonlyArray<string> }
  /** The arguments do not fit the tool's `inputSchema`; nothing was sent. */
  | { readonly _tag: "ArgumentsInvalid"; readonly tool: string; readonly why: string }
  /** The tool is to be started as a task, and may not be; nothing was sent. */
  | { readonly _tag: "TaskUnsupported"; readonly tool: string; readonly why: string }
  /** `structuredContent` does not fit the tool's `outputSchema`, or is missing. */
  | { readonly _tag: "StructuredContentInvalid"; readonly tool: string; readonly why: string }
  /** The server acknowledged a stream of notifications, but not those of this resource. */
  | { readonly _tag: "Unwatchable"; readonly uri: string }
  /** The server has no such notification in the revision in force: it will not come. */
  | { readonly _tag: "NotificationUnknown"; readonly method: string; readonly revision: string }
  /**
   * A walk through a list's pages met its limit: of time when `ms` is given, else of pages. `items` is what was found until
   * then; whoever iterates has had them already, and there it is empty.
   */
  | {
      readonly _tag: "WalkTooLong"
      readonly method: string
      readonly pages: number
      readonly ms: number | undefined
      readonly items: ReadonlyArray<unknown>
    }
  /**
   * The server can not go on after these pages: the list changed where the walk was. The whole list is to be had by walking
   * again. `error` is the server's answer, `items` as for `WalkTooLong`.
   */
  | {
      readonly _tag: "CursorInvalid"
      readonly method: string
      readonly pages: number
      readonly error: ErrorObject
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
  /**
   * The pages that the user must visit before the server can serve the request (error `-32042`); empty for everything else.
   * Show each whole and ask for consent; wait with `client.elicitationComplete(elicitationId)`, then call again.
   */
  readonly elicitations: ReadonlyArray<ElicitUrlParams>

  constructor(reason: Reason) {
    super(inWords(reason))
    this.reason = reason
    const answered = reason._tag === "Answered" || reason._tag === "CursorInvalid" ? reason.error : undefined
    this.code = answered?.code
    this.data = answered?.data
    this.elicitations = this.code === undefined ? [] : elicitationsIn(this.code, this.data)
  }
}

function inWords(reason: Reason): string {
  switch (reason._tag) {
    case "ToolUnlisted":
      return `The server lists no tool ${reason.tool}; it lists ${reason.listed.length === 0 ? "none" : reason.listed.map((name) => JSON.stringify(name)).join(", ")}`
    case "ArgumentsInvalid":
      return `The arguments for tool ${reason.tool} do not fit its input schema: ${reason.why}; nothing was sent`
    case "TaskUnsupported":
      return `The tool ${reason.tool} can not be run as a task: ${reason.why}; nothing was sent`
    case "StructuredContentInvalid":
      return `The result of tool ${reason.tool} does not fit its output schema: ${reason.why}`
    case "Unwatchable":
      return `The server does not tell of changes to ${reason.uri}`
    case "NotificationUnknown":
      return `There is no ${reason.method} in ${reason.revision}: it will not come`
    case "WalkTooLong":
      return `${reason.method} did not come to an end within ${counted(reason.pages)}${reason.ms === undefined ? "" : ` and ${reason.ms} ms`}${foundIn(reason.items)}`
    case "CursorInvalid":
      return `${reason.method} can not go on after ${counted(reason.pages)}: the list has changed, and is to be read again from the start (error ${reason.error.code}: ${reason.error.message})${foundIn(reason.items)}`
    default:
      return explain(reason)
  }
}

const foundIn = ({ length }: ReadonlyArray<unknown>): string =>
  length === 0 ? "" : `; ${length} ${length === 1 ? "item was" : "items were"} found`

const counted = (pages: number): string => `${pages} ${pages === 1 ? "page" : "pages"}`
