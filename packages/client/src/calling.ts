/** Tools, called and started by name: looked up, their arguments checked, and run as a task where they insist on it. */
import type { CallToolResult, JsonObject } from "@parley/core"
import type { Clock } from "@parley/driver"
import type { Catalogue } from "./catalogue.js"
import { CallError } from "./error.js"
import { callOptions, checkOptions, startOptions } from "./options.js"
import type { CallOptions, Request } from "./session.js"
import { defaultTotalMs } from "./session.js"
import type { ToolTask } from "./task.js"
import { giveUp, longest } from "./task.js"
import type { Tasks } from "./tasks.js"
import type { Known } from "./tools.js"
import { checkArguments, checkResult } from "./tools.js"
import type { CallAny, StartAny, TakeUpAny } from "./typed.js"
import { within } from "./within.js"

/** 2026-07-28 basic, Error Codes: the headers do not say what the body says. */
const headerMismatch = -32020

export interface Calling {
  readonly callTool: CallAny
  readonly startTool: StartAny
  readonly task: TakeUpAny
}

interface Surroundings {
  readonly tools: Catalogue
  readonly tasks: Tasks
  readonly request: Request
  readonly clock: Clock
  readonly timeoutMs: number
  /** Whether some of the arguments may be said in headers. */
  readonly mirrors: boolean
}

export function calling({ tools, tasks, request, clock, timeoutMs, mirrors }: Surroundings): Calling {
  const method = "tools/call"

  /** The list goes on for others when the signal is aborted. */
  const found = (name: string, signal: AbortSignal | undefined): Promise<Known> =>
    within({ method, clock, signal }, () => tools.find(name))

  const callTool: CallAny = (name, args = {}, wishes = {}) => {
    try {
      checkOptions("callTool", wishes, callOptions)
      const tool = tools.known(name)
      if (tool === undefined) return found(name, wishes.signal).then((tool) => callKnown(tool, args, wishes, true))
      return callKnown(tool, args, wishes)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  function callKnown(tool: Known, args: JsonObject, wishes: CallOptions, fresh = false): Promise<CallToolResult> {
    // 2025-11-25 basic/utilities/tasks, Tool-Level Negotiation: then clients MUST invoke the tool as a task.
    if (tool.tool.execution?.taskSupport === "required" && tasks.refusal(tool) === undefined)
      return throughTask(tool, args, wishes)
    if (fresh || tools.lasting) return send(tool, args, wishes)
    try {
      return send(tool, args, wishes)
    } catch (error) {
      return as(tool, wishes, error).then((tool) => send(tool, args, wishes))
    }
  }

  function send(tool: Known, args: JsonObject, wishes: CallOptions): Promise<CallToolResult> {
    checkArguments(tool, args)
    const { name } = tool.tool
    const once = (): Promise<JsonObject> => request(method, { name, arguments: args }, wishes)
    const result = (mirrors
      ? once().catch((error: unknown) => {
          // 2026-07-28 basic/transports/streamable-http, Client Behavior: the tool may want other headers by now.
          if (!(error instanceof CallError) || error.code !== headerMismatch) throw error
          return as(tool, wishes, error).then(once)
        })
      : once()) as unknown as Promise<CallToolResult>
    if (tool.output === undefined) return result
    return result.then((result) => {
      if (tools.lasting) return checkResult(tool, result)
      try {
        return checkResult(tool, result)
      } catch (error) {
        return as(tool, wishes, error).then((tool) => checkResult(tool, result))
      }
    })
  }

  /** The tool as it is now: what was listed a while ago is not held against anybody. Rejects as before when it is not to be had. */
  function as({ tool }: Known, { signal }: CallOptions, error: unknown): Promise<Known> {
    return within({ method, clock, signal }, () => tools.again(tool.name)).catch(() => {
      throw error
    })
  }

  /** As if it were any other call: the wait is for the result, and whoever waits no longer wants the task no longer. */
  function throughTask(tool: Known, args: JsonObject, wishes: CallOptions): Promise<CallToolResult> {
    const { timeoutMs: ms = timeoutMs, resetOnProgress = false, onProgress, signal } = wishes
    const { totalMs = resetOnProgress ? defaultTotalMs : undefined } = wishes
    const stop = new AbortController()
    let task: ToolTask | undefined
    const left = (error: CallError): void => {
      stop.abort(error)
      if (task !== undefined) void giveUp(task)
    }
    return within({ method, clock, ms, totalMs, signal, left }, async (again) => {
      const told: CallOptions["onProgress"] = (progress) => {
        if (stop.signal.aborted) return
        if (resetOnProgress) again()
        onProgress?.(progress)
      }
      task = await tasks.start(tool, args, {
        timeoutMs: longest,
        signal: stop.signal,
        ...((resetOnProgress || onProgress !== undefined) && { onProgress: told })
      })
      // It may have come in the moment in which its caller left.
      if (stop.signal.aborted) void giveUp(task)
      try {
        return await task.result({ totalMs: longest, signal: stop.signal })
      } finally {
        stop.abort()
      }
    })
  }

  return {
    callTool,
    startTool: async (name, args = {}, wishes = {}) => {
      checkOptions("startTool", wishes, startOptions)
      const why = tasks.refusal(undefined)
      if (why !== undefined) throw new CallError({ _tag: "TaskUnsupported", tool: name, why })
      const tool = tools.known(name) ?? (await found(name, wishes.signal))
      return tasks.start(tool, args, wishes)
    },
    task: (taskId, tool) =>
      tasks.take(taskId, () => (tool === undefined ? undefined : (tools.known(tool) ?? tools.find(tool))))
  }
}
