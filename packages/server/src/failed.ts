/** How a tool says that it could not do what was asked, in words for the model. */
import type { CallFailure, Invoke } from "@parley/core/server"
import type { Job } from "./job.js"

/** What the client is told, and of which visits to pages it then knows; or how the handler is run again. */
export type Told =
  | { readonly failure: CallFailure; readonly visits?: ReadonlyArray<string> }
  | { readonly again: (job: Job) => void }

/** An error that knows what the client is to be told of it. */
export abstract class Telling extends Error {
  abstract tell(invoke: Invoke): Told
}

/** An `isError` result with this text. Return it or throw it; any other error that is thrown tells the client nothing. */
export class ToolFailed extends Telling {
  override readonly name: string = "ToolFailed"

  tell(_invoke: Invoke): Told {
    return { failure: { _tag: "Told", text: this.message } }
  }
}

/**
 * A result that says what went wrong, for the model to read and try again.
 *
 * ```ts
 * import { failed, tool } from "@parley/server"
 *
 * const find = tool("find", { input: { type: "object", properties: { city: { type: "string" } } } }, ({ city }) =>
 *   city === "Atlantis" ? failed("There is no such city; try one that is above water.") : "found"
 * )
 * find.name // => "find"
 * ```
 */
export const failed = (text: string): ToolFailed => new ToolFailed(text)
