/** The end of a call, which comes once: its timers stop, what was asked for it is taken back, and its caller is told. */
import type { RequestId } from "../jsonrpc.js"
import type { Trie } from "../trie.js"
import { insert, lookup, remove, values } from "../trie.js"
import { after, callOver, dropped, each } from "./outputs.js"
import type { Ask, Next, Sent, State } from "./state.js"
import { becoming } from "./state.js"
import type { Call, CallError, Outcome } from "./vocabulary.js"

/** The call whose request has that id. */
export const underWay = ({ sent, salt }: State, id: RequestId | undefined): Sent | undefined =>
  id === undefined ? undefined : lookup(sent, id, salt)

/** The call whose request has that id and is not answered, that is, where a reply is due. */
export function due(state: State, id: RequestId | undefined): Sent | undefined {
  const sent = underWay(state, id)
  return sent?.stage._tag === "Waiting" || sent?.stage._tag === "Listening" ? sent : undefined
}

/** The call of that number. */
export function calledAs(state: State, call: Call): Sent | undefined {
  const sent = underWay(state, lookup(state.renamed, call, state.salt) ?? call)
  return sent?.call === call ? sent : undefined
}

export const fails = (state: State, sent: Sent, error: CallError, why?: string): Next =>
  settle(state, sent, { _tag: "Failed", error }, why)

/** `why` is told to whoever answers a question that is taken back. */
export function settle(state: State, sent: Sent, outcome: Outcome, why?: string): Next {
  const { call, id, stage } = sent
  const { salt } = state
  const over = becoming(state, { sent: remove(state.sent, id, salt), renamed: remove(state.renamed, call, salt) })
  const settled = { _tag: "Settle", call, outcome } as const
  if (stage._tag !== "Asking") return [over, [...callOver(sent), settled]]
  const [next, outputs] = each(over, questionsOf(state, id), (now, entry) => [
    becoming(now, { asks: remove(now.asks, entry.ask, salt) }),
    dropped(entry, why)
  ])
  return after(callOver(sent), [next, [...outputs, settled]])
}

/** What is open of what the result of a request asked. */
export const questionsOf = ({ asks }: State, id: number): ReadonlyArray<Ask> =>
  inOrder(asks, "ask").filter(({ about }) => about === id)

/** The call goes on, and is known by the same id. */
export const going = (state: State, sent: Sent): State =>
  becoming(state, { sent: insert(state.sent, sent.id, sent, state.salt) })

/** All that is in a table, in the order of their numbers. */
export const inOrder = <K extends string, A extends { readonly [key in K]: number }>(
  table: Trie<A>,
  by: K
): ReadonlyArray<A> => values(table).toSorted((a, b) => a[by] - b[by])
