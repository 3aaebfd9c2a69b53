/** A call goes out when the server declared what it needs, and is settled exactly once. */
import type { Problem } from "../check.js"
import { problem, within } from "../check.js"
import { announced } from "../definition.js"
import type { JsonObject } from "../json.js"
import type { ErrorObject, RequestId } from "../jsonrpc.js"
import { told } from "../failure-of-either.js"
import { hasName } from "../narrow.js"
import type { RequestRow } from "../row.js"
import type { Setup, Spoken } from "./definition.js"
import type { Reply } from "./discover.js"
import { disagreement, isModern, unsupported, versionsIn } from "./discover.js"
import { none, revisionIn, spokenIn, undeclared, unextended } from "./gate.js"
import { openingReplied } from "./opening.js"
import { after, failed, ignored, plus, start, tell } from "./outputs.js"
import { isUnproven, vouched } from "./prior.js"
import { again, given, metaOf, request } from "./request.js"
import { judge } from "./result-type.js"
import { inputRequired } from "./rounds.js"
import { calledAs, due, fails, going, settle } from "./settle.js"
import type { Next, Sent, Stage, State } from "./state.js"
import { becoming, held, isDue, sentBecoming, waiting } from "./state.js"
import type { Called, CallError, ClientTimer, Input, Output } from "./vocabulary.js"

export function call(setup: Setup, state: State, input: Called): Next {
  const row = sendable(setup, state, input)
  if (!("kind" in row)) return [state, [failed(input.call, row)]]
  const { call: id, method, params, timeoutMs, logLevel: level } = input
  const { envelope } = spokenIn(setup, state)
  const totalMs = row.stream ? undefined : input.totalMs
  const sent: Sent = {
    call: id,
    id,
    method,
    task: row.task !== undefined && params?.["task"] !== undefined,
    timeoutMs,
    totalMs,
    restarts: totalMs !== undefined && input.resetOnProgress !== false,
    progress: input.progress && !row.stream,
    level,
    // What is held is sent later, whichever the channel.
    params: envelope === undefined && setup.cancels === "message" && state.reopening === 0 ? undefined : params,
    rounds: 1,
    retried: false,
    stage: row.stream ? unheard : state.reopening === 0 ? waiting : held,
    heard: undefined
  }
  const made: Next =
    sent.stage === held
      ? [becoming(going(state, sent), { last: id }), [start({ of: "request", call: id }, timeoutMs)]]
      : request(setup, state, sent, params)
  return totalMs === undefined ? made : plus(made, start({ of: "total", call: id }, totalMs))
}

const unheard: Stage = { _tag: "Listening", honoured: undefined }

/** The row by which a call is sent, or what keeps it from being sent at all. */
function sendable(setup: Setup, state: State, { call: id, method, params, logLevel }: Called): RequestRow | CallError {
  const { phase, last } = state
  if (phase._tag !== "Open") return { _tag: "NotOpen", method, why: "the session is not open yet" }
  if (!Number.isSafeInteger(id) || id <= last)
    return { _tag: "NotOpen", method, why: `the call's number ${id} is not greater than ${last}` }
  const spoken = spokenIn(setup, state)
  const { revision } = spoken
  const row = revision.client[method]
  if (row?.kind !== "request" || row.when === "opening")
    return { _tag: "MethodUnknown", method, revision: revision.name }
  const taskNeeds = params?.["task"] === undefined ? undefined : row.task?.needs
  const missing = undeclared(setup, state, row.needs) ?? undeclared(setup, state, taskNeeds)
  // 2024-11-05 has no capability for completion: there the server is asked, and answers for itself.
  const named = missing !== undefined && hasName(revision, "server", missing.split(".")[0]!)
  const needs = named ? missing : unextended(setup, state, row.extension)
  if (needs !== undefined)
    return { _tag: "MethodUndeclared", method, needs, declared: Object.keys(phase.peer.capabilities) }
  const wrong = row.params(params ?? none) ?? misstated(spoken, params, logLevel)
  return wrong === undefined ? row : { _tag: "ParamsInvalid", method, problem: wrong }
}

/** A reply, or what stands for one: to what opens the session, or to a call. Undefined when nobody waits for it. */
export function replied(setup: Setup, state: State, id: RequestId | null | undefined, reply: Reply): Next | undefined {
  const sent = due(state, id ?? undefined)
  if (sent === undefined) return openingReplied(setup, state, id, reply)
  switch (reply._tag) {
    case "Result":
      return answered(setup, state, sent, reply.message.result)
    case "Error":
      return refused(setup, state, sent, reply.message.error)
    case "Broken": {
      const over = fails(state, sent, reply.failure(sent.method))
      return reply.final === false ? vouched(setup, over, false) : over
    }
  }
}

function answered(setup: Setup, state: State, sent: Sent, result: JsonObject): Next {
  const { method, rounds } = sent
  const { check, asks } = judge(setup, state, sent, result)
  const wrong = check(result)
  const next =
    wrong !== undefined
      ? fails(state, sent, { _tag: "ResultInvalid", method, problem: wrong })
      : asks
        ? inputRequired(setup, state, sent, result)
        : settle(state, sent, { _tag: "Succeeded", result, rounds: rounds > 1 ? rounds : undefined })
  return vouched(setup, next, result["resultType"] !== undefined)
}

function refused(setup: Setup, state: State, sent: Sent, error: ErrorObject): Next {
  const { revision, envelope } = spokenIn(setup, state)
  const other = envelope !== undefined && error.code === unsupported
  const offered = versionsIn(error)
  if (other && !sent.retried && isDue(sent.stage) && offered.includes(revision.name))
    return again(setup, state, sent, { retried: true })
  const failure: CallError = other
    ? disagreement(setup, revision.name, offered, error)
    : { _tag: "Answered", method: sent.method, error }
  return vouched(setup, fails(state, sent, failure), isModern(error))
}

/** The server knows nothing of the call, and is told nothing. */
export function unsent(setup: Setup, state: State, { call, why }: Extract<Input, { readonly _tag: "Unsent" }>): Next {
  const wrong = problem("", `JSON: ${why}`)
  const failure = (method: string): CallError => ({ _tag: "ParamsInvalid", method, problem: wrong })
  return replied(setup, state, call, { _tag: "Broken", failure }) ?? ignored(state, told(wrong), call)
}

export function abandoned(
  setup: Setup,
  state: State,
  { call, reason }: Omit<Extract<Input, { readonly _tag: "Abandoned" }>, "_tag">
): Next {
  const sent = calledAs(state, call)
  if (sent === undefined) return [state, []]
  return withdraw(setup, state, sent, { _tag: "Abandoned", method: sent.method, reason }, reason)
}

export function callTimedOut(setup: Setup, state: State, { of, call }: ClientTimer): Next {
  const sent = calledAs(state, call)
  const total = of === "total"
  if (sent === undefined || (!total && !isDue(sent.stage))) return [state, []]
  const { method, timeoutMs, totalMs } = sent
  const ms = total ? (totalMs ?? 0) : timeoutMs
  const error: CallError = { _tag: "TimedOut", method, ms, total, unproven: isUnproven(state) || undefined }
  // The server may be one that does not understand us: it is asked, once.
  return vouched(setup, withdraw(setup, state, sent, error, "timed out"), false)
}

/** The caller lost interest, or waited long enough: the server is told, and a late reply will find nothing. */
function withdraw(setup: Setup, state: State, sent: Sent, error: CallError, reason: string | undefined): Next {
  const { id, task } = sent
  const next = fails(state, sent, error, reason)
  // Between two requests there is nothing to withdraw.
  // 2025-11-25 basic/utilities/cancellation: of what is a task only tasks/cancel is said, by whoever knows the task.
  if (task || due(state, id) === undefined) return next
  const byExchange = setup.cancels === "exchange"
  const outputs: Array<Output> = []
  // Up to 2025-11-25, basic/transports: a connection that closes cancels nothing.
  if (!byExchange || revisionIn(setup, state).features.closedExchange !== "cancels")
    outputs.push(tell("notifications/cancelled", given({ requestId: id, reason })))
  if (byExchange) outputs.push({ _tag: "Abort", id })
  return after(outputs, next)
}

export function progress(state: State, params: JsonObject): Next {
  const token = params["progressToken"] as RequestId
  const value = params["progress"] as number
  const sent = due(state, token)
  if (sent === undefined)
    return outlives(state, token)
      ? [state, [{ _tag: "Notice", method: "notifications/progress", params }]]
      : ignored(state, "progress for no request of ours that is in flight")
  const { call: id, timeoutMs, restarts } = sent
  // No number is at most undefined: the first is not old.
  const old = value <= sent.heard!
  // A request that was made again has a token of its own, whose progress may begin anew: the caller was told that much before.
  if (old && sent.id === id) return ignored(state, "progress that does not increase", id)
  const outputs: Array<Output> = restarts ? [start({ of: "request", call: id }, timeoutMs)] : []
  if (old) return [state, outputs]
  if (sent.progress) {
    const total = params["total"] as number | undefined
    const message = typeof params["message"] === "string" ? params["message"] : undefined
    outputs.push({ _tag: "Progress", call: id, progress: value, total, message })
  }
  return [going(state, sentBecoming(sent, { heard: value })), outputs]
}

/** 2025-11-25 basic/utilities/tasks, Task Progress Notifications: a token lives as long as its task, longer than the request. */
const outlives = ({ phase, last }: State, token: RequestId): boolean =>
  phase._tag === "Open" &&
  announced(phase.peer.capabilities, "tasks.requests") &&
  typeof token === "number" &&
  token <= last

/** What would be wrong with what is said beside the params; whatever is ours to say is right. */
function misstated(spoken: Spoken, params: JsonObject | undefined, level: string | undefined): Problem | undefined {
  if (spoken.envelope === undefined || (level === undefined && params?.["_meta"] === undefined)) return undefined
  const wrong = spoken.revision.envelope!(metaOf(spoken, params, undefined, level))
  return wrong && within("_meta", wrong)
}
