/** Our client and our server on a link: whatever revision they agree on, the same program says and hears the same. */
import { revisions, v2026_07_28 } from "@parley/core/revisions"
import type { Report } from "@parley/core"
import type { Frame } from "@parley/driver"
import { link, tap } from "@parley/driver"
import { defineServer, form, live, prompt, resource, serve, tool } from "@parley/server"
import { describe, expect, it, vi } from "vitest"
import type { ConnectOptions } from "../src/index.js"
import { connect } from "../src/index.js"

const clientInfo = { name: "client", version: "1.0.0" }
const uri = "note://today"

function inn() {
  const sizes = form({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const)
  const book = tool("book", { asks: { sizes } }, async (_, call) => {
    call.log("info", "asking")
    const { n } = await call.ask("sizes", { message: "How many?" })
    call.progress(1)
    return `for ${n}`
  })
  const note = resource(uri, { name: "note" }, () => "Be kind.")
  const greeting = prompt("greeting", {}, () => "Hello!")
  const declare = { tools: { listChanged: true }, resources: { subscribe: true }, logging: true } as const
  const all = [book, note, greeting]
  return { all, server: live(defineServer({ name: "inn", version: "1.0.0" }, all, { declare })) }
}

async function guest(more: Partial<ConnectOptions> = {}) {
  const [near, far] = link()
  const { server, all } = inn()
  serve(server, far)
  const client = await connect(near, {
    clientInfo,
    answer: { elicit: () => ({ action: "accept", content: { n: 2 } }) },
    ...more
  })
  return { client, server, all }
}

describe.each(
  revisions.filter(({ name }) => name >= "2025-06-18").map((revision) => [revision.name, revision] as const)
)("at %s", (_, revision) => {
  it("a tool logs, asks, tells how far it is, and answers", async () => {
    const logged: Array<unknown> = []
    const { client } = await guest({
      revisions: [revision],
      on: { "notifications/message": ({ data }) => logged.push(data) }
    })
    await client.setLogLevel("debug")
    const far: Array<number> = []
    const { content } = await client.callTool("book", {}, { onProgress: ({ progress }) => far.push(progress) })
    expect([content, logged, far]).toEqual([[{ type: "text", text: "for 2" }], ["asking"], [1]])
    await client.close()
  })

  it("what changes is told to those who listen", async () => {
    const { client, server, all } = await guest({ revisions: [revision] })
    const note = client.subscribe(uri)
    await note.ready
    const changed = new Promise<void>((resolve) => client.on("notifications/tools/list_changed", () => resolve()))
    await client.ping()
    await client.ping()
    server.updated(uri)
    expect((await note.next()).value?.uri).toBe(uri)
    await server.set([...all, tool("more", {}, () => "")])
    await changed
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["book", "more"])
    await client.close()
  })

  it("lists, prompts, resources and what is unknown are the same", async () => {
    const { client } = await guest({ revisions: [revision] })
    expect((await client.listResources()).map((one) => one.uri)).toEqual([uri])
    expect((await client.readResource(uri)).contents).toEqual([{ uri, text: "Be kind." }])
    expect((await client.getPrompt("greeting")).messages).toHaveLength(1)
    await expect(client.callTool("nothing")).rejects.toMatchObject({ reason: { _tag: "ToolUnlisted" } })
    await expect(client.readResource("note://none")).rejects.toMatchObject({ reason: { _tag: "Answered" } })
    await client.close()
    expect(await client.closed).toEqual({ _tag: "Closed" })
  })
})

it("by default the newest revision is agreed on", async () => {
  const { client } = await guest()
  expect(client.peer).toMatchObject({ revision: "2026-07-28", info: { name: "inn", version: "1.0.0" } })
  await client.close()
})

it("what was remembered of a server that speaks older revisions only now ends the session, which says why", async () => {
  const { client } = await guest()
  const { prior } = client
  await client.close()
  const [near, far] = link()
  const older = revisions.filter((revision) => revision !== v2026_07_28)
  serve(defineServer({ name: "inn", version: "0.9.0" }, [tool("book", {}, () => "")], { revisions: older }), far)
  const again = await connect(near, { clientInfo, prior })
  await expect(again.listTools()).rejects.toMatchObject({ reason: { _tag: "Answered" } })
  await again.closed
  await expect(again.listTools()).rejects.toThrow(/prior/)
})

it("hears the end of a stream as it is to be, by its result and its cancellation, and reports what it means, once", async () => {
  const [near, far] = link()
  const listed = defineServer({ name: "listed", version: "1.0.0" }, [tool("it", {}, () => "done")], {
    declare: { tools: { listChanged: true } }
  })
  const serving = serve(listed, far)
  const [said, reports]: [Array<unknown>, Array<Report>] = [[], []]
  const heard = (frame: Frame): void => void (frame._tag === "Text" && said.push(JSON.parse(frame.text)))
  const client = await connect(tap(near, { received: heard }), {
    clientInfo,
    prefer: "2026-07-28",
    report: (report) => reports.push(report)
  })
  client.on("notifications/tools/list_changed", () => undefined)
  await vi.waitFor(() => expect(said).toHaveLength(2))
  await serving.close()
  await client.closed
  expect(said.slice(2)).toMatchObject([
    { id: 2, result: { resultType: "complete" } },
    { method: "notifications/cancelled", params: { requestId: 2 } }
  ])
  expect(reports).toMatchObject([
    { _tag: "Agreed" },
    { why: expect.stringMatching(/^the server ended the stream; it is asked for again in \d+ ms$/) }
  ])
})
