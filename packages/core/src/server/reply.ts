/** Replies find their way: alone on the exchange of their request, or together when the request came in a batch. */
import { collect } from "../batch.js"
import type { Failure } from "../failure.js"
import { errorOf } from "../failure.js"
import type { JsonObject } from "../json.js"
import type { Message } from "../jsonrpc.js"
import { reply } from "../text.js"
import type { Compiled } from "./compiled.js"
import { spokenIn } from "./gate.js"
import { reported, send } from "./outputs.js"
import type { About, Served, Next, State } from "./state.js"
import { becoming } from "./state.js"

/** `text`: the result, already serialised. */
export function succeed(compiled: Compiled, state: State, about: Served, result: JsonObject, text?: string): Next {
  const { id } = about
  return deliver(compiled, state, about, { jsonrpc: "2.0", id, result }, text === undefined ? text : reply(id, text))
}

/** Refuses, and reports it. An id that could not be read is null or absent, as the revision has it. */
export function refuse(compiled: Compiled, state: State, about: About, failure: Failure): Next {
  const { id, method, peer } = about
  const error = errorOf(failure)
  const message: Message =
    id !== undefined
      ? { jsonrpc: "2.0", id, error }
      : saysNull(compiled, state)
        ? { jsonrpc: "2.0", id: null, error }
        : { jsonrpc: "2.0", error }
  const [next, outputs] = deliver(compiled, state, about, message, undefined, failure._tag !== "IdInUse")
  return [next, [...outputs, reported({ _tag: "Refused", id, method, failure, peer })]]
}

const saysNull = (compiled: Compiled, state: State): boolean =>
  before(compiled, state) || spokenIn(compiled, state.phase).revision.features.unreadableId === "null"

/** Before two sides agree, where they have to. */
const before = ({ handshake }: Compiled, { phase }: State): boolean => phase._tag === "Unopened" && handshake.length > 0

/** A member of a batch is done with its reply, or without one when it was withdrawn; the last one sends them all. */
export function deliver(
  compiled: Compiled,
  state: State,
  { via, batch }: About,
  message: Message | undefined,
  text?: string,
  holds = true
): Next {
  if (batch === undefined) return [state, message === undefined ? [] : [send(message, via, true, text)]]
  const { batches, sendable } = collect(state.batches, batch, message, compiled.limits.salt, holds)
  return [becoming(state, { batches }), sendable === undefined ? [] : [send(sendable.replies, sendable.via, true)]]
}
