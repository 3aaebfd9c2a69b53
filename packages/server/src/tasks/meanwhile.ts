/** What the model may be told while a task runs: the tool's own words, made of arguments that fit. */
import type { JsonObject } from "@parley/core"
import type { ReadyTool } from "../tool.js"

/** Nothing when the tool says nothing, its arguments do not fit, or making the text fails, which is told to `crashed`. */
export async function meanwhile(
  { input, options }: ReadyTool,
  args: JsonObject,
  crashed: (error: unknown) => void
): Promise<string | undefined> {
  const { meanwhile: text } = options
  if (typeof text !== "function") return text
  try {
    const judged = await input.validate(args)
    if (!judged.ok) return undefined
    const made: unknown = text(judged.value as never)
    if (typeof made === "string") return made
    throw new TypeError("what it says meanwhile is not text")
  } catch (error) {
    crashed(error)
    return undefined
  }
}
