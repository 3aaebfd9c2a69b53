/** What was remembered of a server is good until it says something else: then it is asked once whether it still holds. */
import type { RevisionName } from "../revision.js"
import type { Setup } from "./definition.js"
import { discover, found, isFound, isModern, unsupported, versionsIn } from "./discover.js"
import { close } from "./ending.js"
import { spokenIn } from "./gate.js"
import type { Reply } from "./opening.js"
import { send } from "./outputs.js"
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
export const isUnproven = ({ phase }: State): boolean => phase._tag === "Open" && phase.proof !== undefined

/** A call is over: by what only a server of the revision in force says, or by what another might, silence among it. */
export function vouched(setup: Setup, next: Next, fits: boolean): Next {
  const [state, outputs] = next
  const { phase } = state
  if (phase._tag !== "Open" || phase.proof !== "needed") return next
  if (fits) return [holds(state, phase)[0], outputs]
  const id = state.last + 1
  const params = { _meta: spokenIn(setup, phase).envelope! }
  return [
    becoming(state, { phase: { _tag: "Open", peer: phase.peer, proof: id }, last: id }),
    [...outputs, send({ jsonrpc: "2.0", id, method: discover, params })]
  ]
}

/** The answer to the question whether it still holds. */
export function proven(setup: Setup, state: State, phase: Open, reply: Reply): Next {
  const { revision } = phase.peer
  if (reply._tag === "Broken" && reply.final)
    return [becoming(state, { phase: { _tag: "Open", peer: phase.peer, proof: "needed" } }), []]
  return remains(setup, phase, reply, revision) ? holds(state, phase) : forgotten(state)
}

function remains(setup: Setup, phase: Open, reply: Reply, revision: RevisionName): boolean {
  switch (reply._tag) {
    case "Result": {
      const answer = found(setup, spokenIn(setup, phase), reply.message.result)
      return isFound(answer) && answer.peer.revision === revision
    }
    case "Error":
      return reply.message.error.code === unsupported
        ? versionsIn(reply.message.error).includes(revision)
        : isModern(reply.message.error)
    case "Broken":
      return false
  }
}

const holds = (state: State, { peer }: Open): Next => [
  becoming(state, { phase: { _tag: "Open", peer, proof: undefined } }),
  []
]

const forgotten = (state: State): Next =>
  close(state, "the server is not what it was remembered to be (`prior`): ask it again")
