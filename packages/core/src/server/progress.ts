/** Progress goes to whoever asked for it, while the request lives, and only upwards. */
import type { Json } from "../json.js"
import { member } from "../json.js"
import { narrowed } from "../narrow.js"
import type { Compiled } from "./compiled.js"
import { changed, revisionOf, running } from "./entry.js"
import { tell, unsent } from "./outputs.js"
import type { Next, State } from "./state.js"
import type { Input } from "./vocabulary.js"

type Progressed = Extract<Input, { _tag: "Progressed" }>

export function progress(compiled: Compiled, state: State, input: Progressed): Next {
  const entry = running(compiled, state, input.call, input.id)
  const token = member(entry?.params?.["_meta"], "progressToken") as Json | undefined
  if (entry === undefined || token === undefined) return [state, []]
  // A handler that is run again comes by what it has told already.
  if (entry.asking !== undefined && entry.progress !== undefined && input.progress <= entry.progress) return [state, []]
  const method = "notifications/progress"
  const why = unsendable(input, entry.progress)
  if (why !== undefined) return [state, [unsent(method, why, entry.peer)]]
  const params: Record<string, Json> = { progressToken: token, progress: input.progress }
  if (input.total !== undefined) params["total"] = input.total
  if (input.message !== undefined) params["message"] = input.message
  return [
    changed(compiled, state, entry, { progress: input.progress }),
    [tell(method, narrowed(revisionOf(compiled, entry), "ProgressParams", params), entry.via)]
  ]
}

/** Every revision, basic/utilities/progress: the value MUST increase with each notification. JSON has no infinities. */
function unsendable({ progress, total, message }: Progressed, before: number | undefined): string | undefined {
  if (message !== undefined && typeof message !== "string") return "message must be text"
  if (!Number.isFinite(progress)) return "progress must be a finite number"
  if (total !== undefined && !Number.isFinite(total)) return "total must be a finite number"
  if (before !== undefined && progress <= before) return `progress must increase: ${progress} after ${before}`
  return undefined
}
