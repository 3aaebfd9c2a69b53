/** What a handler returned, as the result that is sent. */
import type { JsonObject } from "@parley/core"
import type { Validated, Validator } from "@parley/json-schema"

/** Text, blocks or a whole result. Whatever is none of these is passed on, and the machine refuses to send it. */
export function plainResult(returned: unknown): unknown {
  if (typeof returned === "string") return { content: [{ type: "text", text: returned }] }
  if (returned === undefined) return { content: [] }
  if (Array.isArray(returned)) return { content: returned }
  if (typeof returned === "object" && returned !== null && "type" in returned) return { content: [returned] }
  return returned
}

/** The value as `structuredContent`, with the same as text for peers that do not read it. */
export function structuredResult(
  output: Validator,
  returned: unknown
): Validated<JsonObject> | Promise<Validated<JsonObject>> {
  const judged = output.validate(returned)
  return judged instanceof Promise ? judged.then(structured) : structured(judged)
}

const structured = (judged: Validated<unknown>): Validated<JsonObject> =>
  judged.ok
    ? {
        ok: true,
        value: {
          content: [{ type: "text", text: JSON.stringify(judged.value) }],
          structuredContent: judged.value as JsonObject
        }
      }
    : judged
