/** A result that asks: its questions are put to the user, and the request is made again with the answers (2026-07-28). */
import type { Problem } from "../check.js"
import { problem, within } from "../check.js"
import { internal, spelled, told } from "../failure-of-either.js"
import type { JsonObject } from "../json.js"
import type { ErrorObject } from "../jsonrpc.js"
import { keeping, narrowedResult } from "../narrow.js"
import { unsendable } from "../outcome.js"
import { insert, lookup, remove } from "../trie.js"
import type { Setup } from "./definition.js"
import { revisionIn, undeclared } from "./gate.js"
import { ignored, questionOver, reported, stageOver, start, takenBack } from "./outputs.js"
import { amiss } from "./question.js"
import { again, withMembers } from "./request.js"
import { calledAs, fails, going, questionsOf, settle, underWay } from "./settle.js"
import type { Next, Question, Sent, Stage, State } from "./state.js"
import { becoming, sentBecoming, waiting } from "./state.js"
import type { Call, Output } from "./vocabulary.js"

/** The result is known to be well-formed. */
export function inputRequired(setup: Setup, state: State, sent: Sent, result: JsonObject): Next {
  const { method, rounds } = sent
  if (rounds >= setup.limits.rounds) return settle(setup, state, sent, fails({ _tag: "TooManyRounds", method, rounds }))
  const asked = Object.entries((result["inputRequests"] ?? {}) as { readonly [key: string]: InputRequest })
  const wrong = misasked(setup, state, asked)
  if (wrong !== undefined) return settle(setup, state, sent, fails({ _tag: "ResultInvalid", method, problem: wrong }))
  const token = result["requestState"] as string | undefined
  return asked.length === 0 ? pause(setup, state, sent, token) : put(setup, state, sent, asked, token)
}

type InputRequest = { readonly method: string; readonly params?: JsonObject }

/** What keeps the questions from being put to the user, any of them. */
function misasked(
  setup: Setup,
  state: State,
  asked: ReadonlyArray<readonly [string, InputRequest]>
): Problem | undefined {
  const { asks } = setup.limits
  if (state.asked.size + state.questions.size + asked.length > asks)
    return problem("inputRequests", `no more than ${asks} questions at once`)
  const revision = revisionIn(setup, state.phase)
  for (const [key, { method, params }] of asked) {
    const needs = undeclared(setup, state.phase, revision.questions[method]!.needs)
    const wrong =
      needs === undefined
        ? misfit(amiss(revision, setup.definition.capabilities, method, params))
        : problem("method", `another method: the client did not declare ${needs}`)
    if (wrong !== undefined) return within("inputRequests", within(key, wrong))
  }
  return undefined
}

const misfit = (wrong: Problem | undefined): Problem | undefined => wrong && within("params", wrong)

function put(
  setup: Setup,
  state: State,
  sent: Sent,
  asked: ReadonlyArray<readonly [string, InputRequest]>,
  token: string | undefined
): Next {
  const { askMs: ms, salt } = setup.limits
  const first = state.next
  const outputs: Array<Output> = [...stageOver(sent)]
  let { questions, next: ask } = state
  for (const [key, { method, params }] of asked) {
    questions = insert(questions, ask, { ask, id: sent.id, key, method, response: undefined, ms }, salt)
    if (ms !== undefined) outputs.push(start({ of: "ask", call: ask }, ms))
    outputs.push({ _tag: "Ask", ask, id: undefined, method, params, about: sent.call })
    ask += 1
  }
  const count = asked.length
  const stage: Stage = { _tag: "Asking", first, count, open: count, state: token }
  return [going(setup, becoming(state, { questions, next: ask }), sentBecoming(sent, { stage })), outputs]
}

/** An answer, the last of which sends the request again. */
export function answerQuestion(setup: Setup, state: State, ask: number, result: unknown): Next {
  const question = openQuestion(setup, state, ask)
  if (question === undefined) return late(state)
  const { id, key, method, response: _, ms } = question
  const revision = revisionIn(setup, state.phase)
  const response = narrowedResult(revision, method, result as JsonObject)
  const wrong = unsendable(revision, revision.questions[method]!, method, response, false)
  if (wrong !== undefined) {
    const [next, outputs] = refuse(setup, state, question, spelled({ _tag: "ResultInvalid", method }))
    return [next, [...outputs, reported({ _tag: "Unsendable", method, why: told(wrong) })]]
  }
  const sent = underWay(setup, state, id)!
  const stage = sent.stage as Extract<Stage, { _tag: "Asking" }>
  const { first, count, open, state: token } = stage
  const questions = insert(state.questions, ask, { ask, id, key, method, response, ms }, setup.limits.salt)
  const answered = becoming(state, { questions })
  const over = questionOver(question)
  if (open > 1) {
    const left: Stage = { _tag: "Asking", first, count, open: open - 1, state: token }
    return [going(setup, answered, sentBecoming(sent, { stage: left })), over]
  }
  const all = questionsOf(setup, answered, stage)
  const inputResponses = Object.fromEntries(all.map(({ key, response }) => [key, response]))
  const rest = all.reduce((rest, { ask }) => remove(rest, ask, setup.limits.salt), questions)
  const [next, outputs] = retry(setup, becoming(state, { questions: rest }), sent, { inputResponses }, token)
  return [next, [...over, ...outputs]]
}

/**
 * 2026-07-28 basic/patterns/mrtr has no way to tell the server of it: client/sampling and client/roots leave the request be.
 */
export function declineQuestion(setup: Setup, state: State, ask: number, error: ErrorObject): Next {
  const question = openQuestion(setup, state, ask)
  return question === undefined ? late(state) : refuse(setup, state, question, error)
}

/** Nobody answered in time; nothing when it is not such a question. */
export function questionTimedOut(setup: Setup, state: State, ask: number): Next {
  const question = openQuestion(setup, state, ask)
  if (question === undefined) return [state, []]
  const why = `not answered within ${question.ms} ms`
  const error = internal(why)
  const [next, outputs] = refuse(setup, state, question, error)
  return [next, [takenBack(ask, why), ...outputs]]
}

/** Without this answer there is nothing to go on with. */
function refuse(setup: Setup, state: State, question: Question, error: ErrorObject): Next {
  const { ask, id, key } = question
  const sent = underWay(setup, state, id)!
  const without = becoming(state, { questions: remove(state.questions, ask, setup.limits.salt) })
  const refusal = fails({ _tag: "AskRefused", method: sent.method, key, error })
  const [next, outputs] = settle(setup, without, sent, refusal, "another question of the same request was refused")
  return [next, [...questionOver(question), ...outputs]]
}

function openQuestion({ limits }: Setup, state: State, ask: number): Question | undefined {
  const question = lookup(state.questions, ask, limits.salt)
  return question?.response === undefined ? question : undefined
}

const late = (state: State): Next =>
  ignored(state, undefined, undefined, "an answer came after its question had been withdrawn")

/** A server that asks for nothing but patience is given some more of it each time, up to five seconds. */
function pause(setup: Setup, state: State, sent: Sent, token: string | undefined): Next {
  const stage: Stage = { _tag: "Pausing", state: token }
  const wait = start({ of: "retry", call: sent.call }, Math.min(100 * 2 ** (sent.rounds - 1), 5_000))
  return [going(setup, state, sentBecoming(sent, { stage })), [...stageOver(sent), wait]]
}

export function paused(setup: Setup, state: State, call: Call): Next {
  const sent = calledAs(setup, state, call)
  if (sent?.stage._tag !== "Pausing") return [state, []]
  const [next, outputs] = retry(setup, state, sent, {}, sent.stage.state)
  return [next, [...stageOver(sent), ...outputs]]
}

/** 2026-07-28 basic/patterns/mrtr, Client Requirements: with exactly the state that came, and without one when none came. */
function retry(setup: Setup, state: State, sent: Sent, answers: JsonObject, token: string | undefined): Next {
  const given = keeping(sent.params ?? {}, (key) => key !== "inputResponses" && key !== "requestState")
  const params = withMembers(given, token === undefined ? answers : withMembers(answers, { requestState: token }))
  return again(setup, state, sent, { params, rounds: sent.rounds + 1, stage: waiting })
}
