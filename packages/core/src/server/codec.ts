/** The state as JSON and back. What does not read as a state is refused whole; what was announced otherwise is stale. */
import { decodeBatches, encodeBatches } from "../batch.js"
import type { Json, JsonObject } from "../json.js"
import { isObject } from "../json.js"
import type { Request } from "../jsonrpc.js"
import { isRequestId } from "../jsonrpc.js"
import { keeping } from "../narrow.js"
import type { Peer } from "../peer.js"
import type { Result } from "../result.js"
import { err, ok } from "../result.js"
import type { RevisionName } from "../revision.js"
import type { Is } from "../stored.js"
import { anObject, isFlag, isInteger, isNumber, isText, listOf, maybe, shaped, tagged } from "../stored.js"
import { insert, values } from "../trie.js"
import { areAnswers } from "./answers.js"
import type { Compiled } from "./compiled.js"
import { wantedOf } from "./listen.js"
import { isLevel } from "./log.js"
import type { Asked, Asking, InFlight, Listen, News, Phase, Stage, State } from "./state.js"
import { initial } from "./state.js"

/** Which request a question serves is told by the requests. */
export const encode = ({ digest }: Compiled, state: State): Json =>
  Object.assign({}, state, {
    digest,
    inFlight: values(state.inFlight),
    batches: encodeBatches(state.batches),
    subscriptions: values(state.subscriptions),
    listens: values(state.listens).map((stream) => keeping(stream, (key) => key !== "wanted")),
    asked: undefined
  })

export function decode(compiled: Compiled, json: unknown): Result<State, "stale" | "malformed"> {
  if (!isObject(json) || !isText(json["digest"])) return err("malformed")
  if (json["digest"] !== compiled.digest) return err("stale")
  const { salt } = compiled.limits
  const batches = decodeBatches(json["batches"], salt)
  if (batches === undefined || !isWritten(json) || !tabled(compiled, json)) return err("malformed")
  let { listens } = initial
  for (const stream of json.listens) {
    const wanted = wantedOf(stream.honoured, salt)
    listens = insert(listens, stream.id, Object.assign({}, stream, { wanted }), salt)
  }
  const { phase, level, next, stopping, silent } = json
  let { inFlight, asked, subscriptions } = initial
  for (const entry of json.inFlight) {
    inFlight = insert(inFlight, entry.id, entry, salt)
    for (const { ask } of entry.asking?.open ?? []) asked = insert(asked, ask, entry.id, salt)
  }
  for (const uri of json.subscriptions) subscriptions = insert(subscriptions, uri, uri, salt)
  return ok({ phase, inFlight, batches, asked, subscriptions, listens, level, next, stopping, silent })
}

/** Whether the revisions are spoken here and what is under way has its rows in them. */
function tabled({ spoken, handshake }: Compiled, { phase, inFlight, listens }: Written): boolean {
  const tables = (name: RevisionName) => spoken.get(name)?.revision
  const rowOf = (name: RevisionName, method: string) => {
    const row = tables(name)?.client[method]
    return row?.kind === "request" ? row : undefined
  }
  return (
    (!("peer" in phase) || handshake.includes(phase.peer.revision)) &&
    listens.every(({ revision, method }) => rowOf(revision, method)?.stream) &&
    inFlight.every(({ peer: { revision }, method, params, asking }) => {
      const row = rowOf(revision, method)
      const open = asking?.open ?? []
      return row && !row.params(params ?? {}) && open.every((asked) => asked.method in tables(revision)!.questions)
    })
  )
}

type Written = Pick<State, "phase" | "level" | "next" | "stopping" | "silent"> & {
  readonly inFlight: ReadonlyArray<InFlight>
  readonly subscriptions: ReadonlyArray<string>
  readonly listens: ReadonlyArray<Omit<Listen, "wanted">>
}

const isRevision = isText as Is<RevisionName>
const isPeer = shaped<Peer>({ revision: isRevision, capabilities: anObject(), info: maybe(anObject()) })
const isAsked = shaped<Asked>({ ask: isInteger, key: isText, method: isText, held: maybe(anObject<Request>()) })
const isHonoured = (value: unknown): value is JsonObject =>
  isObject(value) && Object.values(value).every((wanted) => wanted === true || listOf(isText)(wanted))

const isWritten = shaped<Written>({
  phase: tagged<Phase>({
    Unopened: {},
    Opened: { peer: isPeer, held: listOf(shaped<News>({ method: isText, uri: maybe(isText) })) },
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
      peer: isPeer,
      level: maybe(isLevel),
      principal: maybe(isText),
      stage: tagged<Stage>({
        Running: {},
        Sealing: { questions: anObject(), payload: anObject() },
        Unsealing: { token: isText, responses: anObject() }
      }),
      progress: maybe(isNumber),
      logged: isInteger,
      passed: isInteger,
      asking: maybe(shaped<Asking>({ open: listOf(isAsked), answers: areAnswers, once: anObject() })),
      task: isFlag
    })
  ),
  subscriptions: listOf(isText),
  listens: listOf(
    shaped<Omit<Listen, "wanted">>({
      id: isRequestId,
      via: isText,
      method: isText,
      order: isInteger,
      revision: isRevision,
      honoured: isHonoured
    })
  ),
  level: maybe(isLevel),
  next: isInteger,
  stopping: isFlag,
  silent: isFlag
})
