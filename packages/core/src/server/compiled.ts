/** A definition made ready to run: one lookup per method and tool, and lists as prepared text. */
import type { Definition, PromptDefinition, ToolDefinition } from "../definition.js"
import { announced } from "../definition.js"
import { digestOf } from "../digest.js"
import { announcesExtension } from "../extension.js"
import type { JsonObject } from "../json.js"
import { narrowed, narrowedItem } from "../narrow.js"
import type { Revision, RevisionName } from "../revision.js"
import type { RequestRow, Row } from "../row.js"
import type { Eras } from "./era.js"
import { erasOf } from "./era.js"
import type { ServerMachineOptions } from "./machine.js"
import { pathOf } from "./offers.js"
import type { Stamp } from "./stamp.js"
import { stampOf, stamped } from "./stamp.js"

export interface Compiled extends Eras {
  readonly definition: Definition
  /** What is spoken before the two sides agree: the newest handshake revision, or the newest where there is none. */
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
  /** What we are, where that is asked for. */
  readonly discovery: () => Page
  /** What every result says, where results say anything of the kind. */
  readonly stamp: Stamp | undefined
}

/** A page of a list, also as text. */
interface Page {
  readonly result: JsonObject
  readonly text: string
}

export function compile(definition: Definition, limits: Required<ServerMachineOptions>): Compiled {
  const { info, instructions, capabilities, revisions, tools, prompts } = definition
  const supported = revisions.map(({ name }) => name)
  const { handshake, perRequest, own } = erasOf(revisions)
  const spoken = new Map(revisions.map((revision) => [revision.name, speak(definition, revision, perRequest)]))
  return {
    definition,
    newest: spoken.get(handshake[0] ?? perRequest[0]!)!,
    spoken,
    supported,
    handshake,
    perRequest,
    own,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    prompts: new Map(prompts.map((prompt) => [prompt.name, prompt])),
    digest: digestOf([supported, info, instructions ?? null, capabilities]),
    limits
  }
}

function speak(definition: Definition, revision: Revision, perRequest: ReadonlyArray<RevisionName>): Spoken {
  const { instructions, capabilities, tools, resources, templates, prompts, pageSize } = definition
  const undeclared = ({ needs, extension }: Row) => {
    if (extension !== undefined && !announcesExtension(capabilities, extension)) return `extensions.${extension}`
    return needs?.startsWith("server.") === true && !announced(capabilities, pathOf(needs)) ? pathOf(needs) : undefined
  }
  const stamp = stampOf(revision, definition)
  const pageOf = (method: string) => (result: JsonObject) => {
    const whole = stamped(stamp, method, result)
    return { result: whole, text: JSON.stringify(whole) }
  }
  const list = (method: string, items: ReadonlyArray<JsonObject>) => {
    const row = revision.client[method] as RequestRow
    let pages: ReturnType<typeof paged> | undefined
    const narrow = (item: JsonObject) => narrowedItem(revision, method, item)
    const at = (cursor: string) =>
      (pages ??= paged(pageSize, row.paginated!, items.map(narrow), pageOf(method)))(cursor)
    return [method, at] as const
  }
  let discovery: Page | undefined
  return {
    revision,
    stamp,
    discovery: () =>
      (discovery ??= pageOf("server/discover")({
        supportedVersions: perRequest,
        capabilities: narrowed(revision, revision.capabilities.server, capabilities),
        instructions
      })),
    entries: new Map(
      Object.entries(revision.client).map(([method, row]) => [method, { row, undeclared: undeclared(row) }])
    ),
    lists: new Map([
      list("tools/list", tools),
      list("prompts/list", prompts),
      list("resources/list", resources),
      list("resources/templates/list", templates)
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
  items: ReadonlyArray<JsonObject>,
  whole: (result: JsonObject) => Page
): (cursor: string) => Page | undefined {
  const size = Math.max(1, pageSize)
  const starts = new Map(items.map((item, at) => [cursorAfter(item), at + 1]))
  const prepared = new Map<number, Page>()
  const page = (from: number): Page => {
    const slice = items.slice(from, from + size)
    const nextCursor = from + size < items.length ? cursorAfter(slice[slice.length - 1]!) : undefined
    return whole(nextCursor === undefined ? { [member]: slice } : { [member]: slice, nextCursor })
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
