/** Everything an older peer gets otherwise than the newest one: the only place where a message loses something. */
import type { Features } from "./revision.js"
import type { JsonObject } from "./json.js"
import { isObject } from "./json.js"

/** The object with only the members named; the same object when it has no others. */
export function only(value: JsonObject, names: ReadonlyArray<string>): JsonObject {
  const keys = Object.keys(value)
  if (keys.every((key) => names.includes(key))) return value
  const kept: Record<string, JsonObject[string]> = {}
  for (const key of keys) if (names.includes(key)) kept[key] = value[key]
  return kept
}

/** A listed tool with the members the revision has; an output schema that is not an object's is left out. */
export function narrowTool(tool: JsonObject, features: Features): JsonObject {
  const kept = only(tool, features.tool)
  const output = kept["outputSchema"]
  if (!isObject(output) || output["type"] === "object") return kept
  return only(
    kept,
    features.tool.filter((name) => name !== "outputSchema")
  )
}

/**
 * A tool result for the revision: `structuredContent` only where it exists (the text block beside it says the same),
 * and content blocks of a kind the revision lacks as a text block that says what they were.
 */
export function narrowToolResult(result: JsonObject, features: Features): JsonObject {
  const content = result["content"]
  const blocks = Array.isArray(content) ? narrowContent(content as ReadonlyArray<JsonObject>, features) : content
  const structured = result["structuredContent"]
  const dropped = structured !== undefined && !(features.structuredContent && isObject(structured))
  if (blocks === content && !dropped) return result
  const kept: Record<string, JsonObject[string]> = {}
  for (const key of Object.keys(result)) if (!(dropped && key === "structuredContent")) kept[key] = result[key]
  kept["content"] = blocks
  return kept
}

function narrowContent(content: ReadonlyArray<JsonObject>, features: Features): ReadonlyArray<JsonObject> {
  let copy: Array<JsonObject> | undefined
  for (let i = 0; i < content.length; i++) {
    const block = content[i]!
    const narrowed = narrowBlock(block, features)
    if (narrowed !== block) (copy ??= content.slice())[i] = narrowed
  }
  return copy ?? content
}

function narrowBlock(block: JsonObject, features: Features): JsonObject {
  if (!isObject(block)) return block
  if (!features.content.includes(block["type"] as string)) return { type: "text", text: inWords(block) }
  let kept = block
  if (!features.meta && (block["_meta"] !== undefined || isObject(block["resource"]))) kept = withoutMeta(block)
  const annotations = kept["annotations"]
  if (!isObject(annotations)) return kept
  const narrowed = only(annotations, features.annotations)
  return narrowed === annotations ? kept : replaced(kept, "annotations", narrowed)
}

function withoutMeta(block: JsonObject): JsonObject {
  const outer =
    block["_meta"] === undefined
      ? block
      : only(
          block,
          Object.keys(block).filter((key) => key !== "_meta")
        )
  const resource = outer["resource"]
  if (!isObject(resource) || resource["_meta"] === undefined) return outer
  const inner = only(
    resource,
    Object.keys(resource).filter((key) => key !== "_meta")
  )
  return replaced(outer, "resource", inner)
}

function replaced(value: JsonObject, key: string, by: JsonObject): JsonObject {
  const copy: Record<string, JsonObject[string]> = {}
  for (const name of Object.keys(value)) copy[name] = name === key ? by : value[name]
  return copy
}

function inWords(block: JsonObject): string {
  switch (block["type"]) {
    case "resource_link":
      return `${typeof block["title"] === "string" ? block["title"] : String(block["name"])}: ${String(block["uri"])}`
    case "audio":
      return `[audio, ${String(block["mimeType"])}: this protocol version has no audio content]`
    default:
      return `[${String(block["type"])}: this protocol version has no such content]`
  }
}

/** `Implementation` with the members the revision has. */
export const narrowImplementation = (info: JsonObject, features: Features): JsonObject =>
  only(info, features.implementation)

/** Server capabilities with the members the revision has. */
export const narrowServerCapabilities = (capabilities: JsonObject, features: Features): JsonObject =>
  only(capabilities, features.serverCapabilities)

/** Client capabilities with the members the revision has. */
export const narrowClientCapabilities = (capabilities: JsonObject, features: Features): JsonObject =>
  only(capabilities, features.clientCapabilities)
