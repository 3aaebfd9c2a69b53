/** Arguments and results are checked by the server's own schemas. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { getEventListeners } from "node:events"
import type { JsonObject } from "@parley/core"
import type { Clock } from "@parley/driver"
import { describe, expect, it, vi } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { CallError, connect } from "../src/index.js"
import type { HandOptions } from "./hand.js"
import { hand, tool } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }
const number = { type: "object", properties: { n: { type: "number" } }, required: ["n"] }

async function calling(more: object, result: object = { content: [] }, options: HandOptions = {}, clock?: Clock) {
  const server = hand({
    ...options,
    answers: { "tools/list": () => ({ tools: [tool("it", more), tool("other")] }), "tools/call": () => result }
  })
  return { server, client: await connect(server.channel, { clientInfo, revisions, ...(clock && { clock }) }) }
}

describe("arguments", () => {
  it.each([
    ["a date", new Date(0)],
    ["what says that it is a number", { n: 1, toJSON: () => 5 }],
    ["what says that it is another object", { n: 1, toJSON: () => ({ n: "1" }) }]
  ])("are judged as they would be written: %s", async (_, odd) => {
    const { server, client } = await calling({ inputSchema: number })
    await expect(client.callTool("it", odd as unknown as JsonObject)).rejects.toMatchObject({
      reason: { _tag: "ArgumentsInvalid" }
    })
    expect(server.asked("tools/call")).toEqual([])
  })

  it("that do not fit the tool's schema are not sent", async () => {
    const { server, client } = await calling({ inputSchema: number })
    const call = client.callTool("it", { n: "1" })
    await expect(call).rejects.toThrow(
      "The arguments for tool it do not fit its input schema: n: expected a number; nothing was sent"
    )
    await expect(call).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid", tool: "it" }, code: undefined })
    await expect(client.callTool("it")).rejects.toThrow("n: missing")
    expect(server.asked("tools/call")).toEqual([])
    // The list is at hand now; it is no different.
    await expect(client.callTool("it", { n: "1" })).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid" } })
    await client.callTool("it", { n: 1 })
  })

  it("are an empty object when there are none", async () => {
    const { server, client } = await calling({})
    await client.callTool("it")
    expect(server.asked("tools/call")[0].params).toEqual({ name: "it", arguments: {} })
  })

  it.each([
    ["an unknown dialect", { $schema: "https://example.com/mine", type: "object", required: ["n"] }],
    ["a reference that leads nowhere", { type: "object", properties: { n: { $ref: "#/$defs/none" } } }],
    ["a reference to the network", { type: "object", properties: { n: { $ref: "https://example.com/n" } } }],
    ["a keyword that has a wrong value", { type: "object", required: "n" }]
  ])("are for the server to judge when the schema has %s", async (_, inputSchema) => {
    const fetched = vi.spyOn(globalThis, "fetch")
    const { server, client } = await calling({ inputSchema })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["it", "other"])
    await client.callTool("it", { n: "anything" })
    expect(server.asked("tools/call")).toHaveLength(1)
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it("are for the server to judge when they are too deep to be checked", async () => {
    const { server, client } = await calling({ inputSchema: { type: "object", allOf: [{ type: "object" }] } })
    let deep: JsonObject = {}
    for (let depth = 0; depth < 200; depth++) deep = { deep }
    await client.callTool("it", deep)
    expect(server.asked("tools/call")).toHaveLength(1)
  })

  it("are checked by schemas whose keywords have to be loaded first", async () => {
    const inputSchema = { type: "object", properties: { n: { $ref: "#/$defs/n" } }, $defs: { n: { type: "number" } } }
    const { server, client } = await calling({ inputSchema })
    await expect(client.callTool("it", { n: "1" })).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid" } })
    await client.callTool("it", { n: 1 })
    await Promise.all([client.callTool("it", { n: 1 }), client.callTool("it", { n: 2 })])
    expect(server.asked("tools/call")).toHaveLength(3)
  })
})

describe("arguments that are no JSON", () => {
  const no = (): never => {
    throw new Error("no")
  }
  const circle: { self?: unknown } = {}
  circle.self = circle
  let deep: unknown = []
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  let times = 0
  const hostile: ReadonlyArray<readonly [string, unknown]> = [
    ["a bigint", { n: 1n }],
    ["a circle", circle],
    ["something a hundred thousand deep", { deep }],
    ["a toJSON that throws", { n: { toJSON: no } }],
    ["a getter that throws", Object.defineProperty({}, "n", { get: no, enumerable: true })],
    ["a proxy whose get throws", new Proxy({ n: 1 }, { get: no })],
    ["a proxy whose ownKeys throws", new Proxy({ n: 1 }, { ownKeys: no })],
    ["what throws something that can not be looked at", { n: { toJSON: () => thrown() } }]
  ]
  const thrown = (): never => {
    throw new Proxy(new Error("x"), { get: no, getPrototypeOf: no })
  }

  it.each(hostile)("reject, and leave nothing behind: %s", async (_, args) => {
    for (const inputSchema of [{ type: "object" }, { type: "object", properties: { n: {} }, required: ["n"] }]) {
      const clock = simulated()
      const { server, client } = await calling({ inputSchema }, { content: [] }, {}, clock)
      await client.listTools()
      const { signal } = new AbortController()
      await expect(client.callTool("it", args as never, { signal })).rejects.toThrow(CallError)
      await expect(client.request("tools/call", { name: "it", arguments: args } as never)).rejects.toThrow(CallError)
      await expect(client.request("ping", args as never, { signal })).rejects.toThrow(CallError)
      expect(clock.holding()).toBe(0)
      expect(getEventListeners(signal, "abort")).toEqual([])
      await client.ping()
      expect(server.asked("tools/call")).toEqual([])
      expect(server.asked("notifications/cancelled")).toEqual([])
      expect(await client.callTool("other")).toEqual({ content: [] })
      await client.close()
    }
  })

  it("that can be written every other time are sent once, or refused", async () => {
    const { server, client } = await calling({})
    const moody = {
      toJSON: () => {
        if (++times % 2 === 1) throw new Error("not now")
        return "now"
      }
    }
    await client.callTool("it", { moody } as never).catch((error: unknown) => expect(error).toBeInstanceOf(CallError))
    await client.ping()
    expect(server.asked("tools/call").length).toBeLessThanOrEqual(1)
  })
})

describe("a signal", () => {
  it("is listened to no longer once the tool was found and its call answered", async () => {
    const { client } = await calling({})
    const { signal } = new AbortController()
    await client.callTool("it", {}, { signal })
    expect(getEventListeners(signal, "abort")).toEqual([])
    await expect(client.callTool("unlisted", {}, { signal })).rejects.toThrow(CallError)
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  it("is not held while others are: one that is aborted lets its call go, and the list goes on", async () => {
    const { client } = await calling({})
    const controller = new AbortController()
    const [call, other] = [client.callTool("it", {}, { signal: controller.signal }), client.callTool("it")]
    controller.abort("enough")
    await expect(call).rejects.toThrow("tools/call was abandoned: enough")
    expect(await other).toEqual({ content: [] })
    expect(getEventListeners(controller.signal, "abort")).toEqual([])
  })
})

describe("results", () => {
  const structured = (content: unknown) => ({ content: [], structuredContent: content })

  it("with structuredContent that fits are returned", async () => {
    const { client } = await calling({ outputSchema: number }, structured({ n: 1 }))
    expect(await client.callTool("it")).toEqual(structured({ n: 1 }))
  })

  it.each([
    ["does not fit", structured({ n: "1" }), "n: expected a number"],
    ["is missing", { content: [] }, "structuredContent is missing"]
  ])("whose structuredContent %s are not", async (_, result, why) => {
    const { client } = await calling({ outputSchema: number }, result)
    const call = client.callTool("it")
    await expect(call).rejects.toMatchObject({ reason: { _tag: "StructuredContentInvalid", tool: "it", why } })
    await expect(call).rejects.toThrow(`The result of tool it does not fit its output schema: ${why}`)
  })

  it("that are errors need none", async () => {
    const { client } = await calling({ outputSchema: number }, { content: [], isError: true })
    expect(await client.callTool("it")).toEqual({ content: [], isError: true })
  })

  it("of a tool whose output schema can not be used are returned as they are", async () => {
    const outputSchema = { $schema: "https://example.com/mine", type: "object" }
    const { client } = await calling({ outputSchema }, structured({ n: "1" }))
    expect(await client.callTool("it")).toEqual(structured({ n: "1" }))
  })

  it("of a tool without output schema are returned as they are", async () => {
    const { client } = await calling({}, structured({ n: "1" }))
    expect(await client.callTool("it")).toEqual(structured({ n: "1" }))
  })

  it.each(["2024-11-05", "2025-03-26"])("owe nothing to an output schema in %s, which has none", async (revision) => {
    const { client } = await calling({ outputSchema: number }, { content: [] }, { revision })
    expect(await client.callTool("it")).toEqual({ content: [] })
  })

  it.each([
    ["has no content", {}],
    ["has a block without a type", { content: [{ text: "x" }] }],
    ["has an isError that is no boolean", { content: [], isError: "no" }]
  ])("are refused when one %s", async (_, result) => {
    const { client } = await calling({}, result)
    await expect(client.callTool("it")).rejects.toMatchObject({
      reason: { _tag: "ResultInvalid", method: "tools/call" }
    })
  })

  it("that are JSON-RPC errors reject with code, message and data", async () => {
    const { client } = await calling({}, { error: { code: -32602, message: "Unknown tool: it", data: { a: 1 } } })
    await expect(client.callTool("it")).rejects.toMatchObject({
      name: "CallError",
      message: "tools/call was answered with error -32602: Unknown tool: it",
      code: -32602,
      data: { a: 1 }
    })
  })
})
