/** What a client asks again, and what it has kept: lists page by page, resources, and the schemas of tools. */
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import type { Client, ConnectOptions } from "../src/index.js"
import { cache, connect } from "../src/index.js"
import { discovered, hand, tool } from "./hand.js"
import type { HandOptions } from "./hand.js"
import { listened } from "./listened.js"

const clientInfo = { name: "client", version: "1.0.0" }
const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {} }
const uri = "note://today"

async function session(options: HandOptions = {}, more: Partial<ConnectOptions> = {}) {
  const clock = simulated()
  const server = hand({ revision: "2026-07-28", capabilities, ...options })
  const client = await connect(server.channel, { clientInfo, clock, ...more })
  const asked = () =>
    server.heard.flatMap(({ method, params }) =>
      method === "server/discover" || method === "subscriptions/listen"
        ? []
        : [[method, params.uri ?? params.cursor ?? ""].join(" ").trim()]
    )
  return { clock, server, client, asked }
}

/** Pages of tools by their cursors, each good for so long. */
const pages = (
  lists: ReadonlyArray<ReadonlyArray<string>>,
  ttlMs: ReadonlyArray<number>
): HandOptions["answers"] & {} => ({
  "tools/list": ({ cursor = "0" }) => {
    const page = Number(cursor)
    const next = page + 1 < lists.length ? { nextCursor: String(page + 1) } : {}
    return { tools: lists[page]!.map((name) => tool(name)), ttlMs: ttlMs[page]!, cacheScope: "private", ...next }
  }
})
const names = async (client: Client, options?: Parameters<Client["listTools"]>[0]) =>
  (await client.listTools(options)).map(({ name }) => name)

let reads = 0
const note = (ttlMs: number, cacheScope = "private") => ({
  "resources/read": (params: { uri: string }) => ({
    contents: [{ uri: params.uri, text: String(++reads) }],
    ttlMs,
    cacheScope
  })
})
const text = async (client: Client, uri: string, options?: Parameters<Client["readResource"]>[1]) =>
  ((await client.readResource(uri, options)).contents[0] as { text: string }).text

describe("a resource", () => {
  it("is read once for as long as the server says", async () => {
    const { client, clock, asked } = await session({ answers: note(100) })
    const first = await text(client, uri)
    clock.advance(99)
    expect(await text(client, uri)).toBe(first)
    await text(client, "note://other")
    clock.advance(1)
    expect(await text(client, uri)).not.toBe(first)
    expect(asked()).toEqual([`resources/read ${uri}`, "resources/read note://other", `resources/read ${uri}`])
  })

  it("is read each time when it is to be fresh, and by `request`, and what came last is what is kept", async () => {
    const { client, asked } = await session({ answers: note(100) })
    await text(client, uri)
    const fresh = await text(client, uri, { fresh: true })
    await client.request("resources/read", { uri })
    expect(asked()).toHaveLength(3)
    expect(await text(client, uri)).toBe(fresh)
    expect(asked()).toHaveLength(3)
  })

  it("is read each time without a cache, on older revisions, and when the server does not say for how long", async () => {
    const without = await session({ answers: note(100) }, { cache: false })
    const older = await session({ revision: "2025-11-25", answers: { ...note(100), "server/discover": () => ({}) } })
    const silent = await session({
      answers: { "resources/read": () => ({ contents: [{ uri, text: "" }] }) }
    })
    for (const { client, server } of [without, older, silent]) {
      await text(client, uri)
      await text(client, uri)
      expect(server.asked("resources/read")).toHaveLength(2)
    }
  })

  it("is read again when it, or something below it, is said to have changed", async () => {
    const { client, server, updated, streams, settled } = await listened({ answers: note(1_000) })
    await client.subscribe(uri).ready
    const first = await text(client, uri)
    expect(await text(client, uri)).toBe(first)
    updated(streams()[0]!, `${uri}#1`)
    await settled()
    expect(await text(client, uri)).not.toBe(first)
    expect(server.asked("resources/read")).toHaveLength(2)
  })

  it("that took the user's answers to read is not kept", async () => {
    const { client, server } = await session(
      {
        answers: {
          "resources/read": ({ inputResponses }) =>
            inputResponses === undefined
              ? { resultType: "input_required", inputRequests: { r: { method: "roots/list" } } }
              : { contents: [{ uri, text: "yours" }], ttlMs: 1_000, cacheScope: "public" }
        }
      },
      { answer: { roots: [{ uri: "file:///mine" }] } }
    )
    await text(client, uri)
    await text(client, uri)
    expect(server.asked("resources/read")).toHaveLength(4)
  })

  it("that could not be read is asked for again", async () => {
    const { client, server } = await session({
      answers: { "resources/read": () => ({ error: { code: -32602, message: "Resource not found" } }) }
    })
    await expect(text(client, uri)).rejects.toMatchObject({ code: -32602 })
    Object.assign(server.answers, note(100))
    await text(client, uri)
  })

  it("is given to nobody who has left", async () => {
    const { client } = await session({ answers: note(100) })
    await text(client, uri)
    await expect(text(client, uri, { signal: AbortSignal.abort("enough") })).rejects.toThrow(
      "resources/read was abandoned: enough"
    )
  })
})

describe("a list", () => {
  it("is walked page by page, each kept for its own time", async () => {
    const { client, clock, asked } = await session({ answers: pages([["a"], ["b"], ["c"]], [100, 10, 100]) })
    expect(await names(client)).toEqual(["a", "b", "c"])
    clock.advance(50)
    expect(await names(client)).toEqual(["a", "b", "c"])
    expect(asked()).toEqual(["tools/list", "tools/list 1", "tools/list 2", "tools/list 1"])
  })

  it("is gathered anew when a page comes again and is another one", async () => {
    const { client, clock, server, asked } = await session({ answers: pages([["a"], ["b"], ["c"]], [100, 10, 100]) })
    await names(client)
    clock.advance(50)
    Object.assign(server.answers, pages([["a", "x"], ["y"], ["z"]], [100, 100, 100]))
    expect(await names(client)).toEqual(["a", "x", "y", "z"])
    expect(asked().slice(3)).toEqual(["tools/list 1", "tools/list 2", "tools/list"])
    expect(await names(client)).toEqual(["a", "x", "y", "z"])
    expect(asked()).toHaveLength(6)
  })

  it("is asked for anew when one of its cursors is not known any more", async () => {
    const { client, clock, server } = await session({ answers: pages([["a"], ["b"]], [100, 10]) })
    await names(client)
    clock.advance(50)
    const now = pages([["x"]], [100])["tools/list"]!
    server.answers["tools/list"] = (params, id) =>
      params.cursor === undefined ? now(params, id) : { error: { code: -32602, message: "Invalid cursor" } }
    expect(await names(client)).toEqual(["x"])
  })

  it("is asked for anew when it is said to have changed, as are its pages", async () => {
    const { client, server, tell, streams, settled } = await listened({
      answers: pages([["a"], ["b"]], [1_000, 1_000])
    })
    client.on("notifications/tools/list_changed", () => {})
    await names(client)
    await names(client)
    expect(server.asked("tools/list")).toHaveLength(2)
    tell(streams()[0]!, "tools/list_changed")
    await settled()
    await names(client)
    expect(server.asked("tools/list")).toHaveLength(4)
    expect(await names(client, { fresh: true })).toEqual(["a", "b"])
    expect(server.asked("tools/list")).toHaveLength(6)
  })

  it("is read item by item from what is kept, as far as it is read", async () => {
    const { client, asked } = await session({ answers: pages([["a"], ["b"]], [100, 100]) })
    for (let times = 0; times < 2; times++) for await (const { name } of client.tools()) if (name === "a") break
    expect(asked()).toEqual(["tools/list"])
  })
})

describe("the schemas of tools", () => {
  const needs = (name: string) => tool("it", { inputSchema: { type: "object", required: [name] } })
  const listing = (...tools: ReadonlyArray<object>) => ({ "tools/list": () => ({ tools }) })

  it("are read again before arguments are refused by them", async () => {
    const { client, server, asked } = await session({ answers: listing(needs("a")) })
    await client.callTool("it", { a: 1 })
    Object.assign(server.answers, listing(needs("b")))
    await client.callTool("it", { b: 1 })
    expect(asked()).toEqual(["tools/list", "tools/call", "tools/list", "tools/call"])
    await expect(client.callTool("it", {})).rejects.toMatchObject({
      reason: { _tag: "ArgumentsInvalid", why: expect.stringContaining("b") }
    })
  })

  it("are read again before a result is refused by them", async () => {
    const gives = (type: string) => tool("it", { outputSchema: { type } })
    const { client, server } = await session({
      answers: { ...listing(gives("number")), "tools/call": () => ({ content: [], structuredContent: 1 }) }
    })
    await client.callTool("it")
    Object.assign(server.answers, listing(gives("string")))
    server.answers["tools/call"] = () => ({ content: [], structuredContent: "one" })
    expect((await client.callTool("it")).structuredContent).toBe("one")
    server.answers["tools/call"] = () => ({ content: [], structuredContent: true })
    await expect(client.callTool("it")).rejects.toMatchObject({ reason: { _tag: "StructuredContentInvalid" } })
  })

  it("are not read again where the server says for how long they are good, nor when that fails", async () => {
    const { client, server, clock } = await session({
      answers: { "tools/list": () => ({ tools: [needs("a")], ttlMs: 100, cacheScope: "private" }) }
    })
    await client.callTool("it", { a: 1 })
    await expect(client.callTool("it", {})).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid" } })
    expect(server.asked("tools/list")).toHaveLength(1)
    clock.advance(100)
    server.answers["tools/list"] = () => ({ error: { code: -32603, message: "no" } })
    await expect(client.callTool("it", {})).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid" } })
    expect(server.asked("tools/list")).toHaveLength(2)
  })

  it.each([-32601, -32602])("are forgotten when the server answers a call with %s", async (code) => {
    const { client, server } = await session({
      answers: { "tools/list": () => ({ tools: [tool("it")], ttlMs: 1_000, cacheScope: "public" }) }
    })
    await client.callTool("it")
    server.answers["tools/call"] = () => ({ error: { code, message: "Unknown tool" } })
    await expect(client.callTool("it")).rejects.toMatchObject({ code })
    await client.callTool("it").catch(() => undefined)
    expect(server.asked("tools/list")).toHaveLength(2)
  })

  it("of a tool that is not among what was kept are asked for", async () => {
    const shared = cache()
    const answers = { "tools/list": () => ({ tools: [tool("old")], ttlMs: 1_000, cacheScope: "public" }) }
    const first = await session({ answers }, { cache: shared })
    await first.client.listTools()
    const second = await session({ answers: { "tools/list": () => ({ tools: [tool("new")] }) } }, { cache: shared })
    await second.client.callTool("new")
    await expect(second.client.callTool("old")).rejects.toMatchObject({
      reason: { _tag: "ToolUnlisted", listed: ["new"] }
    })
  })
})

describe("clients that share a cache", () => {
  const together = async (scope: string, first: Partial<ConnectOptions>, second: Partial<ConnectOptions>) => {
    const shared = cache()
    const one = await session({ answers: note(1_000, scope) }, { cache: shared, ...first })
    const other = await session({ answers: note(1_000, scope) }, { cache: shared, ...second })
    return (await text(one.client, uri)) === (await text(other.client, uri))
  }

  it.each<[string, Partial<ConnectOptions>, Partial<ConnectOptions>, boolean]>([
    ["public", {}, {}, true],
    ["public", { authorization: "a" }, { authorization: "b" }, true],
    ["private", {}, {}, false],
    ["private", { authorization: "a" }, {}, false],
    ["private", { authorization: "a" }, { authorization: "b" }, false],
    ["private", { authorization: "a" }, { authorization: "a" }, true]
  ])("share what is %s between %j and %j: %s", async (scope, first, second, share) => {
    expect(await together(scope, first, second)).toBe(share)
  })

  it("share nothing that changed since", async () => {
    const shared = cache()
    const { client, updated, streams, settled } = await listened({ answers: note(1_000, "public") }, { cache: shared })
    const other = await session({ answers: note(1_000, "public") }, { cache: shared })
    await client.subscribe(uri).ready
    const first = await text(other.client, uri)
    updated(streams()[0]!, uri)
    await settled()
    expect(await text(other.client, uri)).not.toBe(first)
  })

  it.each([[{}], [true], [new Map()]])("share no %j", async (wrong) => {
    const opening = connect(hand().channel, { clientInfo, cache: wrong } as unknown as ConnectOptions)
    await expect(opening).rejects.toThrow("connect needs false, or what cache() made for cache")
  })
})

it("what a server says of itself is asked each time", async () => {
  const server = hand({
    revision: "2026-07-28",
    answers: { "server/discover": () => discovered({}, { ttlMs: 1_000 }) }
  })
  const client = await connect(server.channel, { clientInfo })
  await client.ping()
  await client.ping()
  expect(server.asked("server/discover")).toHaveLength(3)
})
