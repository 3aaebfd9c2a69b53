/** Questions to the client: they go out on the exchange of the request they serve, and when all are answered its handler runs again. */
import { told } from "../failure.js"
import type { Request, RequestId } from "../jsonrpc.js"
import { narrowedQuestion } from "../narrow-question.js"
import type { Peer } from "../peer.js"
import type { Revision } from "../revision.js"
import type { RequestRow } from "../row.js"
import { insert, lookup, remove } from "../trie.js"
import { unbalanced } from "./balanced.js"
import type { Compiled } from "./compiled.js"
import { inOrder, revisionOf } from "./entry.js"
import { seal } from "./input.js"
import { invocation } from "./invoke.js"
import { lacking, page, pathOf } from "./offers.js"
import { ignored, send, start, stop, timerOf } from "./outputs.js"
import { fail, unable } from "./settle.js"
import type { Asked, InFlight, Next, Params, State } from "./state.js"
import { becoming, entryBecoming } from "./state.js"
import type { Answer, NeedsInput, Output, Question } from "./vocabulary.js"
import { withdrawn } from "./withdraw.js"

/** All the questions or none: one that may not be sent fails the call, and is reported. */
export function ask(compiled: Compiled, state: State, entry: InFlight, input: NeedsInput): Next {
  const { questions, once } = input
  const { id, peer } = entry
  const revision = revisionOf(compiled, entry)
  const { salt, askMs, maxQuestions: most } = compiled.limits
  const before = Object.keys(entry.asking?.answers ?? {}).length
  if (before + questions.length > most) {
    const why = `a request may ask ${most} questions`
    return unable(compiled, state, entry, why, why)
  }
  const why = unsendable(revision, peer, entry.method, questions)
  if (why !== undefined) {
    const lacks = lacking(
      revision,
      peer,
      questions.flatMap((question) => needsOf(revision, question))
    )
    const told = lacks.length > 0 ? `the client did not declare ${lacks.join(", ")}` : "its questions can not be asked"
    return unable(compiled, state, entry, why, told, lacks)
  }
  if (revision.features.asks === "result") return seal(compiled, state, entry, input)
  if (state.silent) return fail(compiled, state, entry, { _tag: "Stopping" })
  const ready = state.phase._tag === "Ready"
  const open: Array<Asked> = []
  const outputs: Array<Output> = []
  let { asked, next } = state
  for (const { key, method, params } of questions) {
    const number = next++
    const message = question(number, method, narrowedQuestion(revision, peer, method, params))
    asked = insert(asked, number, id, salt)
    open.push({ ask: number, key, method, held: ready ? undefined : message })
    if (ready) outputs.push(send(message, entry.via))
    outputs.push(start(timerOf(number), askMs))
  }
  // Another number for the run to come: whatever the present one still says finds nothing.
  const asking = { open, answers: entry.asking?.answers ?? {}, once }
  const waiting = entryBecoming(entry, { call: next++, asking })
  return [becoming(state, { inFlight: insert(state.inFlight, id, waiting, salt), asked, next }), outputs]
}

const question = (id: number, method: string, params: Params): Request =>
  params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params }

/** What was asked before the client was ready to hear it goes out now. */
export const askHeld = (state: State): ReadonlyArray<Output> =>
  inOrder(state).flatMap(({ via, asking }) =>
    (asking?.open ?? []).flatMap(({ held }) => (held === undefined ? [] : [send(held, via)]))
  )

/** What keeps the questions from being sent, when something does. */
function unsendable(revision: Revision, peer: Peer, method: string, all: ReadonlyArray<Question>): string | undefined {
  if ((revision.client[method] as RequestRow | undefined)?.asks !== true) return `${method} may not ask`
  if (all.length === 0) return "a handler that needs input must ask something"
  for (const [at, question] of all.entries()) {
    if (all.findIndex(({ key }) => key === question.key) < at) return `${question.key}: is asked twice`
    const why = unaskable(revision, peer, question)
    if (why !== undefined) return `${question.key}: ${why}`
  }
  return undefined
}

/** Why the client can not be asked this, when it can not: it did not declare it, or its revision can not say it. */
export function unaskable(revision: Revision, peer: Peer, question: Asks): string | undefined {
  const { method, params } = question
  const row = revision.questions[method]
  if (row === undefined) return `${method} is not a request that a server may send in ${revision.name}`
  if (isPage(question) && revision.features.forms === "flat") return `${revision.name} has no elicitation by page`
  const lacks = lacking(revision, peer, needsOf(revision, question))
  if (lacks.length > 0) return `the client did not declare ${lacks.join(", ")}`
  const narrowed = narrowedQuestion(revision, peer, method, params)
  const problem = row.params(narrowed ?? {})
  return problem === undefined ? unbalanced(narrowed) : told(problem)
}

type Asks = Omit<Question, "key">

/** What the client has to have declared for it: a page needs its own flag. */
function needsOf(revision: Revision, question: Asks): ReadonlyArray<string> {
  const { needs, task } = revision.questions[question.method] ?? {}
  const all = [
    isPage(question) && revision.features.forms === "full" ? page : needs && pathOf(needs),
    question.params?.["task"] && task && pathOf(task.needs)
  ]
  return all.filter((need) => typeof need === "string")
}

const isPage = ({ method, params }: Asks): boolean => method === "elicitation/create" && params?.["mode"] === "url"

/** The client's reply. A result that its row does not take is as good as a refusal. */
export function answered(compiled: Compiled, state: State, id: RequestId | undefined, answer: Answer): Next {
  // Before the client is ready it can not know of our questions.
  const [entry, question] = id !== undefined && state.phase._tag === "Ready" ? asker(compiled, state, id) : none
  if (entry === undefined) return ignored(state, undefined, id, "a reply to no request of ours that is in flight")
  const row = revisionOf(compiled, entry).questions[question.method]!
  const problem = answer._tag === "Answered" ? row.result(answer.result) : undefined
  return settle(compiled, state, entry, question, problem === undefined ? answer : invalid(told(problem)))
}

/** What came is no reply at all, but says which question it is about: waiting on would be in vain. */
export function misanswered(compiled: Compiled, state: State, id: RequestId | undefined, why: string): Next {
  const [entry, question] = id !== undefined && state.phase._tag === "Ready" ? asker(compiled, state, id) : none
  const [next, outputs] = entry === undefined ? [state, []] : settle(compiled, state, entry, question, invalid(why))
  return [next, [...outputs, ...ignored(state, undefined, id, `a broken reply: ${why}`)[1]]]
}

const invalid = (why: string): Answer => ({
  _tag: "Refused",
  error: { code: -32602, message: `the answer is not valid: ${why}` }
})

/** Nobody answered in time: the client is told that we no longer wait, and the handler that it was in vain. */
export function askTimedOut(compiled: Compiled, state: State, number: number): Next {
  const [entry, question] = asker(compiled, state, number)
  if (entry === undefined) return [state, []]
  const [next, outputs] = settle(compiled, state, entry, question, { _tag: "TimedOut" })
  return [next, [...withdrawn(state, number, entry, "timed out"), ...outputs]]
}

const none: readonly [undefined] = [undefined]

/** The request that an open question serves, and the question. */
function asker({ limits }: Compiled, state: State, id: RequestId): readonly [InFlight, Asked] | typeof none {
  const about = lookup(state.asked, id, limits.salt)
  const entry = about === undefined ? undefined : lookup(state.inFlight, about, limits.salt)
  const question = entry?.asking?.open.find(({ ask }) => ask === id)
  return question === undefined ? none : [entry!, question]
}

function settle({ limits }: Compiled, state: State, entry: InFlight, { ask, key }: Asked, answer: Answer): Next {
  const { open, answers, once } = entry.asking!
  const left = open.filter((other) => other.ask !== ask)
  const asking = { open: left, answers: Object.fromEntries([...Object.entries(answers), [key, answer]]), once }
  const next = entryBecoming(entry, { asking, passed: 0 })
  const after = becoming(state, {
    asked: remove(state.asked, ask, limits.salt),
    inFlight: insert(state.inFlight, entry.id, next, limits.salt)
  })
  const done = stop(timerOf(ask))
  return [after, left.length > 0 ? [done] : [done, invocation(next)]]
}
