/** The opening, seen from the client: propose a revision, take what the server makes of it, or say why not. */
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import type { ErrorReply, ResultReply } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import { narrowClientCapabilities, narrowImplementation } from "../narrow.js"
import { sanitised } from "../peer.js"
import type { Revision } from "../revision.js"
import type { RequestRow } from "../row.js"
import { close } from "./ending.js"
import { explain } from "./explain.js"
import type { Setup } from "./definition.js"
import type { Phase, State } from "./state.js"
import { inPhase, withSent } from "./state.js"
import type { CallError, ClientTimer, Output } from "./vocabulary.js"

type Opening = Extract<Phase, { _tag: "Opening" }>

export function open(setup: Setup, state: State): Step<State, Output> {
  if (state.phase._tag !== "Unopened") return [state, []]
  const [next, outputs] = propose(setup, state, setup.definition.revisions[0]!, false)
  return [next, [{ _tag: "StartTimer", timer: opening, ms: setup.limits.openingMs }, ...outputs]]
}

export function openingAnswered(
  setup: Setup,
  state: State,
  phase: Opening,
  { result }: ResultReply
): Step<State, Output> {
  const asked = setup.definition.revisions.find(({ name }) => name === phase.asked)!
  const problem = (asked.client["initialize"] as RequestRow).result(result)
  if (problem !== undefined) return openingFailed(state, { _tag: "ResultInvalid", method: "initialize", problem })
  const offered = result["protocolVersion"] as string
  const revision = setup.definition.revisions.find(({ name }) => name === offered)
  if (revision === undefined)
    return openingFailed(state, { _tag: "VersionUnsupported", asked: phase.asked, offered, spoken: spoken(setup) })
  const { capabilities, wrong } = sanitised(result["capabilities"] as JsonObject, revision.features.serverCapabilities)
  const peer = { revision: revision.name, capabilities, info: result["serverInfo"] as JsonObject }
  return [
    inPhase(state, { _tag: "Open", peer }),
    [
      { _tag: "StopTimer", timer: opening },
      send({ jsonrpc: "2.0", method: "notifications/initialized" }),
      { _tag: "Opened", asked: phase.asked, peer, instructions: result["instructions"] as string | undefined },
      { _tag: "Report", report: { _tag: "Agreed", asked: phase.asked, peer, wrong } }
    ]
  ]
}

/** A server that names the versions it speaks gets one more try with the newest that we share. */
export function openingRefused(setup: Setup, state: State, phase: Opening, { error }: ErrorReply): Step<State, Output> {
  const supported = member(error.data, "supported")
  const shared = Array.isArray(supported)
    ? setup.definition.revisions.find(
        ({ name }) => name !== phase.asked && (supported as ReadonlyArray<unknown>).includes(name)
      )
    : undefined
  if (shared !== undefined && !phase.retried) return propose(setup, state, shared, true)
  return openingFailed(state, { _tag: "Answered", method: "initialize", error })
}

/** Every revision, basic/utilities/cancellation: initialize is never cancelled; when it takes too long we close instead. */
export function openingTimedOut(setup: Setup, state: State): Step<State, Output> {
  if (state.phase._tag !== "Opening") return [state, []]
  return openingFailed(state, { _tag: "TimedOut", method: "initialize", ms: setup.limits.openingMs, total: true })
}

export function openingFailed(state: State, failure: CallError): Step<State, Output> {
  const [next, outputs] = close(state, `the opening failed: ${explain(failure)}`)
  return [next, [{ _tag: "StopTimer", timer: opening }, { _tag: "OpenFailed", failure }, ...outputs]]
}

function propose(setup: Setup, state: State, revision: Revision, retried: boolean): Step<State, Output> {
  const id = state.last + 1
  const { info, capabilities } = setup.definition
  const params = {
    protocolVersion: revision.name,
    capabilities: narrowClientCapabilities(capabilities, revision.features),
    clientInfo: narrowImplementation(info, revision.features)
  }
  return [
    inPhase(withSent(state, state.sent, id), { _tag: "Opening", id, asked: revision.name, retried }),
    [send({ jsonrpc: "2.0", id, method: "initialize", params })]
  ]
}

const opening: ClientTimer = { of: "opening", call: 0 }

const send = (message: Extract<Output, { _tag: "Send" }>["message"]): Output => ({
  _tag: "Send",
  message,
  via: undefined,
  last: false,
  text: undefined
})

const spoken = (setup: Setup): ReadonlyArray<string> => setup.definition.revisions.map(({ name }) => name)
