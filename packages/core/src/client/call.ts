/** A call goes out when the server declared what it needs, and is settled exactly once. */
import type { Problem } from "../check.js"
import { announced } from "../definition.js"
import type { Json, JsonObject } from "../json.js"
import type { ErrorReply, RequestId, ResultReply } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import type { Revision } from "../revision.js"
import type { RequestRow } from "../row.js"
import { insert, lookup, remove } from "../trie.js"
import type { Setup } from "./definition.js"
import { none, revisionIn } from "./gate.js"
import type { Sent, State } from "./state.js"
import { heard, withSent } from "./state.js"
import type { Call, Called, CallError, Output } from "./vocabulary.js"

export function call(setup: Setup, state: State, input: Called): Step<State, Output> {
  const error = unsendable(setup, state, input)
  if (error !== undefined) return [state, [failed(input.call, error)]]
  const { call: id, method, timeoutMs, totalMs } = input
  const sent: Sent = { call: id, method, timeoutMs, totalMs, progress: input.progress, heard: undefined }
  const params = input.progress || totalMs !== undefined ? withToken(input.params, id) : input.params
  const message =
    params === undefined ? ({ jsonrpc: "2.0", id, method } as const) : ({ jsonrpc: "2.0", id, method, params } as const)
  const outputs: Array<Output> = [
    { _tag: "Send", message, via: undefined, last: false, text: undefined },
    { _tag: "StartTimer", timer: { of: "request", call: id }, ms: timeoutMs }
  ]
  if (totalMs !== undefined) outputs.push({ _tag: "StartTimer", timer: { of: "total", call: id }, ms: totalMs })
  return [withSent(state, insert(state.sent, id, sent, setup.limits.salt), id), outputs]
}

/** What keeps a call from being sent at all. */
function unsendable(setup: Setup, state: State, { call: id, method, params }: Called): CallError | undefined {
  const { phase } = state
  if (phase._tag === "Closed") return { _tag: "NotOpen", method, why: phase.why }
  if (phase._tag !== "Open") return { _tag: "NotOpen", method, why: "the session is not open yet" }
  if (!Number.isSafeInteger(id) || id <= state.last)
    return { _tag: "NotOpen", method, why: `the call's number ${id} is not greater than ${state.last}` }
  const revision = revisionIn(setup, phase)
  const row = revision.client[method]
  if (row?.kind !== "request" || row.when === "opening")
    return { _tag: "MethodUnknown", method, revision: revision.name }
  if (row.needs !== undefined) {
    const needs = row.needs.slice("server.".length)
    if (!announced(phase.peer.capabilities, needs) && nameable(revision, needs))
      return { _tag: "MethodUndeclared", method, needs, declared: Object.keys(phase.peer.capabilities) }
  }
  const problem = row.params(params ?? none)
  return problem && { _tag: "ParamsInvalid", method, problem }
}

/** 2024-11-05 has no capability for completion: there the server is asked, and answers for itself. */
const nameable = (revision: Revision, needs: string): boolean =>
  revision.features.serverCapabilities.includes(needs.split(".")[0]!)

export function answered(setup: Setup, state: State, { id, result }: ResultReply): Step<State, Output> {
  const sent = lookup(state.sent, id, setup.limits.salt)
  if (sent === undefined || state.phase._tag !== "Open") return stray(state, id)
  const problem = (revisionIn(setup, state.phase).client[sent.method] as RequestRow).result(result)
  const { call: number, method } = sent
  if (problem !== undefined)
    return settle(setup, state, sent, failed(number, { _tag: "ResultInvalid", method, problem }))
  return settle(setup, state, sent, { _tag: "Settle", call: number, outcome: { _tag: "Succeeded", result } })
}

export function refused(setup: Setup, state: State, { id, error }: ErrorReply): Step<State, Output> {
  const sent = id === undefined || id === null ? undefined : lookup(state.sent, id, setup.limits.salt)
  if (sent === undefined) return stray(state, id ?? undefined, error.message)
  return settle(setup, state, sent, failed(sent.call, { _tag: "Answered", method: sent.method, error }))
}

/** Something came with the id of a call that is no reply: the call is over, and says so. */
export function broken(setup: Setup, state: State, id: RequestId, problem: Problem): Step<State, Output> {
  const sent = lookup(state.sent, id, setup.limits.salt)
  if (sent === undefined) return stray(state, id, `a broken reply: ${problem.expected}`)
  const { call: number, method } = sent
  return settle(setup, state, sent, failed(number, { _tag: "ResultInvalid", method, problem }))
}

/** The caller lost interest, or waited long enough: the server is told, and a late reply will find nothing. */
export function withdraw(
  setup: Setup,
  state: State,
  id: Call,
  error: (sent: Sent) => CallError,
  reason?: string
): Step<State, Output> {
  const [next, outputs] = forgo(setup, state, id, error)
  if (outputs.length === 0) return [state, []]
  return [next, [setup.limits.cancels === "message" ? cancelled(id, reason) : { _tag: "Abort", id }, ...outputs]]
}

/** The call is settled, and the server is told nothing: it knows nothing of the call. */
export function forgo(setup: Setup, state: State, id: Call, error: (sent: Sent) => CallError): Step<State, Output> {
  const sent = lookup(state.sent, id, setup.limits.salt)
  return sent === undefined ? [state, []] : settle(setup, state, sent, failed(id, error(sent)))
}

export function progress(setup: Setup, state: State, params: JsonObject): Step<State, Output> {
  const token = params["progressToken"] as RequestId
  const value = params["progress"] as number
  const sent = lookup(state.sent, token, setup.limits.salt)
  if (sent === undefined) return stray(state, undefined, "progress for no request of ours that is in flight")
  if (sent.heard !== undefined && value <= sent.heard) return stray(state, sent.call, "progress that does not increase")
  const next = withSent(state, insert(state.sent, sent.call, heard(sent, value), setup.limits.salt), state.last)
  const outputs: Array<Output> = []
  if (sent.totalMs !== undefined)
    outputs.push({ _tag: "StartTimer", timer: { of: "request", call: sent.call }, ms: sent.timeoutMs })
  if (sent.progress)
    outputs.push({
      _tag: "Progress",
      call: sent.call,
      progress: value,
      total: params["total"] as number | undefined,
      message: typeof params["message"] === "string" ? params["message"] : undefined
    })
  return [next, outputs]
}

export const failed = (id: Call, error: CallError): Output => ({
  _tag: "Settle",
  call: id,
  outcome: { _tag: "Failed", error }
})

/** The timers of a call that is over. */
export function timersOff(sent: Sent): ReadonlyArray<Output> {
  const request: Output = { _tag: "StopTimer", timer: { of: "request", call: sent.call } }
  return sent.totalMs === undefined
    ? [request]
    : [request, { _tag: "StopTimer", timer: { of: "total", call: sent.call } }]
}

const settle = (setup: Setup, state: State, sent: Sent, output: Output): Step<State, Output> => [
  withSent(state, remove(state.sent, sent.call, setup.limits.salt), state.last),
  [...timersOff(sent), output]
]

const cancelled = (id: Call, reason: string | undefined): Output => ({
  _tag: "Send",
  message: {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: reason === undefined ? { requestId: id } : { requestId: id, reason }
  },
  via: undefined,
  last: false,
  text: undefined
})

function withToken(params: JsonObject | undefined, token: RequestId): JsonObject {
  const meta = params?.["_meta"] as JsonObject | undefined
  return withMember(params, "_meta", withMember(meta, "progressToken", token))
}

/** A copy with one member set. What was named `__proto__` stays a member, which assignment would not let it. */
const withMember = (value: JsonObject | undefined, key: string, to: Json): JsonObject =>
  Object.fromEntries<Json | undefined>([...Object.entries(value ?? {}), [key, to]])

const stray = (
  state: State,
  id: RequestId | undefined,
  why = "a reply to no request of ours that is in flight"
): Step<State, Output> => [state, [{ _tag: "Report", report: { _tag: "Ignored", method: undefined, id, why } }]]
