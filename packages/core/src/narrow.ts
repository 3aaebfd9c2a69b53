/** Everything that a peer of one revision gets otherwise than one of another: the only place where a message loses something. */
import type { Check } from "./check.js"
import type { Lack } from "./checks/lack.js"
import type { Json, JsonObject } from "./json.js"
import { isObject, member } from "./json.js"
import type { Revision } from "./revision.js"
import type { Party, RequestRow } from "./row.js"

/**
 * The value without the members that the revision lacks of what the check judges, all the way down; the same value when there are
 * none. A content block of a kind that the revision lacks becomes a text block that says what it was.
 */
export const narrowed = (revision: Revision, check: Check | undefined, value: JsonObject): JsonObject =>
  without(value, revision.lacks(check)) as JsonObject

/** What a list lists. Where only objects are structured, an output schema that is not an object's is left out with what it describes. */
export function narrowedItem(revision: Revision, method: string, item: JsonObject): JsonObject {
  const kept = narrowed(revision, revision.items[method], item)
  if (method !== "tools/list") return kept
  const output = kept["outputSchema"]
  return objectsOnly(revision, kept, "outputSchema", !isObject(output) || output["type"] === "object")
}

/** What answers a request or a question. The text block beside `structuredContent` says the same where that has to go. */
export function narrowedResult(revision: Revision, method: string, result: JsonObject): JsonObject {
  const row = (revision.client[method] ?? revision.questions[method]) as RequestRow | undefined
  const kept = narrowed(revision, row?.result, result)
  if (method !== "tools/call") return kept
  const structured = kept["structuredContent"]
  return objectsOnly(revision, kept, "structuredContent", structured === undefined || isObject(structured))
}

/** Without the member where it says something else than objects and that can not be said. */
const objectsOnly = (revision: Revision, value: JsonObject, member: string, object: boolean): JsonObject =>
  object || revision.features.structured === "any" ? value : keeping(value, (key) => key !== member)

/** Whether a capability has a name in the revision; without one, it can not be announced. */
export const hasName = (revision: Revision, party: Party, capability: string): boolean =>
  revision.names[party].has(capability)

/** The value itself when nothing has to change. */
function without(value: unknown, lack: Lack | null | undefined): unknown {
  if (lack == null) return value
  if (Array.isArray(value)) return itemsWithout(value, lack)
  if (!isObject(value)) return value
  const { tag, gone, inside } = lack
  if (tag !== undefined) {
    const kind = value[tag]
    return gone.has(kind) ? { type: "text", text: inWords(value) } : without(value, inside.get(kind))
  }
  return revised(value, (key, member) => (gone.has(key) ? undefined : without(member, inside.get(key))))
}

/** The object with each member as `kept` has it, and without those of which nothing is kept; the same object when all stay as they are. */
export function revised(value: object, kept: (key: string, member: unknown) => unknown): JsonObject {
  const members = value as JsonObject
  let copy: Record<string, unknown> | undefined
  for (const key in members) {
    const member = key === "__proto__" ? undefined : kept(key, members[key])
    if (member === members[key]) continue
    copy ??= merged(members)
    if (member === undefined) delete copy[key]
    else copy[key] = member
  }
  return (copy ?? members) as JsonObject
}

function itemsWithout(items: ReadonlyArray<unknown>, lack: Lack): ReadonlyArray<unknown> {
  const kept = items.map((item) => without(item, lack))
  return kept.some((item, at) => item !== items[at]) ? kept : items
}

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
