/** What the transport says of a request in the server's stead: it was refused, or the session that it belongs to is gone and needs another. */
import { noBatches } from "../batch.js"
import { empty } from "../trie.js"
import { replied } from "./call.js"
import type { Setup } from "./definition.js"
import type { Reply } from "./discover.js"
import { isFound, judged } from "./discover.js"
import { allTakenBack, close } from "./ending.js"
import { explain } from "./explain.js"
import { spokenIn } from "./gate.js"
import { opening } from "./opening.js"
import { after, each, greeting, ignored, plus, start, stop, tell } from "./outputs.js"
import { again } from "./request.js"
import { fails, going, inOrder, underWay } from "./settle.js"
import type { Next, State } from "./state.js"
import { becoming, held, sentBecoming, waiting } from "./state.js"
import type { CallError, Input } from "./vocabulary.js"

type Refused = Extract<Input, { readonly _tag: "Refused" }>

export function unserved(setup: Setup, state: State, { id, status, body: why }: Omit<Refused, "_tag">): Next {
  if (id === undefined) return ignored(state, `something that was sent was refused: ${why}`)
  // 2026-07-28 basic/versioning, Compatibility Matrix: only what the client did wrong may be right in another revision.
  const final = status < 400 || status > 499 || status === 401 || status === 403
  const failure = (method: string): CallError => ({ _tag: "Refused", method, status, why })
  return replied(setup, state, id, { _tag: "Broken", failure, final }) ?? ignored(state, why, id)
}

export function sessionLost(
  setup: Setup,
  state: State,
  { id }: Pick<Extract<Input, { readonly _tag: "SessionLost" }>, "id">
): Next {
  const { phase } = state
  if (phase._tag !== "Open" || spokenIn(setup, state).envelope !== undefined)
    // Where there are no sessions it is the connection that is another one, and what listened by the one before hears nothing by it.
    return phase._tag === "Open" && id === undefined
      ? [state, [{ _tag: "Reopened", peer: phase.peer }]]
      : unserved(setup, state, { id, status: 404, body: why })
  const next: Next = state.reopening === 0 ? proposeAgain(setup, state) : [state, []]
  const [now, outputs] = next
  const sent = underWay(now, id)
  if (sent === undefined || sent.stage._tag === "Held") return next
  // Its time goes on: who waits for it does not care for which of the two the server takes so long.
  if (!sent.retried) return [going(now, sentBecoming(sent, { stage: held })), outputs]
  const { method } = sent
  const again = "the server ended the session again"
  return after(outputs, fails(now, sent, { _tag: "Refused", method, status: 404, why: again }))
}

const why = "the server has ended the session"

/** Every revision with sessions, basic/transports, Session Management: a new one MUST be begun by initialize. */
function proposeAgain(setup: Setup, state: State): Next {
  const id = state.last + 1
  const now = becoming(state, { reopening: id, last: id, asks: empty(), asked: empty(), batches: noBatches })
  const outputs = [start(opening, setup.openingMs), greeting(id, spokenIn(setup, state))]
  return after(allTakenBack(state, why), plus(ignored(now, `${why}: another one is opened`), ...outputs))
}

/** The answer to it. What was held goes out, in the order in which it was called. */
export function reopened(setup: Setup, state: State, reply: Reply): Next {
  const asked = spokenIn(setup, state)
  const answer = judged(setup, asked, [asked], reply)
  if (!isFound(answer)) return unopened(state, explain(answer))
  const { peer } = answer
  const now = becoming(state, { phase: { _tag: "Open", peer, proof: undefined }, reopening: 0 })
  const waited = inOrder(state.sent, "call").filter(({ stage }) => stage._tag === "Held")
  return after(
    [stop("opening", 0), tell("notifications/initialized"), { _tag: "Reopened", peer }],
    each(now, waited, (state, sent) => again(setup, state, sent, { retried: true, stage: waiting }))
  )
}

/** There is no session, and there will be none. */
export const unopened = (state: State, reason: string): Next =>
  close(state, `${why}, and no other could be opened: ${reason}`)
