/** Everything there is to see of a server: how it opened, what it declared, and all its lists. */
import type { CallOptions, Client } from "@parley/client"
import type { Listing } from "@parley/client"
import type { JsonObject, Prompt, Report, Resource, ResourceTemplate, Tool } from "@parley/core"
import type { Aside } from "./aside.js"
import type { Era, Restarted } from "./era.js"
import { eraOf, foundOut } from "./era.js"
import { gathered } from "./gather.js"
import type { Listed } from "./listed.js"
import { listed } from "./listed.js"
import { probed } from "./probe.js"
import { isRecord } from "./schema.js"
import type { ServerAt } from "./server-at.js"
import type { Entry } from "./transcript.js"
import type { Trouble } from "./trouble.js"
import type { Visit } from "./visit.js"
import type { Exchanged } from "./web.js"

export interface Survey {
  /** What starts it, or its address. */
  readonly at: ServerAt
  /** What went over HTTP until it was open; nothing for a server that was started. */
  readonly web: ReadonlyArray<Exchanged>
  readonly asked: string
  readonly revision: string
  readonly server: JsonObject
  readonly instructions: string | undefined
  /** As they were sent, with what is not understood. */
  readonly capabilities: JsonObject
  /** What is understood of them. */
  readonly understood: JsonObject
  readonly era: Era
  /** What went over the wire until the session was open, and what the server sent by itself after that. */
  readonly opening: ReadonlyArray<Entry>
  /** Milliseconds from the start of the command to the answer. */
  readonly openedMs: number
  readonly tools: Listed<Tool>
  readonly resources: Listed<Resource>
  readonly templates: Listed<ResourceTemplate>
  readonly prompts: Listed<Prompt>
}

/** What is seen only when the visit is over. */
export interface Aftermath {
  readonly reports: ReadonlyArray<Report>
  readonly stray: { readonly first: ReadonlyArray<string>; readonly count: number }
  readonly stderr: ReadonlyArray<string>
  readonly left: { readonly code: number | null; readonly signal: string | null } | undefined
  /** How it ended the first time, when it had to be started again. */
  readonly restarted: Restarted | undefined
  /** What ended the survey before its time. */
  readonly trouble: Trouble | undefined
}

/** So many times as long as one page all pages of a list may take. */
const WHOLE = 2

export async function survey(
  { client, overhear, restarted, transcript, reports, patience, apart, web }: Visit,
  { at, probe, timeoutMs }: { readonly at: ServerAt; readonly probe: boolean; readonly timeoutMs: number },
  aside: Aside
): Promise<Survey> {
  apart()
  const opening = [...web()]
  const options: CallOptions = { signal: patience.signal!, timeoutMs, totalMs: timeoutMs * WHOLE }
  const changes = (method: string): number => transcript.heard(`notifications/${method.split("/")[0]}/list_changed`)
  const list = <A>(method: string, what: string, ask: (options: CallOptions) => Listing<A>) => {
    aside.doing(`listing ${what} …`)
    const source = {
      pages: () => ask(options).pages(),
      size: () => transcript.size(method),
      changes: () => changes(method)
    }
    return listed<A>(method, () => gathered(source), transcript, reports)
  }
  const tools = await list<Tool>("tools/list", "tools", client.tools)
  const resources = await list<Resource>("resources/list", "resources", client.resources)
  const templates = await list<ResourceTemplate>("resources/templates/list", "templates", client.resourceTemplates)
  const prompts = await list<Prompt>("prompts/list", "prompts", client.prompts)
  const found = probe ? await probed(overhear, client, transcript.entries) : new Map<string, number>()
  const known = <A>(method: string, list: Listed<A>): Listed<A> =>
    list._tag === "Undeclared" ? { _tag: "Undeclared", found: found.get(method) } : list
  return {
    ...opened(client, transcript.entries, restarted()),
    at,
    web: opening,
    tools: known("tools/list", tools),
    resources: known("resources/list", resources),
    templates: known("resources/templates/list", templates),
    prompts: known("prompts/list", prompts)
  }
}

function opened(
  { peer, asked, instructions }: Client,
  entries: ReadonlyArray<Entry>,
  restarted: Restarted | undefined
) {
  const done = entries.findIndex(eraOf(peer.revision) === "request" ? isDiscovered : isInitialized)
  const opening = entries.slice(0, done + 1)
  const replied = opening.findLast(({ from, message }) => from === "server" && isRecord(message) && "result" in message)
  const result = ((replied?.message as JsonObject | undefined)?.["result"] ?? {}) as JsonObject
  const unasked = entries
    .slice(done + 1)
    .filter(({ from, message }) => from === "server" && isRecord(message) && "method" in message)
  const first = opening.find(({ what, from }) => from === "us" && what === "initialize")
  return {
    era: foundOut(peer.revision, opening, restarted),
    asked: eraOf(peer.revision) === "request" ? asked : (proposed(first?.message) ?? asked),
    revision: peer.revision,
    server: peer.info ?? {},
    instructions,
    capabilities: isRecord(result["capabilities"]) ? result["capabilities"] : peer.capabilities,
    understood: peer.capabilities,
    opening: [...opening, ...unasked],
    openedMs: replied?.at ?? 0
  }
}

const isInitialized = ({ from, what }: Entry): boolean => from === "us" && what === "notifications/initialized"

const isDiscovered = ({ from, message }: Entry): boolean =>
  from === "server" &&
  isRecord(message) &&
  isRecord(message["result"]) &&
  Array.isArray(message["result"]["supportedVersions"])

/** The version in an initialize of ours. A client that was refused one tries another. */
function proposed(message: unknown): string | undefined {
  const params = isRecord(message) ? message["params"] : undefined
  const version = isRecord(params) ? params["protocolVersion"] : undefined
  return typeof version === "string" ? version : undefined
}
