/** The opening, seen from the client: by `server/discover` or by `initialize`, whichever the server understands. After it nobody asks which. */
import type { JsonObject } from "../json.js"
import type { ErrorObject, RequestId } from "../jsonrpc.js"
import type { Setup, Spoken } from "./definition.js"
import type { Found, Reply } from "./discover.js"
import { among, disagreement, found, isFound, isModern, judged, unsupported, versionsIn } from "./discover.js"
import { close } from "./ending.js"
import { explain } from "./explain.js"
import { after, greeting, reported, start, stop, tell } from "./outputs.js"
import { proven } from "./prior.js"
import { reopened, unopened } from "./reopening.js"
import type { Attempt, Next, Open, Opening, State } from "./state.js"
import { becoming } from "./state.js"
import type { CallError, ClientTimer, Output, Prior } from "./vocabulary.js"

const initialize = "initialize"
const discover = "server/discover"

/** There is one opening, and its timers need no number. */
export const opening: ClientTimer = { of: "opening", call: 0 }
const probing: ClientTimer = { of: "probe", call: 0 }
const probingOver = stop("probe", 0)

export function open(setup: Setup, state: State): Next {
  if (state.phase._tag !== "Unopened") return [state, []]
  const { prior, modern, legacy, spoken, definition } = setup
  const newest = modern[0]
  if (prior?._tag === "Discovered" && newest !== undefined) {
    const remembered = found(setup, newest, modern, prior.result)
    if (isFound(remembered)) return opened(state, newest, prior.result, remembered, "needed")
  }
  const handshake = definition.prefer === "oldest" || prior?._tag === "Handshake"
  const first = (handshake ? legacy[0] : newest) ?? spoken[0]!
  return after([start(opening, setup.openingMs)], attempt(setup, state, unanswered, first))
}

const unanswered: Opening = {
  _tag: "Opening",
  proposal: undefined,
  probe: undefined,
  timing: false,
  refusal: undefined
}

/** Undefined when it answers something else. */
export function openingReplied(
  setup: Setup,
  state: State,
  id: RequestId | null | undefined,
  reply: Reply
): Next | undefined {
  const { phase, reopening } = state
  if (reopening !== 0 && reopening === id) return reopened(setup, state, reply)
  if (phase._tag === "Open")
    return typeof phase.proof === "number" && phase.proof === id ? proven(setup, state, phase, reply) : undefined
  if (phase._tag !== "Opening") return undefined
  const made = [phase.proposal, phase.probe].find((one) => one?.open === true && one.id === id)
  if (made === undefined) return undefined
  const asked = among(setup.spoken, [made.asked])!
  const isProposal = asked.envelope === undefined
  const answer = judged(setup, asked, isProposal ? setup.legacy : setup.modern, reply)
  if (isFound(answer)) {
    const { result } = (reply as Extract<Reply, { readonly _tag: "Result" }>).message
    const told = isProposal ? [tell("notifications/initialized")] : []
    return after([...over(phase), ...told], opened(state, asked, result, answer, undefined))
  }
  if (!isProposal) return probeFailed(setup, state, phase, made, reply, answer)
  return reply._tag === "Error"
    ? proposalRefused(setup, state, phase, made, reply.message.error)
    : failing(state, phase, answer)
}

function opened(
  state: State,
  { revision, envelope }: Spoken,
  result: JsonObject,
  { peer, wrong }: Found,
  proof: Open["proof"]
): Next {
  const asked = revision.name
  const prior: Prior = envelope === undefined ? { _tag: "Handshake" } : { _tag: "Discovered", result }
  const instructions = result["instructions"] as string | undefined
  return [
    becoming(state, { phase: { _tag: "Open", peer, proof } }),
    [{ _tag: "Opened", asked, peer, instructions, prior }, reported({ _tag: "Agreed", asked, peer, wrong })]
  ]
}

/** Every revision, basic/utilities/cancellation: initialize is never cancelled; when it takes too long we close instead. */
export function openingTimedOut(setup: Setup, state: State): Next {
  const { phase } = state
  const ms = setup.openingMs
  if (state.reopening !== 0) return unopened(state, `initialize was not answered within ${ms} ms`)
  if (phase._tag !== "Opening") return [state, []]
  const method = phase.proposal === undefined ? discover : initialize
  return failing(state, phase, refusalIn(setup, phase) ?? { _tag: "TimedOut", method, ms, total: true })
}

/** The end, before or after the opening. A server that had not answered the question yet may have been ended by it. */
export function end(state: State, why: string): Next {
  const { phase } = state
  if (phase._tag !== "Opening") return close(state, why)
  return failing(state, phase, { _tag: "Closed", method: phase.probe?.open === true ? discover : initialize, why })
}

/** One way is met by silence: the other is tried too, and the late answer to either counts. */
export function probeTimedOut(setup: Setup, state: State): Next {
  const { phase } = state
  if (!phase.timing) return [state, []]
  const { proposal, probe, refusal } = phase
  const quiet = openingBecoming(phase, { timing: false })
  // The server refused initialize and named what it speaks: it is asked again, once.
  const again = refusal && probe?.retried === false ? among(setup.modern, versionsIn(refusal)) : undefined
  const other = proposal === undefined ? setup.legacy[0] : proposal.open ? setup.modern[0] : again
  const silence: CallError = { _tag: "TimedOut", method: discover, ms: setup.probeMs, total: false }
  const next =
    other === undefined
      ? failing(state, quiet, refusalIn(setup, phase) ?? silence)
      : attempt(setup, state, quiet, other, proposal?.open === false)
  return after([probingOver], next)
}

/**
 * A server that names the versions it speaks gets one more try with the newest that we share: by `initialize` again, or by what
 * only newer servers understand, which is tried in any case if it was not.
 */
function proposalRefused(setup: Setup, state: State, phase: Opening, made: Attempt, error: ErrorObject): Next {
  const { legacy, modern } = setup
  const { probe } = phase
  const offered = versionsIn(error)
  const older = legacy.filter(({ revision }) => revision.name !== made.asked)
  const shared = made.retried ? undefined : among(older, offered)
  if (shared !== undefined) return attempt(setup, state, phase, shared, true)
  const spent = openingBecoming(phase, { proposal: closed(made), refusal: error })
  const newer = probe === undefined ? modern[0] : among(modern, offered)
  // The answer to the other question may be a late one: it is waited for once more.
  if (probe?.open === true && (newer !== undefined || offered.length === 0))
    return [becoming(state, { phase: openingBecoming(spent, { timing: true }) }), [start(probing, setup.probeMs)]]
  return newer === undefined || probe?.retried === true
    ? failing(state, phase, refusalIn(setup, spent)!)
    : attempt(setup, state, spent, newer, probe !== undefined)
}

/** How the proposal was refused, if it was. */
function refusalIn(setup: Setup, { proposal, refusal }: Opening): CallError | undefined {
  if (refusal === undefined || proposal === undefined) return undefined
  const offered = versionsIn(refusal)
  return offered.length === 0 || among(setup.spoken, offered) !== undefined
    ? { _tag: "Answered", method: initialize, error: refusal }
    : disagreement(setup, proposal.asked, offered, refusal)
}

/** The server can not be had in that way: what is left is the other one, or nothing. */
function probeFailed(setup: Setup, state: State, phase: Opening, made: Attempt, reply: Reply, answer: CallError): Next {
  const { legacy, modern } = setup
  const [older] = legacy
  let failure = answer
  let other: Spoken | undefined
  if (reply._tag === "Broken") other = reply.final ? undefined : older
  else if (reply._tag === "Result") {
    // A result that names no versions is no answer to the question; but one that says its type is of no older server's.
    if (answer._tag === "VersionUnsupported") other = among(legacy, answer.offered)
    else other = reply.message.result["resultType"] === undefined ? older : undefined
  } else {
    const { error } = reply.message
    const offered = versionsIn(error)
    const refused = error.code === unsupported
    const shared = refused ? among(modern, offered) : undefined
    if (shared !== undefined && !made.retried) return attempt(setup, state, phase, shared, true)
    // 2026-07-28 basic/transports/stdio, Backward Compatibility: an error that only newer servers have says what it is; any other, that it is older.
    if (refused || !isModern(error)) {
      failure = disagreement(setup, made.asked, offered, error)
      other = refused && offered.length > 0 ? among(shared ? [] : legacy, offered) : older
    }
  }
  const { proposal } = phase
  const spent = openingBecoming(phase, { probe: closed(made) })
  if (proposal?.open === true) return [becoming(state, { phase: spent }), []]
  if (proposal !== undefined || other === undefined) return failing(state, spent, refusalIn(setup, phase) ?? failure)
  return after([probingOver], attempt(setup, state, openingBecoming(spent, { timing: false }), other))
}

function failing(state: State, phase: Opening, failure: CallError): Next {
  const outputs: ReadonlyArray<Output> = [...over(phase), { _tag: "OpenFailed", failure }]
  return after(outputs, close(state, `the opening failed: ${explain(failure)}`))
}

const over = ({ timing }: Opening): ReadonlyArray<Output> =>
  timing ? [stop("opening", 0), probingOver] : [stop("opening", 0)]

/** The server is asked in that way. Where there is another way, it waits for silence. */
function attempt(setup: Setup, state: State, phase: Opening, spoken: Spoken, retried = false): Next {
  const id = state.last + 1
  const made = { id, asked: spoken.revision.name, retried, open: true }
  const isProposal = spoken.envelope === undefined
  const timing = isProposal ? phase.probe === undefined && setup.modern.length > 0 : phase.proposal?.open !== true
  const next = openingBecoming(phase, isProposal ? { proposal: made, timing } : { probe: made, timing })
  const timer = timing ? [start(probing, setup.probeMs)] : []
  return [becoming(state, { phase: next, last: id }), [...timer, greeting(id, spoken)]]
}

const closed = (made: Attempt): Attempt => Object.assign({}, made, { open: false })

const openingBecoming = (phase: Opening, change: Partial<Opening>): Opening =>
  Object.assign({}, unanswered, phase, change)
