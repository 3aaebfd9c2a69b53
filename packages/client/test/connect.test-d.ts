/** What compiles of a client. */
import type { Channel } from "@parley/driver"
import type { CallToolResult, JsonObject, Tool } from "@parley/core"
import { describe, expectTypeOf, it } from "vitest"
import type { Client, Reason } from "../src/index.js"
import { cache, CallError, connect } from "../src/index.js"

declare const channel: Channel
declare const client: Client

describe("connect", () => {
  it("needs a channel and who we are", () => {
    expectTypeOf(connect(channel, { clientInfo: { name: "c", version: "1" } })).toEqualTypeOf<Promise<Client>>()
    // @ts-expect-error who we are is missing
    void connect(channel, {})
    // @ts-expect-error a version is missing
    void connect(channel, { clientInfo: { name: "c" } })
    expectTypeOf(connect(() => channel, { clientInfo: { name: "c", version: "1" } })).toEqualTypeOf<Promise<Client>>()
    void connect(channel, {
      clientInfo: { name: "c", version: "1" },
      prefer: "2026-07-28",
      cache: cache({ maxEntries: 1 })
    })
    void connect(channel, { clientInfo: { name: "c", version: "1" }, prior: client.prior, cache: false })
    // @ts-expect-error there is no such version
    void connect(channel, { clientInfo: { name: "c", version: "1" }, prefer: "2026-01-01" })
    // @ts-expect-error what is remembered has a tag
    void connect(channel, { clientInfo: { name: "c", version: "1" }, prior: { era: "legacy" } })
    // @ts-expect-error a cache is made by cache()
    void connect(channel, { clientInfo: { name: "c", version: "1" }, cache: true })
    // @ts-expect-error versions are values, not names
    void connect(channel, { clientInfo: { name: "c", version: "1" }, revisions: ["2025-11-25"] })
  })
})

describe("a client", () => {
  it("lists tools and calls them", () => {
    expectTypeOf(client.listTools()).toEqualTypeOf<Promise<ReadonlyArray<Tool>>>()
    expectTypeOf(client.callTool("add", { a: 1 }, { timeoutMs: 1 })).toEqualTypeOf<Promise<CallToolResult>>()
    expectTypeOf(client.request("ping")).toEqualTypeOf<Promise<JsonObject>>()
    void client.listTools({ fresh: true })
    void client.readResource("a:b", { fresh: true })
    // @ts-expect-error a call is always fresh
    void client.callTool("add", {}, { fresh: true })
    // @ts-expect-error arguments are an object
    void client.callTool("add", 7)
    // @ts-expect-error the option is called timeoutMs
    void client.callTool("add", {}, { timeout: 1 })
  })

  it("says why a call came to nothing by tag", () => {
    expectTypeOf<CallError["reason"]>().toEqualTypeOf<Reason>()
    const { reason } = new CallError({ _tag: "ToolUnlisted", tool: "x", listed: [] })
    if (reason._tag === "Answered") expectTypeOf(reason.error.code).toEqualTypeOf<number>()
    if (reason._tag === "WalkTooLong") expectTypeOf(reason.items).toEqualTypeOf<ReadonlyArray<unknown>>()
    // @ts-expect-error there is no such reason
    if (reason._tag === "Other") void 0
  })
})
