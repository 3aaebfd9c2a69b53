/** The end of a call, which comes once: its timers stop, what was asked for it is taken back, and its caller is told. */
import type { RequestId } from "../jsonrpc.js"
import { insert, lookup, remove } from "../trie.js"
import type { Setup } from "./definition.js"
import { callOver, questionOver, takenBack } from "./outputs.js"
import type { Next, Question, Sent, State } from "./state.js"
import { becoming } from "./state.js"
import type { Call, CallError, Outcome, Output } from "./vocabulary.js"

/** The call whose request has that id. */
export const underWay = ({ limits }: Setup, state: State, id: RequestId | undefined): Sent | undefined =>
  id === undefined ? undefined : lookup(state.sent, id, limits.salt)

/** The call whose request has that id and is not answered, that is, where a reply is due. */
export function due(setup: Setup, state: State, id: RequestId | undefined): Sent | undefined {
  const sent = underWay(setup, state, id)
  return sent?.stage._tag === "Waiting" || sent?.stage._tag === "Listening" ? sent : undefined
}

/** The call of that number. */
export function calledAs(setup: Setup, state: State, call: Call): Sent | undefined {
  const sent = underWay(setup, state, lookup(state.renamed, call, setup.limits.salt) ?? call)
  return sent?.call === call ? sent : undefined
}

export const fails = (error: CallError): Outcome => ({ _tag: "Failed", error })

/** `why` is told to whoever answers a question that is taken back. */
export function settle(setup: Setup, state: State, sent: Sent, outcome: Outcome, why?: string): Next {
  const [next, outputs] = forgotten(setup, state, sent, why)
  const { call, id } = sent
  const { salt } = setup.limits
  return [
    becoming(next, {
      sent: remove(next.sent, id, salt),
      renamed: remove(next.renamed, call, salt)
    }),
    [...callOver(sent), ...outputs, { _tag: "Settle", call, outcome }]
  ]
}

/** What was asked for the call is asked no more. */
function forgotten(setup: Setup, state: State, { stage }: Sent, why: string | undefined): Next {
  if (stage._tag !== "Asking") return [state, []]
  const outputs: Array<Output> = []
  let { questions } = state
  for (const question of questionsOf(setup, state, stage)) {
    questions = remove(questions, question.ask, setup.limits.salt)
    if (question.response === undefined) outputs.push(...questionOver(question), takenBack(question.ask, why))
  }
  return [becoming(state, { questions }), outputs]
}

/** In the order in which they were asked. One that was refused is no longer among them. */
export function questionsOf(
  setup: Setup,
  { questions }: State,
  { first, count }: { readonly first: number; readonly count: number }
): ReadonlyArray<Question> {
  return Array.from({ length: count }, (_, at) => lookup(questions, first + at, setup.limits.salt)).filter(
    (question) => question !== undefined
  )
}

/** The call goes on, and is known by the same id. */
export const going = (setup: Setup, state: State, sent: Sent): State =>
  becoming(state, { sent: insert(state.sent, sent.id, sent, setup.limits.salt) })
