/** Replies find their way: alone on the exchange of their request, or together when the request came in a batch. */
import { reply } from "../text.js"
import { collect } from "../batch.js"
import type { Failure } from "../failure.js"
import { errorOf } from "../failure.js"
import type { JsonObject } from "../json.js"
import type { Message, RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import type { Compiled } from "./compiled.js"
import { spokenIn } from "./gate.js"
import type { State } from "./state.js"
import { withBatches } from "./state.js"
import type { Output, Send, Via } from "./vocabulary.js"

/** Where a reply belongs. */
export interface About {
  readonly via: Via
  readonly batch: number | undefined
}

export function succeed(
  compiled: Compiled,
  state: State,
  about: About,
  id: RequestId,
  result: JsonObject,
  text?: string
): Step<State, Output> {
  const whole = text === undefined ? undefined : reply(id, text)
  return deliver(compiled, state, about, { jsonrpc: "2.0", id, result }, whole)
}

/** Refuses, and reports it. An id that could not be read is null or absent, as the revision has it. */
export function refuse(
  compiled: Compiled,
  state: State,
  about: About,
  id: RequestId | undefined,
  failure: Failure,
  method?: string
): Step<State, Output> {
  const error = errorOf(failure)
  const [next, outputs] = deliver(
    compiled,
    state,
    about,
    id !== undefined
      ? { jsonrpc: "2.0", id, error }
      : saysNull(compiled, state)
        ? { jsonrpc: "2.0", id: null, error }
        : { jsonrpc: "2.0", error },
    undefined,
    failure._tag !== "IdInUse"
  )
  return [next, [...outputs, { _tag: "Report", report: { _tag: "Refused", id, method, failure } }]]
}

function deliver(
  compiled: Compiled,
  state: State,
  about: About,
  message: Message,
  text: string | undefined,
  holds = true
): Step<State, Output> {
  if (about.batch === undefined) return [state, [send(message, about.via, text)]]
  return collected(compiled, state, about.batch, message, holds)
}

/** One member of a batch is done, with its reply or (when it was withdrawn) without one. The last one sends them all. */
export function collected(
  compiled: Compiled,
  state: State,
  number: number,
  answer: Message | undefined,
  holds = true
): Step<State, Output> {
  const { batches, sendable } = collect(state.batches, number, answer, compiled.limits.salt, holds)
  return [
    withBatches(state, batches, state.next),
    sendable === undefined ? [] : [send(sendable.replies, sendable.via, undefined)]
  ]
}

const saysNull = (compiled: Compiled, state: State): boolean =>
  state.phase._tag === "Unopened" || spokenIn(compiled, state.phase).revision.features.unreadableId === "null"

const send = (message: Send["message"], via: Via, text: string | undefined): Send => ({
  _tag: "Send",
  message,
  via,
  last: true,
  text
})
