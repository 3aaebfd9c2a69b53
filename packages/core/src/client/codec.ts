/** The client's state as JSON and back. What does not read as a state is refused whole. */
import { decodeBatches, encodeBatches } from "../batch.js"
import { digestOf } from "../digest.js"
import type { Json } from "../json.js"
import { isObject } from "../json.js"
import { isRequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Result } from "../result.js"
import { err, ok } from "../result.js"
import type { RevisionName } from "../revision.js"
import type { Row, Rows } from "../row.js"
import type { Is } from "../stored.js"
import { anObject, isFlag, isInteger, isNumber, isText, listOf, maybe, shaped, tagged } from "../stored.js"
import { insert, values } from "../trie.js"
import type { Setup } from "./definition.js"
import { revisionIn } from "./gate.js"
import type { Asked, Phase, Sent, State } from "./state.js"
import { initial } from "./state.js"

export const encode = (setup: Setup, state: State): Json =>
  ({
    digest: digest(setup),
    phase: state.phase,
    sent: values(state.sent),
    last: state.last,
    asked: values(state.asked),
    batches: encodeBatches(state.batches),
    next: state.next
  }) as unknown as Json

export function decode(setup: Setup, json: unknown): Result<State, "stale" | "malformed"> {
  if (!isObject(json) || !isText(json["digest"])) return err("malformed")
  if (json["digest"] !== digest(setup)) return err("stale")
  const { salt } = setup.limits
  const batches = decodeBatches(json["batches"], salt)
  if (batches === undefined || !isWritten(json) || !tabled(setup, json)) return err("malformed")
  const { phase, last, next } = json
  let { sent, asked, timed } = initial
  for (const one of json.sent) sent = insert(sent, one.call, one, salt)
  for (const one of json.asked) {
    asked = insert(asked, one.id, one, salt)
    if (one.ms !== undefined) timed = insert(timed, one.ask, one.id, salt)
  }
  return ok({ phase, sent, last, asked, timed, batches, next })
}

/** Whether the revision is spoken, and everything under way is a request of it: settling it looks its row up. */
function tabled(setup: Setup, { phase, sent, asked }: Written): boolean {
  const name = phase._tag === "Open" ? phase.peer.revision : phase._tag === "Opening" ? phase.asked : undefined
  if (name !== undefined && !setup.definition.revisions.some((revision) => revision.name === name)) return false
  if (phase._tag !== "Open") return sent.length === 0 && asked.length === 0
  const { client, server } = revisionIn(setup, phase)
  return sent.every(isRequestIn(client)) && asked.every(isRequestIn(server))
}

/** Whether it is a request of the table, and one that may be a task when it is one. */
const isRequestIn =
  (rows: Rows) =>
  ({ method, task }: { readonly method: string; readonly task: boolean }): boolean => {
    const row: Row | undefined = rows[method]
    return row?.kind === "request" && (!task || row.task !== undefined)
  }

/** The state keeps what was announced: another announcement is another session. */
const digest = ({ definition }: Setup): string =>
  digestOf([definition.revisions.map(({ name }) => name), definition.info, definition.capabilities])

type Written = Pick<State, "phase" | "last" | "next"> & {
  readonly sent: ReadonlyArray<Sent>
  readonly asked: ReadonlyArray<Asked>
}

const isRevision = isText as Is<RevisionName>

const isWritten = shaped<Written>({
  phase: tagged<Phase>({
    Unopened: {},
    Opening: { id: isRequestId, asked: isText, retried: isFlag },
    Open: { peer: shaped<Peer>({ revision: isRevision, capabilities: anObject(), info: anObject() }) },
    Closed: { why: isText }
  }),
  sent: listOf(
    shaped<Sent>({
      call: isInteger,
      method: isText,
      task: isFlag,
      timeoutMs: isNumber,
      totalMs: maybe(isNumber),
      progress: isFlag,
      heard: maybe(isNumber)
    })
  ),
  last: isInteger,
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
  next: isInteger
})
