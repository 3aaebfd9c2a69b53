/** What a handler returned, as the result that is sent: plain JSON, so that what is checked is what goes out. */
import type { JsonObject } from "@parley/core"
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

/** What came of an output schema, with the same as text, or what the handler says beside it, for peers that do not read it. Throws as `plainResult` does. */
export function structuredResult(value: unknown, returned: unknown): JsonObject {
  const text = JSON.stringify(value) ?? "null"
  const content = returned instanceof Structured ? asJson(returned.told) : [{ type: "text", text }]
  return { content: content as JsonObject[string], structuredContent: JSON.parse(text) as JsonObject }
}

/** What the other side will read. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null") as unknown
