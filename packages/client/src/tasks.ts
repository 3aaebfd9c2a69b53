/** The tasks of one session: started, taken up, and followed by what the server tells of them. */
import type { JsonObject, Peer, Report, RequestRow, Revision, Task } from "@parley/core"
import { announced } from "@parley/core"
import type { Clock } from "@parley/driver"
import { calmly } from "./calmly.js"
import { CallError } from "./error.js"
import type { CallOptions, Progress, Request } from "./session.js"
import { defaultTotalMs } from "./session.js"
import type { ToolTask } from "./task.js"
import { giveUp, isOver, toolTask } from "./task.js"
import type { Known } from "./tools.js"
import { checkArguments } from "./tools.js"
import { within } from "./within.js"

export interface StartOptions extends Pick<CallOptions, "timeoutMs" | "onProgress"> {
  /** How long the server is asked to keep the task and its result, in ms from its creation. It may decide otherwise. */
  readonly ttl?: number
  /** While the task is being created: aborted, the call rejects, and a task that is created all the same is cancelled. */
  readonly signal?: AbortSignal
}

export interface Tasks {
  /** Why a tool is not run as a task; nothing when it may be. */
  readonly refusal: (tool: Known | undefined) => string | undefined
  readonly start: (tool: Known, args: JsonObject, options: StartOptions) => Promise<ToolTask>
  readonly take: (taskId: string, tool: () => Known | undefined | Promise<Known>) => ToolTask
  readonly changed: (task: Task) => void
  /** Progress of what was answered already: of a task that is not over, or to be ignored. */
  readonly progressed: (params: JsonObject) => void
  /** The session is over. */
  readonly close: () => void
}

/** Who hears of a task's progress. */
interface Token {
  taskId: string | undefined
  heard: number
  readonly tell: (progress: Progress) => void
}

/** Of how many tasks progress is told at once: of one that nobody asks about it is not known that it is over. */
const remembered = 10_000

export interface TasksOptions {
  readonly peer: Peer
  readonly revision: Revision
  readonly request: Request
  readonly clock: Clock
  readonly timeoutMs: number
  readonly report: ((report: Report) => void) | undefined
}

export function tasks(options: TasksOptions): Tasks {
  const { peer, revision, request, clock, report } = options
  const watched = new Map<string, Set<(task: Task) => void>>()
  const tokens = new Map<number, Token>()
  const sleeping = new Set<() => void>()
  let ended = false

  function over(taskId: string): void {
    for (const [token, about] of tokens) if (about.taskId === taskId) tokens.delete(token)
  }

  function watch(taskId: string, tell: (task: Task) => void): () => void {
    const some = watched.get(taskId) ?? new Set()
    const own = (task: Task): void => tell(task)
    watched.set(taskId, some.add(own))
    return () => {
      if (some.delete(own) && some.size === 0 && watched.get(taskId) === some) watched.delete(taskId)
    }
  }

  function atEnd(wake: () => void): () => void {
    if (ended) wake()
    else sleeping.add(wake)
    return () => sleeping.delete(wake)
  }

  const surroundings = { revision, clock, request, watch, over, atEnd }

  function refusal(known: Known | undefined): string | undefined {
    const { task } = revision.client["tools/call"] as RequestRow
    if (task === undefined) return `${revision.name} has no tasks`
    const needs = task.needs.slice("server.".length)
    if (!announced(peer.capabilities, needs)) return `the server did not declare ${needs}`
    if (known === undefined) return undefined
    const support = known.tool.execution?.taskSupport
    if (support === "optional" || support === "required") return undefined
    return support === undefined ? "it does not say that it may be" : `it says that tasks are ${support}`
  }

  async function start(tool: Known, args: JsonObject, wishes: StartOptions): Promise<ToolTask> {
    const { name } = tool.tool
    const why = refusal(tool)
    if (why !== undefined) throw new CallError({ _tag: "TaskUnsupported", tool: name, why })
    checkArguments(tool, args)
    const { ttl, timeoutMs: ms = options.timeoutMs, signal, onProgress } = wishes
    const params = { name, arguments: args, task: ttl === undefined ? {} : { ttl } }
    let token: number | undefined
    let unwanted = false
    let task: ToolTask | undefined

    async function created(): Promise<ToolTask> {
      // Nobody can tell a server to forget a request for a task; so its reply is awaited also when its caller does not.
      const wait = { timeoutMs: Math.max(ms, defaultTotalMs), ...(onProgress && { onProgress: tell }) }
      const reply = await request("tools/call", params, wait, {
        called: (call) => {
          token = call
          if (onProgress !== undefined) remember(call, onProgress)
        },
        answered: ({ task }) => {
          const about = tokens.get(token!)
          if (about !== undefined) about.taskId = (task as unknown as Task).taskId
          if (isOver(task as unknown as Task)) over((task as unknown as Task).taskId)
        }
      })
      const { taskId } = reply["task"] as unknown as Task
      task = toolTask(surroundings, taskId, () => tool, reply)
      if (unwanted) void giveUp(task)
      return task
    }

    function remember(call: number, tell: Token["tell"]): void {
      const [oldest] = tokens.keys()
      if (oldest !== undefined && tokens.size >= remembered) tokens.delete(oldest)
      tokens.set(call, { taskId: undefined, heard: -Infinity, tell })
    }

    function tell(progress: Progress): void {
      const about = tokens.get(token!)
      if (about === undefined) return
      about.heard = progress.progress
      calmly(about.tell, progress)
    }

    const left = (): void => {
      if (unwanted) return
      unwanted = true
      // It may have come in this moment.
      if (task !== undefined) void giveUp(task)
      if (token !== undefined) tokens.delete(token)
    }
    try {
      return await within({ method: "tools/call", clock, ms, signal, left }, created)
    } catch (error) {
      left()
      throw error
    }
  }

  function progressed(params: JsonObject): void {
    const about = tokens.get(params["progressToken"] as number)
    const progress = params["progress"] as number
    if (about !== undefined && progress > about.heard) {
      about.heard = progress
      const { total, message } = params
      return calmly(about.tell, {
        progress,
        total: total as number | undefined,
        message: typeof message === "string" ? message : undefined
      })
    }
    const why =
      about === undefined ? "progress for nothing of ours that is under way" : "progress that does not increase"
    report?.({ _tag: "Ignored", method: "notifications/progress", id: undefined, why })
  }

  return {
    refusal,
    start,
    take: (taskId, tool) => toolTask(surroundings, taskId, tool),
    changed: (task) => {
      if (isOver(task)) over(task.taskId)
      for (const tell of Array.from(watched.get(task.taskId) ?? [])) tell(task)
    },
    progressed,
    close: () => {
      ended = true
      tokens.clear()
      for (const wake of sleeping) wake()
    }
  }
}
