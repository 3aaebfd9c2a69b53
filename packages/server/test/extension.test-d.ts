/** What compiles of an extension's handlers, and of a client that has it. */
import type { CallToolResult, Extension } from "@parley/core"
import { request } from "@parley/core"
import type { Channel } from "@parley/driver"
import { connect } from "@parley/client"
import { expectTypeOf, it } from "vitest"
import { diggers, parleyTest } from "../../testing/test/parley-test.js"
import type { OtherResult } from "../src/index.js"
import { defineServer, extension } from "../src/index.js"

declare const channel: Channel
const clientInfo = { name: "c", version: "1" }
const working = () => ({ jobId: "a", status: "working" }) as const
const handlers = { "jobs/get": working, "jobs/wait": working }

it("handlers get what the schemas decode, and return what they encode", () => {
  extension(parleyTest, {
    ...handlers,
    "jobs/count": ({ from }) => {
      expectTypeOf(from).toEqualTypeOf<number>()
      return { count: from }
    }
  })
  // @ts-expect-error the count is a number before it is encoded
  extension(parleyTest, { ...handlers, "jobs/count": () => ({ count: "1" }) })
  // @ts-expect-error a method has no handler
  extension(parleyTest, handlers)
  const anything = {
    id: "com.example/it",
    client: {
      "it/do": request(
        "client",
        () => undefined,
        () => undefined
      )
    }
  }
  defineServer(clientInfo, [], { extensions: [extension(anything, { "it/do": (params) => ({ said: params["a"]! }) })] })
})

it("results and what is told are those that there are", () => {
  const { jobs } = diggers()
  expectTypeOf(jobs.result("job", { jobId: "a" })).toEqualTypeOf<OtherResult>()
  jobs.tell("notifications/jobs/changed", { jobId: "a", status: "working" })
  // @ts-expect-error there is no such type
  jobs.result("work", { jobId: "a" })
  // @ts-expect-error its id is missing
  jobs.result("job", {})
  // @ts-expect-error it tells no such thing
  jobs.tell("notifications/jobs/over", {})
  // @ts-expect-error there is no such status
  jobs.tell("notifications/jobs/changed", { jobId: "a", status: "over" })
})

it("a client's results are told apart by their type, and its listeners are typed", async () => {
  const client = await connect(channel, { clientInfo, extensions: [parleyTest] })
  const result = await client.callTool("dig")
  if (result.resultType === "job") expectTypeOf(result.jobId).toEqualTypeOf<string>()
  else expectTypeOf(result).toEqualTypeOf<CallToolResult>()
  client.on(
    "notifications/jobs/changed",
    ({ status }) => expectTypeOf(status).toEqualTypeOf<"working" | "completed">(),
    ["a"]
  )
  client.on("notifications/message", ({ level }) => void level)
  // @ts-expect-error there is no such notification
  client.on("notifications/jobs/over", () => undefined)
  const plain = await connect(channel, { clientInfo })
  expectTypeOf(plain.callTool("dig")).toEqualTypeOf<Promise<CallToolResult>>()
  // @ts-expect-error without the extension there is none
  plain.on("notifications/jobs/changed", () => undefined)
  const untyped: Extension = parleyTest
  const other = await connect(channel, { clientInfo, extensions: [{ ...untyped, settings: { shows: true } }] })
  expectTypeOf(other.callTool("dig")).toEqualTypeOf<Promise<CallToolResult>>()
})
