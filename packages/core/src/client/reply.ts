/** Our replies find their way: alone by the channel that the question came by, or together when it came in a batch. */
import { collect } from "../batch.js"
import type { EitherFailure } from "../failure-of-either.js"
import { spelled } from "../failure-of-either.js"
import type { Message, RequestId } from "../jsonrpc.js"
import { plus, reported, send } from "./outputs.js"
import type { Next, State, Way } from "./state.js"
import { becoming } from "./state.js"

/** Refuses, and reports it; no id and no method where they could not be read. */
export function refuse(state: State, way: Way, failure: EitherFailure, id?: RequestId, method?: string): Next {
  const message: Message = { jsonrpc: "2.0", id: id ?? null, error: spelled(failure) }
  const next = deliver(state, way, message, failure._tag !== "IdInUse")
  return plus(next, reported({ _tag: "Refused", id, method, failure }))
}

/** A member of a batch is done with its reply, or without one when it was withdrawn; the last one sends them all. */
export function deliver(state: State, { via, batch }: Way, message?: Message, holds = true): Next {
  if (batch === undefined) return [state, message === undefined ? [] : [send(message, via)]]
  const { batches, sendable } = collect(state.batches, batch, message, state.salt, holds)
  return [becoming(state, { batches }), sendable === undefined ? [] : [send(sendable.replies, sendable.via)]]
}
