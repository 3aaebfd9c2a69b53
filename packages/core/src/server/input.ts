/** Questions inside a result: what was answered so far goes along sealed, and comes back with the retry (2026-07-28). */
import { canonical } from "../canonical.js"
import type { Problem } from "../check.js"
import { within } from "../check.js"
import type { JsonObject } from "../json.js"
import { isObject, member } from "../json.js"
import { keeping } from "../narrow.js"
import { narrowedQuestion } from "../narrow-question.js"
import type { Result } from "../result.js"
import { err, ok } from "../result.js"
import type { Revision } from "../revision.js"
import type { RequestRow } from "../row.js"
import type { Is } from "../stored.js"
import { isInteger, isText, anObject, shaped } from "../stored.js"
import { insert } from "../trie.js"
import { areAnswers } from "./answers.js"
import type { Compiled } from "./compiled.js"
import { changed, running, spokenFor, without } from "./entry.js"
import { enter, invocation } from "./invoke.js"
import type { Asker } from "./opening.js"
import { ignored } from "./outputs.js"
import { refuse, succeed } from "./reply.js"
import { afterReply, fail, unable } from "./settle.js"
import type { InFlight, Next, Params, Served, State } from "./state.js"
import { entryBecoming, runs, withInFlight } from "./state.js"
import type { Answer, Input, NeedsInput, Output } from "./vocabulary.js"

/** Whether the request is made once more, with what came with the questions. Without it, it is a fresh start. */
export const isRetry = ({ asks }: RequestRow, { spoken }: Pick<Asker, "spoken">, params: Params): boolean =>
  asks && spoken.revision.features.asks === "result" && params?.["requestState"] !== undefined

/**
 * The questions are known to be sayable. They go out when what belongs to them is sealed, but for those that the request brings
 * an answer to: where nothing was asked before, that is any. A client that answers what it remembers may have no state to bring.
 */
export function seal(compiled: Compiled, state: State, entry: InFlight, { questions, once }: NeedsInput): Next {
  const { revision } = spokenFor(compiled, entry)
  const { peer, params, asking } = entry
  const before = asking?.answers ?? {}
  if (params?.["requestState"] === undefined) {
    const open = questions.filter(({ key }) => !Object.hasOwn(before, key))
    const brought = broughtFor(
      revision,
      open.map(({ key, method }) => [key, method]),
      params?.["inputResponses"]
    )
    if (!brought.ok) return unfit(compiled, state, entry, brought.error)
    if (brought.value.length > 0) {
      const answers = Object.fromEntries([...Object.entries(before), ...brought.value])
      const next = entryBecoming(entry, { call: state.next, asking: { open: [], answers, once }, passed: 0 })
      return [renumbered(compiled, state, next), [invocation(next)]]
    }
  }
  const asked = questions.map(
    ({ key, method, params }) => [key, { method, params: narrowedQuestion(revision, peer, method, params) }] as const
  )
  const payload: Payload = {
    asked: Object.fromEntries(questions.map(({ key, method }) => [key, method])),
    answers: before as Payload["answers"],
    once,
    logged: entry.logged
  }
  const { length } = canonical(payload)
  const { maxSealed: most } = compiled.limits
  if (length > most) {
    const told = `what it remembers between its questions has ${length} characters of JSON, and ${most} are the limit`
    return unable(compiled, state, entry, `${told}: keep it elsewhere and remember its key`, told)
  }
  const sealing = entryBecoming(entry, {
    call: state.next,
    stage: { _tag: "Sealing", questions: Object.fromEntries(asked), payload }
  })
  return [renumbered(compiled, state, sealing), staged(sealing)!]
}

/** Another number for the run to come: whatever the present one still says finds nothing. */
const renumbered = ({ limits }: Compiled, state: State, entry: InFlight): State =>
  withInFlight(state, insert(state.inFlight, entry.id, entry, limits.salt), state.next + 1)

/**
 * The client's answers to such questions, or what is wrong with one. 2026-07-28 basic/patterns/mrtr, Server Requirements: what
 * is not answered is asked again, and what was not asked is ignored.
 */
function broughtFor(
  revision: Revision,
  asked: ReadonlyArray<readonly [key: string, method: string]>,
  responses: unknown
): Result<ReadonlyArray<readonly [string, Answer]>, Problem> {
  const answers: Array<readonly [string, Answer]> = []
  for (const [key, method] of asked) {
    const result = member(responses, key)
    if (result === undefined) continue
    const problem = revision.questions[method]?.result(result)
    if (problem !== undefined) return err(within("inputResponses", within(key, problem)))
    answers.push([key, { _tag: "Answered", result: result as JsonObject }])
  }
  return ok(answers)
}

const unfit = (compiled: Compiled, state: State, entry: InFlight, problem: Problem): Next =>
  fail(compiled, state, entry, { _tag: "ParamsInvalid", method: entry.method, problem })

/** What a request in such a stage waits for, if it waits for something: it is asked again where the state was decoded. */
export function staged(entry: InFlight): ReadonlyArray<Output> | undefined {
  const { call, id, stage } = entry
  if (stage._tag === "Running") return undefined
  const bound = boundOf(entry)
  return stage._tag === "Sealing"
    ? [{ _tag: "Seal", call, id, payload: stage.payload, bound }]
    : [{ _tag: "Unseal", call, id, token: stage.token, bound }]
}

/** What the client keeps for us, and can neither read nor change. */
interface Payload extends JsonObject {
  /** The method of each question, by its key. */
  readonly asked: { readonly [key: string]: string }
  readonly answers: { readonly [key: string]: Answer } & JsonObject
  readonly once: JsonObject
  readonly logged: number
}

/** What the seal is good for: this request, of this user. */
const boundOf = ({ principal, peer, method, params }: InFlight): string =>
  canonical([
    principal,
    peer.revision,
    method,
    keeping(params!, (key) => key !== "_meta" && key !== "inputResponses" && key !== "requestState")
  ])

export function sealed(compiled: Compiled, state: State, input: Extract<Input, { _tag: "Sealed" }>): Next {
  const entry = running(compiled, state, input)
  if (entry?.stage._tag !== "Sealing") return late(state, input.id)
  if (input.token === undefined) {
    const why = "what it remembers between its questions could not be sealed"
    return unable(compiled, state, entry, why, why)
  }
  const { stamp } = spokenFor(compiled, entry)
  const result: JsonObject = {
    resultType: "input_required",
    inputRequests: entry.stage.questions,
    requestState: input.token,
    _meta: stamp?.complete._meta
  }
  const [next, outputs] = succeed(compiled, without(compiled, state, entry), entry, result)
  return afterReply(next, outputs)
}

/** The request is made once more. Its handler runs when what came along is open. */
export function unseal(compiled: Compiled, state: State, about: Served, params: JsonObject, asker: Asker): Next {
  const token = params["requestState"] as string
  const { method } = about
  // A character takes three bytes at most, and three bytes are four letters.
  if (token.length > 4 * compiled.limits.maxSealed + 256)
    return refuse(compiled, state, about, { _tag: "StateRefused", method })
  const responses = (params["inputResponses"] ?? {}) as JsonObject
  const [next, entry] = enter(compiled, state, about, params, asker, { _tag: "Unsealing", token, responses })
  return [next, staged(entry)!]
}

export function unsealed(compiled: Compiled, state: State, input: Extract<Input, { _tag: "Unsealed" }>): Next {
  const entry = running(compiled, state, input)
  if (entry?.stage._tag !== "Unsealing") return late(state, input.id)
  const { payload } = input
  const { method, stage } = entry
  if (!isPayload(payload)) return fail(compiled, state, entry, { _tag: "StateRefused", method })
  const { revision } = spokenFor(compiled, entry)
  const brought = broughtFor(revision, Object.entries(payload.asked), stage.responses)
  if (!brought.ok) return unfit(compiled, state, entry, brought.error)
  const { once, logged } = payload
  const change = {
    stage: runs,
    asking: { open: [], answers: Object.fromEntries([...Object.entries(payload.answers), ...brought.value]), once },
    logged
  }
  return [changed(compiled, state, entry, change), [invocation(entryBecoming(entry, change))]]
}

const isPayload: Is<Payload> = shaped<Payload>({
  asked: ((value) => isObject(value) && Object.values(value).every(isText)) as Is<Payload["asked"]>,
  answers: areAnswers as Is<Payload["answers"]>,
  once: anObject(),
  logged: isInteger
})

const late = (state: State, id: Served["id"]): Next =>
  ignored(state, undefined, id, "a seal came after its request had ended")
