/** A call goes out when the server declared what it needs, and is settled exactly once. */
import type { Problem } from "../check.js"
import { within } from "../check.js"
import { announced } from "../definition.js"
import type { JsonObject } from "../json.js"
import type { ErrorReply, RequestId, ResultReply } from "../jsonrpc.js"
import { hasName } from "../narrow.js"
import type { RequestRow } from "../row.js"
import type { Setup, Spoken } from "./definition.js"
import { isModern, unsupported, versionsIn } from "./discover.js"
import { none, revisionIn, spokenIn, undeclared, unextended } from "./gate.js"
import { failed, ignored, start, tell } from "./outputs.js"
import { vouched } from "./prior.js"
import { again, metaOf, request } from "./request.js"
import { judge } from "./result-type.js"
import { inputRequired } from "./rounds.js"
import { calledAs, due, fails, going, settle, underWay } from "./settle.js"
import { namesOf } from "./spoken.js"
import type { Next, Sent, Stage, State } from "./state.js"
import { becoming, held, isDue, sentBecoming, waiting } from "./state.js"
import type { Call, Called, CallError, Output } from "./vocabulary.js"

export function call(setup: Setup, state: State, input: Called): Next {
  const row = sendable(setup, state, input)
  if (!("kind" in row)) return [state, [failed(input.call, row)]]
  const { call: id, method, params, timeoutMs, logLevel: level } = input
  const { envelope } = spokenIn(setup, state.phase)
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
    heard: undefined,
    level,
    // What is held is sent later, whichever the channel.
    params: envelope === undefined && setup.limits.cancels === "message" && state.reopening === 0 ? undefined : params,
    rounds: 1,
    retried: false,
    stage: row.stream ? unheard : state.reopening === 0 ? waiting : held
  }
  const made: Next =
    sent.stage === held ? [becoming(going(setup, state, sent), { last: id }), []] : request(setup, state, sent, params)
  return totalMs === undefined ? made : [made[0], [...made[1], start({ of: "total", call: id }, totalMs)]]
}

const unheard: Stage = { _tag: "Listening", honoured: undefined }

/** The row by which a call is sent, or what keeps it from being sent at all. */
function sendable(setup: Setup, state: State, { call: id, method, params, logLevel }: Called): RequestRow | CallError {
  const { phase, last } = state
  if (phase._tag !== "Open") return { _tag: "NotOpen", method, why: "the session is not open yet" }
  if (!Number.isSafeInteger(id) || id <= last)
    return { _tag: "NotOpen", method, why: `the call's number ${id} is not greater than ${last}` }
  const spoken = spokenIn(setup, phase)
  const { revision } = spoken
  const row = revision.client[method]
  if (row?.kind !== "request" || row.when === "opening")
    return { _tag: "MethodUnknown", method, revision: revision.name }
  const taskNeeds = params?.["task"] === undefined ? undefined : row.task?.needs
  const needs = undeclared(setup, phase, row.needs) ?? undeclared(setup, phase, taskNeeds)
  const declared = Object.keys(phase.peer.capabilities)
  // 2024-11-05 has no capability for completion: there the server is asked, and answers for itself.
  if (needs !== undefined && hasName(revision, "server", needs.split(".")[0]!))
    return { _tag: "MethodUndeclared", method, needs, declared }
  const extension = unextended(setup, phase, row.extension)
  if (extension !== undefined) return { _tag: "MethodUndeclared", method, needs: extension, declared }
  const problem = row.params(params ?? none) ?? misstated(spoken, params, logLevel)
  return problem === undefined ? row : { _tag: "ParamsInvalid", method, problem }
}

export function answered(setup: Setup, state: State, { id, result }: ResultReply): Next {
  const sent = due(setup, state, id)
  if (sent === undefined) return stray(state, id)
  const { method, rounds } = sent
  const { check, asks } = judge(setup, state.phase, sent, result)
  const problem = check(result)
  const next =
    problem !== undefined
      ? settle(setup, state, sent, fails({ _tag: "ResultInvalid", method, problem }))
      : asks
        ? inputRequired(setup, state, sent, result)
        : settle(setup, state, sent, rounds > 1 ? { _tag: "Succeeded", result, rounds } : { _tag: "Succeeded", result })
  return vouched(setup, next, result["resultType"] !== undefined)
}

export function refused(setup: Setup, state: State, { id, error }: ErrorReply): Next {
  const sent = due(setup, state, id ?? undefined)
  if (sent === undefined) return stray(state, id ?? undefined, error.message)
  const { method } = sent
  const { revision, envelope } = spokenIn(setup, state.phase)
  const other = envelope !== undefined && error.code === unsupported
  const offered = versionsIn(error)
  if (other && !sent.retried && isDue(sent.stage) && offered.includes(revision.name))
    return again(setup, state, sent, { retried: true })
  const failure: CallError = other
    ? { _tag: "VersionUnsupported", asked: revision.name, offered, spoken: namesOf(setup.spoken), error }
    : { _tag: "Answered", method, error }
  return vouched(setup, settle(setup, state, sent, fails(failure)), isModern(error))
}

/** Something came with the id of a call that is no reply: the call is over, and says so. */
export function broken(setup: Setup, state: State, id: RequestId, problem: Problem): Next {
  const sent = due(setup, state, id)
  if (sent === undefined) return stray(state, id, `a broken reply: ${problem.expected}`)
  return settle(setup, state, sent, fails({ _tag: "ResultInvalid", method: sent.method, problem }))
}

/** The caller lost interest, or waited long enough: the server is told, and a late reply will find nothing. */
export function withdraw(
  setup: Setup,
  state: State,
  call: Call,
  why: (sent: Sent) => CallError,
  reason?: string
): Next {
  const sent = calledAs(setup, state, call)
  if (sent === undefined) return [state, []]
  const { id, stage, task } = sent
  const [next, outputs] = settle(setup, state, sent, fails(why(sent)), reason)
  // Between two requests there is nothing to withdraw.
  if (stage._tag === "Asking" || stage._tag === "Pausing" || stage._tag === "Held") return [next, outputs]
  // 2025-11-25 basic/utilities/cancellation: of what is a task only tasks/cancel is said, by whoever knows the task.
  if (task) return [next, outputs]
  const params = reason === undefined ? { requestId: id } : { requestId: id, reason }
  const byExchange = setup.limits.cancels === "exchange"
  // Up to 2025-11-25, basic/transports: a connection that closes cancels nothing.
  const silent = byExchange && revisionIn(setup, state.phase).features.closedExchange === "cancels"
  const told: ReadonlyArray<Output> = silent ? [] : [tell("notifications/cancelled", params)]
  return [next, [...told, ...(byExchange ? [{ _tag: "Abort", id } as const] : []), ...outputs]]
}

/** Whether the time runs in which the server is to reply to a call. */
export function isAwaited(setup: Setup, state: State, call: Call): boolean {
  const sent = calledAs(setup, state, call)
  return sent !== undefined && isDue(sent.stage)
}

/** The server knows nothing of the call, and is told nothing. */
export function unsent(setup: Setup, state: State, id: number, problem: Problem): Next {
  const sent = underWay(setup, state, id)
  if (sent === undefined) return [state, []]
  return settle(setup, state, sent, fails({ _tag: "ParamsInvalid", method: sent.method, problem }))
}

export function progress(setup: Setup, state: State, params: JsonObject): Next {
  const token = params["progressToken"] as RequestId
  const value = params["progress"] as number
  const sent = due(setup, state, token)
  if (sent === undefined)
    return outlives(state, token)
      ? [state, [{ _tag: "Notice", method: "notifications/progress", params }]]
      : stray(state, undefined, "progress for no request of ours that is in flight")
  const { call: id, timeoutMs, restarts } = sent
  const old = sent.heard !== undefined && value <= sent.heard
  // A request that was made again has a token of its own, whose progress may begin anew: the caller was told that much before.
  if (old && sent.id === id) return stray(state, id, "progress that does not increase")
  const outputs: Array<Output> = restarts ? [start({ of: "request", call: id }, timeoutMs)] : []
  if (old) return [state, outputs]
  if (sent.progress) {
    const total = params["total"] as number | undefined
    const message = typeof params["message"] === "string" ? params["message"] : undefined
    outputs.push({ _tag: "Progress", call: id, progress: value, total, message })
  }
  return [going(setup, state, sentBecoming(sent, { heard: value })), outputs]
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

const stray = (state: State, id: RequestId | undefined, why = "a reply to no request of ours that is in flight") =>
  ignored(state, undefined, id, why)
