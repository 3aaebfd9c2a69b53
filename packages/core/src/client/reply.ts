/** Our replies find their way: alone by the channel that the question came by, or together when it came in a batch. */
import { collect } from "../batch.js"
import type { EitherFailure } from "../failure-of-either.js"
import { spelled } from "../failure-of-either.js"
import type { Message } from "../jsonrpc.js"
import type { Setup } from "./definition.js"
import { reported, send } from "./outputs.js"
import type { About, Next, State } from "./state.js"
import { becoming } from "./state.js"

/** Refuses, and reports it. */
export function refuse(setup: Setup, state: State, about: About, failure: EitherFailure): Next {
  const { id, method } = about
  const message: Message = { jsonrpc: "2.0", id: id ?? null, error: spelled(failure) }
  const [next, outputs] = deliver(setup, state, about, message, failure._tag !== "IdInUse")
  return [next, [...outputs, reported({ _tag: "Refused", id, method, failure })]]
}

/** A member of a batch is done with its reply, or without one when it was withdrawn; the last one sends them all. */
export function deliver(
  setup: Setup,
  state: State,
  { via, batch }: About,
  message: Message | undefined,
  holds = true
): Next {
  if (batch === undefined) return [state, message === undefined ? [] : [send(message, via)]]
  const { batches, sendable } = collect(state.batches, batch, message, setup.limits.salt, holds)
  return [becoming(state, { batches }), sendable === undefined ? [] : [send(sendable.replies, sendable.via)]]
}
