/** The client's state as JSON and back. What does not read as a state is refused whole. */
import { decodeBatches, encodeBatches } from "../batch.js"
import { digestOf } from "../digest.js"
import type { Json } from "../json.js"
import { isObject } from "../json.js"
import type { ErrorObject } from "../jsonrpc.js"
import { isRequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Result } from "../result.js"
import { err, ok } from "../result.js"
import type { Revision, RevisionName } from "../revision.js"
import type { RequestRow } from "../row.js"
import type { Is } from "../stored.js"
import { anObject, isFlag, isInteger, isNumber, isText, listOf, maybe, shaped, tagged } from "../stored.js"
import { insert, values } from "../trie.js"
import type { Setup } from "./definition.js"
import { among } from "./discover.js"
import { revisionIn } from "./gate.js"
import { questionsOf } from "./settle.js"
import { namesOf } from "./spoken.js"
import type { Asked, Attempt, Open, Phase, Question, Refusal, Sent, Stage, State } from "./state.js"
import { initial } from "./state.js"

export const encode = (setup: Setup, state: State): Json =>
  ({
    digest: digest(setup),
    phase: state.phase,
    sent: values(state.sent),
    last: state.last,
    asked: values(state.asked),
    questions: values(state.questions),
    batches: encodeBatches(state.batches),
    next: state.next,
    reopening: state.reopening
  }) as unknown as Json

export function decode(setup: Setup, json: unknown): Result<State, "stale" | "malformed"> {
  if (!isObject(json) || !isText(json["digest"])) return err("malformed")
  if (json["digest"] !== digest(setup)) return err("stale")
  const { salt } = setup.limits
  const batches = decodeBatches(json["batches"], salt)
  if (batches === undefined || !isWritten(json) || !tabled(setup, json)) return err("malformed")
  const { phase, last, next, reopening } = json
  let { sent, renamed, asked, timed, questions } = initial
  for (const one of json.sent) {
    sent = insert(sent, one.id, one, salt)
    if (one.id !== one.call) renamed = insert(renamed, one.call, one.id, salt)
  }
  for (const one of json.asked) {
    asked = insert(asked, one.id, one, salt)
    if (one.ms !== undefined) timed = insert(timed, one.ask, one.id, salt)
  }
  for (const one of json.questions) questions = insert(questions, one.ask, one, salt)
  const state: State = { phase, sent, renamed, last, asked, timed, questions, batches, next, reopening }
  return belong(setup, state, json) ? ok(state) : err("malformed")
}

/** Whether the revision is spoken, and everything under way is a request of it: settling it looks its row up. */
function tabled(setup: Setup, { phase, sent, asked, questions }: Written): boolean {
  if (phase._tag === "Opening") {
    const { proposal, probe } = phase
    if (proposal !== undefined && among(setup.legacy, [proposal.asked]) === undefined) return false
    if (probe !== undefined && among(setup.modern, [probe.asked]) === undefined) return false
  }
  if (phase._tag !== "Open") return sent.length === 0 && asked.length === 0
  if (among(setup.spoken, [phase.peer.revision]) === undefined) return false
  const revision = revisionIn(setup, phase)
  return (
    sent.every((one) => isRequestIn(revision, "client", one) && canBe(revision, one)) &&
    asked.every((one) => isRequestIn(revision, "server", one)) &&
    questions.every(({ method }) => revision.questions[method] !== undefined)
  )
}

/** Whether it is a request of the table, and one that may be a task when it is one. */
function isRequestIn(revision: Revision, from: "client" | "server", { method, task }: Sent | Asked): boolean {
  const row = revision[from][method]
  return row?.kind === "request" && (!task || row.task !== undefined)
}

/** Whether the request, which is one, can have come so far. */
function canBe({ client }: Revision, { method, stage }: Sent): boolean {
  const row = client[method] as RequestRow
  if (row.stream || stage._tag === "Listening") return row.stream && stage._tag === "Listening"
  return stage._tag === "Waiting" || stage._tag === "Held" || row.resultTypes["input_required"] !== undefined
}

/** Whether each call that waits for answers has its questions, and each question its call. */
function belong(setup: Setup, state: State, { sent, questions }: Written): boolean {
  let all = 0
  for (const { id, stage } of sent) {
    if (stage._tag !== "Asking") continue
    if (stage.count > questions.length) return false
    const mine = questionsOf(setup, state, stage).filter((question) => question.id === id)
    const open = mine.filter(({ response }) => response === undefined)
    if (mine.length !== stage.count || open.length !== stage.open || stage.open === 0) return false
    all += stage.count
  }
  return all === questions.length
}

/** The state keeps what was announced: another announcement is another session. */
const digest = ({ definition, spoken }: Setup): string =>
  digestOf([namesOf(spoken), definition.info, definition.capabilities])

type Written = Pick<State, "phase" | "last" | "next" | "reopening"> & {
  readonly sent: ReadonlyArray<Sent>
  readonly asked: ReadonlyArray<Asked>
  readonly questions: ReadonlyArray<Question>
}

const isRevision = isText as Is<RevisionName>

const isAttempt = shaped<Attempt>({ id: isInteger, asked: isRevision, retried: isFlag, open: isFlag })

const isError = (value: unknown): value is ErrorObject =>
  isObject(value) && isInteger(value["code"]) && isText(value["message"])

const isProof = (value: unknown): value is Exclude<Open["proof"], undefined> => value === "needed" || isInteger(value)

const isWritten = shaped<Written>({
  phase: tagged<Phase>({
    Unopened: {},
    Opening: {
      proposal: maybe(isAttempt),
      probe: maybe(isAttempt),
      timing: isFlag,
      refusal: maybe(
        tagged<Refusal>({
          Answered: { method: isText, error: isError },
          VersionUnsupported: { asked: isText, offered: listOf(isText), spoken: listOf(isText), error: isError }
        })
      )
    },
    Open: {
      peer: shaped<Peer>({ revision: isRevision, capabilities: anObject(), info: maybe(anObject()) }),
      proof: maybe(isProof)
    },
    Closed: { why: isText }
  }),
  sent: listOf(
    shaped<Sent>({
      call: isInteger,
      id: isInteger,
      method: isText,
      task: isFlag,
      timeoutMs: isNumber,
      totalMs: maybe(isNumber),
      restarts: isFlag,
      progress: isFlag,
      heard: maybe(isNumber),
      level: maybe(isText),
      params: maybe(anObject()),
      rounds: isInteger,
      retried: isFlag,
      stage: tagged<Stage>({
        Waiting: {},
        Asking: { first: isInteger, count: isInteger, open: isInteger, state: maybe(isText) },
        Pausing: { state: maybe(isText) },
        Held: {},
        Listening: { honoured: maybe(anObject()) }
      })
    })
  ),
  last: isInteger,
  questions: listOf(
    shaped<Question>({
      ask: isInteger,
      id: isInteger,
      key: isText,
      method: isText,
      response: maybe(anObject()),
      ms: maybe(isNumber)
    })
  ),
  asked: listOf(
    shaped<Asked>({
      via: isText,
      batch: maybe(isInteger),
      id: isRequestId,
      method: isText,
      ask: isInteger,
      task: isFlag,
      token: maybe(isRequestId),
      told: maybe(isNumber),
      ms: maybe(isNumber)
    })
  ),
  next: isInteger,
  reopening: isInteger
})
