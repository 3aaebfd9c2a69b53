/** What was remembered of a server is good until it says something else: then it is asked once whether it still holds. */
import type { Peer } from "../peer.js"
import type { Setup } from "./definition.js"
import type { Reply } from "./discover.js"
import { isFound, isModern, judged, unsupported, versionsIn } from "./discover.js"
import { close } from "./ending.js"
import { spokenIn } from "./gate.js"
import { greeting } from "./outputs.js"
import type { Next, Open, State } from "./state.js"
import { becoming } from "./state.js"
import type { Prior } from "./vocabulary.js"

/** @throws TypeError when it is none: what was kept by somebody else may be anything */
export function checkPrior(prior: Prior | undefined): void {
  const tag: unknown = prior?._tag
  if (prior !== undefined && tag !== "Handshake" && tag !== "Discovered")
    throw new TypeError(`There is no prior ${JSON.stringify(tag)}: its _tag is "Handshake" or "Discovered"`)
}

/** Whether the session rests on it, and nothing has come yet by which it holds. */
export const isUnproven = ({ phase }: State): boolean => phase.proof !== undefined

/** A call is over: by what only a server of the revision in force says, or by what another might, silence among it. */
export function vouched(setup: Setup, next: Next, fits: boolean): Next {
  const [state, outputs] = next
  const { phase, last } = state
  if (phase.proof !== "needed") return next
  if (fits) return [proving(state, phase, undefined), outputs]
  const asked = becoming(proving(state, phase, last + 1), { last: last + 1 })
  return [asked, [...outputs, greeting(last + 1, spokenIn(setup, state))]]
}

/** The answer to the question whether it still holds. */
export function proven(setup: Setup, state: State, phase: Open, reply: Reply): Next {
  if (reply.final) return [proving(state, phase, "needed"), []]
  return remains(setup, state, phase.peer, reply)
    ? [proving(state, phase, undefined), []]
    : close(state, "the server is not what it was remembered to be (`prior`): ask it again")
}

function remains(setup: Setup, state: State, { revision }: Peer, reply: Reply): boolean {
  if (reply._tag === "Error") {
    const { error } = reply.message
    return error.code === unsupported ? versionsIn(error).includes(revision) : isModern(error)
  }
  const answer = judged(setup, spokenIn(setup, state), setup.modern, reply)
  return isFound(answer) && answer.peer.revision === revision
}

const proving = (state: State, { peer }: Open, proof: Open["proof"]): State =>
  becoming(state, { phase: { _tag: "Open", peer, proof } })
