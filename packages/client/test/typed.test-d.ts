/** What a client that was told its server's type compiles. */
import type { CallToolResult, JsonObject } from "@parley/core"
import type { Channel } from "@parley/driver"
import { defineServer, resource, tool } from "@parley/server"
import * as Schema from "effect/Schema"
import { describe, expectTypeOf, it } from "vitest"
import type { Client, StartOptions, ToolTask } from "../src/index.js"
import { connect } from "../src/index.js"

declare const channel: Channel
const clientInfo = { name: "c", version: "1" }

const add = tool(
  "add",
  {
    input: Schema.Struct({ a: Schema.Finite, b: Schema.FiniteFromString }),
    output: Schema.Struct({ sum: Schema.FiniteFromString })
  },
  ({ a, b }) => ({ sum: a + b })
)
const hello = tool("hello", {}, () => "Hello!")
const greet = tool(
  "greet",
  {
    input: {
      type: "object",
      properties: { name: { type: "string" }, loud: { type: "boolean" } },
      required: ["name"]
    } as const
  },
  ({ name }) => name
)
const motd = resource("note://motd", { name: "motd" }, () => "Be kind.")
const server = defineServer({ name: "s", version: "1" }, [add, hello, greet, motd])

describe("a client of a known server", () => {
  const client = {} as Client<typeof server>

  it("knows the tools' names and arguments", () => {
    // What is sent is what the schema decodes: the number as a text.
    void client.callTool("add", { a: 1, b: "2" })
    void client.callTool("hello")
    void client.callTool("hello", {}, { timeoutMs: 1 })
    void client.callTool("greet", { name: "x" })
    void client.callTool("greet", { name: "x", loud: true })
    // @ts-expect-error there is no such tool
    void client.callTool("subtract", {})
    // @ts-expect-error a resource is no tool
    void client.callTool("motd")
    // @ts-expect-error b is sent as text
    void client.callTool("add", { a: 1, b: 2 })
    // @ts-expect-error b is missing
    void client.callTool("add", { a: 1 })
    // @ts-expect-error the arguments are missing
    void client.callTool("add")
    // @ts-expect-error loud is a boolean
    void client.callTool("greet", { name: "x", loud: "very" })
  })

  it("knows what comes back", () => {
    type Add = Awaited<ReturnType<typeof call>>
    const call = () => client.callTool("add", { a: 1, b: "2" })
    expectTypeOf<Add["structuredContent"]>().toEqualTypeOf<{ readonly sum: string } | undefined>()
    expectTypeOf<Add["content"]>().toEqualTypeOf<CallToolResult["content"]>()
    expectTypeOf(client.callTool("hello")).toEqualTypeOf<Promise<CallToolResult>>()
  })

  it("knows the same of tools that are started as tasks", () => {
    type Add = Awaited<ReturnType<typeof started>>
    const started = async () => (await client.startTool("add", { a: 1, b: "2" }, { ttl: 1 })).result()
    expectTypeOf<Add["structuredContent"]>().toEqualTypeOf<{ readonly sum: string } | undefined>()
    expectTypeOf(client.task("t", "add").result()).toEqualTypeOf<Promise<Add>>()
    expectTypeOf(client.task("t")).toEqualTypeOf<ToolTask>()
    void client.startTool("hello")
    // @ts-expect-error there is no such tool
    void client.startTool("subtract", {})
    // @ts-expect-error b is missing
    void client.startTool("add", { a: 1 })
    // @ts-expect-error there is no such tool
    void client.task("t", "subtract")
    // @ts-expect-error a task that is to be created has no wait in all
    void client.startTool("hello", {}, { totalMs: 1 })
  })

  it("comes from connect, by the value or by its type", () => {
    expectTypeOf(connect(channel, { clientInfo, of: server })).toEqualTypeOf<Promise<Client<typeof server>>>()
    expectTypeOf(connect<typeof server>(channel, { clientInfo })).toEqualTypeOf<Promise<Client<typeof server>>>()
    expectTypeOf(connect(channel, { clientInfo })).toEqualTypeOf<Promise<Client>>()
  })
})

it("a client of an unknown server calls anything", () => {
  const client = {} as Client
  expectTypeOf(client.callTool).toEqualTypeOf<
    (name: string, args?: JsonObject, options?: Parameters<Client["ping"]>[0]) => Promise<CallToolResult>
  >()
  expectTypeOf(client.startTool).toEqualTypeOf<
    (name: string, args?: JsonObject, options?: StartOptions) => Promise<ToolTask>
  >()
  expectTypeOf(client.task).toEqualTypeOf<(taskId: string, tool?: string) => ToolTask>()
})

describe("rootsChanged", () => {
  it("is there only where listChanged was promised", async () => {
    const telling = await connect(channel, { clientInfo, answer: { roots: { list: [], listChanged: true } } })
    expectTypeOf(telling.rootsChanged).toEqualTypeOf<() => void>()
    const both = await connect(channel, {
      clientInfo,
      of: server,
      answer: { roots: { list: [], listChanged: true }, elicit: () => ({ action: "decline" }) }
    })
    void both.callTool("hello")
    both.rootsChanged()
    for (const roots of [[], { list: [] }, { list: [], listChanged: false }]) {
      const silent = await connect(channel, { clientInfo, answer: { roots } })
      // @ts-expect-error it was not promised
      silent.rootsChanged()
    }
  })
})

describe("answers", () => {
  it("are of the kind that was asked for", () => {
    void connect(channel, {
      clientInfo,
      answer: {
        elicit: {
          form: (form, { defaults }) => {
            expectTypeOf(form.requestedSchema.type).toEqualTypeOf<"object">()
            return { action: "accept", content: defaults }
          },
          url: async ({ url }, { host, completed }) => {
            expectTypeOf(url).toEqualTypeOf<string>()
            expectTypeOf(host).toEqualTypeOf<string>()
            void completed()
            return { action: "accept" }
          }
        },
        sample: async ({ messages }, { signal }) => {
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
          return { role: "assistant", model: "m", content: messages[0]!.content }
        }
      }
    })
    // @ts-expect-error there is no such action
    void connect(channel, { clientInfo, answer: { elicit: () => ({ action: "maybe" }) } })
    // @ts-expect-error the model is missing
    void connect(channel, { clientInfo, answer: { sample: () => ({ role: "assistant", content: [] }) } })
    // @ts-expect-error it is called elicit
    void connect(channel, { clientInfo, answer: { ask: () => ({ action: "accept" }) } })
    // @ts-expect-error objects are no field of a form
    void connect(channel, { clientInfo, answer: { elicit: () => ({ action: "accept", content: { a: {} } }) } })
  })
})

describe("listeners", () => {
  it("get the params of their notification", () => {
    const client = {} as Client
    client.on("notifications/message", ({ level }) => {
      expectTypeOf(level).toExtend<string>()
    })
    client.on("notifications/resources/updated", ({ uri }) => {
      expectTypeOf(uri).toEqualTypeOf<string>()
    })
    // @ts-expect-error servers do not tell this
    client.on("notifications/roots/list_changed", () => undefined)
  })
})
