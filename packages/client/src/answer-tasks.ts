/** Questions that are answered by a task (2025-11-25): the server has the task at once, and comes for the answer later. */
import type { ErrorObject, JsonObject, Peer, RequestRow, Revision, Task } from "@parley/core"
import type { Alarm, Clock } from "@parley/driver"
import type { Asking, AnswerTasks } from "./answers.js"
import { stranger } from "./cache.js"
import { isOver, relatedTask } from "./task.js"
import { Answered, errorFor, Unanswerable } from "./unanswerable.js"

export interface Questions {
  /** The task for a question. `begin` puts the question, once the server has been told of the task. */
  readonly create: (question: Question) => { readonly created: object; readonly begin: () => void }
  /** Answers `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel`. */
  readonly serve: (method: string, params: JsonObject, signal: AbortSignal) => Promise<object>
  /** Nobody can come for an answer any more: questions that are open are taken back. */
  readonly close: () => void
}

export interface Question {
  readonly method: string
  readonly params: JsonObject
  readonly server: Peer
  readonly revision: Revision
  readonly put: (asking: Asking) => Promise<object>
}

export interface QuestionsOptions extends AnswerTasks {
  readonly clock: Clock
  /** How long a question may stay open, in ms. */
  readonly askMs: number
  readonly notify: (method: string, params: JsonObject) => void
  /** Told what went wrong with an answer. */
  readonly unsendable: (method: string, why: string) => void
}

type Outcome = { readonly result: object } | { readonly error: ErrorObject }

interface Kept {
  /** By which a list goes on, whether or not the task is still there then. */
  readonly nth: number
  task: Task
  outcome: Outcome | undefined
  readonly stop: AbortController
  /** Settles when there is an outcome, or never will be. */
  readonly ended: Promise<void>
  readonly end: () => void
  /** Until it is forgotten, answered or not. */
  readonly time: Alarm
  /** Until it is answered. */
  readonly patience: Alarm
}

const page = 100

export function questions(options: QuestionsOptions): Questions {
  const { clock, askMs, notify, ttlMs = 3_600_000, maxTtlMs = 86_400_000, pollMs = 1_000, most = 1_000 } = options
  const kept = new Map<string, Kept>()
  let count = 0

  function create({ method, params, server, revision, put }: Question): ReturnType<Questions["create"]> {
    makeRoom()
    const asked = (params["task"] as { readonly ttl?: number }).ttl ?? ttlMs
    const at = stamp()
    const ttl = Math.max(0, Math.min(asked, maxTtlMs))
    const taskId = stranger()
    const task: Task = { taskId, status: "working", createdAt: at, lastUpdatedAt: at, ttl, pollInterval: pollMs }
    const stop = new AbortController()
    let end!: () => void
    const ended = new Promise<void>((resolve) => (end = resolve))
    const time = clock.after(ttl, () => drop(taskId, "the task's time is over"))
    const patience = clock.after(askMs, () => fail(taskId, `not answered within ${askMs} ms`))
    // An answer that nobody may come for keeps no process alive.
    for (const alarm of [time, patience]) alarm.hold(false)
    kept.set(taskId, { nth: ++count, task, outcome: undefined, stop, ended, end, time, patience })
    const { result } = revision.server[method] as RequestRow
    const progress = progressing(taskId, params)

    async function answer(): Promise<void> {
      try {
        const answer = await put({ server, signal: stop.signal, progress })
        const problem = result(answer)
        if (problem !== undefined)
          throw new Unanswerable(-32603, `the answer is not valid at ${problem.at}: expected ${problem.expected}`)
        settle(taskId, "completed", { result: answer })
      } catch (thrown) {
        const { error, why } = errorFor(method, thrown)
        if (why !== undefined && isOpen(taskId)) options.unsendable(method, why)
        settle(taskId, "failed", { error }, error.message)
      }
    }

    return { created: { task }, begin: () => void answer() }
  }

  /** What is over is let go before a new question is refused. */
  function makeRoom(): void {
    if (kept.size < most) return
    for (const [taskId, { task }] of kept) if (isOver(task)) return drop(taskId, "")
    throw new Unanswerable(-32603, `no more than ${most} may be open as tasks at once`)
  }

  const isOpen = (taskId: string): boolean => {
    const one = kept.get(taskId)
    return one !== undefined && !isOver(one.task)
  }

  function settle(taskId: string, status: Task["status"], outcome: Outcome, statusMessage?: string): void {
    const one = kept.get(taskId)
    // It was cancelled, or its time was over: what comes of it then is nobody's.
    if (one === undefined || isOver(one.task)) return
    one.patience.cancel()
    one.task = { ...one.task, status, lastUpdatedAt: stamp(), ...(statusMessage !== undefined && { statusMessage }) }
    one.outcome = outcome
    one.end()
    notify("notifications/tasks/status", one.task as unknown as JsonObject)
  }

  function fail(taskId: string, why: string): void {
    settle(taskId, "failed", { error: { code: -32603, message: `Internal error: ${why}` } }, why)
    kept.get(taskId)?.stop.abort(new Error(why))
  }

  function drop(taskId: string, why: string): void {
    const one = kept.get(taskId)
    if (one === undefined) return
    kept.delete(taskId)
    one.time.cancel()
    one.patience.cancel()
    one.end()
    // Nothing is taken back from a user who has answered.
    if (!isOver(one.task)) one.stop.abort(new Error(why))
  }

  function found(params: JsonObject): Kept {
    const one = kept.get(params["taskId"] as string)
    if (one === undefined) throw new Unanswerable(-32602, "Unknown task: it was never there, or is not any more")
    return one
  }

  function cancel(params: JsonObject): Task {
    const { task, stop } = found(params)
    if (isOver(task)) throw new Unanswerable(-32602, `Cannot cancel the task: it is ${task.status}`)
    const message = "The task was cancelled by request."
    settle(task.taskId, "cancelled", { error: { code: -32603, message } }, message)
    stop.abort(new Error("the server cancelled the question"))
    return found(params).task
  }

  async function result(params: JsonObject, signal: AbortSignal): Promise<object> {
    const one = found(params)
    await until(one.ended, signal)
    const { outcome, task } = one
    // Its time is over, which is said; or nobody waits, and nothing is.
    if (outcome === undefined) return found(params).task
    if ("error" in outcome) throw new Answered(outcome.error)
    const { _meta } = outcome.result as { readonly _meta?: object }
    return { ...outcome.result, _meta: { ..._meta, [relatedTask]: { taskId: task.taskId } } }
  }

  function list({ cursor }: JsonObject): object {
    const after = cursor === undefined ? 0 : /^\d{1,15}$/.test(cursor as string) ? Number(cursor) : Infinity
    if (after > count) throw new Unanswerable(-32602, "Invalid cursor: list again from the start")
    const rest = [...kept.values()].filter(({ nth }) => nth > after)
    const some = rest.slice(0, page)
    const tasks = some.map(({ task }) => task)
    return rest.length > page ? { tasks, nextCursor: String(some.at(-1)!.nth) } : { tasks }
  }

  const progressing = (taskId: string, params: JsonObject): Asking["progress"] => {
    const progressToken = (params["_meta"] as JsonObject | undefined)?.["progressToken"]
    let last = -Infinity
    return (progress, total, message) => {
      if (progressToken === undefined || progress <= last || !isOpen(taskId)) return
      last = progress
      const more = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) }
      notify("notifications/progress", { progressToken, progress, ...more, _meta: { [relatedTask]: { taskId } } })
    }
  }

  return {
    create,
    serve: async (method, params, signal) => {
      switch (method) {
        case "tasks/get":
          return found(params).task
        case "tasks/cancel":
          return cancel(params)
        case "tasks/result":
          return result(params, signal)
        default:
          return list(params)
      }
    },
    close: () => {
      for (const taskId of kept.keys()) drop(taskId, "the session is over")
    }
  }
}

const stamp = (): string => new Date().toISOString()

/** Settles also when nobody waits any more. */
async function until(ended: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  let leave!: () => void
  const left = new Promise<void>((resolve) => (leave = resolve))
  signal.addEventListener("abort", leave, { once: true })
  await Promise.race([ended, left])
  signal.removeEventListener("abort", leave)
}
