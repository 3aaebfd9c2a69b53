/** Our client and our own server over real sockets, in every revision. */
import type { Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import type { Report } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import type { Live } from "@parley/server"
import { defineServer, form, live, tool } from "@parley/server"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { http } from "../../../src/client/index.js"
import { listen } from "../../../src/node/index.js"

const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const region = { type: "string", "x-mcp-header": "Region" }
let aborted: Array<string> = []
const tools = [
  tool("echo", { input: { type: "object", properties: { text: { type: "string" } } } }, ({ text }) => String(text)),
  tool("place", { input: { type: "object", properties: { region } } }, ({ region }) => String(region)),
  tool(
    "book",
    { asks: { guests } },
    async (_, call) => `${(await call.ask("guests", { message: "How many?" })).guests} guests`
  ),
  tool("count", {}, (_, call) => {
    for (const progress of [1, 2, 3]) call.progress(progress)
    return "counted"
  }),
  tool("wait", {}, (_, call) => {
    aborted.push("begun")
    return new Promise<string>((resolve) =>
      call.signal.addEventListener("abort", () => {
        aborted.push("aborted")
        resolve("aborted")
      })
    )
  })
]
const declare = { tools: { listChanged: true } } as const

let client: Client | undefined
let server: Awaited<ReturnType<typeof listen>>
let inn: Live
beforeEach(async () => {
  aborted = []
  inn = live(defineServer({ name: "inn", version: "1.0.0" }, tools, { declare }))
  server = await listen(inn, { legacySse: true })
})
afterEach(async () => {
  await client?.close()
  await server.close()
})

const ignored: Array<Report> = []
async function meet(
  prefer: NonNullable<ConnectOptions["prefer"]>,
  more: Partial<ConnectOptions> = {}
): Promise<Client> {
  ignored.length = 0
  return (client = await connect(http(server.url), {
    clientInfo: { name: "parley", version: "1.0.0" },
    prefer,
    answer: { elicit: () => ({ action: "accept", content: { guests: 4 } }) },
    report: (report) => report._tag === "Ignored" && ignored.push(report),
    ...more
  }))
}
const textOf = ({ content }: { readonly content: ReadonlyArray<unknown> }) =>
  (content[0] as { readonly text: string }).text

describe.each(revisions.map(({ name }) => name))("at %s", (revision) => {
  it("lists, calls, asks, tells of progress, cancels and is told of changes", async () => {
    let changes = 0
    const one = await meet(revision, { on: { "notifications/tools/list_changed": () => void changes++ } })
    expect(one.peer.revision).toBe(revision)
    expect((await one.listTools()).map(({ name }) => name)).toEqual(["echo", "place", "book", "count", "wait"])
    expect(textOf(await one.callTool("echo", { text: "né\n日本" }))).toBe("né\n日本")
    expect(textOf(await one.callTool("place", { region: " Zürich" }))).toBe(" Zürich")
    if (revision >= "2025-06-18") expect(textOf(await one.callTool("book"))).toBe("4 guests")
    const heard: Array<number> = []
    await one.callTool("count", {}, { onProgress: ({ progress }) => heard.push(progress) })
    expect(heard).toEqual([1, 2, 3])
    const stop = new AbortController()
    const call = one.callTool("wait", {}, { signal: stop.signal })
    await vi.waitFor(() => expect(aborted).toEqual(["begun"]), { interval: 5 })
    stop.abort("enough")
    await expect(call).rejects.toThrow("enough")
    await vi.waitFor(() => expect(aborted).toEqual(["begun", "aborted"]), { interval: 5 })
    let size = 5
    await vi.waitFor(async () => {
      await inn.set(tools.slice(0, --size % 5))
      await vi.waitFor(() => expect(changes).toBeGreaterThan(0), { interval: 5, timeout: 50 })
    })
    expect(ignored).toEqual([])
  })
})
