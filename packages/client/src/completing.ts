/** Suggestions for a value that is being typed. */
import type { CompleteResult, Revision } from "@parley/core"
import { hasMember } from "@parley/core"
import type { Client } from "./client.js"
import { checkOptions, completeOptions } from "./options.js"
import type { Request } from "./session.js"

export const completing =
  (revision: Revision, request: Request): Client["complete"] =>
  async (of, { name, value }, options = {}) => {
    checkOptions("complete", options, completeOptions)
    const { given, ...wishes } = options
    const ref = "prompt" in of ? { type: "ref/prompt", name: of.prompt } : { type: "ref/resource", uri: of.template }
    const known = hasMember(revision, "CompleteParams", "context")
    const context = known && given !== undefined && { context: { arguments: given } }
    const result = await request("completion/complete", { ref, argument: { name, value }, ...context }, wishes)
    return result["completion"] as unknown as CompleteResult["completion"]
  }
