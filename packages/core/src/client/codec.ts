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
import type { RevisionName } from "../revision.js"
import type { RequestRow, Row } from "../row.js"
import type { Is } from "../stored.js"
import { anObject, isFlag, isInteger, isNumber, isText, listOf, maybe, shaped, tagged } from "../stored.js"
import { insert, values } from "../trie.js"
import type { Setup, Spoken } from "./definition.js"
import { among } from "./discover.js"
import { revisionIn } from "./gate.js"
import { rowOf } from "./question.js"
import { namesOf } from "./spoken.js"
import type { Ask, Attempt, Open, Phase, Sent, Stage, State } from "./state.js"

export const encode = (setup: Setup, { phase, sent, last, asks, batches, next, reopening }: State): Json =>
  ({
    digest: digest(setup),
    phase,
    sent: values(sent),
    last,
    asks: values(asks),
    batches: encodeBatches(batches),
    next,
    reopening
  }) as unknown as Json

export function decode(setup: Setup, unopened: State, json: unknown): Result<State, "stale" | "malformed"> {
  if (!isObject(json) || !isText(json["digest"])) return err("malformed")
  if (json["digest"] !== digest(setup)) return err("stale")
  const { salt } = unopened
  const batches = decodeBatches(json["batches"], salt)
  if (batches === undefined || !isWritten(json)) return err("malformed")
  const { phase, last, next, reopening } = json
  let { sent, renamed, asks, asked } = unopened
  for (const written of json.sent) {
    const one = unlimited(written, "timeoutMs", "totalMs")
    sent = insert(sent, one.id, one, salt)
    renamed = insert(renamed, one.call, one.id, salt)
  }
  for (const written of json.asks) {
    const one = unlimited(written, "ms")
    asks = insert(asks, one.ask, one, salt)
    if (one._tag === "Asked") asked = insert(asked, one.id, one.ask, salt)
  }
  const state: State = { phase, sent, renamed, last, asks, asked, batches, next, reopening, salt }
  return isTabled(setup, state, json) && belong(json) ? ok(state) : err("malformed")
}

/** JSON has no Infinity, by which a wait has no limit: it is written as null. */
const isMs = (value: unknown): value is number => value === null || isNumber(value)

const unlimited = <A extends object>(written: A, ...waits: ReadonlyArray<keyof A>): A =>
  Object.assign({}, written, ...waits.filter((wait) => written[wait] === null).map((wait) => ({ [wait]: Infinity })))

/** Whether the revision is spoken, and everything under way is a request of it: settling it looks its row up. */
function isTabled(setup: Setup, state: State, { phase, sent, asks }: Written): boolean {
  const isIdle = sent.length + asks.length === 0
  if (phase._tag === "Opening") return isIdle && isOf(setup.legacy, phase.proposal) && isOf(setup.modern, phase.probe)
  if (phase._tag !== "Open") return isIdle
  const revision = revisionIn(setup, state)
  return (
    among(setup.spoken, [phase.peer.revision]) !== undefined &&
    sent.every((one) => canBe(revision.client[one.method], one)) &&
    asks.every((one) => canBeTask(rowOf(revision, one.method), one.task))
  )
}

const isOf = (ours: ReadonlyArray<Spoken>, attempt: Attempt | undefined): boolean =>
  attempt === undefined || among(ours, [attempt.asked]) !== undefined

/** Whether it is a request of the table, and one that may be a task when it is one. */
const canBeTask = (row: Row | undefined, task: boolean | undefined): row is RequestRow =>
  row?.kind === "request" && (!task || row.task !== undefined)

/** Whether it can have come so far. */
function canBe(row: Row | undefined, { task, stage }: Sent): boolean {
  if (!canBeTask(row, task)) return false
  if (row.stream || stage._tag === "Listening") return row.stream && stage._tag === "Listening"
  return stage._tag === "Waiting" || stage._tag === "Held" || row.resultTypes["input_required"] !== undefined
}

/** Whether each call that waits for answers has questions, and each question its call. */
function belong({ sent, asks }: Written): boolean {
  const asking = new Set(sent.filter(({ stage }) => stage._tag === "Asking").map(({ id }) => id))
  const asked = new Set(asks.filter((one) => one._tag === "Question").map(({ about }) => about))
  return asking.size === asked.size && [...asked].every((id) => asking.has(id))
}

/** The state keeps what was announced: another announcement is another session. */
const digest = ({ definition, spoken }: Setup): string =>
  digestOf([namesOf(spoken), definition.info, definition.capabilities])

type Written = Pick<State, "phase" | "last" | "next" | "reopening"> & {
  readonly sent: ReadonlyArray<Sent>
  readonly asks: ReadonlyArray<Ask>
}

const isRevision = isText as Is<RevisionName>

const isAttempt = shaped<Attempt>({ id: isInteger, asked: isRevision, retried: isFlag, open: isFlag })

const isError: Is<ErrorObject> = shaped<Pick<ErrorObject, "code" | "message">>({ code: isInteger, message: isText })

const isProof = (value: unknown): value is Exclude<Open["proof"], undefined> => value === "needed" || isInteger(value)

const isWritten = shaped<Written>({
  phase: tagged<Phase>({
    Unopened: {},
    Opening: {
      proposal: maybe(isAttempt),
      probe: maybe(isAttempt),
      timing: isFlag,
      refusal: maybe(isError)
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
      timeoutMs: isMs,
      totalMs: maybe(isMs),
      restarts: isFlag,
      progress: isFlag,
      heard: maybe(isNumber),
      level: maybe(isText),
      params: maybe(anObject()),
      rounds: isInteger,
      retried: isFlag,
      stage: tagged<Stage>({
        Waiting: {},
        Asking: { answers: anObject(), state: maybe(isText) },
        Pausing: { state: maybe(isText) },
        Held: {},
        Listening: { honoured: maybe(anObject()) }
      })
    })
  ),
  last: isInteger,
  asks: listOf(
    tagged<Ask>({
      Asked: {
        ask: isInteger,
        id: isRequestId,
        method: isText,
        ms: maybe(isMs),
        via: isText,
        batch: maybe(isInteger),
        task: isFlag,
        token: maybe(isRequestId),
        told: maybe(isNumber)
      },
      Question: { ask: isInteger, method: isText, ms: maybe(isMs), about: isInteger, key: isText }
    })
  ),
  next: isInteger,
  reopening: isInteger
})
