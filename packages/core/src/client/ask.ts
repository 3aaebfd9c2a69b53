/** The server asks: a ping is answered at once, what we declared is put to the user's code, the rest is refused. */
import { holds } from "../batch.js"
import type { EitherFailure } from "../failure-of-either.js"
import { spelled, told } from "../failure-of-either.js"
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import { narrowedResult } from "../narrow.js"
import type { Message, Request, RequestId } from "../jsonrpc.js"
import { unsendable } from "../outcome.js"
import type { RequestRow } from "../row.js"
import { insert, lookup, remove } from "../trie.js"
import type { Setup } from "./definition.js"
import { admit, revisionIn } from "./gate.js"
import { questionOver, ignored, reported, start, takenBack } from "./outputs.js"
import { asTask } from "./question.js"
import { deliver, refuse } from "./reply.js"
import { answerQuestion, declineQuestion } from "./rounds.js"
import type { About, Asked, Next, State } from "./state.js"
import { becoming } from "./state.js"
import type { Input, Output } from "./vocabulary.js"

export function asked(setup: Setup, state: State, { id, method, params }: Request, { via, batch }: About): Next {
  const about = { via, batch, id, method }
  // 2026-07-28 basic, Messages: there a server sends no requests, and a client no responses.
  if (revisionIn(setup, state.phase).features.asks === "result") return ignored(state, method, id, unanswered)
  const row = refusal(setup, state, id) ?? admit(setup, state.phase, method, params)
  if (!("kind" in row)) return refuse(setup, state, about, row)
  if (method === "ping") return deliver(setup, state, about, { jsonrpc: "2.0", id, result: {} })
  const { askMs: ms, salt } = setup.limits
  const ask = state.next
  const token = member(params?.["_meta"], "progressToken") as RequestId | undefined
  const task = asTask(revisionIn(setup, state.phase), setup.definition.capabilities, method, params)
  const entry: Asked = { via, batch, id, method, ask, task, token, told: undefined, ms }
  const put: Output = { _tag: "Ask", ask, id, method, params }
  const open = becoming(state, { asked: insert(state.asked, id, entry, salt), next: ask + 1 })
  if (ms === undefined) return [open, [put]]
  return [becoming(open, { timed: insert(state.timed, ask, id, salt) }), [start({ of: "ask", call: ask }, ms), put]]
}

const unanswered = "a request, and in this revision a server sends none"

function refusal({ limits }: Setup, state: State, id: RequestId): EitherFailure | undefined {
  if (lookup(state.asked, id, limits.salt) !== undefined || holds(state.batches, id, limits.salt))
    return { _tag: "IdInUse", id }
  if (state.asked.size >= limits.asks) return { _tag: "TooManyRequests", limit: limits.asks }
  return undefined
}

type Answered = Extract<Input, { _tag: "Answered" }>
type Declined = Extract<Input, { _tag: "Declined" }>

export function answer(setup: Setup, state: State, { ask, id, result }: Answered): Next {
  if (id === undefined) return answerQuestion(setup, state, ask, result)
  const entry = openAsk(setup, state, ask, id)
  if (entry === undefined) return late(state, id)
  const { method, task } = entry
  const revision = revisionIn(setup, state.phase)
  const sendable: unknown = narrowedResult(revision, method, result as JsonObject)
  const problem = unsendable(revision, revision.server[method] as RequestRow, method, sendable, task)
  if (problem === undefined)
    return end(setup, state, entry, { jsonrpc: "2.0", id: entry.id, result: sendable as JsonObject })
  const error = spelled({ _tag: "ResultInvalid", method })
  const [next, outputs] = end(setup, state, entry, { jsonrpc: "2.0", id: entry.id, error })
  return [next, [...outputs, reported({ _tag: "Unsendable", method, why: told(problem) })]]
}

export function decline(setup: Setup, state: State, { ask, id, error }: Declined): Next {
  if (id === undefined) return declineQuestion(setup, state, ask, error)
  const entry = openAsk(setup, state, ask, id)
  return entry === undefined ? late(state, id) : end(setup, state, entry, { jsonrpc: "2.0", id: entry.id, error })
}

/** The server withdraws a question: it is taken back from the user, and never answered. */
export function withdrawAsk(setup: Setup, state: State, params: JsonObject | undefined): Next {
  const id = params?.["requestId"] as RequestId | undefined
  const entry = id === undefined ? undefined : lookup(state.asked, id, setup.limits.salt)
  if (entry === undefined) return ignored(state, "notifications/cancelled", undefined, "no such question is open")
  const [next, outputs] = end(setup, state, entry, undefined)
  return [next, [takenBack(entry.ask, params?.["reason"] as string | undefined), ...outputs]]
}

export function openAsk(setup: Setup, state: State, ask: number, id: RequestId): Asked | undefined {
  const entry = lookup(state.asked, id, setup.limits.salt)
  return entry?.ask === ask ? entry : undefined
}

/** A question is over, with a reply or without one. */
export function end(setup: Setup, state: State, entry: Asked, reply: Message | undefined): Next {
  const { salt } = setup.limits
  const without = becoming(state, {
    asked: remove(state.asked, entry.id, salt),
    timed: remove(state.timed, entry.ask, salt)
  })
  const [next, outputs] = deliver(setup, without, entry, reply)
  return [next, [...questionOver(entry), ...outputs]]
}

export const late = (state: State, id: RequestId): Next =>
  ignored(state, undefined, id, "an answer came after its question had been withdrawn")
