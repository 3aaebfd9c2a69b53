/** Tasks (2025-11-25): calls that are answered at once, run on, and whose result is fetched later. */
import type { JsonObject, RequestId, Task } from "@parley/core"
import type { CallFailure, Invoke } from "@parley/core/server"
import type { Job, Jobs, Surroundings } from "../job.js"
import type { ReadyTool } from "../tool.js"
import { failure, losing, unkept } from "./losing.js"
import { meanwhile } from "./meanwhile.js"
import type { TaskOptions } from "./options.js"
import type { Ended } from "./running.js"
import { RunningTask } from "./running.js"
import type { StoredTask, TaskOutcome, TaskStatus } from "./store.js"
import { memoryTasks } from "./store.js"

export interface Tasks {
  /** Answers with the task, and runs the tool. */
  readonly create: (work: Jobs, invoke: Invoke, tool: ReadyTool, args: JsonObject, asked: { ttl?: number }) => void
  /** Answers `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel`. */
  readonly serve: (work: Jobs, invoke: Invoke, method: string, params: JsonObject) => void
  /** Nobody can ask for the results any more: what still runs is interrupted. */
  readonly close: () => void
}

/** As many as there may be requests in flight by default. */
const mostAsking = 16_384

const open: ReadonlyArray<TaskStatus> = ["working", "input_required"]

/** Tasks are their session's own: `owner` is unguessable and used by no other. */
export function tasks({ feed, crashed }: Surroundings, owner: string, options: TaskOptions = {}): Tasks {
  const { ttlMs = 3_600_000, maxTtlMs = 86_400_000, pollMs = 1_000, most = 1_000, pageSize = 100 } = options
  const clock = options.clock ?? Date.now
  const store = losing(options.store ?? memoryTasks({ clock }))
  const running = new Map<string, RunningTask>()
  /** Requests for a result that have passed on questions. */
  const asking = new Map<RequestId, AbortController>()
  const stamp = (): string => new Date(clock()).toISOString()
  const notify = (method: string, params: JsonObject): void => feed({ _tag: "Notified", method, params })

  async function create(work: Jobs, invoke: Invoke, tool: ReadyTool, args: JsonObject, ttl = ttlMs): Promise<void> {
    const { call, id } = invoke
    const at = stamp()
    const task: Task = {
      taskId: unguessable(),
      status: "working",
      createdAt: at,
      lastUpdatedAt: at,
      ttl: Math.max(0, Math.min(ttl, maxTtlMs)),
      pollInterval: pollMs
    }
    const { taskId } = task
    const told = (method: string, params: JsonObject): void => notify(method, { ...params, _meta: related(taskId) })
    const one = new RunningTask(work, crashed, { invoke, tool, args }, told, (ended) => {
      void after(taskId, ended).catch(async (error: unknown) => broken(taskId, tool, error))
    })
    // Before the store has it: two that come together both count.
    if (running.size >= most) throw new Error(`There are ${most} tasks running already`)
    running.set(taskId, one)
    try {
      await store.create({ owner, task, outcome: undefined })
    } catch (error) {
      running.delete(taskId)
      throw error
    }
    const text = await meanwhile(tool, args, (error) => crashed(tool.name, error))
    feed({
      _tag: "Succeeded",
      call,
      id,
      result: text === undefined ? { task } : { task, _meta: { [immediate]: text } }
    })
    // The caller is told first, however long the handler holds on.
    await Promise.resolve()
    if (!running.has(taskId)) return
    one.run()
    void watch(taskId, one).catch((error: unknown) => crashed(tool.name, error))
  }

  /** Its time, or another process, may end it: nobody waits any more for what its handler comes to. */
  async function watch(taskId: string, one: RunningTask): Promise<void> {
    while (running.get(taskId) === one) {
      const status = (await store.get(owner, taskId))?.task.status
      if (running.get(taskId) !== one) return
      if (status === undefined || !open.includes(status)) return stop(taskId, "the task is over")
      await store.wait(owner, taskId, status, one.signal)
    }
  }

  function stop(taskId: string, why: string): void {
    running.get(taskId)?.interrupt(why)
    running.delete(taskId)
  }

  async function after(taskId: string, ended: Ended): Promise<void> {
    if (ended._tag === "Waits") return void (await move(taskId, ["working"], "input_required"))
    running.delete(taskId)
    await move(taskId, open, ended.status, "why" in ended ? ended.why : undefined, ended.outcome)
  }

  /** What the store could not be told: it may take that the task has failed, and whoever waits is answered in any case. */
  async function broken(taskId: string, { name }: ReadyTool, error: unknown): Promise<void> {
    crashed(name, error)
    stop(taskId, unkept)
    await move(taskId, open, "failed", unkept, failure).catch(() => store.lose(taskId))
  }

  async function move(
    taskId: string,
    from: ReadonlyArray<TaskStatus>,
    status: TaskStatus,
    statusMessage?: string,
    outcome?: TaskOutcome
  ): Promise<StoredTask | undefined> {
    const moved = await store.move(owner, taskId, from, { status, statusMessage, lastUpdatedAt: stamp(), outcome })
    if (moved !== undefined) notify("notifications/tasks/status", moved.task as unknown as JsonObject)
    return moved
  }

  async function cancel(taskId: string): Promise<StoredTask | CallFailure> {
    const outcome = { _tag: "Error", code: -32603, message: "The task was cancelled" } as const
    const moved = await move(taskId, open, "cancelled", "The task was cancelled by request.", outcome)
    if (moved === undefined) {
      const found = await store.get(owner, taskId)
      return found === undefined ? unknown : invalid(`Cannot cancel the task: it is ${found.task.status}`)
    }
    stop(taskId, "the task was cancelled")
    return moved
  }

  /** Waits until the task has ended. Nothing when its questions were passed on, or nobody waits any more. */
  async function result(job: Job, taskId: string): Promise<TaskOutcome | CallFailure | undefined> {
    const { call, id, answers } = job.invoke
    const one = running.get(taskId)
    asking.get(id)?.abort()
    asking.delete(id)
    if (answers !== undefined && one?.answer(answers) === true) {
      await move(taskId, ["input_required"], "working").catch(async (error: unknown) => broken(taskId, one.tool, error))
      if (running.has(taskId)) one.run()
    }
    for (;;) {
      const found = await store.get(owner, taskId)
      if (found === undefined) return unknown
      const { status } = found.task
      if (found.outcome !== undefined) return found.outcome
      const questions = running.get(taskId)?.questions ?? []
      if (status === "input_required" && questions.length > 0) {
        job.end({ _tag: "Suspended" })
        const asked = questions.map(({ key, method, params }) => ({
          key,
          method,
          params: { ...params, _meta: { ...(params?.["_meta"] as JsonObject | undefined), ...related(taskId) } }
        }))
        feed({ _tag: "NeedsInput", call, id, questions: asked, once: {} })
        await overtaking(id, taskId)
        return undefined
      }
      await store.wait(owner, taskId, status, job.call.signal)
      if (job.call.over) return undefined
    }
  }

  /** While its questions are open the task may be cancelled, come to its end, or be answered by somebody else. */
  async function overtaking(id: RequestId, taskId: string): Promise<void> {
    const waits = new AbortController()
    asking.set(id, waits)
    if (asking.size > mostAsking) forgetFirst()
    await store.wait(owner, taskId, "input_required", waits.signal)
    if (asking.get(id) === waits) asking.delete(id)
    if (!waits.signal.aborted) feed({ _tag: "Overtaken", id, taskId })
  }

  /** Those that were withdrawn are not told of: the oldest is forgotten when there are more than there may be. */
  function forgetFirst(): void {
    const id = asking.keys().next().value!
    asking.get(id)?.abort()
    asking.delete(id)
  }

  async function page(cursor: string | undefined): Promise<JsonObject | CallFailure> {
    const found = await store.list(owner, cursor, pageSize)
    if (found === undefined) return invalid("Invalid cursor for tasks/list: list again from the start")
    const listed = found.tasks.map(({ task }) => task as unknown as JsonObject)
    return found.next === undefined ? { tasks: listed } : { tasks: listed, nextCursor: found.next }
  }

  function serve({ begin, attempt, succeed, fail }: Jobs, invoke: Invoke, method: string, params: JsonObject): void {
    const job = begin(invoke, method, undefined)
    const taskId = String(params["taskId"])
    const answer = (found: StoredTask | CallFailure | undefined): void => {
      if (found === undefined) return fail(job, unknown)
      return "_tag" in found ? fail(job, found) : succeed(job, found.task)
    }
    const give = (found: TaskOutcome | CallFailure | undefined): void => {
      if (found === undefined) return
      if (found._tag === "Error") return fail(job, { ...found, _tag: "Chosen" })
      if (found._tag !== "Result") return fail(job, found)
      const { _meta } = found.result
      succeed(job, { ...found.result, _meta: { ...(_meta as JsonObject | undefined), ...related(taskId) } })
    }
    const list = (found: JsonObject | CallFailure): void =>
      "_tag" in found ? fail(job, found as CallFailure) : succeed(job, found)
    switch (method) {
      case "tasks/get":
        return attempt(job, () => store.get(owner, taskId), answer as (value: unknown) => void)
      case "tasks/cancel":
        return attempt(job, () => cancel(taskId), answer as (value: unknown) => void)
      case "tasks/result":
        return attempt(job, () => result(job, taskId), give as (value: unknown) => void)
      default:
        return attempt(job, () => page(params["cursor"] as string | undefined), list as (value: unknown) => void)
    }
  }

  return {
    create: (work, invoke, tool, args, asked) =>
      void create(work, invoke, tool, args, asked.ttl).catch((error: unknown) => {
        const { call, id } = invoke
        const message = "The task could not be created"
        feed({ _tag: "Failed", call, id, failure: { _tag: "Chosen", code: -32603, message } })
        crashed(tool.name, error)
      }),
    serve,
    close: () => {
      for (const one of running.values()) one.interrupt("the session has ended")
      running.clear()
      for (const one of asking.values()) one.abort()
      asking.clear()
    }
  }
}

/** 2025-11-25 basic/utilities/tasks, Associating tasks with model control flow: what a host may tell its model for now. */
const immediate = "io.modelcontextprotocol/model-immediate-response"

/** Of 128 random bits. Not `randomUUID`, which pages that came without TLS have not. */
export const unguessable = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

const related = (taskId: string): JsonObject => ({ "io.modelcontextprotocol/related-task": { taskId } })

const invalid = (message: string): CallFailure => ({ _tag: "Chosen", code: -32602, message })

const unknown = invalid("Unknown task: it was never there, or is not any more")
