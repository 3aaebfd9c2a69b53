/** An official server runs its tools as tasks for our client, over real pipes. */
import { handshakeRevisions } from "@parley/core/revisions"
import type { Answers, Progress } from "@parley/client"
import { Rejected } from "@parley/client"
import { afterEach, describe, expect, it } from "vitest"
import { closeAll, talk, textOf } from "./peer.js"

afterEach(closeAll)

const research = "simulate-research-query"

/** Its tools are registered once it knows the client, which it tells. */
async function researching(answer: Answers = {}, revisions = handshakeRevisions) {
  const talking = await talk("server-everything", { answer, revisions })
  await talking.told("notifications/tools/list_changed")
  return talking
}

describe("a task of @modelcontextprotocol/server-everything 2026.8.31", () => {
  it("is followed to its end, called as any other tool, and listed", async () => {
    const { client, sent } = await researching()
    const followed = async () => {
      const task = await client.startTool(research, { topic: "coffee" })
      const heard: Array<unknown> = []
      for await (const { status, statusMessage } of task.updates()) heard.push(statusMessage, status)
      expect(heard).toContain("Analyzing content...")
      expect(heard.at(-1)).toBe("completed")
      expect(textOf(await task.result())).toContain("Research Report: coffee")
      return task
    }
    const [called, task] = await Promise.all([client.callTool(research, { topic: "tea" }), followed()])
    expect(textOf(called)).toContain("Research Report: tea")
    const listed = await client.listTasks()
    expect(listed.map(({ status }) => status)).toEqual(["completed", "completed"])
    expect(listed.map(({ taskId }) => taskId)).toContain(task.taskId)
    expect(await client.task(task.taskId, research).result()).toEqual(await task.result())
    expect(sent.filter(({ method }) => method === "notifications/cancelled")).toEqual([])
  }, 60_000)

  it("asks through its result, and hears the answer", async () => {
    const asked: Array<string> = []
    const { client } = await researching({
      elicit: ({ message }) => {
        asked.push(message)
        return { action: "accept", content: { interpretation: "snake" } }
      }
    })
    const task = await client.startTool(research, { topic: "python", ambiguous: true })
    const statuses = new Set<string>()
    for await (const { status } of task.updates()) statuses.add(status)
    expect([...statuses]).toEqual(["working", "input_required", "completed"])
    expect(asked).toHaveLength(1)
    expect(textOf(await task.result())).toContain("python (snake)")
  }, 60_000)

  it("is cancelled, and stays so", async () => {
    const { client } = await researching()
    const told: Array<Progress> = []
    const task = await client.startTool(research, { topic: "tea" }, { onProgress: (one) => told.push(one) })
    expect(await task.cancel()).toMatchObject({ taskId: task.taskId, status: "cancelled" })
    await expect(task.cancel()).rejects.toMatchObject({ code: -32602 })
    expect(await task.status()).toMatchObject({ status: "cancelled" })
    await expect(client.task("nobody's").status()).rejects.toMatchObject({ code: -32602 })
  })

  it("is not what a tool runs as that has no tasks, nor any tool of an older revision", async () => {
    const { client } = await researching()
    await expect(client.startTool("echo", { message: "x" })).rejects.toMatchObject({
      reason: { _tag: "TaskUnsupported", why: "it says that tasks are forbidden" }
    })
    const older = await researching(
      {},
      handshakeRevisions.filter(({ name }) => name === "2025-06-18")
    )
    await expect(older.client.startTool(research, { topic: "tea" })).rejects.toMatchObject({
      reason: { why: "2025-06-18 has no tasks" }
    })
  })
})

describe("a question of @modelcontextprotocol/server-everything 2026.8.31 that is answered by a task", () => {
  it("has its answer fetched when there is one", async () => {
    const asked: Array<unknown> = []
    const { client, sent } = await researching({
      tasks: true,
      elicit: ({ message }) => {
        asked.push(message)
        return { action: "accept", content: { name: "Ada", favoriteColor: "Blue" } }
      },
      sample: ({ messages }) => {
        asked.push(messages.length)
        return { role: "assistant", model: "small", content: { type: "text", text: "42" } }
      }
    })
    const [form, sampled] = await Promise.all([
      client.callTool("trigger-elicitation-request-async"),
      client.callTool("trigger-sampling-request-async", { prompt: "six by seven" })
    ])
    expect(textOf(form)).toContain("[COMPLETED]")
    expect(textOf(form)).toContain("Ada")
    expect(textOf(sampled)).toContain("[COMPLETED]")
    expect(textOf(sampled)).toContain("42")
    expect(asked).toHaveLength(2)
    const told = sent.filter(({ method }) => method === "notifications/tasks/status")
    expect(told).toMatchObject([{ params: { status: "completed" } }, { params: { status: "completed" } }])
  }, 60_000)

  it("is said to have failed when the user does not want to", async () => {
    const { client } = await researching({
      tasks: true,
      elicit: () => ({ action: "decline" }),
      sample: () => Promise.reject(new Rejected())
    })
    const [form, sampled] = await Promise.all([
      client.callTool("trigger-elicitation-request-async"),
      client.callTool("trigger-sampling-request-async", { prompt: "six by seven" })
    ])
    expect(textOf(form)).toContain("declined")
    expect(textOf(sampled)).toContain("[FAILED] User rejected the request")
  }, 60_000)
})
