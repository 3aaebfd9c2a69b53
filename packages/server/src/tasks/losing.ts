/** One session's view of a store that may fail: what it could not be told is told from here, so that nobody waits for it. */
import type { StoredTask, TaskOutcome, TaskStore } from "./store.js"

export interface LosingStore extends TaskStore {
  /** The store was not told what became of the task: to this session it has failed, and whoever waits for it is woken. */
  readonly lose: (taskId: string) => void
}

export const unkept = "What became of the task could not be kept"

export const failure: TaskOutcome = { _tag: "Error", code: -32603, message: unkept }

export function losing(store: TaskStore): LosingStore {
  const lost = new Set<string>()
  const waiting = new Map<string, Set<AbortController>>()

  /** As it is kept, unless more is known here. */
  function known(stored: StoredTask): StoredTask {
    const { owner, task, outcome } = stored
    if (outcome !== undefined || !lost.has(task.taskId)) return stored
    return { owner, task: { ...task, status: "failed", statusMessage: unkept }, outcome: failure }
  }

  return {
    create: (stored) => store.create(stored),
    get: async (owner, taskId) => {
      const found = await store.get(owner, taskId)
      if (found !== undefined) return known(found)
      lost.delete(taskId)
      return undefined
    },
    move: async (owner, taskId, from, change) =>
      lost.has(taskId) ? undefined : await store.move(owner, taskId, from, change),
    list: async (owner, cursor, limit) => {
      const found = await store.list(owner, cursor, limit)
      return found && { tasks: found.tasks.map(known), next: found.next }
    },
    wait: async (owner, taskId, status, signal) => {
      if (signal.aborted || lost.has(taskId)) return
      const until = new AbortController()
      const end = (): void => until.abort()
      const here = waiting.get(taskId) ?? new Set()
      waiting.set(taskId, here.add(until))
      signal.addEventListener("abort", end)
      try {
        await store.wait(owner, taskId, status, until.signal)
      } finally {
        signal.removeEventListener("abort", end)
        here.delete(until)
        if (here.size === 0) waiting.delete(taskId)
      }
    },
    lose: (taskId) => {
      lost.add(taskId)
      for (const until of waiting.get(taskId) ?? []) until.abort()
    }
  }
}
