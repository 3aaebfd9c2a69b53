/** A definition made ready to run: one lookup per method and tool, and lists as prepared text. */
import type { Definition, PromptDefinition, ToolDefinition } from "../definition.js"
import { announced } from "../definition.js"
import { digestOf } from "../digest.js"
import type { JsonObject } from "../json.js"
import { narrowed, narrowedTool } from "../narrow.js"
import type { Revision, RevisionName } from "../revision.js"
import type { Need, Row } from "../row.js"
import type { ServerMachineOptions } from "./machine.js"
import { pathOf } from "./offers.js"

export interface Compiled {
  readonly definition: Definition
  readonly newest: Spoken
  readonly spoken: ReadonlyMap<RevisionName, Spoken>
  readonly supported: ReadonlyArray<RevisionName>
  readonly tools: ReadonlyMap<string, ToolDefinition>
  readonly prompts: ReadonlyMap<string, PromptDefinition>
  /** Names what is announced; a state made under another digest is stale. */
  readonly digest: string
  readonly limits: Required<ServerMachineOptions>
}

/** One revision as this server speaks it. */
export interface Spoken {
  readonly revision: Revision
  /** What the client may send, by method; with the capability of ours that it lacks, when one is. */
  readonly entries: ReadonlyMap<string, { readonly row: Row; readonly undeclared: string | undefined }>
  /** The lists that the definition holds, by method: the page that a cursor asks for, the first by the empty string. */
  readonly lists: ReadonlyMap<string, (cursor: string) => Page | undefined>
}

/** A page of a list, also as text. */
interface Page {
  readonly result: JsonObject
  readonly text: string
}

export function compile(definition: Definition, limits: Required<ServerMachineOptions>): Compiled {
  const { info, instructions, capabilities, revisions, tools, prompts } = definition
  const spoken = new Map(revisions.map((revision) => [revision.name, speak(definition, revision)]))
  const supported = [...spoken.keys()]
  return {
    definition,
    newest: spoken.get(supported[0]!)!,
    spoken,
    supported,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    prompts: new Map(prompts.map((prompt) => [prompt.name, prompt])),
    digest: digestOf([supported, info, instructions ?? null, capabilities]),
    limits
  }
}

function speak(definition: Definition, revision: Revision): Spoken {
  const { capabilities, tools, resources, templates, prompts, pageSize } = definition
  const undeclared = (needs: Need | undefined) =>
    needs?.startsWith("server.") === true && !announced(capabilities, pathOf(needs)) ? pathOf(needs) : undefined
  const list = (member: string, items: ReadonlyArray<JsonObject>, narrow: (item: JsonObject) => JsonObject) => {
    let pages: ReturnType<typeof paged> | undefined
    return (cursor: string) => (pages ??= paged(pageSize, member, items.map(narrow)))(cursor)
  }
  return {
    revision,
    entries: new Map(
      Object.entries(revision.client).map(([method, row]) => [method, { row, undeclared: undeclared(row.needs) }])
    ),
    lists: new Map([
      ["tools/list", list("tools", tools, (item) => narrowedTool(revision, item))],
      ["prompts/list", list("prompts", prompts, (item) => narrowed(revision, "Prompt", item))],
      ["resources/list", list("resources", resources, (item) => narrowed(revision, "Resource", item))],
      [
        "resources/templates/list",
        list("resourceTemplates", templates, (item) => narrowed(revision, "ResourceTemplate", item))
      ]
    ])
  }
}

/**
 * A cursor names the item its page follows, so a walk goes on where it was when items come or go elsewhere in the list. Pages
 * that a walk of the list as it is comes by are prepared once.
 */
function paged(
  pageSize: number,
  member: string,
  items: ReadonlyArray<JsonObject>
): (cursor: string) => Page | undefined {
  const size = Math.max(1, pageSize)
  const starts = new Map(items.map((item, at) => [cursorAfter(item), at + 1]))
  const prepared = new Map<number, Page>()
  const page = (from: number): Page => {
    const slice = items.slice(from, from + size)
    const nextCursor = from + size < items.length ? cursorAfter(slice[slice.length - 1]!) : undefined
    const result = nextCursor === undefined ? { [member]: slice } : { [member]: slice, nextCursor }
    return { result, text: JSON.stringify(result) }
  }
  return (cursor) => {
    const from = cursor === "" ? 0 : starts.get(cursor)
    if (from === undefined) return undefined
    const known = prepared.get(from)
    if (known !== undefined) return known
    const made = page(from)
    if (from % size === 0) prepared.set(from, made)
    return made
  }
}

const cursorAfter = (item: JsonObject): string => `after:${String(item["uri"] ?? item["uriTemplate"] ?? item["name"])}`
