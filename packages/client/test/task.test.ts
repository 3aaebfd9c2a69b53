/** A task as its requestor holds it: followed, waited for and cancelled, whatever the server makes of it. */
import { describe, expect, it } from "vitest"
import { CallError } from "../src/index.js"
import { completed, next, related, tasked, working } from "./tasked.js"

const done = { content: [{ type: "text", text: "done" }], _meta: { [related]: { taskId: "t" } } }
const later = { ...working, lastUpdatedAt: "2026-01-02T00:00:01Z", statusMessage: "half" }

describe("the updates of a task", () => {
  it("come by asking as often as the server says, until it is over", async () => {
    const { client, server, clock } = await tasked()
    server.answers["tools/call"] = () => ({ task: { ...working, pollInterval: 200 } })
    const task = await client.startTool("may")
    const updates = task.updates()[Symbol.asyncIterator]()
    expect(await next(updates, 1)).toEqual([{ ...working, pollInterval: 200 }])
    const second = next(updates, 1)
    await client.ping()
    clock.advance(199)
    await client.ping()
    expect(server.asked("tasks/get")).toEqual([])
    // Nothing new; and no word of how often to ask: then it is once in a second.
    clock.advance(1)
    await server.until(() => server.asked("tasks/get").length === 1)
    await client.ping()
    server.answers["tasks/get"] = () => later
    clock.advance(999)
    await client.ping()
    expect(server.asked("tasks/get")).toHaveLength(1)
    clock.advance(1)
    expect(await second).toEqual([later])
    server.answers["tasks/get"] = () => completed
    const rest = next(updates, 9)
    await client.ping()
    clock.advance(1_000)
    expect(await rest).toEqual([completed])
    expect(task.task).toEqual(completed)
    expect(clock.pending()).toBeLessThanOrEqual(1)
  })

  it("come when the server tells of them, too", async () => {
    const { client, server } = await tasked()
    const updates = (await client.startTool("may")).updates()[Symbol.asyncIterator]()
    await next(updates, 1)
    const rest = next(updates, 9)
    server.tell("notifications/tasks/status", { ...completed, taskId: "other" })
    server.tell("notifications/tasks/status", { ...working, status: "paused" })
    await client.ping()
    server.tell("notifications/tasks/status", completed)
    expect(await rest).toEqual([completed])
    expect(server.asked("tasks/get")).toEqual([])
  })

  it("wait for whoever reads late, the latest of them", async () => {
    const { client, server } = await tasked()
    const updates = (await client.startTool("may")).updates()[Symbol.asyncIterator]()
    await next(updates, 1)
    server.tell("notifications/tasks/status", later)
    for (let n = 0; n < 99; n++) server.tell("notifications/tasks/status", { ...later, statusMessage: `${n}` })
    server.tell("notifications/tasks/status", completed)
    await client.ping()
    const read = await next(updates, 999)
    expect(read.map(({ statusMessage }) => statusMessage)).toEqual([
      ...Array.from({ length: 99 }, (_, n) => `${n}`),
      undefined
    ])
    expect(read.at(-1)).toEqual(completed)
  })

  it("begin with a question for a task that was taken up", async () => {
    const { client, server } = await tasked()
    server.answers["tasks/get"] = () => completed
    const task = client.task("t")
    expect(task.task).toBeUndefined()
    expect(await next(task.updates()[Symbol.asyncIterator](), 9)).toEqual([completed])
    expect(server.asked("tasks/get").map(({ params }) => params)).toEqual([{ taskId: "t" }])
  })

  it("are not asked for without pause, whatever the server says", async () => {
    const { client, server, clock } = await tasked()
    server.answers["tools/call"] = () => ({ task: { ...working, pollInterval: -5 } })
    server.answers["tasks/get"] = () => completed
    const rest = next((await client.startTool("may")).updates()[Symbol.asyncIterator](), 9)
    await client.ping()
    clock.advance(49)
    await client.ping()
    expect(server.asked("tasks/get")).toEqual([])
    clock.advance(1)
    expect(await rest).toHaveLength(2)
  })

  it.each([
    ["an error", { error: { code: -32602, message: "no such task" } }, { code: -32602 }],
    ["a status that is none", { ...working, status: "paused" }, { reason: { problem: { at: "status" } } }],
    ["another task", { ...completed, taskId: "other" }, { reason: { problem: { at: "taskId", expected: '"t"' } } }]
  ])("end with what is wrong when the answer is %s", async (_, answer, why) => {
    const { client, server } = await tasked()
    server.answers["tasks/get"] = () => answer
    const task = client.task("t")
    await expect(next(task.updates()[Symbol.asyncIterator](), 1)).rejects.toMatchObject(why)
    await expect(task.status()).rejects.toMatchObject(why)
    expect(task.task).toBeUndefined()
  })

  it("end when their reader aborts, and when the session does", async () => {
    const { client, clock, server } = await tasked()
    const task = await client.startTool("may")
    const controller = new AbortController()
    const updates = task.updates({ signal: controller.signal })[Symbol.asyncIterator]()
    await next(updates, 1)
    const aborted = next(updates, 1)
    controller.abort("enough")
    await expect(aborted).rejects.toThrow("tasks/get was abandoned: enough")
    const rest = next(task.updates()[Symbol.asyncIterator](), 9)
    await client.ping()
    await server.leave()
    await expect(rest).rejects.toBeInstanceOf(CallError)
    await expect(next(task.updates()[Symbol.asyncIterator](), 9)).rejects.toMatchObject({ reason: { _tag: "NotOpen" } })
    expect(clock.pending()).toBe(0)
  })

  it("come in the order in which the server said them, whether told or answered", async () => {
    const { client, server } = await tasked()
    const task = await client.startTool("may")
    server.answers["tasks/get"] = (_, id) => {
      server.send({ jsonrpc: "2.0", id, result: working })
      server.tell("notifications/tasks/status", later)
    }
    const updates = task.updates()[Symbol.asyncIterator]()
    await next(updates, 1)
    const second = next(updates, 1)
    expect(await task.status()).toEqual(working)
    expect(await second).toEqual([later])
    expect(task.task).toEqual(later)
  })

  it("do not go back from an end", async () => {
    const { client, server } = await tasked()
    const task = client.task("t")
    server.answers["tasks/get"] = () => completed
    await task.status()
    server.answers["tasks/get"] = () => working
    await task.status()
    expect(task.task).toEqual(completed)
  })
})

describe("a task that needs input", () => {
  const asking = { ...working, status: "input_required" }

  it("is asked for its result at once, so that the questions come, and their answers name the task", async () => {
    const { client, server, reply } = await tasked(
      {},
      {
        answer: {
          elicit: (_, { progress }) => {
            progress(1)
            return { action: "decline" }
          },
          sample: () => ({ role: "assistant", model: "m", content: [] })
        }
      }
    )
    const task = await client.startTool("may")
    server.answers["tasks/get"] = () => asking
    await task.status()
    await task.status()
    await server.until(({ method }) => method === "tasks/result")
    for (const [id, method, params] of [
      ["form", "elicitation/create", { message: "?", requestedSchema: { type: "object", properties: {} } }],
      ["model", "sampling/createMessage", { messages: [], maxTokens: 1 }]
    ] as const) {
      server.send({
        jsonrpc: "2.0",
        id,
        method,
        params: { ...params, _meta: { progressToken: id, [related]: { taskId: "t" } } }
      })
      const answer = await server.until((message) => message.id === id)
      expect(answer.result._meta).toEqual({ [related]: { taskId: "t" } })
    }
    expect(server.asked("notifications/progress").map(({ params }) => params)).toEqual([
      { progressToken: "form", progress: 1, _meta: { [related]: { taskId: "t" } } }
    ])
    const result = task.result()
    await reply("tasks/result", done)
    expect(await result).toEqual(done)
    expect(server.asked("tasks/result")).toHaveLength(1)
  })

  it("is not asked twice while its result is waited for", async () => {
    const { client, server } = await tasked()
    const task = await client.startTool("may")
    const result = task.result()
    await server.until(({ method }) => method === "tasks/result")
    server.tell("notifications/tasks/status", asking)
    await client.ping()
    expect(task.task).toEqual(asking)
    expect(server.asked("tasks/result")).toHaveLength(1)
    await client.close()
    await expect(result).rejects.toMatchObject({ reason: { _tag: "Closed" } })
  })

  it("whose result is refused is asked again when it is heard of again", async () => {
    const { client, server } = await tasked()
    server.answers["tasks/get"] = () => asking
    server.answers["tasks/result"] = () => ({ error: { code: -32603, message: "not now" } })
    const task = client.task("t")
    await task.status()
    await server.until(() => server.asked("tasks/result").length === 1)
    await client.ping()
    await task.status()
    await server.until(() => server.asked("tasks/result").length === 2)
  })
})

describe("a task is cancelled", () => {
  it("by a request, and says how it then is", async () => {
    const { client, server } = await tasked()
    const task = await client.startTool("may")
    expect(await task.cancel()).toMatchObject({ status: "cancelled" })
    expect(task.task).toMatchObject({ status: "cancelled" })
    expect(server.asked("notifications/cancelled")).toEqual([])
  })

  it("not when it is over, as the server says", async () => {
    const { client, server } = await tasked()
    server.answers["tasks/cancel"] = () => ({ error: { code: -32602, message: "it is completed" } })
    await expect((await client.startTool("may")).cancel()).rejects.toMatchObject({ code: -32602 })
  })
})
