/** Tasks in memory: whose they are, how long, and who waits for them. */
import { describe, expect, it, vi } from "vitest"
import { memoryTasks } from "../../src/index.js"
import type { StoredTask, TaskChange } from "../../src/index.js"

const at = new Date(0).toISOString()
const stored = (taskId: string, owner = "me"): StoredTask => ({
  owner,
  task: { taskId, status: "working", createdAt: at, lastUpdatedAt: at, ttl: 100 },
  outcome: undefined
})
const becoming = (status: TaskChange["status"]): TaskChange => ({
  status,
  statusMessage: undefined,
  lastUpdatedAt: at,
  outcome: undefined
})
const never = new AbortController().signal

describe("a task in memory", () => {
  it("is its owner's", async () => {
    const store = memoryTasks({ clock: () => 0 })
    await store.create(stored("a"))
    expect(await store.get("me", "a")).toEqual(stored("a"))
    expect(await store.get("you", "a")).toBeUndefined()
    expect(await store.move("you", "a", ["working"], becoming("cancelled"))).toBeUndefined()
    expect((await store.list("you", undefined, 9))!.tasks).toEqual([])
  })

  it("moves from where it is, and from nowhere else", async () => {
    const store = memoryTasks({ clock: () => 0 })
    await store.create(stored("a"))
    expect((await store.move("me", "a", ["working"], becoming("completed")))?.task.status).toBe("completed")
    expect(await store.move("me", "a", ["working"], becoming("cancelled"))).toBeUndefined()
  })

  it("makes room when its time is over", async () => {
    let now = 0
    const store = memoryTasks({ clock: () => now, most: 1 })
    await store.create(stored("a"))
    expect(() => store.create(stored("b"))).toThrow("There are 1 tasks already")
    now = 100
    await store.create({ ...stored("b"), task: { ...stored("b").task, ttl: null } })
    expect(await store.get("me", "a")).toBeUndefined()
    expect((await store.list("me", undefined, 9))!.tasks).toHaveLength(1)
  })

  it("is listed from where a page ended, also when that is not there any more", async () => {
    let now = 0
    const store = memoryTasks({ clock: () => now })
    const listed = async (cursor?: string) => {
      const page = await store.list("me", cursor, 2)
      return page && { ids: page.tasks.map(({ task }) => task.taskId), next: page.next }
    }
    for (const id of ["a", "b", "c", "d"])
      await store.create({ ...stored(id), task: { ...stored(id).task, ttl: id < "c" ? 100 : 200 } })
    const { ids, next } = (await listed())!
    expect(ids).toEqual(["a", "b"])
    now = 100
    await store.create(stored("yours", "you"))
    expect(await listed(next)).toEqual({ ids: ["c", "d"], next: undefined })
    for (const odd of ["x", "", "-1", "6", "1e3", "a"]) expect(await listed(odd)).toBeUndefined()
  })

  it("wakes who waits for another status", async () => {
    const store = memoryTasks({ clock: () => 0 })
    await store.create(stored("a"))
    const waiting = store.wait("me", "a", "working", never)
    await store.move("me", "a", ["working"], becoming("completed"))
    await waiting
    await store.wait("me", "a", "working", never)
  })

  it("wakes who waits when its time is over, however far away that is", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let now = 0
      const store = memoryTasks({ clock: () => now })
      const long = 2 ** 31 + 100
      await store.create(stored("a"))
      await store.create({ ...stored("b"), task: { ...stored("b").task, ttl: long } })
      await store.create({ ...stored("c"), task: { ...stored("c").task, ttl: null } })
      const woken: Array<string> = []
      for (const id of ["a", "b", "c"]) void store.wait("me", id, "working", never).then(() => woken.push(id))
      const pass = (ms: number) => ((now += ms), vi.advanceTimersByTimeAsync(ms))
      await pass(99)
      expect(woken).toEqual([])
      await pass(1)
      expect(woken).toEqual(["a"])
      await pass(long - 101)
      expect(woken).toEqual(["a"])
      await pass(1)
      expect(woken).toEqual(["a", "b"])
      await store.move("me", "c", ["working"], becoming("completed"))
      await vi.advanceTimersByTimeAsync(0)
      expect(woken).toEqual(["a", "b", "c"])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it("is created as quickly whatever is kept already", () => {
    let looked = 0
    const clock = () => (looked++, 0)
    const store = memoryTasks({ clock })
    for (let i = 0; i < 1_000; i++) void store.create(stored(`${i}`))
    const before = looked
    void store.create(stored("one more"))
    expect(looked - before).toBe(1)
  })

  it("keeps nobody waiting who is not wanted any more, or waits for nothing", async () => {
    const store = memoryTasks({ clock: () => 0 })
    await store.create(stored("a"))
    const controller = new AbortController()
    const waiting = store.wait("me", "a", "working", controller.signal)
    controller.abort()
    await waiting
    await store.wait("me", "nope", "working", never)
    await store.wait("you", "a", "working", never)
  })
})
