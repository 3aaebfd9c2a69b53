/** A tool that runs as a task at the server: how far it is, what came of it, and the word to stop it (2025-11-25). */
import type { CallToolResult, JsonObject, RequestRow, Revision, Task } from "@parley/core"
import { isObject, member } from "@parley/core"
import type { Clock } from "@parley/driver"
import { CallError } from "./error.js"
import { joined } from "./joined.js"
import { callOptions, checkOptions, resultOptions, updatesOptions } from "./options.js"
import type { CallOptions, Request } from "./session.js"
import { defaultTotalMs } from "./session.js"
import type { Known } from "./tools.js"
import { checkResult } from "./tools.js"
import { within } from "./within.js"

/**
 * A task. It runs on whether or not anybody asks, until it is `completed`, `failed` or `cancelled`, and is kept by the server
 * for its `ttl`; `client.task(taskId)` takes it up in another session where the server keeps it that long.
 *
 * When it is heard to be `input_required`, its result is asked for, because that is what makes the server put its questions.
 */
export interface ToolTask<R = CallToolResult> {
  readonly taskId: string
  /** As it was last heard of; undefined when it was taken up and not asked about yet. */
  readonly task: Task | undefined
  /** What the server suggests to tell a model at once, while the task runs. */
  readonly immediateResponse: string | undefined
  /** Asks how it is now. */
  readonly status: (options?: CallOptions) => Promise<Task>
  /**
   * How it is now, and each change as it is heard of, until it is over: told by the server, or found by asking as often as its
   * `pollInterval` says. Of what waits for a slow reader the latest hundred changes are kept.
   */
  readonly updates: (options?: UpdatesOptions) => AsyncIterable<Task>
  /**
   * What the tool answered, as `callTool` gives it: an `isError` result is returned, and a JSON-RPC error rejects `CallError`.
   * Waits for the task to be over. Whoever waits no longer leaves the task as it is, and may wait again.
   */
  readonly result: (options?: ResultOptions) => Promise<R>
  /** Stops it. Rejects `CallError` when it is over already, or when the server did not declare `tasks.cancel`. */
  readonly cancel: (options?: CallOptions) => Promise<Task>
}

export interface UpdatesOptions {
  /** How often to ask where the server does not say, in ms. Default 1,000. */
  readonly pollMs?: number
  /** How long each answer may take, in ms. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number
  /** Ends the reading when it is aborted, with a `CallError`. */
  readonly signal?: AbortSignal
}

export interface ResultOptions {
  /** How long to wait in all, in ms. Default 600,000. */
  readonly totalMs?: number
  readonly signal?: AbortSignal
}

/** What all tasks of a session have in common. */
export interface Surroundings {
  readonly revision: Revision
  readonly clock: Clock
  readonly request: Request
  /** Hears what the server tells of the task, until the returned function is called. */
  readonly watch: (taskId: string, tell: (task: Task) => void) => () => void
  /** Told that the task is over: what was kept for it may go. */
  readonly over: (taskId: string) => void
  /** Wakes when the session ends, at once when it has ended; until the returned function is called. */
  readonly atEnd: (wake: () => void) => () => void
}

/** `tool` is there where its `outputSchema` is to be kept. */
export function toolTask(
  { revision, clock, request, watch, over, atEnd }: Surroundings,
  taskId: string,
  tool: () => Known | undefined | Promise<Known>,
  created?: JsonObject
): ToolTask {
  let task = created?.["task"] as Task | undefined
  let heardAt = clock.now()
  let kept: CallToolResult | undefined
  const waking = new Set<() => void>()
  const fetching = joined("tasks/result", clock, fetch)

  function heard(next: Task): void {
    // 2025-11-25 basic/utilities/tasks, Task Status Lifecycle: what is over stays as it is.
    if (task !== undefined && isOver(task)) return
    task = next
    heardAt = clock.now()
    wake()
    if (isOver(next)) over(taskId)
    // Input Required Status: the result is asked for before it is there, so that the questions come.
    else if (next.status === "input_required" && !fetching.open())
      fetching.join({ totalMs: defaultTotalMs }).catch(() => undefined)
  }

  function wake(): void {
    for (const one of waking) one()
  }

  /** The task in a reply; a reply about another task is none. */
  const asked = async (method: string, wishes: CallOptions = {}): Promise<Task> => {
    checkOptions(method, wishes, callOptions)
    const reply = await request(method, { taskId }, wishes, {
      answered: (reply) => {
        if (reply["taskId"] === taskId) heard(reply as unknown as Task)
      }
    })
    same(method, "taskId", reply["taskId"])
    return reply as unknown as Task
  }

  function same(method: string, at: string, named: unknown): void {
    if (named !== taskId) throw invalid(method, at, JSON.stringify(taskId))
  }

  async function fetch(signal: AbortSignal): Promise<CallToolResult> {
    const leave = watch(taskId, heard)
    try {
      const known = await tool()
      const result = await request("tasks/result", { taskId }, { timeoutMs: longest, signal })
      const related = member(result["_meta"], relatedTask)
      if (isObject(related)) same("tasks/result", `_meta.${relatedTask}.taskId`, related["taskId"])
      const problem = (revision.client["tools/call"] as RequestRow).result(result)
      if (problem !== undefined) throw invalid("tasks/result", problem.at, problem.expected)
      // There is a result when the task is over, whatever was heard of it last.
      over(taskId)
      heardAt = -Infinity
      wake()
      const sound = result as unknown as CallToolResult
      kept = known === undefined ? sound : checkResult(known, sound)
      return kept
    } finally {
      leave()
    }
  }

  async function* updates(wishes: UpdatesOptions): AsyncGenerator<Task, void, undefined> {
    const { pollMs = 1_000, signal, ...rest } = wishes
    const unread: Array<Task> = []
    let last: Task | undefined
    const note = (): void => {
      if (task === undefined || (last !== undefined && !differs(last, task))) return
      last = task
      unread.push(task)
      if (unread.length > most) unread.shift()
    }
    const leave = watch(taskId, heard)
    waking.add(note)
    note()
    try {
      for (;;) {
        for (let now = unread.shift(); now !== undefined; now = unread.shift()) {
          yield now
          if (isOver(now)) return
        }
        if (task !== undefined) await pause(Math.max(shortest, task.pollInterval ?? pollMs), signal)
        if (unread.length === 0) await asked("tasks/get", signal === undefined ? rest : { ...rest, signal })
      }
    } finally {
      waking.delete(note)
      leave()
    }
  }

  /** Until there is news of the task, or `ms` after there last was. */
  async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    let wake!: () => void
    const woken = new Promise<void>((resolve) => (wake = resolve))
    const alarm = clock.after(Math.max(0, heardAt + ms - clock.now()), wake)
    waking.add(wake)
    const stay = atEnd(wake)
    try {
      await within({ method: "tasks/get", clock, signal }, () => woken)
    } finally {
      alarm.cancel()
      waking.delete(wake)
      stay()
    }
  }

  const immediate = member(created?.["_meta"], "io.modelcontextprotocol/model-immediate-response")
  return {
    taskId,
    get task() {
      return task
    },
    immediateResponse: typeof immediate === "string" ? immediate : undefined,
    status: (wishes) => asked("tasks/get", wishes),
    updates: (wishes = {}) => {
      checkOptions("updates", wishes, updatesOptions)
      return updates(wishes)
    },
    result: async (wishes = {}) => {
      checkOptions("result", wishes, resultOptions)
      return kept ?? fetching.join({ totalMs: wishes.totalMs ?? defaultTotalMs, signal: wishes.signal })
    },
    cancel: (wishes) => asked("tasks/cancel", wishes)
  }
}

/** Stops it for somebody who wants nothing of it any more, not even to hear that it can not be stopped. */
export async function giveUp(task: ToolTask): Promise<void> {
  try {
    await task.cancel()
  } catch {
    // It is over, or the server lets nobody cancel: then it runs on.
  }
}

export const isOver = ({ status }: Task): boolean => status !== "working" && status !== "input_required"

const differs = (one: Task, other: Task): boolean =>
  one.status !== other.status ||
  one.statusMessage !== other.statusMessage ||
  one.lastUpdatedAt !== other.lastUpdatedAt ||
  one.ttl !== other.ttl

const invalid = (method: string, at: string, expected: string): CallError =>
  new CallError({ _tag: "ResultInvalid", method, problem: { at, expected } })

export const relatedTask = "io.modelcontextprotocol/related-task"

/** How long a request waits whose waiting is limited elsewhere, in ms: as long as timers can. */
export const longest = 2 ** 31 - 1

/** How many changes wait for a reader. */
const most = 100

/** A server that asks to be asked more often than this is not, in ms. */
const shortest = 50
