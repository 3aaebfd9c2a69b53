/** What comes of a task: waited for together, checked, and kept. */
import { describe, expect, it } from "vitest"
import { completed, next, related, tasked, working } from "./tasked.js"

const done = { content: [{ type: "text", text: "done" }], _meta: { [related]: { taskId: "t" } } }

describe("the result of a task", () => {
  it("is waited for, by many with one request, and kept", async () => {
    const { client, server, reply } = await tasked()
    const task = await client.startTool("may")
    const both = [task.result(), task.result()]
    await reply("tasks/result", done)
    expect(await Promise.all(both)).toEqual([done, done])
    expect(await task.result()).toEqual(done)
    expect(server.asked("tasks/result").map(({ params }) => params)).toEqual([{ taskId: "t" }])
  })

  it("is waited for as long as somebody wants, and the task is left as it is", async () => {
    const { client, server, clock, reply } = await tasked()
    const task = await client.startTool("may")
    const controller = new AbortController()
    const [short, gone] = [task.result({ totalMs: 100 }), task.result({ signal: controller.signal })]
    await server.until(({ method }) => method === "tasks/result")
    clock.advance(100)
    await expect(short).rejects.toThrow("tasks/result was not answered within 100 ms in all")
    await client.ping()
    expect(server.asked("notifications/cancelled")).toEqual([])
    controller.abort("enough")
    await expect(gone).rejects.toThrow("tasks/result was abandoned: enough")
    const { id } = server.asked("tasks/result")[0]
    expect((await server.until(({ method }) => method === "notifications/cancelled")).params.requestId).toBe(id)
    expect(server.asked("tasks/cancel")).toEqual([])
    const again = task.result()
    await server.until(() => server.asked("tasks/result").length === 2)
    await reply("tasks/result", done)
    expect(await again).toEqual(done)
  })

  it("is given up after ten minutes for a task that never ends", async () => {
    const { client, server, clock } = await tasked()
    const result = (await client.startTool("may")).result()
    await server.until(({ method }) => method === "tasks/result")
    clock.advance(599_999)
    await client.ping()
    clock.advance(1)
    await expect(result).rejects.toMatchObject({ reason: { _tag: "TimedOut", ms: 600_000, total: true } })
  })

  it("is returned when it says that the tool failed, and is an error when the call was one", async () => {
    const { client, server } = await tasked()
    const failed = { content: [], isError: true }
    server.answers["tasks/result"] = () => failed
    expect(await (await client.startTool("typed", { n: 1 })).result()).toEqual(failed)
    server.answers["tasks/result"] = () => ({ error: { code: -32603, message: "no" } })
    await expect((await client.startTool("may")).result()).rejects.toMatchObject({ code: -32603 })
  })

  it.each([
    ["no tool's", {}, { reason: { _tag: "ResultInvalid", problem: { at: "content" } } }],
    [
      "another task's",
      { ...done, _meta: { [related]: { taskId: "other" } } },
      { reason: { _tag: "ResultInvalid", problem: { at: `_meta.${related}.taskId` } } }
    ],
    ["without structured content", done, { reason: { _tag: "StructuredContentInvalid" } }],
    ["of other structured content", { ...done, structuredContent: { sum: "1" } }, { reason: { tool: "typed" } }]
  ])("is refused when it is %s", async (_, answer, why) => {
    const { client, server } = await tasked()
    server.answers["tasks/result"] = () => answer
    await expect((await client.startTool("typed", { n: 1 })).result()).rejects.toMatchObject(why)
    await expect(client.task("t", "typed").result()).rejects.toMatchObject(why)
  })

  it("is judged by the tool's output schema only where the tool is known", async () => {
    const { client, server } = await tasked()
    server.answers["tasks/result"] = () => ({ ...done, structuredContent: { sum: "1" } })
    expect(await client.task("t").result()).toMatchObject({ structuredContent: { sum: "1" } })
    await expect(client.task("t", "gone").result()).rejects.toMatchObject({ reason: { _tag: "ToolUnlisted" } })
  })

  it("ends the updates, when the server says that it is over", async () => {
    const { client, server, reply } = await tasked()
    const task = await client.startTool("may")
    const rest = next(task.updates()[Symbol.asyncIterator](), 9)
    const result = task.result()
    await server.until(({ method }) => method === "tasks/result")
    server.answers["tasks/get"] = () => completed
    await reply("tasks/result", done)
    await result
    expect(await rest).toEqual([working, completed])
  })
})
