/** A request is handed to a handler, for the first time or again. */
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import type { Peer } from "../peer.js"
import { insert } from "../trie.js"
import type { Compiled } from "./compiled.js"
import type { InFlight, Next, Params, Served, State } from "./state.js"
import { withInFlight } from "./state.js"
import { targetOf } from "./target.js"
import type { Invoke, Target } from "./vocabulary.js"

export function invoke(
  { limits }: Compiled,
  state: State,
  { via, batch, id, method }: Served,
  params: Params,
  peer: Peer,
  target: Target
): Next {
  const entry: InFlight = {
    via,
    batch,
    id,
    method,
    params,
    call: state.next,
    revision: peer.revision,
    progress: undefined,
    logged: 0,
    passed: 0,
    asking: undefined,
    task: "task" in target
  }
  const inFlight = insert(state.inFlight, id, entry, limits.salt)
  return [withInFlight(state, inFlight, state.next + 1), [invocation(peer, entry, target)]]
}

/** The next run of the handler, with what earlier ones have brought. */
export function invocation(peer: Peer, entry: InFlight, target = targetOf(entry)): Invoke {
  const { call, id, params, asking } = entry
  const meta = params?.["_meta"] as JsonObject | undefined
  const progress = member(meta, "progressToken") !== undefined
  return { _tag: "Invoke", call, id, target, peer, meta, progress, answers: asking?.answers, once: asking?.once }
}
