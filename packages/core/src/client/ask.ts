/** The server asks: a ping is answered at once, what we declared is put to the user's code, the rest is refused. */
import { holds } from "../batch.js"
import type { EitherFailure } from "../failure-of-either.js"
import { internal, spelled, told } from "../failure-of-either.js"
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import { narrowed } from "../narrow.js"
import type { ErrorObject, Request, RequestId } from "../jsonrpc.js"
import { unsendable } from "../outcome.js"
import type { RequestRow } from "../row.js"
import { insert, lookup, remove } from "../trie.js"
import type { Setup } from "./definition.js"
import { admit, revisionIn } from "./gate.js"
import { after, askOver, ignored, plus, start, takenBack, withheld } from "./outputs.js"
import { asTask, rowOf } from "./question.js"
import { deliver, refuse } from "./reply.js"
import { answered, refused } from "./rounds.js"
import type { Ask, Asked, Next, State, Way } from "./state.js"
import { becoming } from "./state.js"
import type { Call, ClientTimer, Input } from "./vocabulary.js"

export function asked(setup: Setup, state: State, { id, method, params }: Request, way: Way): Next {
  const revision = revisionIn(setup, state)
  // 2026-07-28 basic, Messages: there a server sends no requests, and a client no responses.
  if (revision.features.asks === "result")
    return ignored(state, "a request, and in this revision a server sends none", id, method)
  const row = refusal(setup, state, id) ?? admit(setup, state, "request", method, params)
  if (!("kind" in row)) return refuse(state, way, row, id, method)
  if (method === "ping") return deliver(state, way, { jsonrpc: "2.0", id, result: {} })
  const ask = state.next
  const { via, batch } = way
  const token = member(params?.["_meta"], "progressToken") as RequestId | undefined
  const task = asTask(revision, setup.definition.capabilities, method, params)
  const entry: Asked = { _tag: "Asked", ask, id, method, ms: setup.askMs, via, batch, task, token, told: undefined }
  return put(becoming(state, { asked: insert(state.asked, id, ask, state.salt) }), entry, params)
}

function refusal({ maxAsks: limit }: Setup, { asked, asks, batches, salt }: State, id: RequestId) {
  const failure: EitherFailure | undefined =
    lookup(asked, id, salt) !== undefined || holds(batches, id, salt)
      ? { _tag: "IdInUse", id }
      : asks.size >= limit
        ? { _tag: "TooManyRequests", limit }
        : undefined
  return failure
}

/** A question is put to the user. */
export function put(state: State, entry: Ask, params: JsonObject | undefined, about?: Call): Next {
  const { ask, method, ms } = entry
  return [
    becoming(state, { asks: insert(state.asks, ask, entry, state.salt), next: ask + 1 }),
    [
      ...(ms === undefined ? [] : [start({ of: "ask", call: ask }, ms)]),
      { _tag: "Ask", ask, id: entry.id, method, params, about }
    ]
  ]
}

export function answer(setup: Setup, state: State, input: Extract<Input, { readonly _tag: "Answered" }>): Next {
  const entry = openAsk(state, input.ask, input.id)
  if (entry === undefined) return late(state, input.id)
  const { method } = entry
  const revision = revisionIn(setup, state)
  const row = rowOf(revision, method) as RequestRow
  const result = narrowed(revision, row.result, input.result as JsonObject)
  const problem = unsendable(revision, row, method, result, entry.task)
  if (problem === undefined) return over(setup, state, entry, result)
  const next = over(setup, state, entry, undefined, spelled({ _tag: "ResultInvalid", method }))
  return plus(next, withheld(method, told(problem)))
}

export function decline(
  setup: Setup,
  state: State,
  { ask, id, error }: Extract<Input, { readonly _tag: "Declined" }>
): Next {
  const entry = openAsk(state, ask, id)
  return entry === undefined ? late(state, id) : over(setup, state, entry, undefined, error)
}

/** Nobody answered in time: the question is taken back from the user, and the server is told where there is a way to tell it. */
export function askTimedOut(setup: Setup, state: State, { call: ask }: ClientTimer): Next {
  const entry = lookup(state.asks, ask, state.salt)
  if (entry === undefined) return [state, []]
  const why = `not answered within ${entry.ms} ms`
  const next = over(setup, state, entry, undefined, internal(why))
  return after([takenBack(ask, why)], plus(next, withheld(entry.method, why)))
}

/** The server withdraws a question: it is taken back from the user, and never answered. */
export function withdrawAsk(setup: Setup, state: State, params: JsonObject | undefined): Next {
  const id = params?.["requestId"] as RequestId | undefined
  const ask = id === undefined ? undefined : lookup(state.asked, id, state.salt)
  if (ask === undefined) return ignored(state, "no such question is open", undefined, "notifications/cancelled")
  const next = over(setup, state, lookup(state.asks, ask, state.salt)!)
  return after([takenBack(ask, params?.["reason"] as string | undefined)], next)
}

/** The question of that number, if it is open and came with that id, or in a result without one. */
export function openAsk({ asks, salt }: State, ask: number, id: RequestId | undefined): Ask | undefined {
  const entry = lookup(asks, ask, salt)
  return entry?.id === id ? entry : undefined
}

/** A question is over: with a result, with an error, or without a reply. */
function over(setup: Setup, state: State, entry: Ask, result?: JsonObject, error?: ErrorObject): Next {
  const { salt } = state
  const asks = remove(state.asks, entry.ask, salt)
  if (entry._tag === "Question") {
    const left = becoming(state, { asks })
    return after(askOver(entry), error ? refused(left, entry, error) : answered(setup, left, entry, result!))
  }
  const { id } = entry
  const left = becoming(state, { asks, asked: remove(state.asked, id, salt) })
  const reply = error ? ({ jsonrpc: "2.0", id, error } as const) : result && ({ jsonrpc: "2.0", id, result } as const)
  return after(askOver(entry), deliver(left, entry, reply))
}

export const late = (state: State, id: RequestId | undefined): Next =>
  ignored(state, "an answer came after its question had been withdrawn", id)
