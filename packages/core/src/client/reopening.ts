/** What the transport says of a request in the server's stead: it was refused, or the session that it belongs to is gone and needs another. */
import type { RequestId } from "../jsonrpc.js"
import { noBatches } from "../batch.js"
import { sanitised } from "../peer.js"
import type { JsonObject } from "../json.js"
import type { Revision, RevisionName } from "../revision.js"
import type { RequestRow } from "../row.js"
import { empty, values } from "../trie.js"
import type { Setup } from "./definition.js"
import { close } from "./ending.js"
import { explain } from "./explain.js"
import { spokenIn } from "./gate.js"
import type { Reply } from "./opening.js"
import { initialize, opening, openingReplied } from "./opening.js"
import { ignored, questionOver, reported, send, stageOver, start, stop, takenBack, tell } from "./outputs.js"
import { vouched } from "./prior.js"
import { again } from "./request.js"
import { fails, going, settle, underWay } from "./settle.js"
import { namesOf } from "./spoken.js"
import type { Next, State } from "./state.js"
import { becoming, held, sentBecoming, waiting } from "./state.js"
import type { CallError, Input, Output } from "./vocabulary.js"

export function unserved(
  setup: Setup,
  state: State,
  { id, status, body: why }: Extract<Input, { _tag: "Refused" }>
): Next {
  const failure = (method: string): CallError => ({ _tag: "Refused", method, status, why })
  // 2026-07-28 basic/versioning, Compatibility Matrix: only what the client did wrong may be right in another revision.
  const final = status < 400 || status > 499 || status === 401 || status === 403
  if (id === undefined) return ignored(state, undefined, undefined, `something that was sent was refused: ${why}`)
  const opened = openingReplied(setup, state, id, { _tag: "Broken", failure, final })
  if (opened !== undefined) return opened
  const sent = underWay(setup, state, id)
  if (sent === undefined) return ignored(state, undefined, id, why)
  const over = settle(setup, state, sent, fails(failure(sent.method)))
  return final ? over : vouched(setup, over, false)
}

export function sessionLost(setup: Setup, state: State, id: RequestId | undefined): Next {
  const { phase } = state
  if (phase._tag !== "Open" || spokenIn(setup, phase).envelope !== undefined)
    return unserved(setup, state, { _tag: "Refused", id, status: 404, body: "the server has ended the session" })
  const [next, outputs] = state.reopening === 0 ? proposeAgain(setup, state) : [state, []]
  const sent = underWay(setup, next, id)
  if (sent === undefined || sent.stage._tag === "Held") return [next, outputs]
  if (!sent.retried) return [going(setup, next, sentBecoming(sent, { stage: held })), [...outputs, ...stageOver(sent)]]
  const error: CallError = {
    _tag: "Refused",
    method: sent.method,
    status: 404,
    why: "the server ended the session again"
  }
  const [last, more] = settle(setup, next, sent, fails(error))
  return [last, [...outputs, ...more]]
}

/** Every revision with sessions, basic/transports, Session Management: a new one MUST be begun by initialize. */
function proposeAgain(setup: Setup, state: State): Next {
  const { revision, capabilities, info } = spokenIn(setup, state.phase)
  const id = state.last + 1
  const params = { protocolVersion: revision.name, capabilities, clientInfo: info }
  const why = "the server has ended the session"
  return [
    becoming(state, { reopening: id, last: id, asked: empty(), timed: empty(), batches: noBatches }),
    [
      ...values(state.asked)
        .toSorted((a, b) => a.ask - b.ask)
        .flatMap((asked) => [...questionOver(asked), takenBack(asked.ask, why)]),
      reported({ _tag: "Ignored", method: undefined, id: undefined, why: `${why}: another one is opened` }),
      start(opening, setup.limits.openingMs),
      send({ jsonrpc: "2.0", id, method: initialize, params })
    ]
  ]
}

/** The answer to it. What was held goes out, in the order in which it was called. */
export function reopened(setup: Setup, state: State, reply: Reply): Next {
  const { revision } = spokenIn(setup, state.phase)
  const failure = refusal(setup, revision, reply)
  if (failure !== undefined) return unopened(state, explain(failure))
  const { result } = (reply as Extract<Reply, { _tag: "Result" }>).message
  const { capabilities } = sanitised(result["capabilities"] as JsonObject, revision, "server")
  const peer = { revision: revision.name, capabilities, info: result["serverInfo"] as JsonObject }
  const outputs: Array<Output> = [stop("opening", 0), tell("notifications/initialized"), { _tag: "Reopened", peer }]
  let now = becoming(state, { phase: { _tag: "Open", peer, proof: undefined }, reopening: 0 })
  for (const sent of values(state.sent)
    .filter(({ stage }) => stage._tag === "Held")
    .toSorted((a, b) => a.call - b.call)) {
    const [next, more] = again(setup, now, sent, { retried: true, stage: waiting })
    outputs.push(...more)
    now = next
  }
  return [now, outputs]
}

/** Why it opens no session like the one before. */
function refusal({ spoken }: Setup, { name, client }: Revision, reply: Reply): CallError | undefined {
  if (reply._tag === "Broken") return reply.failure(initialize)
  if (reply._tag === "Error") return { _tag: "Answered", method: initialize, error: reply.message.error }
  const { result } = reply.message
  const problem = (client[initialize] as RequestRow).result(result)
  if (problem !== undefined) return { _tag: "ResultInvalid", method: initialize, problem }
  const offered = result["protocolVersion"] as RevisionName
  return offered === name
    ? undefined
    : { _tag: "VersionUnsupported", asked: name, offered: [offered], spoken: namesOf(spoken) }
}

/** There is no session, and there will be none. */
export const unopened = (state: State, why: string): Next =>
  close(state, `the server has ended the session, and no other could be opened: ${why}`)
