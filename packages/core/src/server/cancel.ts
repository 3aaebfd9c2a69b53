/** A requester withdraws its request: the handler is interrupted and no reply is sent, then or later. */
import type { RequestId } from "../jsonrpc.js"
import { lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { interrupt, without } from "./entry.js"
import { ignored, reported } from "./outputs.js"
import { deliver } from "./reply.js"
import { afterReply } from "./settle.js"
import type { Next, Params, State } from "./state.js"
import { withdraw } from "./withdraw.js"

export function cancel(compiled: Compiled, state: State, params: Params): Next {
  const id = params?.["requestId"] as RequestId | undefined
  const reason = params?.["reason"] as string | undefined
  const entry = id === undefined ? undefined : lookup(state.inFlight, id, compiled.limits.salt)
  // Unknown and finished ids are normal: the message may cross the reply on its way. On 2025-11-25 there may be none.
  if (entry === undefined) return ignored(state, "notifications/cancelled", id, "no such request is in flight")
  const [quiet, withdrawals] = withdraw(compiled, state, entry, "the request was cancelled")
  const [next, outputs] = deliver(compiled, without(compiled, quiet, entry), entry, undefined)
  const report = reported({ _tag: "Cancelled", id: entry.id, method: entry.method, reason })
  return afterReply(next, [...interrupt(entry, reason), ...withdrawals, ...outputs, report])
}
