/** Tools that have to be run as tasks, called as if they were any others. */
import { handshakeRevisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import type { Progress } from "../src/index.js"
import { CallError } from "../src/index.js"
import { completed, related, tasked, working } from "./tasked.js"

const done = { content: [{ type: "text", text: "done" }], _meta: { [related]: { taskId: "t" } } }

describe("a tool that has to be run as a task", () => {
  it("is started, and its result waited for", async () => {
    const { client, server, reply } = await tasked()
    const call = client.callTool("must", { a: 1 })
    await reply("tasks/result", done)
    expect(await call).toEqual(done)
    expect(server.asked("tools/call")[0].params).toEqual({ name: "must", arguments: { a: 1 }, task: {} })
    expect(server.asked("tasks/cancel")).toEqual([])
  })

  it("is called as any other where the server does not run calls as tasks", async () => {
    const older = handshakeRevisions.filter(({ name }) => name < "2025-11-25")
    for (const talking of [tasked({ capabilities: { tools: {} } }), tasked({}, { revisions: older })]) {
      const { client, server } = await talking
      await client.callTool("must")
      expect(server.asked("tools/call")[0].params).toEqual({ name: "must", arguments: {} })
    }
  })

  it.each(["may", "never", "silent"])("is not %s, which is called", async (name) => {
    const { client, server } = await tasked()
    await client.callTool(name)
    expect(server.asked("tools/call")[0].params).toEqual({ name, arguments: {} })
  })

  it("is cancelled when its time is over", async () => {
    const { client, server, clock } = await tasked()
    const call = client.callTool("must", {}, { timeoutMs: 500 })
    await server.until(({ method }) => method === "tasks/result")
    clock.advance(500)
    await expect(call).rejects.toThrow("tools/call was not answered within 500 ms")
    await server.until(({ method }) => method === "tasks/cancel")
    const cancelled = await server.until(({ method }) => method === "notifications/cancelled")
    expect(cancelled.params.requestId).toBe(server.asked("tasks/result")[0].id)
  })

  it("is cancelled when its caller aborts, also before there is a task", async () => {
    const { client, server, reply } = await tasked({ answers: { "tools/call": () => undefined } })
    const controller = new AbortController()
    const call = client.callTool("must", {}, { signal: controller.signal })
    await server.until(({ method }) => method === "tools/call")
    controller.abort("no")
    await expect(call).rejects.toThrow("tools/call was abandoned: no")
    await reply("tools/call", { task: working })
    await server.until(({ method }) => method === "tasks/cancel")
    expect(server.asked("notifications/cancelled")).toEqual([])
    expect(server.asked("tasks/result")).toEqual([])
  })

  it("has its time begun anew by progress, where that is wanted, up to a limit", async () => {
    const { client, server, clock } = await tasked()
    const told: Array<Progress> = []
    const wishes = {
      timeoutMs: 100,
      resetOnProgress: true,
      totalMs: 250,
      onProgress: (one: Progress) => told.push(one)
    }
    const call = client.callTool("must", {}, wishes)
    await server.until(({ method }) => method === "tasks/result")
    const { progressToken } = server.asked("tools/call")[0].params._meta
    for (const progress of [1, 2, 3]) {
      clock.advance(80)
      server.tell("notifications/progress", { progressToken, progress })
      await client.ping()
    }
    expect(told).toHaveLength(3)
    clock.advance(10)
    await expect(call).rejects.toThrow("tools/call was not answered within 250 ms in all")
  })

  it("is waited for no longer than in all, where progress restarts nothing too", async () => {
    const { client, server, clock } = await tasked()
    const call = client.callTool("must", {}, { totalMs: 250 })
    await server.until(({ method }) => method === "tasks/result")
    clock.advance(250)
    await expect(call).rejects.toThrow("tools/call was not answered within 250 ms in all")
  })

  it("has its arguments checked, and rejects with the error of its task", async () => {
    const { client, server } = await tasked()
    server.answers["tasks/result"] = () => ({ error: { code: -32603, message: "no" } })
    await expect(client.callTool("must")).rejects.toMatchObject({ code: -32603 })
    const inputSchema = { type: "object", required: ["n"] }
    server.answers["tools/list"] = () => ({
      tools: [{ name: "new", inputSchema, execution: { taskSupport: "required" } }]
    })
    await expect(client.callTool("new")).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid" } })
  })

  it("is cancelled when its caller aborts, in whatever moment", async () => {
    for (let moment = 0; moment < 20; moment++) {
      const { client, server, reply } = await tasked({ answers: { "tools/call": () => undefined } })
      const controller = new AbortController()
      const call = client.callTool("must", {}, { signal: controller.signal })
      call.catch(() => undefined)
      await reply("tools/call", { task: working })
      for (let n = 0; n < moment; n++) await Promise.resolve()
      controller.abort("no")
      await expect(call).rejects.toThrow("tools/call was abandoned: no")
      await server.until(({ method }) => method === "tasks/cancel")
      await client.ping()
      expect(server.asked("tasks/cancel")).toHaveLength(1)
    }
  })

  it.each([
    ["left by its caller", undefined],
    ["failed", { error: { code: -32603, message: "no" } }]
  ])("tells of no progress once it is %s", async (_, result) => {
    const { client, server, clock } = await tasked({
      answers: { "tasks/cancel": () => ({ error: { code: 1, message: "no" } }) }
    })
    const told: Array<Progress> = []
    const call = client.callTool("must", {}, { timeoutMs: 100, onProgress: (progress) => told.push(progress) })
    call.catch(() => undefined)
    await server.until(({ method }) => method === "tasks/result")
    if (result === undefined) clock.advance(100)
    else server.send({ jsonrpc: "2.0", id: server.asked("tasks/result")[0].id, ...result })
    await expect(call).rejects.toThrow(CallError)
    const { progressToken } = server.asked("tools/call")[0].params._meta
    server.tell("notifications/progress", { progressToken, progress: 1 })
    await client.ping()
    expect(told).toEqual([])
  })

  it("leaves nothing behind when it is over", async () => {
    const { client, server, clock } = await tasked()
    server.answers["tasks/result"] = () => done
    server.answers["tasks/get"] = () => completed
    await client.callTool("must")
    await client.close()
    expect(clock.pending()).toBe(0)
  })
})
