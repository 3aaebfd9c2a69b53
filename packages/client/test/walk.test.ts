/** Lists of many pages, of endless pages, and with broken items. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import type { Report } from "@parley/core"
import type { Channel, ChannelEvents } from "@parley/driver"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { CallError, connect } from "../src/index.js"
import { hand, tool } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }

describe("a list of many pages", () => {
  it("comes whole and in order, by cursors that mean nothing to us", async () => {
    const pages: Record<string, object> = {
      "": { tools: [tool("a"), tool("b")], nextCursor: "" },
      again: { tools: [tool("d")], nextCursor: "last" },
      last: { tools: [] }
    }
    let first = true
    const server = hand({
      answers: {
        "tools/list": (params?: { cursor?: string }) => {
          if (params?.cursor === undefined) return pages[""]
          if (params.cursor !== "") return pages[params.cursor]
          // The same cursor twice is no end, and the empty one is a cursor.
          if (!first) return { tools: [tool("c")], nextCursor: "again" }
          first = false
          return { tools: [], nextCursor: "" }
        }
      }
    })
    const client = await connect(server.channel, { clientInfo, revisions })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["a", "b", "c", "d"])
    expect(server.asked("tools/list").map(({ params }) => params?.cursor)).toEqual([undefined, "", "", "again", "last"])
  })

  it.each([[null], [undefined]])("ends with a nextCursor that is %s", async (nextCursor) => {
    const server = hand({ answers: { "tools/list": () => ({ tools: [tool("a")], nextCursor }) } })
    const client = await connect(server.channel, { clientInfo, revisions })
    expect(await client.listTools()).toHaveLength(1)
  })

  it("is given up when it has no end, with what was found", async () => {
    let page = 0
    const server = hand({
      answers: { "tools/list": () => ({ tools: [tool(`t${page++}`)], nextCursor: "on" }) }
    })
    const client = await connect(server.channel, { clientInfo, revisions, maxPages: 3 })
    const listing = client.listTools()
    await expect(listing).rejects.toThrow("tools/list did not come to an end within 3 pages; 3 items were found")
    await expect(listing).rejects.toMatchObject({
      reason: { _tag: "WalkTooLong", pages: 3, items: [tool("t0"), tool("t1"), tool("t2")] }
    })
    expect(page).toBe(3)
  })

  it("is given up after 1,000 pages when nothing else is said", async () => {
    let page = 0
    const server = hand({ answers: { "tools/list": () => ({ tools: [], nextCursor: String(page++) }) } })
    const client = await connect(server.channel, { clientInfo, revisions })
    await expect(client.listTools()).rejects.toMatchObject({ reason: { _tag: "WalkTooLong", pages: 1_000 } })
  })

  it("is given up when all its pages together take too long, with what was found", async () => {
    const clock = simulated()
    let page = 0
    const server = hand({
      answers: {
        "tools/list": () => {
          clock.advance(40)
          return page < 2 ? { tools: [tool(`t${page++}`)], nextCursor: "on" } : undefined
        }
      }
    })
    const client = await connect(server.channel, { clientInfo, revisions, clock })
    const listing = client.listTools({ totalMs: 100 })
    listing.catch(() => undefined)
    await server.until(() => server.asked("tools/list").length === 3)
    clock.advance(40)
    await expect(listing).rejects.toMatchObject({
      message: "tools/list did not come to an end within 2 pages and 100 ms; 2 items were found",
      reason: { _tag: "WalkTooLong", pages: 2, ms: 100, items: [tool("t0"), tool("t1")] }
    })
  })

  it("fails as its page does when one takes too long by itself", async () => {
    const clock = simulated()
    const server = hand({ answers: { "tools/list": () => undefined } })
    const client = await connect(server.channel, { clientInfo, revisions, clock })
    const listing = client.listTools({ timeoutMs: 50 })
    listing.catch(() => undefined)
    await server.until(({ method }) => method === "tools/list")
    clock.advance(50)
    await expect(listing).rejects.toThrow("tools/list was not answered within 50 ms")
  })
})

describe("an item that is malformed", () => {
  it("is left out and reported, and does not hide the others", async () => {
    const reports: Array<Report> = []
    const long = { name: "long", description: "x".repeat(1_000) }
    const server = hand({
      answers: {
        "tools/list": () => ({ tools: [tool("good"), { name: "bad" }, null, 7, long, tool("also good")] })
      }
    })
    const client = await connect(server.channel, { clientInfo, revisions, report: (report) => reports.push(report) })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["good", "also good"])
    const ignored = reports.filter((report) => report._tag === "Ignored")
    expect(ignored.map(({ method, why }) => [method, why])).toEqual([
      [
        "tools/list",
        expect.stringContaining('an item was left out: inputSchema: expected an object in {"name":"bad"}')
      ],
      ["tools/list", expect.stringContaining("in null")],
      ["tools/list", expect.stringContaining("in 7")],
      ["tools/list", expect.stringMatching(/^.{100,300}\.\.\.$/)]
    ])
    await client.callTool("also good")
  })

  it("says so also of an item that nests too deep to be shown", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    const items = `[${JSON.stringify(tool("a"))},{"name":"bad","deep":${deep}}]`
    const capabilities = { tools: {} }
    const opened = { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "s", version: "1" } }
    const results: Record<string, string> = { initialize: JSON.stringify(opened), "tools/list": `{"tools":${items}}` }
    let on: ChannelEvents | undefined
    const channel: Channel = {
      cancels: "message",
      open: (events) => void (on = events),
      send: ({ message }) => {
        const { id, method } = message as { id?: number; method: string }
        const text = `{"jsonrpc":"2.0","id":${id},"result":${results[method]}}`
        if (id !== undefined) queueMicrotask(() => void on?.frame({ _tag: "Text", text, via: "a" }))
      },
      abort: () => undefined,
      close: () => Promise.resolve(on?.closed({ _tag: "Closed" }))
    }
    const reports: Array<Report> = []
    const client = await connect(channel, { clientInfo, revisions, report: (report) => reports.push(report) })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["a"])
    expect(reports).toContainEqual(
      expect.objectContaining({ why: expect.stringContaining("something nested too deep to be shown") as string })
    )
  })

  it("is not what a page is that has no list at all", async () => {
    for (const result of [{}, { tools: {} }, { tools: [], nextCursor: 7 }]) {
      const client = await connect(hand({ answers: { "tools/list": () => result } }).channel, { clientInfo, revisions })
      const listing = client.listTools()
      await expect(listing).rejects.toThrow(CallError)
      await expect(listing).rejects.toMatchObject({ reason: { _tag: "ResultInvalid", method: "tools/list" } })
    }
  })

  it("is reported in words also where it is a whole page", async () => {
    const reports: Array<Report> = []
    const { channel } = hand({ answers: { "tools/list": () => ({ tools: {} }) } })
    const client = await connect(channel, { clientInfo, revisions, report: (report) => reports.push(report) })
    await expect(client.callTool("it")).rejects.toThrow(CallError)
    expect(reports.slice(1)).toEqual([
      {
        _tag: "Ignored",
        method: "tools/list",
        id: 2,
        why: "The server's result for tools/list is not valid: tools: expected an array"
      }
    ])
  })
})
