/** The opening: who asks, and by which revision, once for all by `initialize` or with every request by its envelope. */
import { problem, within } from "../check.js"
import * as key from "../envelope.js"
import type { Failure } from "../failure.js"
import type { JsonObject } from "../json.js"
import { isObject } from "../json.js"
import { narrowed } from "../narrow.js"
import type { Peer } from "../peer.js"
import { sanitised } from "../peer.js"
import type { Revision, RevisionName } from "../revision.js"
import type { Compiled, Spoken } from "./compiled.js"
import { claims } from "./era.js"
import { spokenIn } from "./gate.js"
import { ignored, reported } from "./outputs.js"
import { refuse, succeed } from "./reply.js"
import type { Next, Params, Phase, Served, State } from "./state.js"
import { becoming, peerOf } from "./state.js"
import type { Input } from "./vocabulary.js"

/** How a message came, beside what it says. */
export type From = Pick<Extract<Input, { _tag: "Received" }>, "via" | "header" | "principal">

/** Who asks. After this nobody wants to know how the two sides came to agree. */
export interface Asker {
  readonly _tag: "Asker"
  readonly spoken: Spoken
  /** Nobody yet before `initialize`. */
  readonly peer: Peer | undefined
  readonly moment: Phase["_tag"]
  /** The least severe log message that the request itself wants; nothing where it does not say. */
  readonly level: string | undefined
  /** On whose behalf it comes, where that is known. */
  readonly principal: string | undefined
  /** The capabilities that were not understood. */
  readonly wrong: ReadonlyArray<string>
}

export function askerOf(
  compiled: Compiled,
  phase: Phase,
  method: string,
  params: Params,
  { header, principal }: From
): Asker | Failure {
  const meta = params?.["_meta"]
  const version = isObject(meta) ? meta[key.protocolVersion] : undefined
  if (!claims(compiled, method, meta, header, "peer" in phase))
    return asker(spokenIn(compiled, phase), peerOf(phase), phase._tag, principal)
  const supported = compiled.perRequest
  // A handshake is opened without an envelope: the version that the header names is not the one that initialize asks for.
  if (header !== undefined && header !== version && (version !== undefined || method === "initialize"))
    return { _tag: "HeaderMismatch", header, body: version }
  if (typeof version !== "string") {
    const wrong = isObject(meta) ? problem(`_meta.${key.protocolVersion}`, "a string") : problem("_meta", "an object")
    return { _tag: "EnvelopeInvalid", method, problem: wrong, supported }
  }
  const spoken = compiled.spoken.get(version as RevisionName)
  if (spoken?.revision.envelope === undefined) return { _tag: "RevisionUnsupported", requested: version, supported }
  const { revision } = spoken
  const wrong = revision.envelope!(meta)
  if (wrong !== undefined) return { _tag: "EnvelopeInvalid", method, problem: within("_meta", wrong), supported }
  return asks(spoken, meta as JsonObject, principal)
}

function asks(spoken: Spoken, meta: JsonObject, principal: string | undefined): Asker {
  const { revision } = spoken
  const { capabilities, wrong } = sanitised(meta[key.clientCapabilities] as JsonObject, revision, "client")
  const info = meta[key.clientInfo] as JsonObject | undefined
  const level = meta[key.logLevel] as string | undefined
  const peer: Peer = { revision: revision.name, capabilities, info }
  return asker(spoken, peer, "Ready", principal, level, wrong)
}

const asker = (
  spoken: Spoken,
  peer: Peer | undefined,
  moment: Phase["_tag"],
  principal: string | undefined,
  level?: string,
  wrong: ReadonlyArray<string> = []
): Asker => ({ _tag: "Asker", spoken, peer, moment, level, principal, wrong })

/** Params are known to be well-formed. The version in force is the one asked for whenever we speak it. */
export function initialize(compiled: Compiled, state: State, about: Served, params: JsonObject): Next {
  const { definition, spoken, newest, handshake: supported } = compiled
  const asked = params["protocolVersion"] as string
  const known = supported.includes(asked as RevisionName) ? spoken.get(asked as RevisionName) : undefined
  const agreed = known ?? (definition.unsupported === "offer" ? newest : undefined)
  if (agreed === undefined)
    return refuse(compiled, state, about, { _tag: "VersionUnsupported", requested: asked, supported })
  const { revision } = agreed
  const { capabilities, wrong } = sanitised(params["capabilities"] as JsonObject, revision, "client")
  const peer: Peer = { revision: revision.name, capabilities, info: params["clientInfo"] as JsonObject }
  const opened = becoming(state, { phase: { _tag: "Opened", peer, held: [] } })
  const [next, outputs] = succeed(compiled, opened, about, announcement(compiled, revision))
  return [next, [...outputs, reported({ _tag: "Agreed", asked, peer, wrong })]]
}

/** What we say of ourselves to who only asks. */
export function discover(compiled: Compiled, state: State, about: Served, { spoken, peer, wrong }: Asker): Next {
  const { result, text } = spoken.discovery()
  const [next, outputs] = succeed(compiled, state, about, result, text)
  return [next, [...outputs, reported({ _tag: "Agreed", asked: peer!.revision, peer: peer!, wrong })]]
}

/** What a request says of its client and we do not understand counts as not said. */
export const misunderstood = (state: State, { id, method, peer }: Served, wrong: ReadonlyArray<string>) =>
  ignored(state, method, id, `capabilities of a wrong type count as undeclared: ${wrong.join(", ")}`, peer)[1]

function announcement({ definition }: Compiled, revision: Revision): JsonObject {
  const { info, capabilities, instructions } = definition
  const result: Record<string, JsonObject[string]> = {
    protocolVersion: revision.name,
    capabilities: narrowed(revision, revision.capabilities.server, capabilities),
    serverInfo: narrowed(revision, revision.info, info)
  }
  if (instructions !== undefined) result["instructions"] = instructions
  return result
}
