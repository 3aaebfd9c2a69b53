/** Resources, prompts, completion and logging, as a client asks for them. */
import type { Report } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import type { Client, ConnectOptions } from "../src/index.js"
import { connect } from "../src/index.js"
import type { HandOptions } from "./hand.js"
import { hand } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} }

async function session(options: HandOptions = {}, more: Partial<ConnectOptions> = {}) {
  const server = hand({ capabilities, ...options })
  const reports: Array<Report> = []
  const report = (report: Report): void => void reports.push(report)
  return {
    server,
    reports,
    client: await connect(server.channel, { clientInfo, revisions: handshakeRevisions, report, ...more })
  }
}

const lists = [
  ["tools/list", "tools", (client: Client) => [client.listTools, client.tools] as const],
  ["resources/list", "resources", (client: Client) => [client.listResources, client.resources] as const],
  [
    "resources/templates/list",
    "resourceTemplates",
    (client: Client) => [client.listResourceTemplates, client.resourceTemplates] as const
  ],
  ["prompts/list", "prompts", (client: Client) => [client.listPrompts, client.prompts] as const]
] as const

/** Something that every list takes for an item. */
const item = (name: string) => ({ name, uri: "a:b", uriTemplate: "a:{b}", inputSchema: { type: "object" } })

describe.each(lists)("%s", (method, member, of) => {
  const pages = (...names: ReadonlyArray<ReadonlyArray<unknown>>): HandOptions => ({
    answers: {
      [method]: (params?: { cursor?: string }) => {
        const page = Number(params?.cursor ?? 0)
        return { [member]: names[page], ...(page + 1 < names.length && { nextCursor: String(page + 1) }) }
      }
    }
  })
  const three = pages([item("a"), item("b")], [], [item("c")])
  const named = (items: ReadonlyArray<{ readonly name: string }>) => items.map(({ name }) => name)

  it("comes whole, item by item and page by page", async () => {
    const { client, server } = await session(three)
    const [list, iterate] = of(client)
    expect(named(await list())).toEqual(["a", "b", "c"])
    const items: Array<string> = []
    for await (const { name } of iterate()) items.push(name)
    expect(items).toEqual(["a", "b", "c"])
    const lengths: Array<number> = []
    for await (const page of iterate().pages()) lengths.push(page.length)
    expect(lengths).toEqual([2, 0, 1])
    expect(server.asked(method)).toHaveLength(9)
  })

  it("is fetched only as far as it is read, and anew each time", async () => {
    const { client, server } = await session(three)
    const listing = of(client)[1]()
    expect(server.asked(method)).toEqual([])
    for (let times = 1; times <= 2; times++) {
      for await (const { name } of listing) if (name === "b") break
      await client.ping()
      expect(server.asked(method)).toHaveLength(times)
    }
  })

  it("leaves malformed items out and reports them", async () => {
    const { client, reports } = await session(pages([item("a"), { title: "nameless" }, null], [item("b")]))
    expect(named(await of(client)[0]())).toEqual(["a", "b"])
    expect(reports.filter(({ _tag }) => _tag === "Ignored")).toMatchObject([{ method }, { method }])
  })

  it("is given up after as many pages as one likes", async () => {
    const { client } = await session(three)
    const [list, iterate] = of(client)
    await expect(list({ maxPages: 2 })).rejects.toMatchObject({
      reason: { _tag: "WalkTooLong", pages: 2, items: [item("a"), item("b")] }
    })
    const items: Array<string> = []
    const iterating = (async () => {
      for await (const { name } of iterate({ maxPages: 2 })) items.push(name)
    })()
    await expect(iterating).rejects.toThrow(`${method} did not come to an end within 2 pages`)
    expect(items).toEqual(["a", "b"])
  })

  it("is not asked for where it was not declared", async () => {
    const { client, server } = await session({ capabilities: {} })
    const [list, iterate] = of(client)
    const undeclared = { reason: { _tag: "MethodUndeclared" } }
    await expect(list()).rejects.toMatchObject(undeclared)
    await expect(iterate()[Symbol.asyncIterator]().next()).rejects.toMatchObject(undeclared)
    expect(server.asked(method)).toEqual([])
  })
})

it("takes nothing of a list's time for what a reader does between pages", async () => {
  const clock = simulated()
  const { client } = await session(
    {
      answers: {
        "prompts/list": (params?: { cursor?: string }) => {
          clock.advance(40)
          return { prompts: [{ name: "p" }], ...(params?.cursor === undefined && { nextCursor: "last" }) }
        }
      }
    },
    { clock }
  )
  let items = 0
  for await (const _ of client.prompts({ totalMs: 100 })) {
    items++
    clock.advance(1_000)
  }
  expect(items).toBe(2)
})

describe("a resource", () => {
  it("is read by its URI", async () => {
    const contents = [
      { uri: "note://a", text: "Be kind." },
      { uri: "note://a#1", blob: "AAA=" }
    ]
    const { client, server } = await session({ answers: { "resources/read": () => ({ contents }) } })
    expect(await client.readResource("note://a")).toEqual({ contents })
    expect(server.asked("resources/read")[0].params).toEqual({ uri: "note://a" })
  })

  it("that is not there is said to be missing", async () => {
    const error = { code: -32002, message: "Resource not found", data: { uri: "note://a" } }
    const { client } = await session({ answers: { "resources/read": () => ({ error }) } })
    const reading = client.readResource("note://a")
    await expect(reading).rejects.toMatchObject({ code: -32002, data: { uri: "note://a" }, elicitations: [] })
    await expect(reading).rejects.toThrow("the server has no such resource")
  })

  it("with contents that are neither text nor bytes is refused", async () => {
    const { client } = await session({ answers: { "resources/read": () => ({ contents: [{ uri: "note://a" }] }) } })
    await expect(client.readResource("note://a")).rejects.toMatchObject({ reason: { _tag: "ResultInvalid" } })
  })
})

describe("a prompt", () => {
  const messages = [{ role: "user", content: { type: "text", text: "Review this" } }]

  it("is made with its arguments, or without", async () => {
    const { client, server } = await session({ answers: { "prompts/get": () => ({ messages }) } })
    expect(await client.getPrompt("review", { code: "1" })).toEqual({ messages })
    await client.getPrompt("plain")
    expect(server.asked("prompts/get").map(({ params }) => params)).toEqual([
      { name: "review", arguments: { code: "1" } },
      { name: "plain" }
    ])
  })
})

describe("completion", () => {
  const completion = { values: ["python"], total: 1, hasMore: false }
  const answers = { "completion/complete": () => ({ completion }) }

  it("is asked for by prompt or template", async () => {
    const { client, server } = await session({ answers })
    expect(await client.complete({ prompt: "review" }, { name: "language", value: "py" })).toEqual(completion)
    await client.complete({ template: "x:{a}" }, { name: "a", value: "" }, { given: { b: "1" } })
    expect(server.asked("completion/complete").map(({ params }) => params)).toEqual([
      { ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "py" } },
      {
        ref: { type: "ref/resource", uri: "x:{a}" },
        argument: { name: "a", value: "" },
        context: { arguments: { b: "1" } }
      }
    ])
  })

  it.each(handshakeRevisions.map(({ name }) => name))(
    "tells what is given only where it can be told: %s",
    async (revision) => {
      const { client, server } = await session({ answers, revision })
      await client.complete({ prompt: "review" }, { name: "a", value: "" }, { given: { b: "1" } })
      expect("context" in server.asked("completion/complete")[0].params).toBe(revision >= "2025-06-18")
    }
  )

  it("needs a capability from 2025-03-26 on", async () => {
    for (const revision of ["2024-11-05", "2025-03-26"]) {
      const { client, server } = await session({ answers, revision, capabilities: {} })
      await client.complete({ prompt: "review" }, { name: "a", value: "" }).catch(() => undefined)
      await client.ping()
      expect(server.asked("completion/complete")).toHaveLength(revision === "2024-11-05" ? 1 : 0)
    }
  })
})

it("sets the level of the server's log", async () => {
  const { client, server } = await session({ answers: { "logging/setLevel": () => ({}) } })
  expect(await client.setLogLevel("warning")).toBeUndefined()
  expect(server.asked("logging/setLevel")[0].params).toEqual({ level: "warning" })
})
