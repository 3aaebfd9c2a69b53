/** A requester withdraws its request: the handler is interrupted and no reply is sent, then or later. */
import type { JsonObject } from "../json.js"
import type { RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import { lookup, remove } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { collected } from "./reply.js"
import { afterReply } from "./settle.js"
import type { State } from "./state.js"
import { withInFlight } from "./state.js"
import type { Output } from "./vocabulary.js"

export function cancel(compiled: Compiled, state: State, params: JsonObject | undefined): Step<State, Output> {
  const id = params?.["requestId"] as RequestId | undefined
  const reason = params?.["reason"] as string | undefined
  const entry = id === undefined ? undefined : lookup(state.inFlight, id, compiled.limits.salt)
  // Unknown and finished ids are normal: the message may cross the reply on its way. On 2025-11-25 there may be none.
  if (id === undefined || entry === undefined)
    return [
      state,
      [
        {
          _tag: "Report",
          report: { _tag: "Ignored", method: "notifications/cancelled", id, why: "no such request is in flight" }
        }
      ]
    ]
  const without = withInFlight(state, remove(state.inFlight, id, compiled.limits.salt), state.next)
  const [next, outputs] =
    entry.batch === undefined ? ([without, []] as const) : collected(compiled, without, entry.batch, undefined)
  return afterReply(next, [
    { _tag: "Interrupt", call: entry.call, reason },
    ...outputs,
    { _tag: "Report", report: { _tag: "Cancelled", id, method: entry.method, reason } }
  ])
}
