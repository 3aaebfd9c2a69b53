/** One JSON value arrives from the server: a reply settles a call, a request is a question, a notification is heard. */
import { begin, wantsReply } from "../batch.js"
import type { ErrorReply, Malformed, Notification, RequestId, ResultReply } from "../jsonrpc.js"
import { read } from "../jsonrpc.js"
import type { JsonObject } from "../json.js"
import type { Step } from "../machine.js"
import type { About } from "./ask.js"
import { asked, ignored, refuse, withdrawAsk } from "./ask.js"
import { asksWith } from "./asks.js"
import { answered, broken, progress, refused } from "./call.js"
import type { Setup } from "./definition.js"
import { hear, revisionIn } from "./gate.js"
import { openingAnswered, openingFailed, openingRefused } from "./opening.js"
import type { State } from "./state.js"
import { withAsks } from "./state.js"
import type { Output } from "./vocabulary.js"

export function receive(setup: Setup, state: State, json: unknown, via: string): Step<State, Output> {
  if (Array.isArray(json)) return receiveBatch(setup, state, json, via)
  return receiveOne(setup, state, json, { via, batch: undefined })
}

function receiveOne(setup: Setup, state: State, json: unknown, about: About): Step<State, Output> {
  const envelope = read(json)
  switch (envelope._tag) {
    case "Result":
      return resultCame(setup, state, envelope.message)
    case "Error":
      return errorCame(setup, state, envelope.message)
    case "Request":
      return asked(setup, state, envelope.message, about)
    case "Notification":
      return notified(setup, state, envelope.message)
    case "Malformed":
      return malformed(setup, state, envelope, about)
  }
}

function resultCame(setup: Setup, state: State, message: ResultReply): Step<State, Output> {
  const { phase } = state
  if (phase._tag === "Opening" && message.id === phase.id) return openingAnswered(setup, state, phase, message)
  return answered(setup, state, message)
}

function errorCame(setup: Setup, state: State, message: ErrorReply): Step<State, Output> {
  const { phase } = state
  if (phase._tag === "Opening" && message.id === phase.id) return openingRefused(setup, state, phase, message)
  return refused(setup, state, message)
}

function notified(setup: Setup, state: State, { method, params }: Notification): Step<State, Output> {
  const row = hear(setup, state.phase, method, params)
  if (typeof row === "string") return ignored(state, method, row)
  switch (method) {
    case "notifications/progress":
      return progress(setup, state, params as JsonObject)
    case "notifications/cancelled":
      return withdrawAsk(setup, state, params)
    default:
      return [state, [{ _tag: "Notice", method, params }]]
  }
}

/** Only what is plainly a request is told that it is broken: a client that answers anything else can start an argument. */
function malformed(setup: Setup, state: State, { id, why, reply }: Malformed, about: About): Step<State, Output> {
  if (reply && id !== undefined) return replyBroken(setup, state, id, why)
  if (!reply && (id !== undefined || about.batch !== undefined))
    return refuse(setup, state, about, id, { _tag: "InvalidRequest", why }, undefined)
  return [state, [{ _tag: "Report", report: { _tag: "Ignored", method: undefined, id, why } }]]
}

/** A reply that can not be read is still an answer: whoever waits for it learns at once what was wrong with it. */
function replyBroken(setup: Setup, state: State, id: RequestId, why: string): Step<State, Output> {
  const { phase } = state
  const problem = { at: "", expected: `a reply of JSON-RPC 2.0: ${why}` }
  if (phase._tag === "Opening" && id === phase.id)
    return openingFailed(state, { _tag: "ResultInvalid", method: "initialize", problem })
  return broken(setup, state, id, problem)
}

/** 2025-03-26 basic, Batching: a client MUST be able to receive batches. */
function receiveBatch(setup: Setup, state: State, members: ReadonlyArray<unknown>, via: string): Step<State, Output> {
  if (state.phase._tag !== "Open" || !revisionIn(setup, state.phase).features.batches || members.length === 0)
    return ignored(state, undefined, "a batch, where the revision in force has none")
  const { open, batches, next: number } = state.asks
  const waiting = members.filter(wantsReply).length
  const begun = begin(batches, number, via, waiting, setup.limits.salt)
  const outputs: Array<Output> = []
  let now = waiting === 0 ? state : withAsks(state, asksWith(open, begun, number + 1))
  for (const json of members) {
    const [next, more] = receiveOne(setup, now, json, { via, batch: number })
    for (const output of more) outputs.push(output)
    now = next
  }
  return [now, outputs]
}
