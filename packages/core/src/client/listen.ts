/** A request that is answered when it ends: acknowledged first, and then what comes names it (2026-07-28). */
import * as key from "../envelope.js"
import type { Json, JsonObject } from "../json.js"
import { member } from "../json.js"
import type { RequestId } from "../jsonrpc.js"
import { isRequestId } from "../jsonrpc.js"
import type { NotificationRow } from "../row.js"
import type { Setup } from "./definition.js"
import { ignored, stageOver } from "./outputs.js"
import { vouched } from "./prior.js"
import { given } from "./request.js"
import { fails, going, underWay } from "./settle.js"
import type { Next, Sent, State } from "./state.js"
import { sentBecoming } from "./state.js"

const unopened = "it names no stream of ours that is open"

const acknowledgement = "notifications/subscriptions/acknowledged"

/** A notification that has to come on a stream. */
export function onStream(
  setup: Setup,
  state: State,
  row: NotificationRow,
  method: string,
  params: JsonObject | undefined
): Next {
  const tag = member(params?.["_meta"], key.subscriptionId)
  const id = isRequestId(tag) ? tag : undefined
  const sent = underWay(state, id)
  if (sent?.stage._tag !== "Listening") return ignored(state, unopened, id, method)
  const { honoured } = sent.stage
  const first = method === acknowledgement
  if (honoured === undefined) {
    if (first) return acknowledged(setup, state, sent, params!["notifications"] as JsonObject)
    return ignored(state, "the stream is not acknowledged yet", id, method)
  }
  return tells(row, member(honoured, row.filter!), params)
    ? [state, [{ _tag: "Notice", method, params, about: sent.call }]]
    : ignored(state, first ? "the stream was acknowledged before" : "the stream was not to tell of it", id, method)
}

function acknowledged(setup: Setup, state: State, sent: Sent, said: JsonObject): Next {
  const honoured = both(sent.params?.["notifications"], said)
  const next = going(state, sentBecoming(sent, { stage: { _tag: "Listening", honoured } }))
  return vouched(setup, [next, [...stageOver(sent), { _tag: "Acknowledged", call: sent.call, honoured }]], true)
}

/** What was wanted and is promised. */
const both = (wanted: unknown, said: JsonObject): JsonObject =>
  given(Object.fromEntries(Object.entries(said).map(([name, promise]) => [name, kept(member(wanted, name), promise)])))

function kept(wish: unknown, promise: unknown): Json | undefined {
  if (!Array.isArray(promise) || !Array.isArray(wish)) return wish === true && promise === true ? true : undefined
  const wishes = new Set<unknown>(wish)
  return (promise as ReadonlyArray<Json>).filter((one) => wishes.has(one))
}

/** 2026-07-28 server/resources, Subscriptions: what is told of may lie below what was subscribed to. What an extension tells of is named. */
const tells = ({ by, extension }: NotificationRow, promise: unknown, params: JsonObject | undefined): boolean =>
  Array.isArray(promise)
    ? (promise as ReadonlyArray<Json>).some((one) =>
        extension === undefined ? String(params?.[by!]).startsWith(String(one)) : params?.[by!] === one
      )
    : promise === true

/** 2026-07-28 basic/patterns/cancellation: a server cancels nothing but streams. */
export function streamCancelled(state: State, params: JsonObject | undefined): Next {
  const id = params?.["requestId"] as RequestId | undefined
  const sent = underWay(state, id)
  // It ends a stream by the result and by this: of a request of ours that is over there is nothing more to say.
  if (sent === undefined && typeof id === "number" && id <= state.last) return [state, []]
  if (sent?.stage._tag !== "Listening") return ignored(state, unopened, id, "notifications/cancelled")
  const reason = params?.["reason"]
  const why = `the server ended it${typeof reason === "string" ? `: ${reason}` : ""}`
  return fails(state, sent, { _tag: "Closed", method: sent.method, why })
}
