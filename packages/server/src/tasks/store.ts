/** Where tasks are kept: what a store must promise, and the one that keeps them in memory. */
import type { JsonObject, Task } from "@parley/core"
import { Expiries } from "./expiries.js"

/** A task and whose it is. Nobody else can name it. */
export interface StoredTask {
  readonly owner: string
  readonly task: Task
  /** What the call would have been answered with; there once the task has ended. */
  readonly outcome: TaskOutcome | undefined
}

export type TaskStatus = Task["status"]

export type TaskOutcome =
  | { readonly _tag: "Result"; readonly result: JsonObject }
  | { readonly _tag: "Error"; readonly code: number; readonly message: string; readonly data?: unknown }

/** What changes in a task. */
export interface TaskChange {
  readonly status: TaskStatus
  readonly statusMessage: string | undefined
  readonly lastUpdatedAt: string
  readonly outcome: TaskOutcome | undefined
}

export interface TaskPage {
  readonly tasks: ReadonlyArray<StoredTask>
  /** Where the next page begins; nothing when this was the last. */
  readonly next: string | undefined
}

/** Keeps tasks until their `ttl` is over. Values are JSON; answers may be promises. */
export interface TaskStore {
  /** Settles when the task is kept: only then is its caller told of it. Throws or rejects when there is no room. */
  readonly create: (stored: StoredTask) => void | Promise<void>
  /** Nothing for a task that is not there any more, or is another owner's. */
  readonly get: (owner: string, taskId: string) => StoredTask | undefined | Promise<StoredTask | undefined>
  /** In one go: changes the task if its status is one of `from`, and answers how it then is; else nothing. */
  readonly move: (
    owner: string,
    taskId: string,
    from: ReadonlyArray<TaskStatus>,
    change: TaskChange
  ) => StoredTask | undefined | Promise<StoredTask | undefined>
  /**
   * At most `limit` tasks of the owner in the order of their creation, from the first or from where a page ended: `cursor` is
   * that page's `next`, also when the tasks before it are not there any more. Nothing for what is no cursor.
   */
  readonly list: (
    owner: string,
    cursor: string | undefined,
    limit: number
  ) => TaskPage | undefined | Promise<TaskPage | undefined>
  /** Settles as soon as the status is another one, the task is gone, or the signal is aborted. */
  readonly wait: (owner: string, taskId: string, status: TaskStatus, signal: AbortSignal) => Promise<void>
}

export interface MemoryOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
  /** Tasks kept at once; the next one is refused. Default 10,000. */
  readonly most?: number
}

/**
 * Keeps tasks in this process's memory.
 *
 * ```ts
 * import { memoryTasks } from "@parley/server"
 *
 * memoryTasks({ most: 100 }).list("nobody", undefined, 10) // => { tasks: [], next: undefined }
 * ```
 */
export function memoryTasks({ clock = Date.now, most = 10_000 }: MemoryOptions = {}): TaskStore {
  const kept = new Map<string, Kept>()
  const waiting = new Map<string, Set<() => void>>()
  const expiries = new Expiries()
  let count = 0
  /** How long it is kept from now on, in ms. */
  const left = ({ task }: StoredTask): number => endOf(task) - clock()
  const expired = (one: StoredTask): boolean => left(one) <= 0

  function drop(taskId: string): void {
    kept.delete(taskId)
    wake(taskId)
  }

  function wake(taskId: string): void {
    for (const look of waiting.get(taskId) ?? []) look()
  }

  function find(owner: string, taskId: string): Kept | undefined {
    const found = kept.get(taskId)
    if (found === undefined || found.stored.owner !== owner) return undefined
    if (!expired(found.stored)) return found
    drop(taskId)
    return undefined
  }

  const get = (owner: string, taskId: string): StoredTask | undefined => find(owner, taskId)?.stored

  return {
    create: (stored) => {
      const { task } = stored
      for (const taskId of expiries.due(clock())) drop(taskId)
      if (kept.size >= most) throw new Error(`There are ${most} tasks already`)
      kept.set(task.taskId, { nth: ++count, stored })
      if (task.ttl !== null) expiries.add(task.taskId, endOf(task))
    },
    get,
    move: (owner, taskId, from, { status, statusMessage, lastUpdatedAt, outcome }) => {
      const found = find(owner, taskId)
      if (found === undefined || !from.includes(found.stored.task.status)) return undefined
      const { statusMessage: _, ...task } = found.stored.task
      const told = statusMessage === undefined ? {} : { statusMessage }
      const moved = { owner, task: { ...task, status, ...told, lastUpdatedAt }, outcome }
      found.stored = moved
      wake(taskId)
      return moved
    },
    list: (owner, cursor, limit) => {
      const after = cursor === undefined ? 0 : /^\d{1,15}$/.test(cursor) ? Number(cursor) : Infinity
      if (after > count) return undefined
      const mine = ({ nth, stored }: Kept): boolean => nth > after && stored.owner === owner && !expired(stored)
      const rest = [...kept.values()].filter(mine)
      const page = rest.slice(0, limit)
      const next = rest.length > limit ? String(page.at(-1)!.nth) : undefined
      return { tasks: page.map(({ stored }) => stored), next }
    },
    wait: (owner, taskId, status, signal) =>
      new Promise((resolve) => {
        const listeners = waiting.get(taskId) ?? new Set()
        waiting.set(taskId, listeners)
        let alarm: Alarm | undefined
        const look = (): void => {
          clearTimeout(alarm)
          const found = signal.aborted ? undefined : get(owner, taskId)
          if (found?.task.status === status) return void (alarm = ringing(look, left(found)))
          listeners.delete(look)
          if (listeners.size === 0) waiting.delete(taskId)
          signal.removeEventListener("abort", look)
          resolve()
        }
        listeners.add(look)
        signal.addEventListener("abort", look)
        look()
      })
  }
}

interface Kept {
  /** By which a list goes on, whether or not the task is still there then. */
  readonly nth: number
  stored: StoredTask
}

const endOf = ({ createdAt, ttl }: Task): number => (ttl === null ? Infinity : Date.parse(createdAt) + ttl)

type Alarm = ReturnType<typeof setTimeout>

/** The longest that a timer can take, in ms. */
const longest = 2 ** 31 - 1

/** Looks again when the time is over, or before, where that is far away. It keeps no process from ending. */
function ringing(look: () => void, left: number): Alarm | undefined {
  if (left === Infinity) return undefined
  const alarm = setTimeout(look, Math.min(left, longest))
  ;(alarm as { readonly unref?: () => void }).unref?.()
  return alarm
}
