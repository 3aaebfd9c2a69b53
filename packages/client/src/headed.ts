/** What a channel with headers says in them of a message (2026-07-28 basic/transports/streamable-http, Request Metadata). */
import type { Check, JsonObject, Revision } from "@parley/core"
import { annotations, isObject, member, valueAt } from "@parley/core"
import type { ClientState } from "@parley/core/client"
import type { Outgoing } from "@parley/driver"
import type { SessionOptions } from "./session.js"

/**
 * The revision, from the first message of it on, and where each request stands for itself, what it is about: its method, what it
 * names as its row says, and those of a tool's arguments that the tool wants there.
 */
export function headed(
  { definition, mirrored }: Pick<SessionOptions, "definition" | "mirrored">,
  phase: ClientState["phase"],
  message: Outgoing["message"]
): Pick<Outgoing, "revision" | "mirror"> {
  const { method, params } = (Array.isArray(message) ? {} : message) as {
    readonly method?: string
    readonly params?: JsonObject
  }
  // It is what a session begins with, and says by itself what it proposes.
  if (method === "initialize") return {}
  const name = phase._tag === "Open" ? phase.peer.revision : member(params?.["_meta"], protocolVersion)
  const revision = definition.revisions.find((one) => one.name === name)
  if (revision === undefined) return {}
  if (revision.opening === "handshake" || method === undefined) return { revision: revision.name }
  const row = revision.client[method]
  const about = row?.kind === "request" && row.header !== undefined ? member(params, row.header) : undefined
  const mirror: Array<readonly [string, string]> = [["Mcp-Method", method]]
  if (typeof about === "string") mirror.push(["Mcp-Name", about])
  if (method === "tools/call" && params !== undefined) mirror.push(...mirrored(params))
  return { revision: revision.name, mirror }
}

/**
 * The revision in which a tool is no tool when its headers can not be said: such a tool is left out of the list, and the others
 * stay (Schema Extension).
 */
export function withoutMisheaded(revision: Revision): Revision {
  const item = revision.items["tools/list"]!
  const check: Check = (tool) => {
    const found = annotationsOf(member(tool, "inputSchema"))
    return (
      item(tool) ?? (found.ok ? undefined : { at: "inputSchema", expected: `headers that can be said: ${found.error}` })
    )
  }
  return { ...revision, items: { ...revision.items, "tools/list": check } }
}

/** The headers of a call of this tool. */
export function headersFor(inputSchema: unknown, args: unknown): ReadonlyArray<readonly [string, string]> {
  const found = annotationsOf(inputSchema)
  if (!found.ok) return []
  return found.value.flatMap((one) => {
    const value = valueAt(args, one)
    return value === undefined ? [] : [[one.header, value] as const]
  })
}

/** They are looked for once in each schema, and asked for with each call. */
function annotationsOf(inputSchema: unknown): ReturnType<typeof annotations> {
  if (!isObject(inputSchema)) return annotations(inputSchema)
  const found = searched.get(inputSchema) ?? annotations(inputSchema)
  searched.set(inputSchema, found)
  return found
}

const searched = new WeakMap<object, ReturnType<typeof annotations>>()

const protocolVersion = "io.modelcontextprotocol/protocolVersion"
