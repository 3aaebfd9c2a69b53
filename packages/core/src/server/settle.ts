/** A handler is done: its result is checked, narrowed for the peer, and sent, or why there is none. */
import type { Check } from "../check.js"
import { bringing } from "../extension.js"
import type { Failure } from "../failure.js"
import { incapable, resourceNotFound, told } from "../failure.js"
import type { JsonObject } from "../json.js"
import { isObject } from "../json.js"
import { narrowedResult } from "../narrow.js"
import { unsendable } from "../outcome.js"
import type { Revision } from "../revision.js"
import type { RequestRow } from "../row.js"
import type { Compiled } from "./compiled.js"
import { revisionOf, spokenFor, without } from "./entry.js"
import { isIn } from "./gate.js"
import { reported, stop, unsent } from "./outputs.js"
import { refuse, succeed } from "./reply.js"
import { stamped } from "./stamp.js"
import type { InFlight, Next, State } from "./state.js"
import { closed } from "./state.js"
import type { CallFailure, Input, Output } from "./vocabulary.js"
import { drain } from "./vocabulary.js"
import { withdraw } from "./withdraw.js"

type Word<Tag> = Extract<Input, { readonly _tag: Tag }>

export function succeeded(compiled: Compiled, state: State, entry: InFlight, { result }: Word<"Succeeded">): Next {
  const { method } = entry
  const revision = revisionOf(compiled, entry)
  const row = revision.client[method] as RequestRow
  const other = isObject(result) ? otherwise(revision, row, entry, result["resultType"]) : undefined
  const sendable = isObject(result) ? narrowedResult(revision, method, result as JsonObject) : result
  const problem = other ? other(result) : unsendable(revision, row, method, sendable, entry.task)
  if (problem === undefined) return settle(compiled, state, entry, sendable as JsonObject)
  return fail(compiled, state, entry, { _tag: "ResultInvalid", method }, [unsent(method, told(problem), entry.peer)])
}

/** The check of a result of a type that an extension brought, where who asked has the extension. */
function otherwise(revision: Revision, row: RequestRow, { method, peer }: InFlight, type: unknown): Check | undefined {
  const extension = typeof type === "string" ? bringing(revision, method, type) : undefined
  return extension !== undefined && isIn({ peer }, extension.id) ? row.resultTypes[type as string] : undefined
}

export function failed(
  compiled: Compiled,
  state: State,
  entry: InFlight,
  { failure }: { readonly failure: CallFailure }
): Next {
  const { method } = entry
  switch (failure._tag) {
    case "Crashed":
      return say(compiled, state, entry, `${inWords(entry)} failed.`, { _tag: "HandlerCrashed", method })
    case "CapabilityMissing":
      // 2026-07-28 basic, _meta: what can not be done without a capability that was not declared is refused by this error.
      if (revisionOf(compiled, entry).features.missingCapability === "error")
        return fail(compiled, state, entry, incapable(inWords(entry), failure.needs))
    // falls through
    case "Told":
      return say(compiled, state, entry, failure.text, { _tag: "Chosen", code: -32603, message: failure.text })
    case "ResourceUnknown": {
      const code = revisionOf(compiled, entry).features.unknownResource
      return fail(compiled, state, entry, { _tag: "ResourceUnknown", uri: failure.uri, code })
    }
    case "Chosen":
      return choose(compiled, state, entry, failure)
  }
}

/** A code that a revision keeps to itself is not sent; one that it has another number for goes out under that. */
function choose(compiled: Compiled, state: State, entry: InFlight, chosen: Extract<CallFailure, { _tag: "Chosen" }>) {
  const { reservedCodes, unknownResource } = revisionOf(compiled, entry).features
  const { code, message, data } = chosen
  if (!reservedCodes.some(([lowest, highest]) => lowest <= code && code <= highest))
    return fail(compiled, state, entry, chosen)
  const known = code === resourceNotFound
  const failure: Failure = { _tag: "Chosen", code: known ? unknownResource : -32603, message, data }
  const why = `the error code ${code} is the specification's own`
  return fail(compiled, state, entry, failure, known ? [] : [unsent(entry.method, why, entry.peer)])
}

/** 2025-11-25 server/tools, Error Handling: input errors are for the model to read; before, they are protocol errors. */
export function argumentsRefused(
  compiled: Compiled,
  state: State,
  entry: InFlight,
  { why }: Word<"ArgumentsRefused">
): Next {
  const tool = nameOf(entry)
  const failure: Failure = { _tag: "ArgumentsInvalid", tool, why }
  if (revisionOf(compiled, entry).features.refusedArguments === "error" || !read(entry))
    return fail(compiled, state, entry, failure)
  const [next, outputs] = settle(compiled, state, entry, toolError(`Invalid arguments for tool ${tool}: ${why}`))
  const { id, method, peer } = entry
  return [next, [reported({ _tag: "Refused", id, method, failure, peer }), ...outputs]]
}

const nameOf = ({ method, params }: InFlight): string => (method === "tools/call" ? String(params?.["name"]) : method)

const inWords = (entry: InFlight): string =>
  entry.method === "tools/call" ? `The tool ${nameOf(entry)}` : entry.method

/** What a handler wants can not be done: the log says why, and who asked is told what it may know of it. */
export function unable(
  compiled: Compiled,
  state: State,
  entry: InFlight,
  why: string,
  told: string,
  needs: ReadonlyArray<string> = []
): Next {
  const text = `${inWords(entry)} failed: ${told}.`
  const _tag = needs.length > 0 ? "CapabilityMissing" : "Told"
  const [next, outputs] = failed(compiled, state, entry, { failure: { _tag, needs, text } })
  return [next, [unsent(entry.method, why, entry.peer), ...outputs]]
}

/** Whether the result is the tool's own, which a model reads. */
const read = ({ method, task }: InFlight): boolean => method === "tools/call" && !task

/** In the tool's result, for the model to read; where the result is not the tool's own, or there is no tool, as an error. */
const say = (compiled: Compiled, state: State, entry: InFlight, text: string, failure: Failure): Next =>
  read(entry) ? settle(compiled, state, entry, toolError(text)) : fail(compiled, state, entry, failure)

/** What the model reads when a tool does not do its work. */
export const toolError = (text: string): JsonObject => ({ content: [{ type: "text", text }], isError: true })

function settle(compiled: Compiled, state: State, entry: InFlight, result: JsonObject): Next {
  const whole = stamped(spokenFor(compiled, entry).stamp, entry.method, result, again(entry))
  const [next, outputs] = succeed(compiled, without(compiled, state, entry), entry, whole)
  return afterReply(next, outputs)
}

/** 2026-07-28 server/utilities/caching, Cache Key: what came with answers of its client is not kept for another request. */
const again = ({ params }: InFlight): boolean =>
  params?.["requestState"] !== undefined || params?.["inputResponses"] !== undefined

/** Ends a running request with an error, whatever its handler does from now on. */
export function fail(
  compiled: Compiled,
  state: State,
  entry: InFlight,
  failure: Failure,
  reports: ReadonlyArray<Output> = []
): Next {
  const [quiet, withdrawals] = withdraw(compiled, state, entry, "the request has ended")
  const [next, outputs] = refuse(compiled, without(compiled, quiet, entry), entry, failure)
  return afterReply(next, [...withdrawals, ...outputs, ...reports])
}

/** While stopping, the last reply ends the session; a batch is not answered before all its members are read. */
export function afterReply(state: State, outputs: ReadonlyArray<Output>): Next {
  if (!state.stopping || state.inFlight.size > 0 || state.batches.open.size > 0 || state.phase._tag === "Closed")
    return [state, outputs]
  return [closed(state), [...outputs, stop(drain), { _tag: "Close", reason: "stopped" }]]
}
