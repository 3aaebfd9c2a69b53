/** A result that asks: its questions are put to the user, and the request is made again with the answers (2026-07-28). */
import type { Problem } from "../check.js"
import { problem, within } from "../check.js"
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import type { ErrorObject } from "../jsonrpc.js"
import { keeping } from "../narrow.js"
import { put } from "./ask.js"
import type { Setup } from "./definition.js"
import { admit } from "./gate.js"
import { after, each, stageOver, start } from "./outputs.js"
import { again, withMembers } from "./request.js"
import { calledAs, fails, going, questionsOf, underWay } from "./settle.js"
import type { Next, Question, Sent, Stage, State } from "./state.js"
import { sentBecoming, waiting } from "./state.js"
import type { ClientTimer } from "./vocabulary.js"

type InputRequest = { readonly method: string; readonly params?: JsonObject }

/** The result is known to be well-formed. */
export function inputRequired(setup: Setup, state: State, sent: Sent, result: JsonObject): Next {
  const { method, rounds, call } = sent
  if (rounds >= setup.maxRounds) return fails(state, sent, { _tag: "TooManyRounds", method, rounds })
  const asked = Object.entries((result["inputRequests"] ?? {}) as { readonly [key: string]: InputRequest })
  const wrong = misasked(setup, state, asked)
  if (wrong !== undefined) return fails(state, sent, { _tag: "ResultInvalid", method, problem: wrong })
  const token = result["requestState"] as string | undefined
  // A server that asks for nothing but patience is given some more of it each time, up to five seconds.
  if (asked.length === 0) {
    const wait = start({ of: "retry", call }, Math.min(100 * 2 ** (rounds - 1), 5_000))
    return after(stageOver(sent), [staged(state, sent, { _tag: "Pausing", state: token }), [wait]])
  }
  const [next, outputs] = each(state, asked, (now, [key, { method, params }]) =>
    put(now, { _tag: "Question", ask: now.next, method, ms: setup.askMs, about: sent.id, key }, params, call)
  )
  return after(stageOver(sent), [staged(next, sent, { _tag: "Asking", answers: {}, state: token }), outputs])
}

const staged = (state: State, sent: Sent, stage: Stage): State => going(state, sentBecoming(sent, { stage }))

/** What keeps the questions from being put to the user, any of them. */
function misasked(
  setup: Setup,
  state: State,
  asked: ReadonlyArray<readonly [string, InputRequest]>
): Problem | undefined {
  if (state.asks.size + asked.length > setup.maxAsks)
    return problem("inputRequests", `no more than ${setup.maxAsks} questions at once`)
  for (const [key, { method, params }] of asked) {
    const row = admit(setup, state, "request", method, params)
    if ("kind" in row) continue
    const wrong =
      row._tag === "ParamsInvalid"
        ? within("params", row.problem)
        : problem("method", `another method: the client did not declare ${member(row, "needs") as string}`)
    return within("inputRequests", within(key, wrong))
  }
  return undefined
}

/** A question is answered, the last of which sends the request again. */
export function answered(setup: Setup, state: State, { about, key }: Question, response: JsonObject): Next {
  const sent = underWay(state, about)!
  const stage = sent.stage as Extract<Stage, { readonly _tag: "Asking" }>
  const answers = Object.fromEntries<JsonObject[string]>([...Object.entries(stage.answers), [key, response]])
  return questionsOf(state, about).length > 0
    ? [staged(state, sent, { _tag: "Asking", answers, state: stage.state }), []]
    : retry(setup, state, sent, { inputResponses: answers }, stage.state)
}

/**
 * Without this answer there is nothing to go on with.
 * 2026-07-28 basic/patterns/mrtr has no way to tell the server of it: client/sampling and client/roots leave the request be.
 */
export function refused(state: State, { about, key }: Question, error: ErrorObject): Next {
  const sent = underWay(state, about)!
  const refusal = { _tag: "AskRefused", method: sent.method, key, error } as const
  return fails(state, sent, refusal, "another question of the same request was refused")
}

export function paused(setup: Setup, state: State, { call }: ClientTimer): Next {
  const sent = calledAs(state, call)
  if (sent?.stage._tag !== "Pausing") return [state, []]
  return after(stageOver(sent), retry(setup, state, sent, {}, sent.stage.state))
}

/** 2026-07-28 basic/patterns/mrtr, Client Requirements: with exactly the state that came, and without one when none came. */
function retry(setup: Setup, state: State, sent: Sent, answers: JsonObject, token: string | undefined): Next {
  const given = keeping(sent.params ?? {}, (key) => key !== "inputResponses" && key !== "requestState")
  const params = withMembers(given, token === undefined ? answers : withMembers(answers, { requestState: token }))
  return again(setup, state, sent, { params, rounds: sent.rounds + 1, stage: waiting })
}
