/** Everything an older peer gets otherwise than the newest one: the only place where a message loses something. */
import { frames, newest } from "./checks/frames.js"
import type { JsonObject } from "./json.js"
import { isObject } from "./json.js"
import type { Revision } from "./revision.js"
import type { Party } from "./row.js"

/**
 * Since when a shape has each member: by the place of the revision, or that and the frame of what is inside. Members that
 * have always been there are left out. With a tag these are not members but kinds, told apart by the member of that name.
 */
export interface Frame {
  readonly tag?: string
  readonly of: { readonly [member: string]: number | readonly [since: number, inside: Frame] }
}

/** The shapes that we send and users fill. */
export type Framed = keyof typeof frames

/**
 * The value without the members that its shape does not have in the revision, all the way down; the same value when it has
 * none. A content block of a kind that the revision lacks becomes a text block that says what it was.
 */
export const narrowed = (revision: Revision, shape: Framed, value: JsonObject): JsonObject =>
  revision.place === newest ? value : (without(value, frames[shape], revision.place) as JsonObject)

/** A listed tool; an output schema that is not an object's is left out with what it describes. */
export function narrowedTool(revision: Revision, tool: JsonObject): JsonObject {
  const kept = narrowed(revision, "Tool", tool)
  const output = kept["outputSchema"]
  return isObject(output) && output["type"] !== "object" ? keeping(kept, (key) => key !== "outputSchema") : kept
}

/** A tool's result. The text block beside `structuredContent` says the same where that has to go. */
export function narrowedToolResult(revision: Revision, result: JsonObject): JsonObject {
  const kept = narrowed(revision, "CallToolResult", result)
  const structured = kept["structuredContent"]
  return structured === undefined || isObject(structured) ? kept : keeping(kept, (key) => key !== "structuredContent")
}

/** The result of a request, or the answer to a question, as the revision has it. */
export function narrowedResult(revision: Revision, method: string, result: JsonObject): JsonObject {
  if (method === "tools/call") return narrowedToolResult(revision, result)
  return Object.hasOwn(resultShapes, method) ? narrowed(revision, resultShapes[method]!, result) : result
}

const resultShapes: { readonly [method: string]: Framed } = {
  "prompts/get": "GetPromptResult",
  "resources/read": "ReadResourceResult",
  "sampling/createMessage": "CreateMessageResult",
  "roots/list": "ListRootsResult"
}

/** Whether a shape has the member in the revision. */
export function hasMember(revision: Revision, shape: Framed, member: string): boolean {
  const { of }: Frame = frames[shape]
  return !Object.hasOwn(of, member) || sinceOf(of[member]!) <= revision.place
}

/** Whether a capability has a name in the revision; before it has one, it can not be announced. */
export function hasName(revision: Revision, party: Party, capability: string): boolean {
  const { of } = party === "server" ? frames.ServerCapabilities : frames.ClientCapabilities
  if (Object.hasOwn(of, capability)) return sinceOf(of[capability]!) <= revision.place
  if (capability === "experimental") return true
  const rows = [...Object.values(revision.client), ...Object.values(revision.server)]
  return rows.some(({ needs }) => needs !== undefined && `${needs}.`.startsWith(`${party}.${capability}.`))
}

/** The value itself when nothing has to change. */
function without(value: unknown, frame: Frame, place: number): unknown {
  if (Array.isArray(value)) return itemsWithout(value, frame, place)
  if (!isObject(value)) return value
  if (frame.tag !== undefined) return kindWithout(value, frame, frame.tag, place)
  let changed = false
  const copy: Record<string, unknown> = {}
  for (const key in value) {
    const entry = Object.hasOwn(frame.of, key) ? frame.of[key]! : 0
    const lacks = sinceOf(entry) > place
    const kept = typeof entry === "number" ? value[key] : without(value[key], entry[1], place)
    if (lacks || kept !== value[key]) changed = true
    if (!lacks) copy[key] = kept
  }
  return changed ? copy : value
}

function kindWithout(value: { readonly [key: string]: unknown }, frame: Frame, tag: string, place: number): unknown {
  const kind = value[tag]
  const entry = typeof kind === "string" && Object.hasOwn(frame.of, kind) ? frame.of[kind]! : 0
  if (sinceOf(entry) > place) return { type: "text", text: inWords(value) }
  return typeof entry === "number" ? value : without(value, entry[1], place)
}

function itemsWithout(items: ReadonlyArray<unknown>, frame: Frame, place: number): ReadonlyArray<unknown> {
  let copy: Array<unknown> | undefined
  for (let i = 0; i < items.length; i++) {
    const kept = without(items[i], frame, place)
    if (kept !== items[i]) (copy ??= items.slice())[i] = kept
  }
  return copy ?? items
}

const sinceOf = (entry: Frame["of"][string]): number => (typeof entry === "number" ? entry : entry[0])

/** The object with only those of its members. */
export const keeping = (value: object, wanted: (key: string, value: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key, value]) => wanted(key, value)))

function inWords(block: { readonly [key: string]: unknown }): string {
  switch (block["type"]) {
    case "resource_link":
      return `${typeof block["title"] === "string" ? block["title"] : String(block["name"])}: ${String(block["uri"])}`
    case "audio":
      return `[audio, ${String(block["mimeType"])}: this protocol version has no audio content]`
    case "image":
      return `[image, ${String(block["mimeType"])}]`
    case "tool_use":
      return `[the tool ${String(block["name"])} was called]`
    case "tool_result":
      return `[the tool's result: ${texts(block["content"]).join("\n")}]`
    default:
      return `[${String(block["type"])}: this protocol version has no such content]`
  }
}

/** The blocks of content in words, one by one. */
const texts = (blocks: unknown): ReadonlyArray<string> =>
  (Array.isArray(blocks) ? blocks : [])
    .filter(isObject)
    .map((block) => (block["type"] === "text" ? String(block["text"]) : inWords(block)))
