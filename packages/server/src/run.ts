/** Runs handlers: arguments in by the tool's schema, whatever it returns out by the machine's words. */
import type { JsonObject } from "@parley/core"
import type { CallFailure, Input, Invoke } from "@parley/core/server"
import type { Issue, Validated } from "@parley/json-schema"
import { RunningCall } from "./call.js"
import { isEffect, runEffect } from "./effects.js"
import { ToolFailed } from "./failed.js"
import { plainResult, structuredResult } from "./result.js"
import type { ReadyTool } from "./tool.js"

export interface Runner {
  readonly invoke: (invoke: Invoke) => void
  readonly interrupt: (call: number, reason: string | undefined) => void
}

/** Told of what goes wrong inside handlers: the client never is. */
export type Crashed = (tool: string, error: unknown) => void

export function runner(
  tools: () => ReadonlyMap<string, ReadyTool>,
  feed: (input: Input) => void,
  crashed: Crashed
): Runner {
  const pending = new Map<number, RunningCall>()

  function invoke(invoke: Invoke): void {
    const { target } = invoke
    const tool = target._tag === "Tool" ? tools().get(target.name) : undefined
    if (target._tag !== "Tool" || tool === undefined) return fail(invoke, { _tag: "Crashed" })
    const call = new RunningCall(invoke, feed)
    try {
      const judged = tool.input.validate(target.arguments)
      if (judged instanceof Promise)
        wait(invoke, tool, call, judged, (judged) => judgedArguments(invoke, tool, call, judged))
      else judgedArguments(invoke, tool, call, judged)
    } catch (error) {
      thrown(invoke, tool, call, error)
    }
  }

  function judgedArguments(invoke: Invoke, tool: ReadyTool, call: RunningCall, judged: Validated<unknown>): void {
    // Withdrawn while its arguments were judged: nobody wants it to begin.
    if (call.interrupted) return
    if (!judged.ok)
      return feed({ _tag: "ArgumentsRefused", call: invoke.call, id: invoke.id, why: inWords(judged.issues) })
    const returned = tool.handler(judged.value as never, call)
    if (isEffect(returned))
      wait(invoke, tool, call, runEffect(returned, call.signal), (value) => finish(invoke, tool, call, value))
    // A foreign thenable may throw, or settle twice.
    else if (isThenable(returned))
      wait(invoke, tool, call, Promise.resolve(returned), (value) => finish(invoke, tool, call, value))
    else finish(invoke, tool, call, returned)
  }

  function finish(invoke: Invoke, tool: ReadyTool, call: RunningCall, returned: unknown): void {
    if (returned instanceof ToolFailed) return fail(invoke, { _tag: "Told", text: returned.message })
    if (tool.output === undefined) return succeed(invoke, plainResult(returned))
    const judged = structuredResult(tool.output, returned)
    if (judged instanceof Promise) wait(invoke, tool, call, judged, (judged) => judgedOutput(invoke, tool, judged))
    else judgedOutput(invoke, tool, judged)
  }

  function judgedOutput(invoke: Invoke, tool: ReadyTool, judged: Validated<JsonObject>): void {
    if (judged.ok) return succeed(invoke, judged.value)
    fail(invoke, { _tag: "Crashed" })
    crashed(tool.name, new TypeError(`its result does not fit its output schema: ${inWords(judged.issues)}`))
  }

  /** Goes on when the promise settles. Only calls that wait can be interrupted. */
  function wait<A>(
    invoke: Invoke,
    tool: ReadyTool,
    call: RunningCall,
    promise: Promise<A>,
    then: (value: A) => void
  ): void {
    pending.set(invoke.call, call)
    promise.then(
      (value) => {
        pending.delete(invoke.call)
        try {
          then(value)
        } catch (error) {
          thrown(invoke, tool, call, error)
        }
      },
      (error: unknown) => {
        pending.delete(invoke.call)
        thrown(invoke, tool, call, error)
      }
    )
  }

  function thrown(invoke: Invoke, tool: ReadyTool, call: RunningCall, error: unknown): void {
    const text = told(error)
    if (text !== undefined) return fail(invoke, { _tag: "Told", text })
    fail(invoke, { _tag: "Crashed" })
    // What a handler throws because it was interrupted surprises nobody.
    if (!call.interrupted) crashed(tool.name, error)
  }

  const succeed = ({ call, id }: Invoke, result: unknown): void => feed({ _tag: "Succeeded", call, id, result })
  const fail = ({ call, id }: Invoke, failure: CallFailure): void => feed({ _tag: "Failed", call, id, failure })

  return {
    invoke,
    interrupt: (call, reason) => {
      // It may never settle: nothing is kept of it.
      pending.get(call)?.interrupt(reason)
      pending.delete(call)
    }
  }
}

const inWords = (issues: ReadonlyArray<Issue>): string =>
  issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")

/** What was thrown to be told. Even asking what it is may throw. */
function told(error: unknown): string | undefined {
  try {
    return error instanceof ToolFailed ? error.message : undefined
  } catch {
    return undefined
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
