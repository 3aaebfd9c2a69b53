/** `parley bridge URL`: clients on streams, and real servers over HTTP. */
import { Client as Second } from "@modelcontextprotocol/client"
import { Client as First } from "@modelcontextprotocol/sdk/client/index.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import type { Revision } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import type { Listening } from "@parley/http/node"
import { listen } from "@parley/http/node"
import { defineServer, form, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import { parley, spoken } from "../stage.js"

const region = { type: "string", "x-mcp-header": "Region" } as const
const guests = { type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] } as const

const withdrawn: Array<string> = []
const tools = [
  tool("where", { input: { type: "object", properties: { region } } }, ({ region }) => `in ${region}`),
  tool("dinner", { asks: { guests: form(guests) } }, async (_, call) => {
    const answer = await call.ask("guests", { message: "How many?" })
    return `for ${answer.guests}`
  }),
  tool(
    "long",
    {},
    (_, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          withdrawn.push("long")
          reject(signal.reason as Error)
        })
      )
  )
]

let listening: Listening | undefined
afterEach(() => listening?.close())

const serving = async (only?: string, more: Parameters<typeof listen>[1] = {}): Promise<string> => {
  const spoken: ReadonlyArray<Revision> = only === undefined ? revisions : revisions.filter(({ name }) => name === only)
  listening = await listen(defineServer({ name: "far", version: "1.0.0" }, tools, { revisions: spoken }), more)
  return listening.url
}

const me = { name: "demo", version: "1.0.0" }

describe("official clients on streams use a server over HTTP", () => {
  it("by a handshake, and answer what it asks", async () => {
    const first = new First(me, { capabilities: { elicitation: {} } })
    first.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { guests: 3 } }))
    await first.connect(spoken(["bridge", await serving()]) as never)
    expect((await first.listTools()).tools.map(({ name }) => name)).toEqual(["where", "dinner", "long"])
    expect((await first.callTool({ name: "dinner" })).content).toEqual([{ type: "text", text: "for 3" }])
    await first.close()
  })

  it("of 2026-07-28, with the headers that its tools want", async () => {
    const second = new Second(me, { versionNegotiation: { mode: "auto" } })
    await second.connect(spoken(["bridge", await serving("2026-07-28")]) as never)
    expect(second.getProtocolEra()).toBe("modern")
    await second.listTools()
    const where = await second.callTool({ name: "where", arguments: { region: "eu" } })
    expect(where.content).toEqual([{ type: "text", text: "in eu" }])
    const leave = new AbortController()
    const long = second.callTool({ name: "long" }, { signal: leave.signal })
    setTimeout(() => leave.abort(), 50)
    await expect(long).rejects.toThrow()
    await expect.poll(() => withdrawn).toEqual(["long"])
    await second.close()
  })
})

it("lists the tools itself for a call whose headers its client knows nothing of", async () => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": me,
    "io.modelcontextprotocol/clientCapabilities": {}
  }
  const params = { name: "where", arguments: { region: "eu" }, _meta }
  const call = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`
  const { code, stdout, stderr } = await parley(["bridge", await serving("2026-07-28")], { input: call })
  expect([code, stderr]).toEqual([0, ""])
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { content: [{ type: "text", text: "in eu" }] } })
})

it("opens the session again that the server has ended", async () => {
  const first = new First(me)
  const url = await serving("2025-11-25")
  const { port } = listening!
  await first.connect(spoken(["bridge", url]) as never)
  await listening!.close()
  await serving("2025-11-25", { port })
  expect((await first.callTool({ name: "where", arguments: { region: "eu" } })).content).toEqual([
    { type: "text", text: "in eu" }
  ])
  await first.close()
})

it("sends the headers that it is given, answers by an error where there is no server, and ends with its input", async () => {
  const url = await serving(undefined, {
    authenticate: ({ header }) =>
      header("authorization") === "Bearer s3cret" ? { principal: "me" } : { unauthorized: { scope: "all" } }
  })
  const hello = `${JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: me }
  })}\n`
  const let_in = await parley(["bridge", "--header", "Authorization: Bearer s3cret", url], { input: hello })
  expect([let_in.code, let_in.stderr]).toEqual([0, ""])
  expect(JSON.parse(let_in.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "far" } } })
  const turned_away = await parley(["bridge", "--header", "Authorization: Bearer wr0ng", url], { input: hello })
  expect(JSON.parse(turned_away.stdout)).toMatchObject({ id: 1, error: { data: { status: 401 } } })
  expect(turned_away.stdout + turned_away.stderr).not.toContain("wr0ng")
  await listening!.close()
  const nobody = await parley(["bridge", url], { input: `not JSON\n${hello}` })
  expect(nobody.stdout).toContain('"code":-32700')
  expect(JSON.parse(nobody.stdout.split("\n")[1]!)).toMatchObject({ id: 1, error: { code: -32603 } })
})
