/** The state as JSON and back. What does not read as a state is refused whole; what was announced otherwise is stale. */
import { decodeBatches, encodeBatches } from "../batch.js"
import type { Family } from "../definition.js"
import type { Json } from "../json.js"
import { isObject } from "../json.js"
import type { ErrorObject, Request } from "../jsonrpc.js"
import { isRequestId } from "../jsonrpc.js"
import type { Peer } from "../peer.js"
import type { Result } from "../result.js"
import { err, ok } from "../result.js"
import type { RevisionName } from "../revision.js"
import type { Is } from "../stored.js"
import { anObject, isFlag, isInteger, isNumber, isText, listOf, maybe, shaped, tagged } from "../stored.js"
import { insert, values } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { isLevel } from "./log.js"
import type { Asked, Asking, InFlight, Phase, State } from "./state.js"
import { initial } from "./state.js"
import type { Answer } from "./vocabulary.js"

/** Which request a question serves is told by the requests. */
export const encode = ({ digest }: Compiled, state: State): Json =>
  ({
    digest,
    phase: state.phase,
    inFlight: values(state.inFlight),
    batches: encodeBatches(state.batches),
    subscriptions: values(state.subscriptions),
    level: state.level,
    next: state.next,
    stopping: state.stopping,
    silent: state.silent
  }) as unknown as Json

export function decode(compiled: Compiled, json: unknown): Result<State, "stale" | "malformed"> {
  if (!isObject(json) || !isText(json["digest"])) return err("malformed")
  if (json["digest"] !== compiled.digest) return err("stale")
  const { salt } = compiled.limits
  const batches = decodeBatches(json["batches"], salt)
  if (batches === undefined || !isWritten(json) || !tabled(compiled, json)) return err("malformed")
  const { phase, level, next, stopping, silent } = json
  let { inFlight, asked, subscriptions } = initial
  for (const entry of json.inFlight) {
    inFlight = insert(inFlight, entry.id, entry, salt)
    for (const { ask } of entry.asking?.open ?? []) asked = insert(asked, ask, entry.id, salt)
  }
  for (const uri of json.subscriptions) subscriptions = insert(subscriptions, uri, uri, salt)
  return ok({ phase, inFlight, batches, asked, subscriptions, level, next, stopping, silent })
}

/** Whether the revisions are spoken here and what is under way has its rows in them. */
function tabled({ spoken }: Compiled, { phase, inFlight }: Written): boolean {
  if ("peer" in phase && !spoken.has(phase.peer.revision)) return false
  return inFlight.every(({ revision, method, params, asking }) => {
    const rows = spoken.get(revision)?.revision
    const row = rows?.client[method]
    if (row?.kind !== "request" || row.params(params ?? {}) !== undefined) return false
    return (asking?.open ?? []).every((question) => rows!.server[question.method]?.kind === "request")
  })
}

type Written = Pick<State, "phase" | "level" | "next" | "stopping" | "silent"> & {
  readonly inFlight: ReadonlyArray<InFlight>
  readonly subscriptions: ReadonlyArray<string>
}

const isRevision = isText as Is<RevisionName>
const isPeer = shaped<Peer>({ revision: isRevision, capabilities: anObject(), info: anObject() })
const isFamily = (value: unknown): value is Family => value === "tools" || value === "resources" || value === "prompts"
const isAsked = shaped<Asked>({ ask: isInteger, key: isText, method: isText, held: maybe(anObject<Request>()) })
const isAnswer = tagged<Answer>({
  Answered: { result: anObject() },
  Refused: { error: anObject<ErrorObject>() },
  TimedOut: {}
})
const areAnswers = (value: unknown): value is Asking["answers"] =>
  isObject(value) && Object.values(value).every(isAnswer)

const isWritten = shaped<Written>({
  phase: tagged<Phase>({
    Unopened: {},
    Opened: { peer: isPeer, changed: listOf(isFamily), updated: listOf(isText) },
    Ready: { peer: isPeer },
    Closed: {}
  }),
  inFlight: listOf(
    shaped<InFlight>({
      via: isText,
      batch: maybe(isInteger),
      id: isRequestId,
      method: isText,
      params: maybe(anObject()),
      call: isInteger,
      revision: isRevision,
      progress: maybe(isNumber),
      logged: isInteger,
      passed: isInteger,
      asking: maybe(shaped<Asking>({ open: listOf(isAsked), answers: areAnswers, once: anObject() })),
      task: isFlag
    })
  ),
  subscriptions: listOf(isText),
  level: maybe(isLevel),
  next: isInteger,
  stopping: isFlag,
  silent: isFlag
})
