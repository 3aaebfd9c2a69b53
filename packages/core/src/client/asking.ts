/** A question while it is open: the server is told how far its answer is. */
import { told } from "../failure-of-either.js"
import { narrowed } from "../narrow.js"
import { insert } from "../trie.js"
import { late, openAsk } from "./ask.js"
import type { Setup } from "./definition.js"
import { revisionIn } from "./gate.js"
import { tell, withheld } from "./outputs.js"
import { given } from "./request.js"
import type { Asked, Next, State } from "./state.js"
import { becoming } from "./state.js"
import type { AskProgressed } from "./vocabulary.js"

/** When it asked to be, and it is further than before. */
export function progressed(setup: Setup, state: State, input: AskProgressed): Next {
  const entry = openAsk(state, input.ask, input.id)
  if (entry === undefined) return late(state, input.id)
  const { progress, total, message, meta: _meta } = input
  // No number is at most undefined: the first is told.
  if (entry.token === undefined || progress <= entry.told!) return [state, []]
  const method = "notifications/progress"
  const revision = revisionIn(setup, state)
  const check = revision.client[method]!.params
  const params = narrowed(revision, check, given({ progressToken: entry.token, progress, total, message, _meta }))
  const problem = check(params)
  if (problem !== undefined) return [state, [withheld(method, told(problem))]]
  const further: Asked = Object.assign({}, entry, { told: progress })
  const asks = insert(state.asks, entry.ask, further, state.salt)
  return [becoming(state, { asks }), [tell(method, params, entry.via)]]
}
