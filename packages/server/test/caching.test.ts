/** For how long, and for whom, a client may keep what it is told: declared of lists and of resources, and said in results. */
import { describe, expect, it } from "vitest"
import { defineServer, form, prompt, resource, resourceTemplate, tool } from "../src/index.js"
import { accept, answering, modern } from "./modern.js"
import { talking } from "./talk.js"

const info = { name: "kept", version: "1.0.0" }
const hello = tool("hello", {}, () => "Hello!")
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })

describe("hints for caches", () => {
  const caching = {
    tools: { ttlMs: 60_000, scope: "public" },
    resources: { ttlMs: 1, scope: "private" },
    templates: { ttlMs: 2, scope: "private" },
    prompts: { ttlMs: 3, scope: "public" },
    discover: { ttlMs: 4, scope: "public" }
  } as const
  const items = [
    hello,
    prompt("plan", {}, () => "x"),
    resource("note://a", { name: "a", cache: { ttlMs: 5_000, scope: "public" } }, () => "a"),
    resource("note://b", { name: "b" }, () => "b"),
    resource("note://c", { name: "c", asks: { guests }, cache: { ttlMs: 9, scope: "public" } }, async (_, call) =>
      call.can("guests") ? String((await call.ask("guests", { message: "?" })).guests) : "nobody"
    ),
    resourceTemplate("part://{n}", { name: "part", cache: { ttlMs: 6, scope: "private" } }, ({ n }) => n)
  ]
  const hintsOf = async (client: ReturnType<typeof modern>, method: string, params?: object) => {
    const { ttlMs, cacheScope } = (await client.ask(method, params)).result
    return [ttlMs, cacheScope]
  }

  it("are on every list, and on what the server is, as they were declared", async () => {
    const client = modern(defineServer(info, items, { caching }))
    expect(await hintsOf(client, "tools/list")).toEqual([60_000, "public"])
    expect(await hintsOf(client, "resources/list")).toEqual([1, "private"])
    expect(await hintsOf(client, "resources/templates/list")).toEqual([2, "private"])
    expect(await hintsOf(client, "prompts/list")).toEqual([3, "public"])
    expect(await hintsOf(client, "server/discover")).toEqual([4, "public"])
  })

  it("say that nothing may be kept where nothing was declared", async () => {
    const client = modern(defineServer(info, items))
    for (const method of [
      "tools/list",
      "resources/list",
      "resources/templates/list",
      "prompts/list",
      "server/discover"
    ])
      expect(await hintsOf(client, method)).toEqual([0, "private"])
    expect(await hintsOf(client, "resources/read", { uri: "note://b" })).toEqual([0, "private"])
  })

  it("are each resource's own on what is read", async () => {
    const client = modern(defineServer(info, items, { caching }))
    expect(await hintsOf(client, "resources/read", { uri: "note://a" })).toEqual([5_000, "public"])
    expect(await hintsOf(client, "resources/read", { uri: "part://1" })).toEqual([6, "private"])
    expect(await hintsOf(client, "resources/read", { uri: "note://c" })).toEqual([9, "public"])
  })

  it("say that what took the client's answers is not to be kept", async () => {
    const client = modern(defineServer(info, items, { caching }), { capabilities: { elicitation: {} } })
    const first = (await client.ask("resources/read", { uri: "note://c" })).result
    expect(first).not.toHaveProperty("ttlMs")
    const retry = { uri: "note://c", ...answering(first, { guests: accept({ guests: 4 }) }) }
    expect(await hintsOf(client, "resources/read", retry)).toEqual([0, "private"])
  })

  it("are not told to older clients, nor announced of a resource", async () => {
    const server = defineServer(info, items, { caching })
    const { ask } = await talking(server)
    expect((await ask("resources/read", { uri: "note://a" })).result).toEqual({
      contents: [{ uri: "note://a", text: "a" }]
    })
    expect(Object.keys((await ask("tools/list")).result)).toEqual(["tools"])
    expect(server.definition.resources[0]).toEqual({ uri: "note://a", name: "a" })
  })

  it.each([
    [{ tools: { ttlMs: -1, scope: "public" } }, "caching.tools.ttlMs"],
    [{ tools: { ttlMs: 1, scope: "shared" } }, "caching.tools.scope"],
    [{ tool: { ttlMs: 1, scope: "public" } }, "caching.tool"]
  ])("are refused where they are none: %j", (caching, why) => {
    expect(() => defineServer(info, [], { caching: caching as never })).toThrow(why)
    expect(() => resource("note://a", { name: "a", cache: { ttlMs: 1.5, scope: "public" } }, () => "")).toThrow(
      "cache.ttlMs"
    )
  })
})
