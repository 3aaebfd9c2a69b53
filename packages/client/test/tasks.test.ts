/** Tools that are started as tasks: where that may be, what is sent, and who hears of their progress. */
import { handshakeRevisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import type { Progress } from "../src/index.js"
import { capabilities, completed, tasked, tools, working } from "./tasked.js"

describe("a tool is started as a task", () => {
  it.each(["may", "must"])("when it %s", async (name) => {
    const { client, server } = await tasked()
    const task = await client.startTool(name, { a: 1 }, { ttl: 5 })
    expect(task).toMatchObject({ taskId: "t", task: working, immediateResponse: undefined })
    expect(server.asked("tools/call")[0].params).toEqual({ name, arguments: { a: 1 }, task: { ttl: 5 } })
    await client.startTool(name)
    expect(server.asked("tools/call")[1].params).toEqual({ name, arguments: {}, task: {} })
  })

  it("and says what to tell a model at once, when the server does", async () => {
    const key = "io.modelcontextprotocol/model-immediate-response"
    const { client, server } = await tasked()
    for (const [told, heard] of [
      ["Digging.", "Digging."],
      [5, undefined]
    ]) {
      server.answers["tools/call"] = () => ({ task: working, _meta: { [key]: told } })
      expect((await client.startTool("may")).immediateResponse).toBe(heard)
    }
  })
})

describe("nothing is sent", () => {
  it.each([
    ["never", "it says that tasks are forbidden"],
    ["silent", "it does not say that it may be"]
  ])("for a tool that is no task: %s", async (name, why) => {
    const { client, server } = await tasked()
    const started = client.startTool(name)
    await expect(started).rejects.toThrow(`The tool ${name} can not be run as a task: ${why}; nothing was sent`)
    await expect(started).rejects.toMatchObject({ reason: { _tag: "TaskUnsupported", tool: name, why } })
    expect(server.asked("tools/call")).toEqual([])
  })

  it.each([{ tools: {} }, { ...capabilities, tasks: { list: {}, cancel: {} } }, { ...capabilities, tasks: true }])(
    "to a server that declared %j",
    async (declared) => {
      const { client, server } = await tasked({ capabilities: declared })
      const why = "the server did not declare tasks.requests.tools.call"
      await expect(client.startTool("may")).rejects.toMatchObject({ reason: { _tag: "TaskUnsupported", why } })
      expect(server.asked("tools/list")).toEqual([])
    }
  )

  it("where there are no tasks yet", async () => {
    const older = handshakeRevisions.filter(({ name }) => name < "2025-11-25")
    const { client, server } = await tasked({}, { revisions: older })
    await expect(client.startTool("may")).rejects.toMatchObject({ reason: { why: "2025-06-18 has no tasks" } })
    await expect(client.task("t").status()).rejects.toMatchObject({ reason: { _tag: "MethodUnknown" } })
    await expect(client.listTasks()).rejects.toMatchObject({ reason: { _tag: "MethodUnknown" } })
    expect(server.heard.map(({ method }) => method)).toEqual(["initialize", "notifications/initialized"])
  })

  it("for arguments that do not fit, or a tool that is not listed", async () => {
    const { client, server } = await tasked()
    await expect(client.startTool("typed", { n: "1" })).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid" } })
    await expect(client.startTool("gone")).rejects.toMatchObject({ reason: { _tag: "ToolUnlisted" } })
    await expect(client.startTool("may", {}, { signal: AbortSignal.abort("no") })).rejects.toThrow(
      "tools/call was abandoned: no"
    )
    expect(server.asked("tools/call")).toEqual([])
  })

  it("of what was not declared", async () => {
    const { client, server } = await tasked({
      capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } }
    })
    const task = await client.startTool("may")
    await expect(task.cancel()).rejects.toMatchObject({ reason: { _tag: "MethodUndeclared", needs: "tasks.cancel" } })
    await expect(client.listTasks()).rejects.toMatchObject({ reason: { needs: "tasks.list" } })
    expect(await task.status()).toEqual(working)
    expect(server.asked("tasks/cancel")).toEqual([])
  })
})

describe("a task that is not created in time", () => {
  it("is given up by its caller, and cancelled when it comes all the same", async () => {
    const { client, server, clock, reply } = await tasked({ answers: { "tools/call": () => undefined } })
    await client.listTools()
    const started = client.startTool("may", {}, { timeoutMs: 100 })
    await server.until(({ method }) => method === "tools/call")
    clock.advance(100)
    await expect(started).rejects.toThrow("tools/call was not answered within 100 ms")
    await reply("tools/call", { task: working })
    expect((await server.until(({ method }) => method === "tasks/cancel")).params).toEqual({ taskId: "t" })
    expect(server.asked("notifications/cancelled")).toEqual([])
  })

  it("is given up when its caller aborts", async () => {
    const { client, server, reply } = await tasked({ answers: { "tools/call": () => undefined } })
    await client.listTools()
    const controller = new AbortController()
    const started = client.startTool("may", {}, { signal: controller.signal })
    await server.until(({ method }) => method === "tools/call")
    controller.abort("no more")
    await expect(started).rejects.toThrow("tools/call was abandoned: no more")
    await reply("tools/call", { task: working })
    await server.until(({ method }) => method === "tasks/cancel")
    expect(server.asked("notifications/cancelled")).toEqual([])
  })

  it("is refused by the server, or not what it should be", async () => {
    const { client, server } = await tasked()
    server.answers["tools/call"] = () => ({ error: { code: -32601, message: "no" } })
    await expect(client.startTool("may")).rejects.toMatchObject({ code: -32601 })
    server.answers["tools/call"] = () => ({ content: [] })
    await expect(client.startTool("may")).rejects.toMatchObject({ reason: { _tag: "ResultInvalid" } })
  })
})

describe("progress of a task", () => {
  it("is told of the ten thousand latest, however many are never heard of again", async () => {
    let last = 0
    const { client, server } = await tasked()
    server.answers["tools/call"] = () => ({ task: { ...working, taskId: `t${++last}` } })
    const told: Array<number> = []
    const start = (nth: number) => client.startTool("may", {}, { onProgress: () => told.push(nth) })
    for (let nth = 0; nth <= 10_000; nth++) await start(nth)
    for (const nth of [0, 1, 10_000]) {
      const { progressToken } = server.asked("tools/call")[nth].params._meta
      server.tell("notifications/progress", { progressToken, progress: 1 })
    }
    await client.ping()
    expect(told).toEqual([1, 10_000])
  })

  it("is told while it is created and after that, increasing, until it is over", async () => {
    const { client, server, ignored } = await tasked()
    const told: Array<Progress> = []
    const tell = async (progressToken: unknown, progress: unknown, more: object = {}) => {
      server.tell("notifications/progress", { progressToken, progress, ...more })
      await client.ping()
    }
    server.answers["tools/call"] = ({ _meta }: { _meta: { progressToken: number } }) => {
      server.tell("notifications/progress", { progressToken: _meta.progressToken, progress: 1 })
      return { task: working }
    }
    const task = await client.startTool("may", {}, { onProgress: (progress) => told.push(progress) })
    const token = server.asked("tools/call")[0].params._meta.progressToken as number
    await tell(token, 1)
    await tell(token, 2, { total: 9, message: "two" })
    await tell(token, 1.5)
    await tell(1, 3)
    server.answers["tasks/get"] = () => completed
    await task.status()
    await tell(token, 3)
    expect(told).toEqual([
      { progress: 1, total: undefined, message: undefined },
      { progress: 2, total: 9, message: "two" }
    ])
    expect(ignored()).toEqual([
      "progress that does not increase",
      "progress that does not increase",
      "progress for nothing of ours that is under way",
      "progress for nothing of ours that is under way"
    ])
  })

  it.each([
    [
      "said to be over",
      (tell: (method: string, params: object) => void) => tell("notifications/tasks/status", completed)
    ],
    ["cancelled", undefined]
  ])("is not told any more when the task is %s", async (_, end) => {
    const { client, server } = await tasked()
    const told: Array<Progress> = []
    const task = await client.startTool("may", {}, { onProgress: (progress) => told.push(progress) })
    if (end === undefined) await task.cancel()
    else end(server.tell)
    const { progressToken } = server.asked("tools/call")[0].params._meta
    server.tell("notifications/progress", { progressToken, progress: 1 })
    await client.ping()
    expect(told).toEqual([])
  })

  it("that nobody listens to is not asked for", async () => {
    const { client, server } = await tasked()
    await client.startTool("may")
    expect(server.asked("tools/call")[0].params).not.toHaveProperty("_meta")
  })
})

describe("the tasks that the server keeps", () => {
  it("are listed from all pages, malformed ones left out and reported", async () => {
    const { client, ignored } = await tasked({
      answers: {
        "tasks/list": (params?: { cursor?: string }) =>
          params?.cursor === undefined
            ? { tasks: [working, { taskId: "bad" }, { ...working, status: "paused" }], nextCursor: "" }
            : { tasks: [completed, 5] }
      }
    })
    expect(await client.listTasks()).toEqual([working, completed])
    const found: Array<string> = []
    for await (const { status } of client.tasks()) found.push(status)
    expect(found).toEqual(["working", "completed"])
    expect(ignored().filter((why) => why.startsWith("an item was left out"))).toHaveLength(6)
  })
})

it("a tool that is listed with nonsense in place of its task support is left out of the list", async () => {
  const odd = { ...tools[0], execution: { taskSupport: "sometimes" } }
  const { client } = await tasked({ answers: { "tools/list": () => ({ tools: [odd] }) } })
  await expect(client.startTool("may")).rejects.toMatchObject({ reason: { _tag: "ToolUnlisted" } })
})
