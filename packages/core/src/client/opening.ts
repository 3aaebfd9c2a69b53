/** The opening, seen from the client: by `server/discover` or by `initialize`, whichever the server understands. After it nobody asks which. */
import type { JsonObject } from "../json.js"
import type { Envelope, ErrorObject, RequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import { sanitised } from "../peer.js"
import type { RequestRow } from "../row.js"
import type { Setup, Spoken } from "./definition.js"
import { among, discover, found, isFound, isModern, unsupported, versionsIn } from "./discover.js"
import type { Found } from "./discover.js"
import { close } from "./ending.js"
import { explain } from "./explain.js"
import { reported, send, start, stop, tell } from "./outputs.js"
import { proven } from "./prior.js"
import { reopened, unopened } from "./reopening.js"
import { namesOf } from "./spoken.js"
import type { Attempt, Next, Open, Opening, Refusal, State } from "./state.js"
import { becoming, openingBecoming, unanswered } from "./state.js"
import type { CallError, ClientTimer, Output, Prior } from "./vocabulary.js"

export const initialize = "initialize"

/** There is one opening, and its timers need no number. */
export const opening: ClientTimer = { of: "opening", call: 0 }
const probing: ClientTimer = { of: "probe", call: 0 }
const probingOver = stop("probe", 0)

export function open(setup: Setup, state: State): Next {
  if (state.phase._tag !== "Unopened") return [state, []]
  const { prior, modern, legacy, definition, limits } = setup
  if (prior?._tag === "Discovered" && modern.length > 0) {
    const remembered = found(setup, modern[0]!, prior.result)
    if (isFound(remembered)) return discovered(state, modern[0]!, prior.result, remembered, "needed")
  }
  const handshake = legacy.length > 0 && (definition.prefer === "oldest" || prior?._tag === "Handshake")
  const [next, outputs] =
    handshake || modern.length === 0
      ? propose(setup, state, unanswered, legacy[0]!)
      : probe(setup, state, unanswered, modern[0]!)
  return [next, [start(opening, limits.openingMs), ...outputs]]
}

/**
 * What came in reply to a request: a result, an error, or nothing that can be read, or the request was not sent. `final`: another
 * way of opening would end in the same.
 */
export type Reply =
  | Extract<Envelope, { readonly _tag: "Result" | "Error" }>
  | { readonly _tag: "Broken"; readonly failure: (method: string) => CallError; readonly final?: boolean }

/** Undefined when it answers something else. */
export function openingReplied(
  setup: Setup,
  state: State,
  id: RequestId | null | undefined,
  reply: Reply
): Next | undefined {
  const { phase } = state
  if (state.reopening !== 0 && state.reopening === id) return reopened(setup, state, reply)
  if (phase._tag === "Open")
    return typeof phase.proof === "number" && phase.proof === id ? proven(setup, state, phase, reply) : undefined
  if (phase._tag !== "Opening") return undefined
  const { proposal, probe } = phase
  if (awaits(proposal, id))
    switch (reply._tag) {
      case "Result":
        return agreed(setup, state, phase, proposal, reply.message.result)
      case "Error":
        return proposalRefused(setup, state, phase, proposal, reply.message.error)
      case "Broken":
        return failing(state, phase, reply.failure(initialize))
    }
  if (!awaits(probe, id)) return undefined
  switch (reply._tag) {
    case "Result":
      return probeAnswered(setup, state, phase, probe, reply.message.result)
    case "Error":
      return probeRefused(setup, state, phase, probe, reply.message.error)
    case "Broken":
      return unprobed(setup, state, phase, probe, reply.final ? undefined : setup.legacy[0], reply.failure(discover))
  }
}

const awaits = (attempt: Attempt | undefined, id: RequestId | null | undefined): attempt is Attempt =>
  attempt?.open === true && attempt.id === id

/** Every revision, basic/utilities/cancellation: initialize is never cancelled; when it takes too long we close instead. */
export function openingTimedOut(setup: Setup, state: State): Next {
  const { phase } = state
  if (state.reopening !== 0) return unopened(state, `initialize was not answered within ${setup.limits.openingMs} ms`)
  if (phase._tag !== "Opening") return [state, []]
  const method = phase.proposal === undefined ? discover : initialize
  return failing(state, phase, phase.refusal ?? { _tag: "TimedOut", method, ms: setup.limits.openingMs, total: true })
}

/** Undefined when it was over already. A server that had not answered the question yet may have been ended by it. */
export function openingClosed(state: State, why: string): Next | undefined {
  const { phase } = state
  if (phase._tag !== "Opening") return undefined
  return failing(state, phase, { _tag: "Closed", method: phase.probe?.open === true ? discover : initialize, why })
}

/** One way is met by silence: the other is tried too, and the late answer to either counts. */
export function probeTimedOut(setup: Setup, state: State): Next {
  const { phase } = state
  if (phase._tag !== "Opening" || !phase.timing) return [state, []]
  const { legacy, modern, limits } = setup
  const { proposal, refusal } = phase
  const quiet = openingBecoming(phase, { timing: false })
  // The server refused initialize and named what it speaks: it is asked again, once.
  const again = refusal?._tag === "Answered" ? among(modern, versionsIn(refusal.error)) : undefined
  const [next, outputs] =
    proposal?.open === true
      ? probe(setup, state, quiet, modern[0]!)
      : proposal === undefined && legacy.length > 0
        ? propose(setup, state, quiet, legacy[0]!)
        : again !== undefined && phase.probe?.retried === false
          ? probe(setup, state, quiet, again, true)
          : failing(state, quiet, refusal ?? { _tag: "TimedOut", method: discover, ms: limits.probeMs, total: false })
  return [next, [probingOver, ...outputs]]
}

/** Params are known to be well-formed. */
function agreed(setup: Setup, state: State, phase: Opening, { asked }: Attempt, result: JsonObject): Next {
  const proposed = among(setup.legacy, [asked])!
  const problem = (proposed.revision.client[initialize] as RequestRow).result(result)
  if (problem !== undefined) return failing(state, phase, { _tag: "ResultInvalid", method: initialize, problem })
  const offered = [result["protocolVersion"] as string]
  const revision = among(setup.legacy, offered)?.revision
  if (revision === undefined)
    return failing(state, phase, { _tag: "VersionUnsupported", asked, offered, spoken: namesOf(setup.spoken) })
  const { capabilities, wrong } = sanitised(result["capabilities"] as JsonObject, revision, "server")
  const peer = { revision: revision.name, capabilities, info: result["serverInfo"] as JsonObject }
  const [next, outputs] = opened(state, peer, wrong, asked, result, { _tag: "Handshake" })
  return [next, [...over(phase), tell("notifications/initialized"), ...outputs]]
}

const discovered = (
  state: State,
  asked: Spoken,
  result: JsonObject,
  { peer, wrong }: Found,
  proof: Open["proof"]
): Next => opened(state, peer, wrong, asked.revision.name, result, { _tag: "Discovered", result }, proof)

function opened(
  state: State,
  peer: Peer,
  wrong: ReadonlyArray<string>,
  asked: string,
  result: JsonObject,
  prior: Prior,
  proof?: Open["proof"]
): Next {
  const instructions = result["instructions"] as string | undefined
  return [
    becoming(state, { phase: { _tag: "Open", peer, proof } }),
    [{ _tag: "Opened", asked, peer, instructions, prior }, reported({ _tag: "Agreed", asked, peer, wrong })]
  ]
}

/**
 * A server that names the versions it speaks gets one more try with the newest that we share: by `initialize` again, or by what
 * only newer servers understand, which is tried in any case if it was not.
 */
function proposalRefused(
  setup: Setup,
  state: State,
  phase: Opening,
  { asked, retried, id }: Attempt,
  error: ErrorObject
) {
  const { legacy, modern, spoken } = setup
  const offered = versionsIn(error)
  const older = legacy.filter(({ revision }) => revision.name !== asked)
  const shared = retried ? undefined : among(older, offered)
  if (shared !== undefined) return propose(setup, state, phase, shared, true)
  const refusal: Refusal =
    offered.length === 0 || among(spoken, offered) !== undefined
      ? { _tag: "Answered", method: initialize, error }
      : { _tag: "VersionUnsupported", asked, offered, spoken: namesOf(spoken), error }
  const spent = openingBecoming(phase, { proposal: { id, asked, retried, open: false }, refusal })
  const newer = phase.probe === undefined ? modern[0] : among(modern, offered)
  if (phase.probe?.open === true && (newer !== undefined || offered.length === 0)) return patient(setup, state, spent)
  return newer === undefined || phase.probe?.retried === true
    ? failing(state, phase, refusal)
    : probe(setup, state, spent, newer, phase.probe !== undefined)
}

/** The answer to the other question may be a late one: it is waited for once more. */
const patient = (setup: Setup, state: State, phase: Opening): Next => [
  becoming(state, { phase: openingBecoming(phase, { timing: true }) }),
  [start(probing, setup.limits.probeMs)]
]

function probeAnswered(setup: Setup, state: State, phase: Opening, attempt: Attempt, result: JsonObject): Next {
  const asked = among(setup.modern, [attempt.asked])!
  const peer = found(setup, asked, result)
  if (isFound(peer)) {
    const [next, outputs] = discovered(state, asked, result, peer, undefined)
    return [next, [...over(phase), ...outputs]]
  }
  // A result that names no versions is no answer to the question; but one that says its type is of no older server's.
  const other =
    peer._tag === "VersionUnsupported"
      ? among(setup.legacy, peer.offered)
      : result["resultType"] === undefined
        ? setup.legacy[0]
        : undefined
  return unprobed(setup, state, phase, attempt, other, peer)
}

/** 2026-07-28 basic/transports/stdio, Backward Compatibility: an error that only newer servers have says what it is; any other, that it is older. */
function probeRefused(setup: Setup, state: State, phase: Opening, attempt: Attempt, error: ErrorObject): Next {
  const { legacy, modern, spoken } = setup
  const { asked, retried } = attempt
  const offered = versionsIn(error)
  const failure: CallError = { _tag: "VersionUnsupported", asked, offered, spoken: namesOf(spoken), error }
  if (!isModern(error)) return unprobed(setup, state, phase, attempt, legacy[0], failure)
  if (error.code !== unsupported)
    return unprobed(setup, state, phase, attempt, undefined, { _tag: "Answered", method: discover, error })
  const shared = among(modern, offered)
  if (shared !== undefined && !retried) return probe(setup, state, phase, shared, true)
  const other = offered.length === 0 ? legacy[0] : shared === undefined ? among(legacy, offered) : undefined
  return unprobed(setup, state, phase, attempt, other, failure)
}

/** The server can not be had in that way: what is left is the other one, or nothing. */
function unprobed(
  setup: Setup,
  state: State,
  phase: Opening,
  { id, asked, retried }: Attempt,
  other: Spoken | undefined,
  failure: CallError
): Next {
  const { proposal, refusal } = phase
  const spent = openingBecoming(phase, { probe: { id, asked, retried, open: false } })
  if (proposal?.open === true) return [becoming(state, { phase: spent }), []]
  if (proposal !== undefined || other === undefined) return failing(state, spent, refusal ?? failure)
  const [next, outputs] = propose(setup, state, openingBecoming(spent, { timing: false }), other)
  return [next, [probingOver, ...outputs]]
}

function failing(state: State, phase: Opening, failure: CallError): Next {
  const [next, outputs] = close(state, `the opening failed: ${explain(failure)}`)
  return [next, [...over(phase), { _tag: "OpenFailed", failure }, ...outputs]]
}

const over = ({ timing }: Opening): ReadonlyArray<Output> =>
  timing ? [stop("opening", 0), probingOver] : [stop("opening", 0)]

/** Where there is another way, it waits for silence. */
function propose(
  setup: Setup,
  state: State,
  phase: Opening,
  { revision, capabilities, info }: Spoken,
  retried = false
): Next {
  const id = state.last + 1
  const params = { protocolVersion: revision.name, capabilities, clientInfo: info }
  const proposal = { id, asked: revision.name, retried, open: true }
  const waits = phase.probe === undefined && setup.modern.length > 0
  const next = openingBecoming(phase, { proposal, timing: waits })
  const timer = waits ? [start(probing, setup.limits.probeMs)] : []
  return [
    becoming(state, { phase: next, last: id }),
    [...timer, send({ jsonrpc: "2.0", id, method: initialize, params })]
  ]
}

function probe(setup: Setup, state: State, phase: Opening, { revision, envelope }: Spoken, retried = false): Next {
  const id = state.last + 1
  const alone = phase.proposal?.open !== true
  const next = openingBecoming(phase, {
    probe: { id, asked: revision.name, retried, open: true },
    timing: alone
  })
  const timer = alone ? [start(probing, setup.limits.probeMs)] : []
  return [
    becoming(state, { phase: next, last: id }),
    [...timer, send({ jsonrpc: "2.0", id, method: discover, params: { _meta: envelope! } })]
  ]
}
