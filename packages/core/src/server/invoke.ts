/** A request is handed to a handler, for the first time or again. */
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import { insert } from "../trie.js"
import type { Compiled } from "./compiled.js"
import type { Asker } from "./opening.js"
import type { InFlight, Next, Params, Served, Stage, State } from "./state.js"
import { runs, withInFlight } from "./state.js"
import { targetOf } from "./target.js"
import type { Invoke, Target } from "./vocabulary.js"

export function invoke(
  compiled: Compiled,
  state: State,
  about: Served,
  params: Params,
  who: Who,
  target: Target
): Next {
  const [next, entry] = enter(compiled, state, about, params, who, runs, "task" in target)
  return [next, [invocation(entry, target)]]
}

type Who = Pick<Asker, "level" | "principal">

/** From now on the request is in flight. */
export function enter(
  { limits }: Compiled,
  state: State,
  { via, batch, id, method, peer }: Served,
  params: Params,
  { level, principal }: Who,
  stage: Stage,
  task = false
): readonly [State, InFlight] {
  const entry: InFlight = {
    via,
    batch,
    id,
    method,
    params,
    call: state.next,
    peer: peer!,
    level,
    principal,
    stage,
    progress: undefined,
    logged: 0,
    passed: 0,
    asking: undefined,
    task
  }
  return [withInFlight(state, insert(state.inFlight, id, entry, limits.salt), state.next + 1), entry]
}

/** The next run of the handler, with what earlier ones have brought. */
export function invocation(entry: InFlight, target = targetOf(entry)): Invoke {
  const { call, id, params, peer, asking, principal } = entry
  const meta = params?.["_meta"] as JsonObject | undefined
  const progress = member(meta, "progressToken") !== undefined
  const { answers, once } = asking ?? none
  return { _tag: "Invoke", call, id, target, peer, meta, progress, answers, once, principal }
}

const none = { answers: undefined, once: undefined }
