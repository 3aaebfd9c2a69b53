/** A requester withdraws its request: the handler is interrupted and no reply is sent, then or later. */
import type { RequestId } from "../jsonrpc.js"
import { lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { inOrder, interrupt, revisionOf, without } from "./entry.js"
import { hungUp, unlisten } from "./listen.js"
import { ignored, inTurn, reported } from "./outputs.js"
import { deliver } from "./reply.js"
import { afterReply } from "./settle.js"
import type { InFlight, Next, Params, State } from "./state.js"
import type { Via } from "./vocabulary.js"
import { withdraw } from "./withdraw.js"

export function cancel(compiled: Compiled, state: State, params: Params): Next {
  const id = params?.["requestId"] as RequestId | undefined
  const reason = params?.["reason"] as string | undefined
  const entry = id === undefined ? undefined : lookup(state.inFlight, id, compiled.limits.salt)
  const ended = id === undefined ? undefined : unlisten(compiled, state, id, reason)
  if (ended !== undefined) return ended
  // Unknown and finished ids are normal: the message may cross the reply on its way. On 2025-11-25 there may be none.
  if (entry === undefined) return ignored(state, "notifications/cancelled", id, "no such request is in flight")
  return end(compiled, state, entry, reason)
}

/** The exchange of these requests was closed: 2026-07-28 basic/transports/streamable-http takes that for a cancellation, older revisions do not. */
export const closeExchange = (compiled: Compiled, state: State, { via }: { readonly via: Via }): Next =>
  inTurn(
    hungUp(compiled, state, via),
    inOrder(state).filter(
      (entry) => entry.via === via && revisionOf(compiled, entry).features.closedExchange === "cancels"
    ),
    (now, entry) => end(compiled, now, entry, "the exchange was closed")
  )

function end(compiled: Compiled, state: State, entry: InFlight, reason: string | undefined): Next {
  const [quiet, withdrawals] = withdraw(compiled, state, entry, "the request was cancelled")
  const [next, outputs] = deliver(compiled, without(compiled, quiet, entry), entry, undefined)
  const { id, method, peer } = entry
  const report = reported({ _tag: "Cancelled", id, method, reason, peer })
  return afterReply(next, [...interrupt(entry, reason), ...withdrawals, ...outputs, report])
}
