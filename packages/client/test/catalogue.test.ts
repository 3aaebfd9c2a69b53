/** When the client lists tools, and when it does not. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import { connect } from "../src/index.js"
import { hand, tool } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }
const listChanged = { capabilities: { tools: { listChanged: true } } }

describe("the tools as the client knows them", () => {
  it("are listed once for many calls, also when they come together", async () => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    await Promise.all([client.callTool("it"), client.callTool("it"), client.callTool("it")])
    await client.callTool("it")
    expect(server.asked("tools/list")).toHaveLength(1)
    expect(server.asked("tools/call")).toHaveLength(4)
  })

  it("are those that listTools found", async () => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.listTools()
    await client.callTool("it")
    expect(server.asked("tools/list")).toHaveLength(1)
  })

  it("are listed anew when the server says that they changed", async () => {
    const server = hand(listChanged)
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.callTool("it")
    server.answers["tools/list"] = () => ({ tools: [tool("new")] })
    server.tell("notifications/tools/list_changed")
    await client.ping()
    await client.callTool("new")
    await expect(client.callTool("it")).rejects.toMatchObject({
      reason: { _tag: "ToolUnlisted", tool: "it", listed: ["new"] }
    })
  })

  it("are listed anew also for one whose schema changed", async () => {
    const server = hand(listChanged)
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.callTool("it")
    server.answers["tools/list"] = () => ({ tools: [tool("it", { inputSchema: { type: "object", required: ["n"] } })] })
    server.tell("notifications/tools/list_changed")
    await client.ping()
    await expect(client.callTool("it")).rejects.toMatchObject({ reason: { _tag: "ArgumentsInvalid" } })
    expect(server.asked("tools/list")).toHaveLength(2)
  })

  it("are listed anew for a call that comes after the change, whatever is under way", async () => {
    const server = hand({ ...listChanged, answers: { "tools/list": () => undefined } })
    const client = await connect(server.channel, { clientInfo, revisions })
    const early = client.callTool("it")
    await server.until(({ method }) => method === "tools/list")
    server.tell("notifications/tools/list_changed")
    await client.ping()
    const late = client.callTool("it")
    await server.until(() => server.asked("tools/list").length === 2)
    for (const { id } of server.asked("tools/list"))
      server.send({ jsonrpc: "2.0", id, result: { tools: [tool("it")] } })
    await Promise.all([early, late])
  })

  it("are not listed anew for one whose schemas are still being loaded", async () => {
    const inputSchema = { type: "object", properties: { n: { $ref: "#/$defs/n" } }, $defs: { n: { type: "number" } } }
    const server = hand({ answers: { "tools/list": () => ({ tools: [tool("it", { inputSchema })] }) } })
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.listTools()
    await Promise.all([client.callTool("it", { n: 1 }), client.callTool("it", { n: 2 })])
    expect(server.asked("tools/list")).toHaveLength(1)
  })

  it("are not asked for by a call that was withdrawn before it began", async () => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    const call = client.callTool("it", {}, { signal: AbortSignal.abort("no") })
    await expect(call).rejects.toThrow("tools/call was abandoned: no")
    await client.ping()
    expect(server.asked("tools/list")).toEqual([])
  })

  it("are not kept when they changed while they were listed", async () => {
    const server = hand(listChanged)
    const client = await connect(server.channel, { clientInfo, revisions })
    server.answers["tools/list"] = (_, id) => {
      server.tell("notifications/tools/list_changed")
      server.send({ jsonrpc: "2.0", id, result: { tools: [tool("it")] } })
      server.answers["tools/list"] = () => ({ tools: [tool("new")] })
    }
    expect(await client.listTools()).toEqual([tool("it")])
    await expect(client.callTool("it")).rejects.toMatchObject({ reason: { _tag: "ToolUnlisted", listed: ["new"] } })
    expect(server.asked("tools/list")).toHaveLength(2)
  })

  it("are listed anew for one that is missing, because not every server says that they changed", async () => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.callTool("it")
    server.answers["tools/list"] = () => ({ tools: [tool("it"), tool("new")] })
    await client.callTool("new")
    expect(server.asked("tools/list")).toHaveLength(2)
  })

  it("do not change for a notification that was not declared", async () => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.callTool("it")
    server.tell("notifications/tools/list_changed")
    await client.ping()
    await client.callTool("it")
    expect(server.asked("tools/list")).toHaveLength(1)
  })

  it("are asked for again after a listing that failed", async () => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    server.answers["tools/list"] = () => ({ error: { code: -32603, message: "not now" } })
    await expect(client.callTool("it")).rejects.toThrow("tools/list was answered with error -32603: not now")
    server.answers["tools/list"] = () => ({ tools: [tool("it")] })
    await client.callTool("it")
  })

  it("are the reason why nothing is sent for one that is not among them", async () => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    for (const name of ["other", "__proto__", "constructor"])
      await expect(client.callTool(name)).rejects.toThrow(`The server lists no tool ${name}; it lists "it"`)
    server.answers["tools/list"] = () => ({ tools: [] })
    await expect(client.callTool("other")).rejects.toThrow("The server lists no tool other; it lists none")
    expect(server.asked("tools/call")).toEqual([])
  })

  it("may be called __proto__", async () => {
    const server = hand({ answers: { "tools/list": () => ({ tools: [tool("__proto__")] }) } })
    const client = await connect(server.channel, { clientInfo, revisions })
    await client.callTool("__proto__", { a: 1 })
    expect(server.asked("tools/call")[0].params).toEqual({ name: "__proto__", arguments: { a: 1 } })
  })

  it("are waited for no longer than the caller's signal says", async () => {
    const server = hand({ answers: { "tools/list": () => undefined } })
    const client = await connect(server.channel, { clientInfo, revisions })
    const controller = new AbortController()
    const call = client.callTool("it", {}, { signal: controller.signal })
    const { id } = await server.until(({ method }) => method === "tools/list")
    const other = client.callTool("it")
    controller.abort(new Error("enough"))
    await expect(call).rejects.toMatchObject({ reason: { _tag: "Abandoned", reason: "enough" } })
    server.send({ jsonrpc: "2.0", id, result: { tools: [tool("it")] } })
    await other
    expect(server.asked("tools/call")).toHaveLength(1)
  })
})
