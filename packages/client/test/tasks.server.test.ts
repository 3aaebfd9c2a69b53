/** Our client starts our server's tools as tasks: two machines on a link. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { link } from "@parley/driver"
import type { TaskOptions } from "@parley/server"
import { AskDeclined, defineServer, failed, form, serve, tool } from "@parley/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Answers, Client, Progress } from "../src/index.js"
import { connect } from "../src/index.js"
import { related } from "./tasked.js"

const sum = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] } as const)

let reserved = 0
let end = (): void => undefined
const tools = [
  tool("add", { task: "optional", input: { type: "object", required: ["a"] }, output: sum }, () => ({ sum: 3 })),
  tool("must", { task: "required" }, () => "done"),
  tool("fails", { task: "optional" }, () => failed("no luck")),
  tool("throws", { task: "optional" }, () => {
    throw new Error("secret")
  }),
  tool("slow", { task: "optional" }, (_, call) => {
    call.progress(1, 2)
    return new Promise<string>((resolve) => {
      end = () => {
        call.progress(2, 2)
        resolve("slowly")
      }
      call.signal.addEventListener("abort", () => (interrupted = true))
    })
  }),
  tool("book", { task: "optional", asks: { guests } }, async (_, call) => {
    await call.once("hold", () => void reserved++)
    try {
      const { guests } = await call.ask("guests", { message: "How many?" })
      return `a table for ${guests}`
    } catch (error) {
      if (error instanceof AskDeclined) return failed("no table")
      throw error
    }
  })
]
let interrupted = false
const server = defineServer({ name: "tasked", version: "1.0.0" }, tools)

let client: Client<typeof server>
afterEach(() => {
  vi.restoreAllMocks()
  return client.close()
})

async function talking(answer: Answers = {}, tasks: TaskOptions = {}) {
  const [near, far] = link()
  serve(server, far, { tasks: { pollMs: 10, ...tasks } })
  reserved = 0
  interrupted = false
  const asked: Array<unknown> = []
  const onNotification = (method: string) => asked.push(method)
  return (client = await connect(near, {
    clientInfo: { name: "client", version: "1" },
    revisions,
    answer,
    of: server,
    onNotification
  }))
}

describe("a task of our server", () => {
  it("runs to its end, and its result says whose it is", async () => {
    const client = await talking()
    const task = await client.startTool("add", { a: 1 }, { ttl: 60_000 })
    expect(task.task).toMatchObject({ status: "working", ttl: 60_000, pollInterval: 10 })
    const statuses: Array<string> = []
    for await (const { status } of task.updates()) statuses.push(status)
    expect(statuses).toEqual(["working", "completed"])
    const result = await task.result()
    expect(result.structuredContent?.sum).toBe(3)
    expect(result._meta).toEqual({ [related]: { taskId: task.taskId } })
    expect(await client.task(task.taskId, "add").result()).toEqual(result)
    expect((await client.listTasks()).map(({ taskId, status }) => [taskId, status])).toEqual([
      [task.taskId, "completed"]
    ])
  })

  it("is what a call is run as that has to be one", async () => {
    const client = await talking()
    expect((await client.callTool("must")).content).toEqual([{ type: "text", text: "done" }])
    expect(await client.listTasks()).toHaveLength(1)
    await expect(client.request("tools/call", { name: "must" })).rejects.toMatchObject({ code: -32601 })
  })

  it.each([
    ["fails", "no luck"],
    ["throws", "The tool throws failed."]
  ] as const)("whose tool %s has failed, and its result is returned", async (name, text) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined)
    const client = await talking()
    const task = await client.startTool(name)
    expect(await task.result()).toMatchObject({ isError: true, content: [{ text }] })
    expect(await task.status()).toMatchObject({ status: "failed" })
  })

  it("tells of its progress until it is over", async () => {
    const client = await talking()
    const told: Array<Progress> = []
    const task = await client.startTool("slow", {}, { onProgress: (progress) => told.push(progress) })
    await client.ping()
    end()
    await task.result()
    expect(told).toEqual([
      { progress: 1, total: 2, message: undefined },
      { progress: 2, total: 2, message: undefined }
    ])
  })

  it("is cancelled, and once only", async () => {
    const client = await talking()
    const task = await client.startTool("slow")
    await client.ping()
    const result = task.result()
    expect(await task.cancel()).toMatchObject({ status: "cancelled" })
    expect(interrupted).toBe(true)
    await expect(result).rejects.toMatchObject({ code: -32603 })
    await expect(task.cancel()).rejects.toMatchObject({ code: -32602 })
    expect(await task.status()).toMatchObject({ status: "cancelled" })
  })

  it("is cancelled with a call that is not waited for any more", async () => {
    const client = await talking()
    const controller = new AbortController()
    const task = await client.startTool("slow")
    await client.ping()
    const result = task.result({ signal: controller.signal })
    await client.ping()
    controller.abort("enough")
    await expect(result).rejects.toThrow("abandoned: enough")
    expect(await task.status()).toMatchObject({ status: "working" })
    end()
    expect((await task.result()).content).toEqual([{ type: "text", text: "slowly" }])
  })

  it.each([
    ["by whoever waits for its result", async (task: { result: () => Promise<unknown> }) => void (await task.result())],
    [
      "by whoever follows it",
      async (task: { updates: () => AsyncIterable<unknown> }) => {
        for await (const _ of task.updates()) continue
      }
    ]
  ])("has its questions answered %s, and does nothing twice", async (_, wait) => {
    const asked: Array<unknown> = []
    const client = await talking({
      elicit: ({ message, _meta }) => {
        asked.push(message, (_meta as { [related]: { taskId: string } })[related].taskId)
        return { action: "accept", content: { guests: 4 } }
      }
    })
    const task = await client.startTool("book")
    await wait(task)
    expect((await task.result()).content).toEqual([{ type: "text", text: "a table for 4" }])
    expect(asked).toEqual(["How many?", task.taskId])
    expect(reserved).toBe(1)
    expect(await task.status()).toMatchObject({ status: "completed" })
  })

  it("is told that its question was declined", async () => {
    const client = await talking({ elicit: () => ({ action: "decline" }) })
    expect(await (await client.startTool("book")).result()).toMatchObject({ isError: true })
  })

  it("that is not there is an error", async () => {
    const client = await talking()
    const task = client.task("nobody's")
    for (const ask of [task.status(), task.result(), task.cancel()])
      await expect(ask).rejects.toMatchObject({ code: -32602 })
  })

  it("is not there any more when its time is over", async () => {
    let now = 0
    const client = await talking({}, { clock: () => now })
    const task = await client.startTool("must", {}, { ttl: 100 })
    await task.result()
    now = 100
    await expect(client.task(task.taskId).result()).rejects.toMatchObject({ code: -32602 })
  })
})
