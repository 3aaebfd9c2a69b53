/** The tasks that hold the client's answers: listed, cancelled, and gone when their time is over. */
import { describe, expect, it } from "vitest"
import { form, slow } from "./asked.js"

const related = "io.modelcontextprotocol/related-task"

describe("a task of the client's", () => {
  it("is cancelled: its question is taken back, and a late answer changes nothing", async () => {
    const { start, about, asked, answers, told } = await slow()
    const { taskId } = await start()
    await about("tasks/get", taskId)
    const result = about("tasks/result", taskId)
    expect(await about("tasks/cancel", taskId)).toMatchObject({ taskId, status: "cancelled" })
    expect(await result).toMatchObject({ code: -32603 })
    expect(asked[0]!.signal.aborted).toBe(true)
    answers[0]!({ action: "decline" })
    expect(await about("tasks/get", taskId)).toMatchObject({ status: "cancelled" })
    expect(await about("tasks/cancel", taskId)).toEqual({
      code: -32602,
      message: "Cannot cancel the task: it is cancelled"
    })
    expect(told().map(({ status }) => status)).toEqual(["cancelled"])
  })

  it("is gone when its time is over, with its question", async () => {
    const { start, about, asked, clock } = await slow({ maxTtlMs: 500 })
    const { taskId, ttl } = await start({ task: { ttl: 1_000 } })
    expect(ttl).toBe(500)
    await about("tasks/get", taskId)
    const result = about("tasks/result", taskId)
    await about("tasks/get", taskId)
    clock.advance(500)
    expect(await result).toMatchObject({ code: -32602 })
    expect(asked[0]!.signal.aborted).toBe(true)
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      expect(await about(method, taskId)).toMatchObject({ code: -32602 })
  })

  it("makes room for another when it is over, and not before", async () => {
    const { start, about, answers, ask } = await slow({ most: 2 })
    const [first, second] = [await start(), await start()]
    expect((await ask("elicitation/create", { ...form({}), task: {} })).error).toMatchObject({ code: -32603 })
    await about("tasks/get", second.taskId)
    answers[1]!({ action: "decline" })
    await about("tasks/result", second.taskId)
    const third = await start()
    const { tasks } = (await ask("tasks/list")).result
    expect(tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual([first.taskId, third.taskId])
  })

  it("is listed page by page", async () => {
    const { start, ask } = await slow()
    const ids: Array<string> = []
    for (let n = 0; n < 101; n++) ids.push((await start()).taskId)
    const one = (await ask("tasks/list")).result
    const two = (await ask("tasks/list", { cursor: one.nextCursor })).result
    expect([...one.tasks, ...two.tasks].map(({ taskId }) => taskId)).toEqual(ids)
    expect(two).not.toHaveProperty("nextCursor")
    expect((await ask("tasks/list", { cursor: "nobody's" })).error).toMatchObject({ code: -32602 })
  })

  it("may be gone when its page is followed by the next", async () => {
    const { start, ask, clock } = await slow()
    const ids: Array<string> = []
    for (let n = 0; n < 101; n++) ids.push((await start({ task: { ttl: n === 99 ? 500 : 5_000 } })).taskId)
    const { nextCursor } = (await ask("tasks/list")).result
    clock.advance(500)
    const { tasks } = (await ask("tasks/list", { cursor: nextCursor })).result
    expect(tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual(ids.slice(100))
  })

  it("takes nothing back from a user who has answered", async () => {
    const { start, about, asked, answers, clock } = await slow(true, { timeoutMs: 1_000 })
    const { taskId } = await start({ task: { ttl: 2_000 } })
    await about("tasks/get", taskId)
    answers[0]!({ action: "decline" })
    await about("tasks/result", taskId)
    clock.advance(1_000)
    expect(asked[0]!.signal.aborted).toBe(false)
    clock.advance(1_000)
    expect(await about("tasks/get", taskId)).toMatchObject({ code: -32602 })
    expect(asked[0]!.signal.aborted).toBe(false)
  })

  it("tells of its progress by the question's token, increasing, until it is over", async () => {
    const { start, about, asked, answers, server } = await slow()
    const { taskId } = await start({ _meta: { progressToken: "p" } })
    await about("tasks/get", taskId)
    const { progress } = asked[0]!
    progress(1, 3, "one")
    progress(1)
    progress(2)
    answers[0]!({ action: "decline" })
    await about("tasks/result", taskId)
    progress(3)
    await about("tasks/get", taskId)
    const _meta = { [related]: { taskId } }
    expect(server.asked("notifications/progress").map(({ params }) => params)).toEqual([
      { progressToken: "p", progress: 1, total: 3, message: "one", _meta },
      { progressToken: "p", progress: 2, _meta }
    ])
  })

  it("is waited for only while the server wants to", async () => {
    const { start, server, client, about, answers } = await slow()
    const { taskId } = await start()
    server.send({ jsonrpc: "2.0", id: "r", method: "tasks/result", params: { taskId } })
    await about("tasks/get", taskId)
    server.tell("notifications/cancelled", { requestId: "r" })
    await about("tasks/get", taskId)
    answers[0]!({ action: "decline" })
    await about("tasks/result", taskId)
    await client.ping()
    expect(server.heard.filter(({ id }) => id === "r")).toEqual([])
  })

  it("is over with its session", async () => {
    const { start, about, asked, server, client, clock } = await slow()
    const { taskId } = await start()
    await about("tasks/get", taskId)
    await server.leave()
    await client.closed
    await Promise.resolve()
    expect(asked[0]!.signal.aborted).toBe(true)
    expect(clock.pending()).toBe(0)
  })
})
