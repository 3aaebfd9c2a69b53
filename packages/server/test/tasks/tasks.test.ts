/** Tasks by hand: created, asked about, waited for, listed, cancelled. */
import { describe, expect, it, vi } from "vitest"
import type { Call, TaskOptions } from "../../src/index.js"
import { AskDeclined, defineServer, failed, form, memoryTasks, pageRequired, tool } from "../../src/index.js"
import { unguessable } from "../../src/tasks/tasks.js"
import type { Talk } from "../talk.js"
import { talking } from "../talk.js"

const info = { name: "tasked", version: "1.0.0" }
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const related = "io.modelcontextprotocol/related-task"

it("names tasks by 128 bits that nobody guesses", () => {
  const names = Array.from({ length: 1_000 }, unguessable)
  expect(new Set(names).size).toBe(1_000)
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/)
})

/** A server whose tool ends when it is told to. */
async function tasked(options: TaskOptions = {}, revision?: string, capabilities: object = { elicitation: {} }) {
  const calls: Array<Call> = []
  const ends: Array<(value: never) => void> = []
  const slow = tool("slow", { task: "optional" }, (_, call) => {
    calls.push(call)
    return new Promise<never>((resolve) => ends.push(resolve))
  })
  const tools = [
    slow,
    tool("must", { task: "required" }, () => "done"),
    tool("never", {}, () => "done"),
    tool("typed", { task: "optional", input: { type: "object", required: ["a"] } }, () => "x"),
    tool("throws", { task: "optional" }, () => {
      throw new Error("secret")
    }),
    tool("wrong", { task: "optional" }, () => 5 as never),
    tool("visit", { task: "optional" }, () => {
      throw pageRequired({ message: "m", url: "https://example.com", elicitationId: "1" })
    }),
    tool("asks", { task: "optional", asks: { guests } }, async (_, call) => {
      call.log("info", "before")
      const held = await call.once("hold", () => 1)
      try {
        const one = await call.ask("guests", { message: "one" })
        const two = await call.ask("guests", { message: "two" })
        return `${held + one.guests + two.guests}`
      } catch (error) {
        if (error instanceof AskDeclined) return failed("declined")
        throw error
      }
    })
  ]
  const server = defineServer(info, tools, { declare: { logging: true } })
  const talk = await talking(server, { tasks: options }, revision, capabilities)
  const end = (value: unknown): void => ends.shift()!(value as never)
  return { ...talk, calls, end, server }
}

const start = async ({ ask }: Talk, name: string, more: object = {}) =>
  (await ask("tools/call", { name, task: {}, ...more })).result.task

const got = async ({ ask }: Talk, method: string, taskId: string) => {
  const { result, error } = await ask(method, { taskId })
  return result ?? error
}

describe("a task", () => {
  it("is announced with what it can", async () => {
    const { heard, ask } = await tasked()
    expect(heard[0].result.capabilities.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } })
    const { tools } = (await ask("tools/list")).result
    expect(tools.map(({ execution }: { execution?: { taskSupport?: string } }) => execution?.taskSupport)).toEqual([
      "optional",
      "required",
      undefined,
      ...Array.from({ length: 5 }).fill("optional")
    ])
  })

  it("is answered at once, runs on, and its result is fetched", async () => {
    const talk = await tasked({ clock: () => Date.UTC(2026, 0, 2), pollMs: 50 })
    const task = await start(talk, "slow", { task: { ttl: 60_000 } })
    const at = "2026-01-02T00:00:00.000Z"
    expect(task).toEqual({
      taskId: expect.stringMatching(/^[\da-f]{32}$/),
      status: "working",
      createdAt: at,
      lastUpdatedAt: at,
      ttl: 60_000,
      pollInterval: 50
    })
    expect(await got(talk, "tasks/get", task.taskId)).toEqual(task)
    const waiting = got(talk, "tasks/result", task.taskId)
    talk.end("done")
    const result = { content: [{ type: "text", text: "done" }], _meta: { [related]: { taskId: task.taskId } } }
    expect(await waiting).toEqual(result)
    expect(await got(talk, "tasks/get", task.taskId)).toEqual({ ...task, status: "completed" })
    expect(await got(talk, "tasks/result", task.taskId)).toEqual(result)
    expect(talk.heard.filter(({ method }) => method === "notifications/tasks/status")).toMatchObject([
      { params: { taskId: task.taskId, status: "completed" } }
    ])
  })

  it.each([
    ["throws", {}, "failed", { isError: true, content: [{ text: "The tool throws failed." }] }],
    ["typed", {}, "failed", { isError: true, content: [{ text: expect.stringContaining("Invalid arguments") }] }],
    ["wrong", {}, "failed", { isError: true, content: [{ text: "The tool wrong failed." }] }],
    ["visit", {}, "failed", { isError: true }],
    ["must", {}, "completed", { content: [{ text: "done" }] }]
  ])("of the tool %s comes to what the call would have come to", async (name, args, status, result) => {
    const talk = await tasked()
    const { taskId } = await start(talk, name, { arguments: args })
    expect(await got(talk, "tasks/result", taskId)).toMatchObject(result)
    const task = await got(talk, "tasks/get", taskId)
    expect(task.status).toBe(status)
    // What failed says why, in the words of its result.
    const { content } = await got(talk, "tasks/result", taskId)
    expect(task.statusMessage).toBe(status === "failed" ? content[0].text : undefined)
  })

  it.each([
    [{ content: [{ type: "text", text: "x".repeat(1_000) }], isError: true }, `${"x".repeat(499)}\u2026`],
    [{ content: [], isError: true }, "The tool's result is an error."]
  ])("that failed says why in brief", async (result, said) => {
    const talk = await tasked()
    const { taskId } = await start(talk, "slow")
    talk.end(result)
    await got(talk, "tasks/result", taskId)
    expect((await got(talk, "tasks/get", taskId)).statusMessage).toBe(said)
  })

  it("may come to an error", async () => {
    const talk = await tasked({}, undefined, { elicitation: { url: {} } })
    const { taskId } = await start(talk, "visit")
    const error = await got(talk, "tasks/result", taskId)
    expect(error).toMatchObject({ code: -32042 })
    expect(await got(talk, "tasks/get", taskId)).toMatchObject({ status: "failed", statusMessage: error.message })
  })

  it("keeps its progress token, and its messages say whose they are", async () => {
    const talk = await tasked()
    const { taskId } = await start(talk, "slow", { _meta: { progressToken: "t" } })
    const [call] = talk.calls
    call!.progress(1, 2, "half")
    call!.progress(1)
    call!.log("info", "here", "me")
    call!.log("debug", "not asked for")
    talk.end("done")
    await got(talk, "tasks/result", taskId)
    call!.progress(2)
    await talk.ask("ping")
    const _meta = { [related]: { taskId } }
    expect(talk.heard.filter(({ method }) => /progress|message/.test(method)).map(({ params }) => params)).toEqual([
      { progressToken: "t", progress: 1, total: 2, message: "half", _meta },
      { level: "info", data: "here", logger: "me", _meta }
    ])
  })

  it("tells progress that increases, whatever else its handler says", async () => {
    const talk = await tasked()
    const { taskId } = await start(talk, "slow", { _meta: { progressToken: "t" } })
    for (const progress of [5, NaN, 1, Infinity, "6", 2, -Infinity, 6] as Array<number>)
      talk.calls[0]!.progress(progress)
    talk.end("done")
    await got(talk, "tasks/result", taskId)
    const told = talk.heard.filter(({ method }) => method === "notifications/progress")
    expect(told.map(({ params }) => params.progress)).toEqual([5, 6])
  })

  it("is not made of a call that does not ask for one", async () => {
    const talk = await tasked()
    const called = talk.call("slow")
    await talk.ask("ping")
    talk.end("done")
    expect(await called).toEqual({ content: [{ type: "text", text: "done" }] })
  })

  it("is refused, or insisted on, as its tool has it", async () => {
    const { ask } = await tasked()
    expect((await ask("tools/call", { name: "never", task: {} })).error.code).toBe(-32601)
    expect((await ask("tools/call", { name: "must" })).error.code).toBe(-32601)
    expect((await ask("tools/call", { name: "never" })).result.content).toHaveLength(1)
  })

  it("is not known before 2025-11-25, or where it was not declared", async () => {
    const { heard, ask } = await tasked({}, "2025-06-18")
    expect(heard[0].result.capabilities).not.toHaveProperty("tasks")
    expect((await ask("tools/call", { name: "must", task: {} })).result.content).toHaveLength(1)
    expect((await ask("tasks/list")).error.code).toBe(-32601)
    const plain = await talking(defineServer(info, [tool("a", {}, () => "x")]))
    expect((await plain.ask("tools/call", { name: "a", task: {} })).result.content).toHaveLength(1)
    expect((await plain.ask("tasks/get", { taskId: "x" })).error.code).toBe(-32601)
  })
})

describe("a task that asks", () => {
  const accept = (guests: number) => ({ action: "accept", content: { guests } })

  it("waits for somebody who wants its result, and asks them", async () => {
    const talk = await tasked()
    const { taskId } = await start(talk, "asks")
    await talk.until(({ params }) => params?.status === "input_required")
    expect((await got(talk, "tasks/get", taskId)).status).toBe("input_required")
    const waiting = got(talk, "tasks/result", taskId)
    const one = await talk.answer("elicitation/create", accept(2))
    expect(one.params).toMatchObject({ message: "one", _meta: { [related]: { taskId } } })
    expect((await talk.answer("elicitation/create", accept(3))).params.message).toBe("two")
    expect(await waiting).toMatchObject({ content: [{ text: "6" }] })
    const statuses = talk.heard.filter(({ method }) => method === "notifications/tasks/status")
    expect(statuses.map(({ params }) => params.status)).toEqual([
      "input_required",
      "working",
      "input_required",
      "working",
      "completed"
    ])
    expect(talk.heard.filter(({ method }) => method === "notifications/message")).toHaveLength(1)
    expect(talk.crashes).toEqual([])
  })

  it("asks again when who wanted the result went away", async () => {
    const talk = await tasked()
    const { taskId } = await start(talk, "asks")
    await talk.until(({ params }) => params?.status === "input_required")
    talk.send({ jsonrpc: "2.0", id: "first", method: "tasks/result", params: { taskId } })
    const question = await talk.until(({ method }) => method === "elicitation/create")
    talk.tell("notifications/cancelled", { requestId: "first" })
    await talk.until(({ method, params }) => method === "notifications/cancelled" && params.requestId === question.id)
    const waiting = got(talk, "tasks/result", taskId)
    const again = await talk.until(({ method, id }) => method === "elicitation/create" && id !== question.id)
    talk.send({ jsonrpc: "2.0", id: again.id, result: { action: "decline" } })
    expect(await waiting).toMatchObject({ isError: true, content: [{ text: "declined" }] })
    expect(talk.heard.some(({ id }) => id === "first")).toBe(false)
  })

  it.each(["tasks/cancel", "its time"])("answers who waits for its result when it is ended by %s", async (by) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let now = 0
      const talk = await tasked({ clock: () => now })
      const { taskId } = await start(talk, "asks", { task: { ttl: 400 } })
      await talk.until(({ params }) => params?.status === "input_required")
      const waiting = got(talk, "tasks/result", taskId)
      const question = await talk.until(({ method }) => method === "elicitation/create")
      if (by === "tasks/cancel") expect(await got(talk, by, taskId)).toMatchObject({ status: "cancelled" })
      now = 400
      await vi.advanceTimersByTimeAsync(400)
      const code = by === "tasks/cancel" ? -32603 : -32602
      expect((await waiting).code).toBe(code)
      const withdrawn = talk.heard.find(({ method }) => method === "notifications/cancelled")
      expect(withdrawn).toMatchObject({ params: { requestId: question.id } })
      // An answer that crosses it harms nobody.
      talk.send({ jsonrpc: "2.0", id: question.id, result: accept(1) })
      expect(await talk.ask("ping")).toMatchObject({ result: {} })
      expect(talk.crashes).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it("takes its question back from one when it was answered by another", async () => {
    const talk = await tasked()
    const { taskId } = await start(talk, "asks")
    await talk.until(({ params }) => params?.status === "input_required")
    const both = [got(talk, "tasks/result", taskId), got(talk, "tasks/result", taskId)]
    const asked = () => talk.heard.filter(({ method }) => method === "elicitation/create")
    await talk.until(() => asked().length === 2)
    const [first, second] = asked()
    talk.send({ jsonrpc: "2.0", id: first.id, result: accept(2) })
    expect(await talk.until(({ method }) => method === "notifications/cancelled")).toMatchObject({
      params: { requestId: second.id }
    })
    await talk.until(() => asked().length >= 3)
    talk.send({ jsonrpc: "2.0", id: asked()[2].id, result: accept(3) })
    for (const one of await Promise.all(both)) expect(one).toMatchObject({ content: [{ text: "6" }] })
    expect(talk.crashes).toEqual([])
  })

  it("serves several who wait for its result", async () => {
    const talk = await tasked()
    const { taskId } = await start(talk, "slow")
    const both = [got(talk, "tasks/result", taskId), got(talk, "tasks/result", taskId)]
    await talk.ask("ping")
    talk.end("done")
    for (const one of await Promise.all(both)) expect(one).toMatchObject({ content: [{ text: "done" }] })
  })
})

describe("a task that is cancelled", () => {
  it("is cancelled for good, and its handler is interrupted", async () => {
    const talk = await tasked()
    const { taskId } = await start(talk, "slow")
    const waiting = got(talk, "tasks/result", taskId)
    const { signal } = talk.calls[0]!
    expect(await got(talk, "tasks/cancel", taskId)).toMatchObject({ taskId, status: "cancelled" })
    expect(signal.aborted).toBe(true)
    talk.end("too late")
    expect(await waiting).toEqual({ code: -32603, message: "The task was cancelled" })
    expect((await got(talk, "tasks/get", taskId)).status).toBe("cancelled")
    expect((await got(talk, "tasks/cancel", taskId)).code).toBe(-32602)
  })

  it("need not be one that runs", async () => {
    const talk = await tasked()
    const { taskId } = await start(talk, "asks")
    await talk.until(({ params }) => params?.status === "input_required")
    expect((await got(talk, "tasks/cancel", taskId)).status).toBe("cancelled")
  })

  it.each(["tasks/get", "tasks/result", "tasks/cancel"])("is unknown to %s when it never was", async (method) => {
    expect((await got(await tasked(), method, "nope")).code).toBe(-32602)
  })
})

describe("tasks", () => {
  it("are listed in pages, each session its own", async () => {
    const store = memoryTasks()
    const [talk, other] = [await tasked({ store, pageSize: 2 }), await tasked({ store })]
    const ids: Array<string> = []
    for (let i = 0; i < 3; i++) ids.push((await start(talk, "slow")).taskId)
    const first = (await talk.ask("tasks/list")).result
    expect(first.tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual(ids.slice(0, 2))
    const second = (await talk.ask("tasks/list", { cursor: first.nextCursor })).result
    expect(second).toEqual({ tasks: [expect.objectContaining({ taskId: ids[2] })] })
    expect((await talk.ask("tasks/list", { cursor: "x" })).error.code).toBe(-32602)
    expect((await other.ask("tasks/list")).result.tasks).toEqual([])
    expect((await got(other, "tasks/get", ids[0]!)).code).toBe(-32602)
    expect((await got(other, "tasks/cancel", ids[0]!)).code).toBe(-32602)
  })

  it("are not listed where the server does not want it", async () => {
    const server = defineServer(info, [tool("a", { task: "optional" }, () => "x")], {
      declare: { tasks: { list: false } }
    })
    const { ask, heard } = await talking(server)
    expect(heard[0].result.capabilities.tasks).not.toHaveProperty("list")
    expect((await ask("tasks/list")).error.code).toBe(-32601)
  })

  it("are gone when their time is over, which has a limit", async () => {
    let now = 0
    const talk = await tasked({ clock: () => now, ttlMs: 100, maxTtlMs: 1_000 })
    const short = await start(talk, "must")
    const long = await start(talk, "must", { task: { ttl: 5_000 } })
    expect([short.ttl, long.ttl]).toEqual([100, 1_000])
    now = 100
    expect((await got(talk, "tasks/get", short.taskId)).code).toBe(-32602)
    expect((await talk.ask("tasks/list")).result.tasks).toHaveLength(1)
  })

  it("answer who waits for their result when their time is over, and are interrupted", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let now = 0
      const talk = await tasked({ clock: () => now, most: 1 })
      const { taskId } = await start(talk, "slow", { task: { ttl: 400 } })
      const waiting = got(talk, "tasks/result", taskId)
      await talk.ask("ping")
      now = 400
      await vi.advanceTimersByTimeAsync(400)
      expect((await waiting).code).toBe(-32602)
      expect(talk.calls[0]!.signal.aborted).toBe(true)
      // There is room for another one.
      expect(await start(talk, "slow")).toMatchObject({ status: "working" })
      expect(talk.crashes).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it("are interrupted when they are cancelled elsewhere", async () => {
    const owners: Array<string> = []
    const store = memoryTasks()
    const create: typeof store.create = (stored) => (owners.push(stored.owner), store.create(stored))
    const talk = await tasked({ store: { ...store, create } })
    const { taskId } = await start(talk, "slow")
    const lastUpdatedAt = new Date(0).toISOString()
    await store.move(owners[0]!, taskId, ["working"], {
      status: "cancelled",
      statusMessage: undefined,
      lastUpdatedAt,
      outcome: undefined
    })
    await vi.waitFor(() => expect(talk.calls[0]!.signal.aborted).toBe(true))
  })

  it("have a limit", async () => {
    const talk = await tasked({ most: 1 })
    await start(talk, "slow")
    expect((await talk.ask("tools/call", { name: "slow", task: {} })).error).toEqual({
      code: -32603,
      message: "The task could not be created"
    })
    expect(talk.crashes).toHaveLength(1)
  })

  it("are interrupted when their session ends", async () => {
    const talk = await tasked()
    await start(talk, "slow")
    const { signal } = talk.calls[0]!
    await talk.serving.close()
    expect(signal.aborted).toBe(true)
  })

  it("are not created when the store has no room", async () => {
    const create = vi.fn<() => Promise<void>>(() => Promise.reject(new Error("full")))
    const talk = await tasked({ store: { ...memoryTasks(), create } })
    expect((await talk.ask("tools/call", { name: "slow", task: {} })).error.code).toBe(-32603)
    expect(talk.calls).toEqual([])
  })
})
