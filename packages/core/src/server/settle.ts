/** A handler is done: its result is checked, narrowed for the peer, and sent; a late one finds nothing and is dropped. */
import type { Failure } from "../failure.js"
import { told } from "../failure.js"
import type { JsonObject } from "../json.js"
import { isObject } from "../json.js"
import type { RequestId } from "../jsonrpc.js"
import type { Step } from "../machine.js"
import { narrowToolResult } from "../narrow.js"
import type { Report } from "../report.js"
import type { RequestRow } from "../row.js"
import { lookup, remove } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { refuse, succeed } from "./reply.js"
import type { InFlight, State } from "./state.js"
import { closed, withInFlight } from "./state.js"
import { drain } from "./vocabulary.js"
import type { Call, CallFailure, Output } from "./vocabulary.js"

export function succeeded(
  compiled: Compiled,
  state: State,
  call: Call,
  id: RequestId,
  result: unknown
): Step<State, Output> {
  const entry = running(compiled, state, call, id)
  if (entry === undefined) return late(state, id)
  const { revision } = compiled.spoken.get(entry.revision) ?? compiled.newest
  const narrowed =
    entry.tool === undefined || !isObject(result) ? result : narrowToolResult(result as JsonObject, revision.features)
  const problem = (revision.client[entry.method] as RequestRow).result(narrowed)
  if (problem === undefined) return settle(compiled, state, entry, narrowed as JsonObject)
  const { method } = entry
  return fail(
    compiled,
    state,
    entry,
    { _tag: "ResultInvalid", method },
    { _tag: "Unsendable", method, why: told(problem) }
  )
}

export function failed(
  compiled: Compiled,
  state: State,
  call: Call,
  id: RequestId,
  failure: CallFailure
): Step<State, Output> {
  const entry = running(compiled, state, call, id)
  if (entry === undefined) return late(state, id)
  switch (failure._tag) {
    case "Crashed":
      if (entry.tool === undefined)
        return fail(compiled, state, entry, { _tag: "HandlerCrashed", method: entry.method })
      return settle(compiled, state, entry, toolError(`The tool ${entry.tool} failed.`))
    case "Told":
      if (entry.tool === undefined)
        return fail(compiled, state, entry, { _tag: "Chosen", code: -32603, message: failure.text, data: undefined })
      return settle(compiled, state, entry, toolError(failure.text))
    case "Chosen":
      return fail(compiled, state, entry, {
        _tag: "Chosen",
        code: failure.code,
        message: failure.message,
        data: failure.data
      })
  }
}

/** 2025-11-25 server/tools, Error Handling: input errors are for the model to read; before, they are protocol errors. */
export function argumentsRefused(
  compiled: Compiled,
  state: State,
  call: Call,
  id: RequestId,
  why: string
): Step<State, Output> {
  const entry = running(compiled, state, call, id)
  if (entry === undefined) return late(state, id)
  const tool = entry.tool ?? entry.method
  const { revision } = compiled.spoken.get(entry.revision) ?? compiled.newest
  return revision.features.refusedArguments === "result"
    ? settle(compiled, state, entry, toolError(`Invalid arguments for tool ${tool}: ${why}`))
    : fail(compiled, state, entry, { _tag: "ArgumentsInvalid", tool, why })
}

/** Ends a running request with an error, whatever its handler does from now on. */
export function fail(
  compiled: Compiled,
  state: State,
  entry: InFlight,
  failure: Failure,
  report?: Report
): Step<State, Output> {
  const [next, outputs] = refuse(compiled, without(compiled, state, entry), entry, entry.id, failure, entry.method)
  return afterReply(next, report === undefined ? outputs : [...outputs, { _tag: "Report", report }])
}

/** While stopping, the last reply ends the session; a batch is not answered before all its members are read. */
export function afterReply(state: State, outputs: ReadonlyArray<Output>): Step<State, Output> {
  if (!state.stopping || state.inFlight.size > 0 || state.batches.open.size > 0 || state.phase._tag === "Closed")
    return [state, outputs]
  return [closed(state), [...outputs, { _tag: "StopTimer", timer: drain }, { _tag: "Close", reason: "stopped" }]]
}

function settle(compiled: Compiled, state: State, entry: InFlight, result: JsonObject): Step<State, Output> {
  const [next, outputs] = succeed(compiled, without(compiled, state, entry), entry, entry.id, result)
  return afterReply(next, outputs)
}

function running(compiled: Compiled, state: State, call: Call, id: RequestId): InFlight | undefined {
  const entry = lookup(state.inFlight, id, compiled.limits.salt)
  return entry?.call === call ? entry : undefined
}

const without = (compiled: Compiled, state: State, entry: InFlight): State =>
  withInFlight(state, remove(state.inFlight, entry.id, compiled.limits.salt), state.next)

const toolError = (text: string): JsonObject => ({ content: [{ type: "text", text }], isError: true })

const late = (state: State, id: RequestId): Step<State, Output> => [
  state,
  [
    {
      _tag: "Report",
      report: { _tag: "Ignored", method: undefined, id, why: "a handler's result came after its request had ended" }
    }
  ]
]
