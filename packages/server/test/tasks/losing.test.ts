/** A store that fails keeps nobody waiting for a task. */
import { describe, expect, it, vi } from "vitest"
import type { TaskStore } from "../../src/index.js"
import { defineServer, form, memoryTasks, tool } from "../../src/index.js"
import { losing } from "../../src/tasks/losing.js"
import { talking } from "../talk.js"

const info = { name: "losing", version: "1.0.0" }
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const boom = new Error("boom")
const never = new AbortController().signal

/** A server whose store moves tasks by this, and a tool that ends when it is told to. */
async function failing(moving: (move: TaskStore["move"]) => TaskStore["move"]) {
  const store = memoryTasks()
  let end!: () => void
  const ended = new Promise<void>((resolve) => (end = resolve))
  const tools = [
    tool("slow", { task: "optional" }, async () => (await ended, "done")),
    tool("asks", { task: "optional", asks: { guests } }, async (_, call) =>
      JSON.stringify(await call.ask("guests", { message: "" }))
    )
  ]
  const tasks = { store: { ...store, move: moving((...given) => store.move(...given)) } }
  const talk = await talking(defineServer(info, tools), { tasks }, undefined, { elicitation: {} })
  const start = async (name: string): Promise<string> =>
    (await talk.ask("tools/call", { name, task: {} })).result.task.taskId
  return { ...talk, start, end }
}

const rejects: TaskStore["move"] = () => Promise.reject(boom)
const unkept = { code: -32603, message: "What became of the task could not be kept" }

describe("a store that does not learn how a task ended", () => {
  it("keeps nobody waiting for the result, whether they ask before or after", async () => {
    const { ask, start, end, crashes } = await failing(() => rejects)
    const taskId = await start("slow")
    const waiting = [ask("tasks/result", { taskId }, "a"), ask("tasks/result", { taskId }, "b")]
    await ask("ping")
    end()
    for (const { error } of await Promise.all(waiting)) expect(error).toEqual(unkept)
    expect((await ask("tasks/result", { taskId })).error).toEqual(unkept)
    const failed = { taskId, status: "failed", statusMessage: unkept.message }
    expect((await ask("tasks/get", { taskId })).result).toMatchObject(failed)
    expect((await ask("tasks/list")).result.tasks).toMatchObject([failed])
    expect((await ask("tasks/cancel", { taskId })).error.message).toBe("Cannot cancel the task: it is failed")
    expect(crashes).toEqual([["slow", boom]])
  })

  it("is told that it failed, when it takes that", async () => {
    const move =
      (move: TaskStore["move"]): TaskStore["move"] =>
      (owner, taskId, from, change) =>
        change.status === "completed" ? Promise.reject(boom) : move(owner, taskId, from, change)
    const { ask, start, end, until, crashes } = await failing(move)
    const taskId = await start("slow")
    end()
    expect((await ask("tasks/result", { taskId })).error).toEqual(unkept)
    const told = await until(({ method }) => method === "notifications/tasks/status")
    expect(told.params).toMatchObject({ taskId, status: "failed", statusMessage: unkept.message })
    expect(crashes).toEqual([["slow", boom]])
  })

  it.each(["input_required", "working"])("nor that it is %s", async (status) => {
    const move =
      (move: TaskStore["move"]): TaskStore["move"] =>
      (owner, taskId, from, change) =>
        change.status === status || change.status === "failed"
          ? Promise.reject(boom)
          : move(owner, taskId, from, change)
    const { ask, start, answer, crashes } = await failing(move)
    const taskId = await start("asks")
    const waiting = ask("tasks/result", { taskId }, "r")
    if (status === "working") await answer("elicitation/create", { action: "accept", content: { guests: 1 } })
    expect((await waiting).error).toEqual(unkept)
    expect(crashes).toEqual([["asks", boom]])
  })
})

describe("who waits at a losing store", () => {
  const at = new Date(0).toISOString()
  const task = { taskId: "a", status: "working", createdAt: at, lastUpdatedAt: at, ttl: 100 } as const

  it("is woken by the store, by the signal, and when the task is lost; and then no more listens to either", async () => {
    const kept = memoryTasks({ clock: () => 0 })
    const wait = vi.fn<TaskStore["wait"]>((...given) => kept.wait(...given))
    const store = losing({ ...kept, wait })
    await store.create({ owner: "me", task, outcome: undefined })
    const stop = new AbortController()
    const stopped = store.wait("me", "a", "working", stop.signal)
    const others = [store.wait("me", "a", "working", never), store.wait("me", "a", "working", never)]
    stop.abort()
    await stopped
    expect(wait.mock.calls.map(([, , , { aborted }]) => aborted)).toEqual([true, false, false])
    store.lose("a")
    await Promise.all(others)
    await store.wait("me", "a", "working", never)
    expect(wait).toHaveBeenCalledTimes(3)
  })

  it("learns of what is still there", async () => {
    let now = 0
    const store = losing(memoryTasks({ clock: () => now }))
    await store.create({ owner: "me", task, outcome: undefined })
    store.lose("a")
    expect((await store.get("me", "a"))?.task.status).toBe("failed")
    now = 100
    expect(await store.get("me", "a")).toBeUndefined()
  })
})
