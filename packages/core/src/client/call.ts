/** A call goes out when the server declared what it needs, and is settled exactly once. */
import type { Problem } from "../check.js"
import { announced } from "../definition.js"
import type { Json, JsonObject } from "../json.js"
import type { ErrorReply, RequestId, ResultReply } from "../jsonrpc.js"
import { hasName } from "../narrow.js"
import type { RequestRow } from "../row.js"
import { insert, lookup, remove } from "../trie.js"
import type { Setup } from "./definition.js"
import { none, revisionIn, undeclared } from "./gate.js"
import { callOver, failed, ignored, send, start, tell } from "./outputs.js"
import type { Next, Sent, State } from "./state.js"
import { becoming, heard } from "./state.js"
import type { Call, Called, CallError, Outcome, Output } from "./vocabulary.js"

export function call(setup: Setup, state: State, input: Called): Next {
  const error = unsendable(setup, state, input)
  if (error !== undefined) return [state, [failed(input.call, error)]]
  const { call: id, method, params: given, timeoutMs, totalMs, progress: wanted } = input
  const task = given?.["task"] !== undefined && rowOf(setup, state, method).task !== undefined
  const sent: Sent = { call: id, method, task, timeoutMs, totalMs, progress: wanted, heard: undefined }
  const params = wanted || totalMs !== undefined ? withToken(given, id) : given
  const outputs = [
    send(params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params }),
    start({ of: "request", call: id }, timeoutMs)
  ]
  if (totalMs !== undefined) outputs.push(start({ of: "total", call: id }, totalMs))
  return [becoming(state, { sent: insert(state.sent, id, sent, setup.limits.salt), last: id }), outputs]
}

/** What keeps a call from being sent at all. */
function unsendable(setup: Setup, { phase, last }: State, { call: id, method, params }: Called): CallError | undefined {
  if (phase._tag !== "Open") return { _tag: "NotOpen", method, why: "the session is not open yet" }
  if (!Number.isSafeInteger(id) || id <= last)
    return { _tag: "NotOpen", method, why: `the call's number ${id} is not greater than ${last}` }
  const revision = revisionIn(setup, phase)
  const row = revision.client[method]
  if (row?.kind !== "request" || row.when === "opening")
    return { _tag: "MethodUnknown", method, revision: revision.name }
  const taskNeeds = params?.["task"] === undefined ? undefined : row.task?.needs
  const needs = undeclared(setup, phase, row.needs) ?? undeclared(setup, phase, taskNeeds)
  // 2024-11-05 has no capability for completion: there the server is asked, and answers for itself.
  if (needs !== undefined && hasName(revision, "server", needs.split(".")[0]!))
    return { _tag: "MethodUndeclared", method, needs, declared: Object.keys(phase.peer.capabilities) }
  const problem = row.params(params ?? none)
  return problem && { _tag: "ParamsInvalid", method, problem }
}

export function answered(setup: Setup, state: State, { id, result }: ResultReply): Next {
  const sent = underWay(setup, state, id)
  if (sent === undefined) return stray(state, id)
  const { method, task } = sent
  const row = rowOf(setup, state, method)
  const problem = (task ? row.task!.result : row.result)(result)
  if (problem !== undefined) return settle(setup, state, sent, fails({ _tag: "ResultInvalid", method, problem }))
  return settle(setup, state, sent, { _tag: "Succeeded", result })
}

export function refused(setup: Setup, state: State, { id, error }: ErrorReply): Next {
  const sent = underWay(setup, state, id ?? undefined)
  if (sent === undefined) return stray(state, id ?? undefined, error.message)
  return settle(setup, state, sent, fails({ _tag: "Answered", method: sent.method, error }))
}

/** Something came with the id of a call that is no reply: the call is over, and says so. */
export function broken(setup: Setup, state: State, id: RequestId, problem: Problem): Next {
  const sent = underWay(setup, state, id)
  if (sent === undefined) return stray(state, id, `a broken reply: ${problem.expected}`)
  return settle(setup, state, sent, fails({ _tag: "ResultInvalid", method: sent.method, problem }))
}

/** The caller lost interest, or waited long enough: the server is told, and a late reply will find nothing. */
export function withdraw(setup: Setup, state: State, id: Call, why: (sent: Sent) => CallError, reason?: string): Next {
  const sent = underWay(setup, state, id)
  if (sent === undefined) return [state, []]
  const [next, outputs] = settle(setup, state, sent, fails(why(sent)))
  // 2025-11-25 basic/utilities/cancellation: of what is a task only tasks/cancel is said, by whoever knows the task.
  if (sent.task) return [next, outputs]
  const params = reason === undefined ? { requestId: id } : { requestId: id, reason }
  const told: Output =
    setup.limits.cancels === "message" ? tell("notifications/cancelled", params) : { _tag: "Abort", id }
  return [next, [told, ...outputs]]
}

/** The server knows nothing of the call, and is told nothing. */
export function unsent(setup: Setup, state: State, id: Call, problem: Problem): Next {
  const sent = underWay(setup, state, id)
  if (sent === undefined) return [state, []]
  return settle(setup, state, sent, fails({ _tag: "ParamsInvalid", method: sent.method, problem }))
}

export function progress(setup: Setup, state: State, params: JsonObject): Next {
  const token = params["progressToken"] as RequestId
  const value = params["progress"] as number
  const sent = underWay(setup, state, token)
  if (sent === undefined)
    return outlives(state, token)
      ? [state, [{ _tag: "Notice", method: "notifications/progress", params }]]
      : stray(state, undefined, "progress for no request of ours that is in flight")
  const { call: id, timeoutMs, totalMs } = sent
  if (sent.heard !== undefined && value <= sent.heard) return stray(state, id, "progress that does not increase")
  const outputs: Array<Output> = totalMs === undefined ? [] : [start({ of: "request", call: id }, timeoutMs)]
  if (sent.progress) {
    const total = params["total"] as number | undefined
    const message = typeof params["message"] === "string" ? params["message"] : undefined
    outputs.push({ _tag: "Progress", call: id, progress: value, total, message })
  }
  return [becoming(state, { sent: insert(state.sent, id, heard(sent, value), setup.limits.salt) }), outputs]
}

/** 2025-11-25 basic/utilities/tasks, Task Progress Notifications: a token lives as long as its task, longer than the request. */
const outlives = ({ phase, last }: State, token: RequestId): boolean =>
  phase._tag === "Open" &&
  announced(phase.peer.capabilities, "tasks.requests") &&
  typeof token === "number" &&
  token <= last

const underWay = (setup: Setup, state: State, id: RequestId | undefined): Sent | undefined =>
  id === undefined ? undefined : lookup(state.sent, id, setup.limits.salt)

/** The row of a call that is under way. */
const rowOf = (setup: Setup, { phase }: State, method: string): RequestRow =>
  revisionIn(setup, phase).client[method] as RequestRow

const fails = (error: CallError): Outcome => ({ _tag: "Failed", error })

const settle = (setup: Setup, state: State, sent: Sent, outcome: Outcome): Next => [
  becoming(state, { sent: remove(state.sent, sent.call, setup.limits.salt) }),
  [...callOver(sent), { _tag: "Settle", call: sent.call, outcome }]
]

function withToken(params: JsonObject | undefined, token: RequestId): JsonObject {
  const meta = params?.["_meta"] as JsonObject | undefined
  return withMember(params, "_meta", withMember(meta, "progressToken", token))
}

/** A copy with one member set. What was named `__proto__` stays a member, which assignment would not let it. */
const withMember = (value: JsonObject | undefined, key: string, to: Json): JsonObject =>
  Object.fromEntries<Json | undefined>([...Object.entries(value ?? {}), [key, to]])

const stray = (state: State, id: RequestId | undefined, why = "a reply to no request of ours that is in flight") =>
  ignored(state, undefined, id, why)
