/** Everything that a peer of one revision gets otherwise than one of another: the only place where a message loses something. */
import { frames } from "./checks/frames.js"
import type { Json, JsonObject } from "./json.js"
import { isObject, member } from "./json.js"
import type { Revision } from "./revision.js"
import type { Party, Rows } from "./row.js"

/**
 * Since when a shape has each member, and until when. Members that have always been there are left out. With a tag these are
 * not members but kinds, told apart by the member of that name.
 */
export interface Frame {
  readonly tag?: string
  /** The places at which nothing is lacking, however deep: from the first, and before the second when there is one. */
  readonly whole?: readonly [from: number, until?: number]
  readonly of: { readonly [member: string]: Entry }
}

/** The place of the revision that brought it; the frame of what is inside, if it has one; the place of the first one without it. */
type Entry = number | readonly [since: number, inside: Frame | 0, until?: number]

/** The shapes that we send and users fill. */
export type Framed = keyof typeof frames

/**
 * The value without the members that its shape does not have in the revision, all the way down; the same value when it has
 * none. A content block of a kind that the revision lacks becomes a text block that says what it was.
 */
export const narrowed = (revision: Revision, shape: Framed, value: JsonObject): JsonObject =>
  without(value, frames[shape], revision.place) as JsonObject

/** A listed tool; where only objects are structured, an output schema that is not an object's is left out with what it describes. */
export function narrowedTool(revision: Revision, tool: JsonObject): JsonObject {
  const kept = narrowed(revision, "Tool", tool)
  const output = kept["outputSchema"]
  return objectsOnly(revision, kept, "outputSchema", !isObject(output) || output["type"] === "object")
}

/** A tool's result. The text block beside `structuredContent` says the same where that has to go. */
export function narrowedToolResult(revision: Revision, result: JsonObject): JsonObject {
  const kept = narrowed(revision, "CallToolResult", result)
  const structured = kept["structuredContent"]
  return objectsOnly(revision, kept, "structuredContent", structured === undefined || isObject(structured))
}

/** Without the member where it says something else than objects and that can not be said. */
const objectsOnly = (revision: Revision, value: JsonObject, member: string, object: boolean): JsonObject =>
  object || revision.features.structured === "any" ? value : keeping(value, (key) => key !== member)

/** The result of a request, or the answer to a question, as the revision has it. */
export function narrowedResult(revision: Revision, method: string, result: JsonObject): JsonObject {
  if (method === "tools/call") return narrowedToolResult(revision, result)
  return Object.hasOwn(resultShapes, method) ? narrowed(revision, resultShapes[method]!, result) : result
}

const resultShapes: { readonly [method: string]: Framed } = {
  "prompts/get": "GetPromptResult",
  "resources/read": "ReadResourceResult",
  "completion/complete": "CompleteResult",
  "sampling/createMessage": "CreateMessageResult",
  "elicitation/create": "ElicitResult",
  "roots/list": "ListRootsResult"
}

/** Whether a shape has the member in the revision. */
export function hasMember(revision: Revision, shape: Framed, member: string): boolean {
  const { of }: Frame = frames[shape]
  return !Object.hasOwn(of, member) || isThere(of[member]!, revision.place)
}

/** Whether a capability, or what it says of itself, has a name in the revision; without one, it can not be announced. */
export function hasName(revision: Revision, party: Party, capability: string, setting?: string): boolean {
  if (setting === undefined) return revision.names[party].has(capability)
  const entry = capabilitiesOf(party)[capability]
  const inner = typeof entry === "object" && entry[1] !== 0 ? entry[1].of[setting] : undefined
  return inner === undefined || isThere(inner, revision.place)
}

const capabilitiesOf = (party: Party): Frame["of"] =>
  (party === "server" ? frames.ServerCapabilities : frames.ClientCapabilities).of

/** The capabilities that have a name: those that rows need or a shape lists, if they are there at this place. */
export function namesOf(party: Party, tables: ReadonlyArray<Rows>, place: number): ReadonlySet<string> {
  const of = capabilitiesOf(party)
  const names = new Set(["experimental", ...Object.keys(of)])
  for (const rows of tables)
    for (const { needs } of Object.values(rows)) {
      const [from, name] = needs?.split(".") ?? []
      if (from === party) names.add(name!)
    }
  for (const name of Object.keys(of)) if (!isThere(of[name]!, place)) names.delete(name)
  return names
}

/** The value itself when nothing has to change. */
function without(value: unknown, frame: Frame, place: number): unknown {
  if (isWhole(frame, place)) return value
  if (Array.isArray(value)) return itemsWithout(value, frame, place)
  if (!isObject(value)) return value
  if (frame.tag !== undefined) return kindWithout(value, frame, frame.tag, place)
  let copy: Record<string, unknown> | undefined
  for (const key in value) {
    if (!Object.hasOwn(frame.of, key)) continue
    const entry = frame.of[key]!
    const there = isThere(entry, place)
    const kept = inside(value[key], entry, place)
    if (there && kept === value[key]) continue
    copy ??= merged(value)
    if (there) copy[key] = kept
    else delete copy[key]
  }
  return copy ?? value
}

function kindWithout(value: { readonly [key: string]: unknown }, frame: Frame, tag: string, place: number): unknown {
  const kind = value[tag]
  const entry = typeof kind === "string" && Object.hasOwn(frame.of, kind) ? frame.of[kind]! : 0
  return isThere(entry, place) ? inside(value, entry, place) : { type: "text", text: inWords(value) }
}

const inside = (value: unknown, entry: Entry, place: number): unknown =>
  typeof entry === "number" || entry[1] === 0 ? value : without(value, entry[1], place)

function itemsWithout(items: ReadonlyArray<unknown>, frame: Frame, place: number): ReadonlyArray<unknown> {
  let copy: Array<unknown> | undefined
  for (let i = 0; i < items.length; i++) {
    const kept = without(items[i], frame, place)
    if (kept !== items[i]) (copy ??= items.slice())[i] = kept
  }
  return copy ?? items
}

const isThere = (entry: Entry, place: number): boolean =>
  typeof entry === "number" ? entry <= place : within(place, entry[0], entry[2])

const isWhole = ({ whole }: Frame, place: number): boolean => whole !== undefined && within(place, whole[0], whole[1])

const within = (place: number, from: number, until: number | undefined): boolean =>
  from <= place && (until === undefined || place < until)

/** The object with only those of its members. */
export const keeping = (value: object, wanted: (key: string, value: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key, value]) => wanted(key, value)))

/** The members of all, later ones in place of earlier ones. None is called `__proto__`: written like any other it would become one. */
export function merged(...objects: ReadonlyArray<object | undefined>): Record<string, Json | undefined> {
  const all: Record<string, Json | undefined> = {}
  for (const one of objects)
    for (const key in one) if (key !== "__proto__" && Object.hasOwn(one, key)) all[key] = (one as JsonObject)[key]
  return all
}

function inWords(block: { readonly [key: string]: unknown }): string {
  const said = (name: string) => String(block[name])
  switch (block["type"]) {
    case "resource_link":
      return `${said(typeof block["title"] === "string" ? "title" : "name")}: ${said("uri")}`
    case "audio":
      return `[audio, ${said("mimeType")}: this protocol version has no audio content]`
    case "image":
      return `[image, ${said("mimeType")}]`
    case "tool_use":
      return `[the tool ${said("name")} was called]`
    case "tool_result":
      return `[the tool's result: ${texts(block["content"]).join("\n")}]`
    default: {
      const text = member(block["resource"], "text")
      return typeof text === "string" ? text : `[${said("type")}: this protocol version has no such content]`
    }
  }
}

/** The blocks of content in words, one by one. */
const texts = (blocks: unknown): ReadonlyArray<string> =>
  (Array.isArray(blocks) ? blocks : [])
    .filter(isObject)
    .map((block) => (block["type"] === "text" ? String(block["text"]) : inWords(block)))
