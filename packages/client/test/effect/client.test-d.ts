/** What compiles of a client for Effects. */
import type { CallToolResult, Tool } from "@parley/core"
import { notification } from "@parley/core"
import type { Channel } from "@parley/driver"
import { check } from "@parley/json-schema"
import { defineServer, resource, tool } from "@parley/server"
import { defineServer as making, tool as effectTool } from "@parley/server/effect"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type * as Stream from "effect/Stream"
import { describe, expectTypeOf, it } from "vitest"
import type { CallError, TellingRoots, ToolTask } from "../../src/effect/index.js"
import { Client, connect, following, layer } from "../../src/effect/index.js"
import { Rejected } from "../../src/index.js"

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
const motd = resource("note://motd", { name: "motd" }, () => "Be kind.")
const server = defineServer({ name: "s", version: "1" }, [add, hello, motd])

class User extends Context.Service<User, { readonly name: string }>()("User") {}

describe("connecting", () => {
  it("takes a scope, and fails with CallError", () => {
    const client = connect(channel, { clientInfo })
    expectTypeOf(client).toEqualTypeOf<Effect.Effect<Client, CallError, Scope>>()
    expectTypeOf(layer(channel, { clientInfo })).toEqualTypeOf<Layer.Layer<Client, CallError>>()
    // @ts-expect-error who is it?
    connect(channel, {})
    // @ts-expect-error the signal is interruption
    void Effect.map(client, ({ ping }) => ping({ signal: AbortSignal.abort() }))
  })

  it("needs what its answers need", () => {
    const elicit = () => Effect.map(User, ({ name }) => ({ action: "accept" as const, content: { name } }))
    const client = connect(channel, { clientInfo, answer: { elicit } })
    expectTypeOf<Effect.Services<typeof client>>().toEqualTypeOf<User | Scope>()
    const page = connect(channel, {
      clientInfo,
      answer: { elicit: { form: elicit, url: () => Effect.fail(new Rejected()) } }
    })
    expectTypeOf<Effect.Services<typeof page>>().toEqualTypeOf<User | Scope>()
    expectTypeOf(layer(channel, { clientInfo, answer: { elicit } })).toEqualTypeOf<
      Layer.Layer<Client, CallError, User>
    >()
    // @ts-expect-error it is no Effect
    connect(channel, { clientInfo, answer: { elicit: () => ({ action: "decline" }) } })
    // @ts-expect-error the server is told of a user who says no, and of nothing else
    connect(channel, { clientInfo, answer: { elicit: () => Effect.fail("no") } })
  })

  it("promises to tell of roots only where it says so", () => {
    const list = [{ uri: "file:///tmp" }]
    const telling = connect(channel, { clientInfo, answer: { roots: { list, listChanged: true } } })
    expectTypeOf<Effect.Success<typeof telling>>().toExtend<TellingRoots>()
    const silent = connect(channel, { clientInfo, answer: { roots: list } })
    // @ts-expect-error it did not promise it
    void Effect.map(silent, ({ rootsChanged }) => rootsChanged)
  })

  it("knows what extensions bring", () => {
    const jobs = {
      id: "com.example/jobs",
      server: {
        "notifications/jobs/changed": notification("server", check({ type: "object", required: [] }), {
          stream: true,
          filter: "jobs",
          by: "jobId"
        })
      },
      results: {
        "tools/call": {
          job: check({ type: "object", properties: { jobId: { type: "string" } }, required: ["jobId"] } as const)
        }
      }
    } as const
    const connected = connect(channel, { clientInfo, extensions: [jobs] })
    void Effect.map(connected, (client) => {
      void Effect.map(client.callTool("dig"), (result) => {
        if (result.resultType === "job") expectTypeOf(result.jobId).toEqualTypeOf<string>()
      })
      client.notifications("notifications/jobs/changed", ["job-1"])
      client.notifications("notifications/message")
      // @ts-expect-error nobody tells of it
      client.notifications("notifications/jobs/other")
      // @ts-expect-error the name of a job is a text
      client.notifications("notifications/jobs/changed", [1])
    })
    void Effect.map(connect(channel, { clientInfo }), (client) => {
      // @ts-expect-error there is no extension
      client.notifications("notifications/jobs/changed", ["job-1"])
    })
    // @ts-expect-error an extension has an identifier
    connect(channel, { clientInfo, extensions: [{}] })
  })

  it("makes a service of a typed client", () => {
    class Calculator extends Context.Service<Calculator, Client<typeof server>>()("Calculator") {}
    const live = Layer.effect(Calculator, connect(channel, { clientInfo, of: server }))
    expectTypeOf(live).toEqualTypeOf<Layer.Layer<Calculator, CallError>>()
  })
})

describe("a client of a known server", () => {
  const client = {} as Client<typeof server>

  it("knows the tools' names, arguments and results", () => {
    const sum = client.callTool("add", { a: 1, b: "2" })
    expectTypeOf<Effect.Error<typeof sum>>().toEqualTypeOf<CallError>()
    type Sum = NonNullable<Effect.Success<typeof sum>["structuredContent"]>
    expectTypeOf<Sum>().toEqualTypeOf<{ readonly sum: string }>()
    expectTypeOf(client.callTool("hello")).toEqualTypeOf<Effect.Effect<CallToolResult, CallError>>()
    client.callTool("hello", {}, { timeoutMs: 1 })
    // @ts-expect-error there is no such tool
    client.callTool("subtract", {})
    // @ts-expect-error a resource is no tool
    client.callTool("motd")
    // @ts-expect-error b is sent as text
    client.callTool("add", { a: 1, b: 2 })
    // @ts-expect-error the arguments are missing
    client.callTool("add")
    // @ts-expect-error the signal is interruption
    client.callTool("hello", {}, { signal: AbortSignal.abort() })
  })

  it("knows them of tasks as well", () => {
    const task = client.startTool("add", { a: 1, b: "2" })
    const result = Effect.flatMap(task, (task) => task.result())
    type Sum = NonNullable<Effect.Success<typeof result>["structuredContent"]>
    expectTypeOf<Sum>().toEqualTypeOf<{ readonly sum: string }>()
    expectTypeOf(client.task("1")).toEqualTypeOf<ToolTask>()
    expectTypeOf(client.task("1", "add")).toExtend<ToolTask>()
    // @ts-expect-error there is no such tool
    client.task("1", "subtract")
  })

  it("knows them where they are still to be made", () => {
    const one = effectTool("one", { input: Schema.Struct({ n: Schema.Finite }) }, () => Effect.map(User, () => "x"))
    const made = making({ name: "s", version: "1" }, [one, hello])
    const client = {} as Client<Effect.Success<typeof made>>
    client.callTool("one", { n: 1 })
    // @ts-expect-error there is no such tool
    client.callTool("two")
  })
})

describe("a client of any server", () => {
  const client = {} as Client

  it("calls any tool, and streams what comes bit by bit", () => {
    expectTypeOf(client.callTool("it", { a: 1 })).toEqualTypeOf<Effect.Effect<CallToolResult, CallError>>()
    expectTypeOf(client.tools()).toEqualTypeOf<Stream.Stream<Tool, CallError>>()
    const logs = client.notifications("notifications/message")
    expectTypeOf<Stream.Success<typeof logs>["data"]>().toEqualTypeOf<unknown>()
    expectTypeOf<Stream.Error<typeof logs>>().toEqualTypeOf<CallError>()
    // @ts-expect-error there is no such notification
    client.notifications("notifications/nothing")
    const followed = following(Effect.andThen(User, client.callTool("it")))
    expectTypeOf<Stream.Services<typeof followed>>().toEqualTypeOf<User>()
  })

  it("fails in ways that can be told apart", () => {
    const call = client.callTool("it")
    const late = Effect.catchReason(call, "CallError", "TimedOut", ({ ms }) => Effect.succeed(ms))
    expectTypeOf<Effect.Success<typeof late>>().toEqualTypeOf<CallToolResult | number>()
    const none = Effect.catchTag(call, "CallError", () => Effect.void)
    expectTypeOf<Effect.Error<typeof none>>().toEqualTypeOf<never>()
  })
})
