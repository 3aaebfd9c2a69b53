/** Everything there is to see of a server: how it opened, what it declared, and all its lists. */
import type { CallOptions, Client } from "@parley/client"
import type { Listing } from "@parley/client"
import type { JsonObject, Prompt, Report, Resource, ResourceTemplate, Tool } from "@parley/core"
import type { Aside } from "./aside.js"
import { gathered } from "./gather.js"
import type { Listed } from "./listed.js"
import { listed } from "./listed.js"
import { probed } from "./probe.js"
import { isRecord } from "./schema.js"
import type { Entry } from "./transcript.js"
import type { Trouble } from "./trouble.js"
import type { Visit } from "./visit.js"

export interface Survey {
  /** The command as it was typed. */
  readonly command: string
  readonly asked: string
  readonly revision: string
  readonly server: JsonObject
  readonly instructions: string | undefined
  /** As they were sent, with what is not understood. */
  readonly capabilities: JsonObject
  /** What is understood of them. */
  readonly understood: JsonObject
  /** Until the session was open, and what the server sent by itself after that. */
  readonly handshake: ReadonlyArray<Entry>
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
  /** What ended the survey before its time. */
  readonly trouble: Trouble | undefined
}

/** So many times as long as one page all pages of a list may take. */
const WHOLE = 2

export async function survey(
  { client, channel, transcript, reports, patience, apart }: Visit,
  { command, probe, timeoutMs }: { readonly command: string; readonly probe: boolean; readonly timeoutMs: number },
  aside: Aside
): Promise<Survey> {
  apart()
  const options: CallOptions = { signal: patience.signal!, timeoutMs, totalMs: timeoutMs * WHOLE }
  let changes = 0
  for (const family of ["tools", "resources", "prompts"] as const)
    client.on(`notifications/${family}/list_changed`, () => changes++)
  const list = <A>(method: string, what: string, ask: (options: CallOptions) => Listing<A>) => {
    aside.doing(`listing ${what} …`)
    const source = { pages: () => ask(options).pages(), size: () => transcript.size(method), changes: () => changes }
    return listed<A>(method, () => gathered(source), transcript, reports)
  }
  const tools = await list<Tool>("tools/list", "tools", client.tools)
  const resources = await list<Resource>("resources/list", "resources", client.resources)
  const templates = await list<ResourceTemplate>("resources/templates/list", "templates", client.resourceTemplates)
  const prompts = await list<Prompt>("prompts/list", "prompts", client.prompts)
  const found = probe ? await probed(channel, client) : new Map<string, number>()
  const known = <A>(method: string, list: Listed<A>): Listed<A> =>
    list._tag === "Undeclared" ? { _tag: "Undeclared", found: found.get(method) } : list
  return {
    ...opening(client, transcript.entries),
    command,
    tools: known("tools/list", tools),
    resources: known("resources/list", resources),
    templates: known("resources/templates/list", templates),
    prompts: known("prompts/list", prompts)
  }
}

function opening({ peer, asked, instructions }: Client, entries: ReadonlyArray<Entry>) {
  const done = entries.findIndex(({ what, from }) => from === "us" && what === "notifications/initialized")
  const replied = entries.slice(0, done).findLast(({ message }) => isRecord(message) && isRecord(message["result"]))
  const result = ((replied?.message as JsonObject | undefined)?.["result"] ?? {}) as JsonObject
  const unasked = entries
    .slice(done + 1)
    .filter(({ from, message }) => from === "server" && isRecord(message) && "method" in message)
  const first = entries.find(({ what, from }) => from === "us" && what === "initialize")
  return {
    asked: proposed(first?.message) ?? asked,
    revision: peer.revision,
    server: peer.info,
    instructions,
    capabilities: isRecord(result["capabilities"]) ? result["capabilities"] : peer.capabilities,
    understood: peer.capabilities,
    handshake: [...entries.slice(0, done + 1), ...unasked],
    openedMs: replied?.at ?? 0
  }
}

/** The version in an initialize of ours. A client that was refused one tries another. */
function proposed(message: unknown): string | undefined {
  const params = isRecord(message) ? message["params"] : undefined
  const version = isRecord(params) ? params["protocolVersion"] : undefined
  return typeof version === "string" ? version : undefined
}
