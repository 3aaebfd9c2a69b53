/** The opening, seen from the client: propose a revision, take what the server makes of it, or say why not. */
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import type { ErrorReply, RequestId, ResultReply } from "../jsonrpc.js"
import { narrowed } from "../narrow.js"
import { sanitised } from "../peer.js"
import type { Revision } from "../revision.js"
import type { RequestRow } from "../row.js"
import type { Setup } from "./definition.js"
import { close } from "./ending.js"
import { explain } from "./explain.js"
import { opening, openingOver, reported, send, start, tell } from "./outputs.js"
import { takesForms } from "./question.js"
import type { Next, State } from "./state.js"
import { becoming } from "./state.js"
import type { CallError } from "./vocabulary.js"

const method = "initialize"

export function open(setup: Setup, state: State): Next {
  if (state.phase._tag !== "Unopened") return [state, []]
  const [next, outputs] = propose(setup, state, setup.definition.revisions[0]!, false)
  return [next, [start(opening, setup.limits.openingMs), ...outputs]]
}

/** Undefined when it answers something else; so it is with the two that follow. */
export function openingAnswered(setup: Setup, state: State, { id, result }: ResultReply): Next | undefined {
  if (state.phase._tag !== "Opening" || state.phase.id !== id) return undefined
  const { revisions } = setup.definition
  const { asked } = state.phase
  const proposed = revisions.find(({ name }) => name === asked)!
  const problem = (proposed.client[method] as RequestRow).result(result)
  if (problem !== undefined) return openingFailed(state, { _tag: "ResultInvalid", method, problem })
  const offered = result["protocolVersion"] as string
  const revision = revisions.find(({ name }) => name === offered)
  const spoken = revisions.map(({ name }) => name)
  if (revision === undefined) return openingFailed(state, { _tag: "VersionUnsupported", asked, offered, spoken })
  const { capabilities, wrong } = sanitised(result["capabilities"] as JsonObject, revision, "server")
  const peer = { revision: revision.name, capabilities, info: result["serverInfo"] as JsonObject }
  return [
    becoming(state, { phase: { _tag: "Open", peer } }),
    [
      openingOver,
      tell("notifications/initialized"),
      { _tag: "Opened", asked, peer, instructions: result["instructions"] as string | undefined },
      reported({ _tag: "Agreed", asked, peer, wrong })
    ]
  ]
}

/** A server that names the versions it speaks gets one more try with the newest that we share. */
export function openingRefused(setup: Setup, state: State, { id, error }: ErrorReply): Next | undefined {
  if (state.phase._tag !== "Opening" || state.phase.id !== id) return undefined
  const { asked, retried } = state.phase
  const supported = member(error.data, "supported")
  const named: ReadonlyArray<unknown> = Array.isArray(supported) && !retried ? supported : []
  const shared = setup.definition.revisions.find(({ name }) => name !== asked && named.includes(name))
  return shared ? propose(setup, state, shared, true) : openingFailed(state, { _tag: "Answered", method, error })
}

/** The proposal could not be sent, or what came back not be read. */
export const openingBroken = (state: State, id: RequestId, failure: CallError): Next | undefined =>
  state.phase._tag === "Opening" && state.phase.id === id ? openingFailed(state, failure) : undefined

/** Every revision, basic/utilities/cancellation: initialize is never cancelled; when it takes too long we close instead. */
export function openingTimedOut(setup: Setup, state: State): Next {
  if (state.phase._tag !== "Opening") return [state, []]
  return openingFailed(state, { _tag: "TimedOut", method, ms: setup.limits.openingMs, total: true })
}

export function openingFailed(state: State, failure: CallError): Next {
  const [next, outputs] = close(state, `the opening failed: ${explain(failure)}`)
  return [next, [openingOver, { _tag: "OpenFailed", failure }, ...outputs]]
}

function propose(setup: Setup, state: State, revision: Revision, retried: boolean): Next {
  const id = state.last + 1
  const { info, capabilities } = setup.definition
  const params = {
    protocolVersion: revision.name,
    capabilities: proposable(revision, capabilities),
    clientInfo: narrowed(revision, "Implementation", info)
  }
  return [
    becoming(state, { phase: { _tag: "Opening", id, asked: revision.name, retried }, last: id }),
    [send({ jsonrpc: "2.0", id, method, params })]
  ]
}

/** Where elicitation has no modes it means forms; a client that only takes pages has none then. */
function proposable(revision: Revision, capabilities: JsonObject): JsonObject {
  const kept = narrowed(revision, "ClientCapabilities", capabilities)
  if (kept["elicitation"] === capabilities["elicitation"] || takesForms(capabilities)) return kept
  return Object.fromEntries(Object.entries(kept).filter(([name]) => name !== "elicitation"))
}
