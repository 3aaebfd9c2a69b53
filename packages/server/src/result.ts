/** What a handler returned, as the result that is sent: plain JSON, so that what is checked is what goes out. */
import type { ContentBlock, JsonObject } from "@parley/core"
import type { Validated, Validator } from "@parley/json-schema"
import { Structured } from "./structured.js"

/**
 * Text, blocks or a whole result. Whatever is none of these is passed on, and the machine refuses to send it.
 * Throws on what is no JSON, such as a circle, a bigint, or a getter that throws.
 */
export function plainResult(returned: unknown): unknown {
  if (typeof returned === "string") return { content: [{ type: "text", text: returned }] }
  if (returned === undefined) return { content: [] }
  const json = asJson(returned)
  if (Array.isArray(json)) return { content: json }
  if (typeof json === "object" && json !== null && "type" in json) return { content: [json] }
  return json
}

/** The value as `structuredContent`, with the same as text, or what the handler says beside it, for peers that do not read it. Throws as `plainResult` does. */
export function structuredResult(
  output: Validator,
  returned: unknown
): Validated<JsonObject> | Promise<Validated<JsonObject>> {
  const told = returned instanceof Structured ? returned.told : undefined
  const given = returned instanceof Structured ? returned.value : returned
  const judged = output.validate(given)
  return judged instanceof Promise
    ? judged.then((judged) => structured(output, given, judged, told))
    : structured(output, given, judged, told)
}

function structured(
  output: Validator,
  returned: unknown,
  judged: Validated<unknown>,
  told: ReadonlyArray<ContentBlock> | undefined
): Validated<JsonObject> | Promise<Validated<JsonObject>> {
  if (!judged.ok) return judged
  const text = JSON.stringify(judged.value) ?? "null"
  const value = JSON.parse(text) as JsonObject
  const content = (told === undefined ? [{ type: "text", text }] : asJson(told)) as JsonObject[string]
  const made: Validated<JsonObject> = { ok: true, value: { content, structuredContent: value } }
  // What a schema without an encoding judged was the value; what goes out is its JSON.
  if (judged.value !== returned) return made
  const again = output.validate(value)
  if (again instanceof Promise) return again.then((again) => (again.ok ? made : again))
  return again.ok ? made : again
}

/** What the other side will read. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null") as unknown
