/** Spans by the real OpenTelemetry, kept in memory. */
import { AsyncLocalStorage } from "node:async_hooks"
import type { Context, ContextManager } from "@opentelemetry/api"
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { defineServer, failed, form, pageRequired, prompt, resource, tool } from "../../src/index.js"
import { openTelemetry } from "../../src/opentelemetry/index.js"
import { accept, answering, modern } from "../modern.js"
import { talking } from "../talk.js"

/** As Node's own context manager does it. */
class Contexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>()
  active = (): Context => this.#storage.getStore() ?? ROOT_CONTEXT
  with: ContextManager["with"] = (context, work, self, ...args) =>
    this.#storage.run(context, () => work.apply(self as never, args))
  bind: ContextManager["bind"] = (_, target) => target
  enable = (): this => this
  disable = (): this => this
}

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const tracing = openTelemetry({ provider })
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })

let end!: () => void
const server = defineServer({ name: "traced", version: "1.0.0" }, [
  tool("hello", {}, () => "Hello!"),
  tool("typed", { input: { type: "object", required: ["a"] } }, () => "x"),
  tool("sad", {}, () => failed("no such city")),
  tool("broken", {}, () => Promise.reject(new Error("secret"))),
  tool("audio", {}, () => ({ type: "audio", data: "", mimeType: "audio/wav" })),
  tool("wrong", {}, () => ({ content: 5 }) as never),
  tool("unfit", { output: { type: "object", required: ["a"] } }, () => ({})),
  tool("visit", {}, () => {
    throw pageRequired({ message: "secret", url: "https://example.com", elicitationId: "1" })
  }),
  tool("nested", {}, async () => {
    await Promise.resolve()
    provider.getTracer("handler").startSpan("inner").end()
    return propagation.getActiveBaggage()?.getEntry("user")?.value ?? "nobody"
  }),
  tool("effect", {}, () => Effect.sync(() => (provider.getTracer("handler").startSpan("inner").end(), "x"))),
  tool("asks", { asks: { guests } }, async (_, call) => `${(await call.ask("guests", { message: "?" })).guests}`),
  tool("slow", {}, () => new Promise<string>((resolve) => (end = () => resolve("x")))),
  prompt("plan", {}, () => "x"),
  resource("note://a", { name: "a" }, () => undefined),
  resource("note://b", { name: "b" }, () => "b"),
  tool("list", { output: { type: "array" } as const }, () => [1])
])

const traceId = "0af7651916cd43dd8448eb211c80319c"
const told = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: "a=1", baggage: "user=ann%20b;p=1,bad" }
const spans = () => exporter.getFinishedSpans()
const traced = () => talking(server, { tracing, report: () => undefined }, undefined, { elicitation: {} })

beforeAll(() => void context.setGlobalContextManager(new Contexts()))
afterAll(() => context.disable())
beforeEach(() => exporter.reset())

describe("a span", () => {
  it("is made for a tool call, by the names of the conventions", async () => {
    const { call } = await traced()
    await call("hello")
    expect(spans()).toHaveLength(1)
    expect(spans()[0]).toMatchObject({
      name: "tools/call hello",
      kind: SpanKind.SERVER,
      status: { code: SpanStatusCode.UNSET },
      parentSpanContext: undefined,
      attributes: {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2025-11-25",
        "jsonrpc.request.id": "2",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "hello"
      }
    })
  })

  it("is made for prompts and resources as well", async () => {
    const { ask } = await traced()
    await ask("prompts/get", { name: "plan" })
    await ask("resources/read", { uri: "note://a" })
    expect(spans().map(({ name }) => name)).toEqual(["prompts/get plan", "resources/read"])
    expect(spans()[0]!.attributes).toMatchObject({ "gen_ai.prompt.name": "plan" })
    expect(spans()[1]!.attributes).toMatchObject({
      "mcp.resource.uri": "note://a",
      "error.type": "-32002",
      "rpc.response.status_code": "-32002"
    })
  })

  it("says that a tool failed, though its reply is a result", async () => {
    const { call } = await traced()
    await call("sad")
    await call("typed")
    await call("broken")
    expect(spans().map(({ attributes }) => attributes["error.type"])).toEqual([
      "tool_error",
      "tool_error",
      "tool_error"
    ])
    expect(spans().map(({ status }) => status.code)).toEqual(Array.from({ length: 3 }).fill(SpanStatusCode.ERROR))
    expect(spans()[2]!.events[0]).toMatchObject({
      name: "exception",
      attributes: { "exception.message": "secret" }
    })
  })

  it("has nothing of what a tool says, nor of arguments that do not fit", async () => {
    const { call } = await traced()
    await call("sad", { note: "secret" })
    await call("typed", { "no such city": "secret" })
    await call("visit")
    expect(spans().map(({ status }) => status.message)).toEqual([
      "the handler said what went wrong",
      "the arguments do not fit",
      "the client did not declare what the request needs"
    ])
    const all = spans().map(({ status, events, attributes }) => JSON.stringify({ status, events, attributes }))
    expect(all.join()).not.toMatch(/secret|no such city|Missing|"a"/)
  })

  it.each(["wrong", "unfit"])("says that a result was not sent: %s", async (name) => {
    const { call } = await traced()
    await call(name)
    expect(spans()[0]).toMatchObject({ status: { code: SpanStatusCode.ERROR } })
  })

  it("has the code that the client gets for a result that is not valid", async () => {
    const { call } = await traced()
    expect((await call("wrong")).code).toBe(-32603)
    expect(spans()[0]).toMatchObject({
      status: { message: "the result is not valid" },
      attributes: { "error.type": "-32603", "rpc.response.status_code": "-32603" }
    })
  })

  it("is no error where an older client is told less", async () => {
    const { call } = await talking(server, { tracing }, "2024-11-05", {})
    await call("audio")
    expect(spans()[0]!.status.code).toBe(SpanStatusCode.UNSET)
  })

  it("is a child of the client's trace, with its state and its baggage", async () => {
    const { call } = await traced()
    expect((await call("nested", {}, told)).content[0].text).toBe("ann b")
    const [inner, outer] = spans()
    expect(outer!.spanContext().traceId).toBe(traceId)
    expect(outer!.parentSpanContext).toMatchObject({ spanId: "b7ad6b7169203331", isRemote: true })
    expect(outer!.spanContext().traceState?.get("a")).toBe("1")
    expect(inner!.parentSpanContext?.spanId).toBe(outer!.spanContext().spanId)
  })

  it("is the parent of what an Effect does", async () => {
    const { call } = await traced()
    await call("effect")
    const [inner, outer] = spans()
    expect(inner!.parentSpanContext?.spanId).toBe(outer!.spanContext().spanId)
  })

  it.each([
    ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more"],
    ["ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    ["00-00000000000000000000000000000000-b7ad6b7169203331-01"],
    ["00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"],
    [""],
    [5]
  ])("has no parent where there is none to be read: %j", async (traceparent) => {
    const { call } = await traced()
    await call("hello", {}, { traceparent, baggage: "%zz=%zz,=,;" })
    expect(spans()[0]!.parentSpanContext).toBeUndefined()
  })

  it("is made for each run of a handler that asks", async () => {
    const talk = await traced()
    const called = talk.call("asks")
    await talk.answer("elicitation/create", { action: "accept", content: { guests: 3 } })
    await called
    expect(spans().map(({ attributes }) => attributes["parley.outcome"])).toEqual(["input_required", undefined])
  })

  it("ends when the request is withdrawn", async () => {
    const talk = await traced()
    talk.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "slow" } })
    await talk.ask("ping")
    talk.tell("notifications/cancelled", { requestId: 7 })
    await talk.ask("ping")
    end()
    await talk.ask("ping")
    expect(spans().map(({ attributes }) => attributes["error.type"])).toEqual(["cancelled"])
  })
})

describe("a span of a request that says itself who asks", () => {
  const client = { capabilities: { elicitation: { form: {}, url: {} } }, meta: told }

  it("is a child of the trace in its envelope, also on the retry that brings the answers", async () => {
    const { tool } = modern(server, client, { tracing })
    const first = await tool("asks")
    await tool("asks", {}, answering(first, { guests: accept({ guests: 3 }) }))
    expect(spans().map(({ attributes }) => attributes["parley.outcome"])).toEqual(["input_required", undefined])
    for (const span of spans()) {
      expect(span.spanContext().traceId).toBe(traceId)
      expect(span.parentSpanContext).toMatchObject({ spanId: "b7ad6b7169203331", isRemote: true })
      expect(span.attributes["mcp.protocol.version"]).toBe("2026-07-28")
    }
  })

  it("says that a page is asked for", async () => {
    await modern(server, client, { tracing }).tool("visit")
    expect(spans().map(({ attributes }) => attributes["parley.outcome"])).toEqual(["input_required"])
  })

  it("is no error for a resource that is read, whoever says how long it may be kept", async () => {
    const { ask } = modern(server, client, { tracing })
    await ask("resources/read", { uri: "note://b" })
    await ask("resources/read", { uri: "note://a" })
    expect(spans().map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.ERROR])
    expect(spans()[1]!.attributes["rpc.response.status_code"]).toBe("-32602")
  })

  it("is no error for a structured result that is no object", async () => {
    await modern(server, client, { tracing }).tool("list")
    await (await traced()).call("list")
    expect(spans().map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET])
  })
})

it("uses the provider that is registered when none is given", async () => {
  trace.setGlobalTracerProvider(provider)
  const { call } = await talking(server, { tracing: openTelemetry() })
  await call("hello")
  trace.disable()
  expect(spans()).toHaveLength(1)
})
