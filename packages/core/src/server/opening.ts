/** The opening: what a version that was asked for comes to, and what we say of ourselves in return. */
import type { JsonObject } from "../json.js"
import { narrowed } from "../narrow.js"
import type { Peer } from "../peer.js"
import { sanitised } from "../peer.js"
import type { Revision, RevisionName } from "../revision.js"
import type { Compiled } from "./compiled.js"
import { reported } from "./outputs.js"
import { refuse, succeed } from "./reply.js"
import type { Next, Served, State } from "./state.js"
import { becoming } from "./state.js"

/** Params are known to be well-formed. The version in force is the one asked for whenever we speak it. */
export function initialize(compiled: Compiled, state: State, about: Served, params: JsonObject): Next {
  const { definition, spoken, newest, supported } = compiled
  const asked = params["protocolVersion"] as string
  const agreed = spoken.get(asked as RevisionName) ?? (definition.unsupported === "offer" ? newest : undefined)
  if (agreed === undefined)
    return refuse(compiled, state, about, { _tag: "VersionUnsupported", requested: asked, supported })
  const { revision } = agreed
  const { capabilities, wrong } = sanitised(params["capabilities"] as JsonObject, revision, "client")
  const peer: Peer = { revision: revision.name, capabilities, info: params["clientInfo"] as JsonObject }
  const opened = becoming(state, { phase: { _tag: "Opened", peer, changed: [], updated: [] } })
  const [next, outputs] = succeed(compiled, opened, about, announcement(compiled, revision))
  return [next, [...outputs, reported({ _tag: "Agreed", asked, peer, wrong })]]
}

function announcement({ definition }: Compiled, revision: Revision): JsonObject {
  const { info, capabilities, instructions } = definition
  const result: Record<string, JsonObject[string]> = {
    protocolVersion: revision.name,
    capabilities: narrowed(revision, "ServerCapabilities", capabilities),
    serverInfo: narrowed(revision, "Implementation", info)
  }
  if (instructions !== undefined) result["instructions"] = instructions
  return result
}
