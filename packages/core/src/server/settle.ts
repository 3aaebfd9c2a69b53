/** A handler is done: its result is checked, narrowed for the peer, and sent, or why there is none. */
import type { Failure } from "../failure.js"
import { told } from "../failure.js"
import type { JsonObject } from "../json.js"
import { isObject } from "../json.js"
import { narrowedResult } from "../narrow.js"
import { unsendable } from "../outcome.js"
import type { RequestRow } from "../row.js"
import type { Compiled } from "./compiled.js"
import { revisionOf, without } from "./entry.js"
import { reported, stop, unsent } from "./outputs.js"
import { refuse, succeed } from "./reply.js"
import type { InFlight, Next, State } from "./state.js"
import { closed } from "./state.js"
import type { CallFailure, Output } from "./vocabulary.js"
import { drain } from "./vocabulary.js"
import { withdraw } from "./withdraw.js"

export function succeeded(compiled: Compiled, state: State, entry: InFlight, result: unknown): Next {
  const { method } = entry
  const revision = revisionOf(compiled, entry)
  const sendable = isObject(result) ? narrowedResult(revision, method, result as JsonObject) : result
  const problem = unsendable(revision, revision.client[method] as RequestRow, method, sendable, entry.task)
  if (problem === undefined) return settle(compiled, state, entry, sendable as JsonObject)
  return fail(compiled, state, entry, { _tag: "ResultInvalid", method }, [unsent(method, told(problem))])
}

export function failed(compiled: Compiled, state: State, entry: InFlight, failure: CallFailure): Next {
  const { method } = entry
  switch (failure._tag) {
    case "Crashed":
      return say(compiled, state, entry, `The tool ${nameOf(entry)} failed.`, { _tag: "HandlerCrashed", method })
    case "Told":
      return say(compiled, state, entry, failure.text, { _tag: "Chosen", code: -32603, message: failure.text })
    case "ResourceUnknown":
    case "Chosen":
      return fail(compiled, state, entry, failure)
  }
}

/** 2025-11-25 server/tools, Error Handling: input errors are for the model to read; before, they are protocol errors. */
export function argumentsRefused(compiled: Compiled, state: State, entry: InFlight, why: string): Next {
  const tool = nameOf(entry)
  const failure: Failure = { _tag: "ArgumentsInvalid", tool, why }
  if (revisionOf(compiled, entry).features.refusedArguments === "error" || !read(entry))
    return fail(compiled, state, entry, failure)
  const [next, outputs] = settle(compiled, state, entry, toolError(`Invalid arguments for tool ${tool}: ${why}`))
  return [next, [reported({ _tag: "Refused", id: entry.id, method: entry.method, failure }), ...outputs]]
}

const nameOf = ({ method, params }: InFlight): string => (method === "tools/call" ? String(params?.["name"]) : method)

/** Whether the result is the tool's own, which a model reads. */
const read = ({ method, task }: InFlight): boolean => method === "tools/call" && !task

/** In the tool's result, for the model to read; where the result is not the tool's own, or there is no tool, as an error. */
const say = (compiled: Compiled, state: State, entry: InFlight, text: string, failure: Failure): Next =>
  read(entry) ? settle(compiled, state, entry, toolError(text)) : fail(compiled, state, entry, failure)

/** What the model reads when a tool does not do its work. */
export const toolError = (text: string): JsonObject => ({ content: [{ type: "text", text }], isError: true })

function settle(compiled: Compiled, state: State, entry: InFlight, result: JsonObject): Next {
  const [next, outputs] = succeed(compiled, without(compiled, state, entry), entry, result)
  return afterReply(next, outputs)
}

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
