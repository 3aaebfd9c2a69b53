/** The official client, in process: it answers questions, runs tasks, subscribes, completes. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  CallToolResultSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  CreateMessageRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import type { Channel } from "@parley/driver"
import { link } from "@parley/driver"
import { describe, expect, it } from "vitest"
import {
  defineServer,
  form,
  live,
  page,
  pageRequired,
  prompt,
  resource,
  resourceTemplate,
  roots,
  sample,
  serve,
  tool
} from "../../src/index.js"

const guests = form({
  type: "object",
  properties: { guests: { type: "integer", default: 2 }, kind: { type: "string", enum: ["a", "b"] } },
  required: ["guests"]
})
const visit = { message: "Allow", url: "https://example.com/allow", elicitationId: "v1" }

const server = live(
  defineServer(
    { name: "official", version: "1.0.0" },
    [
      tool("book", { task: "optional", asks: { guests } }, async (_, call) => {
        const one = await call.ask("guests", { message: "one" })
        const two = await call.ask("guests", { message: "two" })
        return `${one.guests + two.guests}`
      }),
      tool("think", { asks: { model: sample(), roots: roots() } }, async (_, call) => {
        const { model, roots } = await call.askAll({
          model: { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 5 },
          roots: undefined
        })
        return `${model.model} in ${roots[0]!.uri}`
      }),
      tool("pay", { asks: { page: page() } }, async (_, call) => `${await call.ask("page", visit)}`),
      tool("closed", {}, () => {
        throw pageRequired(visit)
      }),
      tool("bad", { task: "required" }, () => Promise.reject(new Error("secret"))),
      prompt("greet", { arguments: { who: { complete: (value) => [`${value}!`] } } }, ({ who }) => `Hi ${who}`),
      resource("note://a", { name: "a" }, () => "text"),
      resourceTemplate("note://t/{id}", { name: "t" }, ({ id }) => new TextEncoder().encode(id))
    ],
    { declare: { resources: { subscribe: true } } }
  )
)

function transport(near: Channel): Transport {
  const one: Transport = {
    start: async () =>
      near.open({
        frame: (frame) => {
          if (frame._tag === "Text") one.onmessage?.(JSON.parse(frame.text))
        },
        closed: () => one.onclose?.()
      }),
    send: async (message) => near.send({ message: message as never, via: undefined, last: false }),
    close: () => near.close()
  }
  return one
}

async function connected() {
  const [near, far] = link()
  const serving = serve(server, far, { tasks: { pollMs: 1 }, crashed: () => undefined })
  const client = new Client(
    { name: "official", version: "1.0.0" },
    { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } } }
  )
  const asked: Array<string> = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message)
    return { action: "accept" as const, ...(params.mode === "url" ? {} : { content: { guests: asked.length } }) }
  })
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: "assistant" as const,
    model: "m",
    content: { type: "text" as const, text: "x" }
  }))
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///x" }] }))
  await client.connect(transport(near))
  return { client, asked, serving }
}

const text = (said: string) => expect.objectContaining({ content: [{ type: "text", text: said }] })

describe("the official client", () => {
  it("answers forms, its model and its roots", async () => {
    const { client, asked } = await connected()
    expect(await client.callTool({ name: "book" })).toEqual(text("3"))
    expect(asked).toEqual(["one", "two"])
    expect(await client.callTool({ name: "think" })).toEqual(text("m in file:///x"))
    await client.close()
  })

  it("runs a task that asks", async () => {
    const { client, asked } = await connected()
    await client.listTools()
    const seen: Array<string> = []
    const stream = client.experimental.tasks.callToolStream({ name: "book" }, CallToolResultSchema, { task: {} })
    for await (const message of stream) {
      seen.push(message.type === "taskStatus" ? message.task.status : message.type)
      if (message.type === "result") expect(message.result).toEqual(text("3"))
    }
    expect(seen[0]).toBe("taskCreated")
    expect(seen.at(-1)).toBe("result")
    expect(asked).toEqual(["one", "two"])
    const { tasks } = await client.experimental.tasks.listTasks()
    expect(tasks).toMatchObject([{ status: "completed" }])
    expect(await client.experimental.tasks.getTaskResult(tasks[0]!.taskId, CallToolResultSchema)).toEqual(text("3"))
    await client.close()
  })

  it("sees a task fail, and that there is no such task", async () => {
    const { client } = await connected()
    await client.listTools()
    const stream = client.experimental.tasks.callToolStream({ name: "bad" }, CallToolResultSchema)
    const types: Array<string> = []
    for await (const message of stream) types.push(message.type)
    expect(types.at(-1)).toMatch(/result|error/)
    await expect(client.experimental.tasks.getTask("nope")).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })

  it("visits pages, and hears that it is complete", async () => {
    const { client, serving } = await connected()
    const completed = new Promise((resolve) =>
      client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => resolve(params))
    )
    await expect(client.callTool({ name: "closed" })).rejects.toMatchObject({
      code: -32042,
      data: { elicitations: [{ mode: "url", ...visit }] }
    })
    expect(await client.callTool({ name: "pay" })).toEqual(text("true"))
    serving.completed("v1")
    expect(await completed).toEqual({ elicitationId: "v1" })
    await client.close()
  })

  it("reads, subscribes, gets prompts and suggestions", async () => {
    const { client } = await connected()
    expect((await client.readResource({ uri: "note://t/x%20y" })).contents).toEqual([
      { uri: "note://t/x%20y", blob: btoa("x y") }
    ])
    const updated = new Promise((resolve) =>
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri))
    )
    await client.subscribeResource({ uri: "note://a" })
    server.updated("note://a")
    expect(await updated).toBe("note://a")
    expect((await client.getPrompt({ name: "greet", arguments: { who: "you" } })).messages).toHaveLength(1)
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "greet" },
      argument: { name: "who", value: "y" }
    })
    expect(completion.values).toEqual(["y!"])
    await client.close()
  })
})
