/** Progress goes to whoever asked for it, while the request lives, and only upwards. */
import type { JsonObject } from "../json.js"
import type { Step } from "../machine.js"
import { insert, lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import type { State } from "./state.js"
import { progressed, withInFlight } from "./state.js"
import type { Input, Output } from "./vocabulary.js"

export function progress(
  compiled: Compiled,
  state: State,
  input: Extract<Input, { _tag: "Progressed" }>
): Step<State, Output> {
  const { salt } = compiled.limits
  const entry = lookup(state.inFlight, input.id, salt)
  if (entry?.call !== input.call || entry.token === undefined) return [state, []]
  const why = unsendable(input, entry.progress)
  if (why !== undefined)
    return [state, [{ _tag: "Report", report: { _tag: "Unsendable", method: "notifications/progress", why } }]]
  const { features } = (compiled.spoken.get(entry.revision) ?? compiled.newest).revision
  const params: Record<string, JsonObject[string]> = { progressToken: entry.token, progress: input.progress }
  if (input.total !== undefined) params["total"] = input.total
  if (input.message !== undefined && features.progressMessage) params["message"] = input.message
  return [
    withInFlight(state, insert(state.inFlight, entry.id, progressed(entry, input.progress), salt), state.next),
    [
      {
        _tag: "Send",
        message: { jsonrpc: "2.0", method: "notifications/progress", params },
        via: entry.via,
        last: false,
        text: undefined
      }
    ]
  ]
}

/** Every revision, basic/utilities/progress: the value MUST increase with each notification. JSON has no infinities. */
function unsendable(input: Extract<Input, { _tag: "Progressed" }>, before: number | undefined): string | undefined {
  if (input.message !== undefined && typeof input.message !== "string") return "message must be text"
  if (!Number.isFinite(input.progress)) return "progress must be a finite number"
  if (input.total !== undefined && !Number.isFinite(input.total)) return "total must be a finite number"
  if (before !== undefined && input.progress <= before)
    return `progress must increase: ${input.progress} after ${before}`
  return undefined
}
