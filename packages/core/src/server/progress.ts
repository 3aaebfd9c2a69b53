/** Progress goes to whoever asked for it, while the request lives, and only upwards. */
import type { Json } from "../json.js"
import { told } from "../failure-of-either.js"
import { member } from "../json.js"
import { keeping, narrowed } from "../narrow.js"
import type { Compiled } from "./compiled.js"
import { changed, revisionOf, running } from "./entry.js"
import { tell, unsent } from "./outputs.js"
import type { Next, State } from "./state.js"
import type { Input } from "./vocabulary.js"

type Progressed = Extract<Input, { _tag: "Progressed" }>

export function progress(compiled: Compiled, state: State, input: Progressed): Next {
  const entry = running(compiled, state, input)
  const token = member(entry?.params?.["_meta"], "progressToken") as Json | undefined
  if (entry === undefined || token === undefined) return [state, []]
  const { progress, total, message } = input
  const { progress: before, asking, peer, via } = entry
  const unsaid = (why: string): Next => [state, [unsent(method, why, peer)]]
  const revision = revisionOf(compiled, entry)
  const check = revision.server[method]!.params
  const said = keeping({ progressToken: token, progress, total, message }, (_, value) => value !== undefined)
  const params = narrowed(revision, check, said)
  const problem = check(params)
  if (problem !== undefined) return unsaid(told(problem))
  // Every revision, basic/utilities/progress: the value MUST increase. A handler that is run again comes by what it has told already.
  // No number is at most undefined: the first is told.
  if (progress <= before!)
    return asking === undefined ? unsaid(`progress must increase: ${progress} after ${before}`) : [state, []]
  return [changed(compiled, state, entry, { progress }), [tell(method, params, via)]]
}

const method = "notifications/progress"
