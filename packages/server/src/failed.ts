/** How a tool says that it could not do what was asked, in words for the model. */

/** An `isError` result with this text. Return it or throw it; any other error that is thrown tells the client nothing. */
export class ToolFailed extends Error {
  override readonly name = "ToolFailed"
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
