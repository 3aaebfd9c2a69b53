/** The server asks: a ping is answered at once, what we declared is put to the user's code, the rest is refused. */
import { collect, holds as held } from "../batch.js"
import { errorOf, told } from "../failure.js"
import type { Failure } from "../failure.js"
import type { JsonObject } from "../json.js"
import type { ErrorObject, Message, Request, RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import type { RequestRow } from "../row.js"
import { insert, lookup, remove } from "../trie.js"
import type { Asked } from "./asks.js"
import { asksWith } from "./asks.js"
import type { Setup } from "./definition.js"
import { admit, revisionIn } from "./gate.js"
import type { State } from "./state.js"
import { withAsks } from "./state.js"
import type { Output } from "./vocabulary.js"

/** Where a reply belongs. */
export interface About {
  readonly via: string
  readonly batch: number | undefined
}

export function asked(setup: Setup, state: State, { id, method, params }: Request, about: About): Step<State, Output> {
  const row = refusal(setup, state, id) ?? admit(setup, state.phase, method, params)
  if (!("kind" in row)) return refuse(setup, state, about, id, row, method)
  if (method === "ping") return deliver(setup, state, about, { jsonrpc: "2.0", id, result: {} })
  const { open, batches, next } = state.asks
  const entry: Asked = { id, ask: next, method, via: about.via, batch: about.batch }
  return [
    withAsks(state, asksWith(insert(open, id, entry, setup.limits.salt), batches, next + 1)),
    [{ _tag: "Ask", ask: next, id, method, params }]
  ]
}

export function answer(setup: Setup, state: State, ask: number, id: RequestId, result: unknown): Step<State, Output> {
  const entry = openAsk(setup, state, ask, id)
  if (entry === undefined) return late(state, id)
  const problem = (revisionIn(setup, state.phase).server[entry.method] as RequestRow).result(result)
  if (problem === undefined) return end(setup, state, entry, { jsonrpc: "2.0", id, result: result as JsonObject })
  const [next, outputs] = end(setup, state, entry, {
    jsonrpc: "2.0",
    id,
    error: errorOf({ _tag: "ResultInvalid", method: entry.method })
  })
  return [
    next,
    [...outputs, { _tag: "Report", report: { _tag: "Unsendable", method: entry.method, why: told(problem) } }]
  ]
}

export function decline(
  setup: Setup,
  state: State,
  ask: number,
  id: RequestId,
  error: ErrorObject
): Step<State, Output> {
  const entry = openAsk(setup, state, ask, id)
  return entry === undefined ? late(state, id) : end(setup, state, entry, { jsonrpc: "2.0", id, error })
}

/** The server withdraws a question: it is taken back from the user, and never answered. */
export function withdrawAsk(setup: Setup, state: State, params: JsonObject | undefined): Step<State, Output> {
  const id = params?.["requestId"] as RequestId | undefined
  const entry = id === undefined ? undefined : lookup(state.asks.open, id, setup.limits.salt)
  if (entry === undefined) return ignored(state, "notifications/cancelled", "no such question is open")
  const [next, outputs] = end(setup, state, entry, undefined)
  return [next, [{ _tag: "WithdrawAsk", ask: entry.ask, reason: params?.["reason"] as string | undefined }, ...outputs]]
}

export function refuse(
  setup: Setup,
  state: State,
  about: About,
  id: RequestId | undefined,
  failure: Failure,
  method: string | undefined
): Step<State, Output> {
  const error = errorOf(failure)
  const [next, outputs] = deliver(
    setup,
    state,
    about,
    id === undefined ? { jsonrpc: "2.0", id: null, error } : { jsonrpc: "2.0", id, error },
    failure._tag !== "IdInUse"
  )
  return [next, [...outputs, { _tag: "Report", report: { _tag: "Refused", id, method, failure } }]]
}

export const ignored = (state: State, method: string | undefined, why: string): Step<State, Output> => [
  state,
  [{ _tag: "Report", report: { _tag: "Ignored", method, id: undefined, why } }]
]

function refusal(setup: Setup, state: State, id: RequestId): Failure | undefined {
  const { salt } = setup.limits
  if (lookup(state.asks.open, id, salt) !== undefined || held(state.asks.batches, id, salt))
    return { _tag: "IdInUse", id }
  if (state.asks.open.size >= setup.limits.asks) return { _tag: "TooManyRequests", limit: setup.limits.asks }
  return undefined
}

function openAsk(setup: Setup, state: State, ask: number, id: RequestId): Asked | undefined {
  const entry = lookup(state.asks.open, id, setup.limits.salt)
  return entry?.ask === ask ? entry : undefined
}

function end(setup: Setup, state: State, entry: Asked, reply: Message | undefined): Step<State, Output> {
  const { open, batches, next } = state.asks
  const without = withAsks(state, asksWith(remove(open, entry.id, setup.limits.salt), batches, next))
  if (reply !== undefined) return deliver(setup, without, entry, reply)
  return entry.batch === undefined ? [without, []] : collected(setup, without, entry.batch, undefined)
}

function deliver(setup: Setup, state: State, about: About, message: Message, holds = true): Step<State, Output> {
  if (about.batch !== undefined) return collected(setup, state, about.batch, message, holds)
  return [state, [send(message, about.via)]]
}

/** One member of a batch is done. The last one sends all the replies together. */
function collected(
  setup: Setup,
  state: State,
  number: number,
  reply: Message | undefined,
  holds = true
): Step<State, Output> {
  const { open, batches: before, next } = state.asks
  const { batches, sendable } = collect(before, number, reply, setup.limits.salt, holds)
  return [
    withAsks(state, asksWith(open, batches, next)),
    sendable === undefined ? [] : [send(sendable.replies, sendable.via)]
  ]
}

const send = (message: Message | ReadonlyArray<Message>, via: string): Output => ({
  _tag: "Send",
  message,
  via,
  last: true,
  text: undefined
})

const late = (state: State, id: RequestId): Step<State, Output> => [
  state,
  [
    {
      _tag: "Report",
      report: { _tag: "Ignored", method: undefined, id, why: "an answer came after its question had been withdrawn" }
    }
  ]
]
