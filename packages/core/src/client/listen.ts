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
import { fails, going, settle, underWay } from "./settle.js"
import type { Next, Sent, State } from "./state.js"
import { sentBecoming } from "./state.js"

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
  const sent = underWay(setup, state, id)
  if (sent?.stage._tag !== "Listening") return ignored(state, method, id, "it names no stream of ours that is open")
  const { honoured } = sent.stage
  if (method === acknowledgement)
    return honoured === undefined
      ? acknowledged(setup, state, sent, params!["notifications"] as JsonObject)
      : ignored(state, method, id, "the stream was acknowledged before")
  if (honoured === undefined) return ignored(state, method, id, "the stream is not acknowledged yet")
  if (!tells(row, member(honoured, row.filter!), params))
    return ignored(state, method, id, "the stream was not to tell of it")
  return [state, [{ _tag: "Notice", method, params, about: sent.call }]]
}

function acknowledged(setup: Setup, state: State, sent: Sent, said: JsonObject): Next {
  const honoured = both(sent.params?.["notifications"], said)
  const next = going(setup, state, sentBecoming(sent, { stage: { _tag: "Listening", honoured } }))
  return vouched(setup, [next, [...stageOver(sent), { _tag: "Acknowledged", call: sent.call, honoured }]], true)
}

/** What was wanted and is promised. */
function both(wanted: unknown, said: JsonObject): JsonObject {
  const all = Object.entries(said).map(([name, promise]) => [name, kept(member(wanted, name), promise)] as const)
  return Object.fromEntries(all.filter(([, promise]) => promise !== undefined))
}

function kept(wish: unknown, promise: unknown): Json | undefined {
  if (!Array.isArray(promise) || !Array.isArray(wish)) return wish === true && promise === true ? true : undefined
  const wishes = new Set<unknown>(wish)
  return (promise as ReadonlyArray<Json>).filter((one) => wishes.has(one))
}

/** 2026-07-28 server/resources, Subscriptions: what is told of may lie below what was subscribed to. What an extension tells of is named. */
const tells = ({ by, extension }: NotificationRow, promise: unknown, params: JsonObject | undefined): boolean =>
  by === undefined || !Array.isArray(promise)
    ? promise === true
    : (promise as ReadonlyArray<Json>).some((one) =>
        extension === undefined ? String(params?.[by]).startsWith(String(one)) : params?.[by] === one
      )

/** 2026-07-28 basic/patterns/cancellation: a server cancels nothing but streams. */
export function streamCancelled(setup: Setup, state: State, params: JsonObject | undefined): Next {
  const id = params?.["requestId"] as RequestId | undefined
  const sent = underWay(setup, state, id)
  // It ends a stream by the result and by this: of a request of ours that is over there is nothing more to say.
  if (sent === undefined && typeof id === "number" && id <= state.last) return [state, []]
  if (sent?.stage._tag !== "Listening")
    return ignored(state, "notifications/cancelled", id, "it names no stream of ours that is open")
  const reason = params?.["reason"]
  const why = `the server ended it${typeof reason === "string" ? `: ${reason}` : ""}`
  return settle(setup, state, sent, fails({ _tag: "Closed", method: sent.method, why }))
}
