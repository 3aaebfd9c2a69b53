/** A definition made ready to run: one lookup per method and tool, and lists as prepared text. */
import type { Definition, ToolDefinition } from "../definition.js"
import { announced } from "../definition.js"
import { digestOf } from "../digest.js"
import type { JsonObject } from "../json.js"
import { narrowTool } from "../narrow.js"
import type { Revision, RevisionName } from "../revision.js"
import type { Row } from "../row.js"

export interface Compiled {
  readonly definition: Definition
  readonly newest: Spoken
  readonly spoken: ReadonlyMap<RevisionName, Spoken>
  readonly supported: ReadonlyArray<RevisionName>
  readonly tools: ReadonlyMap<string, ToolDefinition>
  /** Names what is announced; a state made under another digest is stale. */
  readonly digest: string
  readonly limits: Limits
}

export interface Limits {
  /** Requests in flight from one peer; the next one is refused. */
  readonly inFlight: number
  /** How long `Stopping` waits for running handlers, in ms. */
  readonly drainMs: number
  /** Mixed into the hashes of ids that the peer chooses. */
  readonly salt: number
}

/** One revision as this server speaks it. */
export interface Spoken {
  readonly revision: Revision
  /** What the client may send, by method. */
  readonly entries: ReadonlyMap<string, Entry>
  readonly toolPages: () => Pages
}

export interface Entry {
  readonly _tag: "Entry"
  readonly row: Row
  /** The capability of ours that is missing, when one is. */
  readonly undeclared: string | undefined
  /** The capability of the client's that the method needs, when it does. */
  readonly needsOfClient: string | undefined
}

/** The pages of a list by the cursor that asks for them; the first by the empty string. */
export type Pages = ReadonlyMap<string, Page>

export interface Page {
  readonly result: JsonObject
  readonly text: string
}

export function compile(definition: Definition, limits: Limits): Compiled {
  const spoken = new Map(definition.revisions.map((revision) => [revision.name, speak(definition, revision)]))
  const newest = spoken.get(definition.revisions[0]!.name)!
  const supported = definition.revisions.map((revision) => revision.name)
  return {
    definition,
    newest,
    spoken,
    supported,
    tools: new Map(definition.tools.map((tool) => [tool.name, tool])),
    digest: digestOf([supported, definition.info, definition.instructions ?? null, definition.capabilities]),
    limits
  }
}

function speak(definition: Definition, revision: Revision): Spoken {
  const entries = new Map(Object.entries(revision.client).map(([method, row]) => [method, entry(definition, row)]))
  let pages: Pages | undefined
  return {
    revision,
    entries,
    toolPages: () =>
      (pages ??= paged(
        definition,
        "tools",
        definition.tools.map((tool) => narrowTool(tool, revision.features))
      ))
  }
}

function entry(definition: Definition, row: Row): Entry {
  const [party, path] = row.needs === undefined ? [undefined, ""] : split(row.needs)
  return {
    _tag: "Entry",
    row,
    undeclared: party === "server" && !announced(definition.capabilities, path) ? path : undefined,
    needsOfClient: party === "client" ? path : undefined
  }
}

const split = (need: string): [string, string] => [need.slice(0, need.indexOf(".")), need.slice(need.indexOf(".") + 1)]

/** A cursor names the item its page follows, so a walk goes on where it was when items come or go elsewhere in the list. */
function paged(definition: Definition, member: string, items: ReadonlyArray<JsonObject>): Pages {
  const pages = new Map<string, Page>()
  const size = Math.max(1, definition.pageSize)
  for (let from = 0; from === 0 || from < items.length; from += size) {
    const slice = items.slice(from, from + size)
    const more = from + size < items.length
    const result = more ? { [member]: slice, nextCursor: cursorAfter(slice[slice.length - 1]!) } : { [member]: slice }
    pages.set(from === 0 ? "" : cursorAfter(items[from - 1]!), { result, text: JSON.stringify(result) })
  }
  return pages
}

const cursorAfter = (item: JsonObject): string => `after:${String(item["name"] ?? item["uri"])}`
