/** Questions that nobody needs answered any more are taken back. */
import { remove } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { stop, tell, timerOf } from "./outputs.js"
import type { InFlight, Next, State } from "./state.js"
import { becoming } from "./state.js"
import type { Output } from "./vocabulary.js"

/** The request is over, and so are its open questions. */
export function withdraw({ limits }: Compiled, state: State, entry: InFlight, reason: string): Next {
  const outputs: Array<Output> = []
  let { asked } = state
  for (const { ask } of entry.asking?.open ?? []) {
    asked = remove(asked, ask, limits.salt)
    outputs.push(stop(timerOf(ask)), ...withdrawn(state, ask, entry, reason))
  }
  return [becoming(state, { asked }), outputs]
}

/** Says so to the client, when it has heard the question. */
export const withdrawn = ({ phase }: State, ask: number, { via }: InFlight, reason: string): ReadonlyArray<Output> =>
  phase._tag === "Ready" ? [tell("notifications/cancelled", { requestId: ask, reason }, via)] : []
