import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { connect } from "@parley/client"
import { command } from "@parley/stdio"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, expect, it } from "vitest"

const source = join(import.meta.dirname, "../server.mjs")

// Bundled from the sources, so that plain node runs it without a build.
const folder = mkdtempSync(join(tmpdir(), "bare-core-"))
const program = join(folder, "server.mjs")
let modules: ReadonlyArray<string> = []
beforeAll(async () => {
  const bundle = await rolldown({
    input: source,
    platform: "node",
    logLevel: "warn",
    tsconfig: false,
    resolve: { conditionNames: ["@parley/source", "import", "node"] }
  })
  const { output } = await bundle.write({ file: program, format: "esm", codeSplitting: false })
  modules = output[0].moduleIds
  await bundle.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each(["2025-11-25", "2026-07-28"])("adds for our client on %s", async (prefer) => {
  const channel = command(process.execPath, [program], { stderr: "pipe" })
  const client = await connect(channel, { clientInfo: { name: "test", version: "1.0.0" }, prefer: prefer as never })
  expect(client.peer).toMatchObject({ revision: prefer, capabilities: { tools: {} } })
  expect(await client.listTools()).toMatchObject([{ name: "add", inputSchema: { required: ["a", "b"] } }])
  expect((await client.callTool("add", { a: 1, b: 2 })).content).toEqual([{ type: "text", text: "3" }])
  const wrong = { name: "add", arguments: { a: "1", b: 2 } }
  expect(await client.request("tools/call", wrong)).toMatchObject({ isError: true })
  await client.close()
})

it("adds for the official client", async () => {
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], stderr: "pipe" }))
  const { content } = await client.callTool({ name: "add", arguments: { a: 20, b: 22 } })
  expect(content).toEqual([{ type: "text", text: "42" }])
  await client.close()
})

it("answers garbage and what was not declared, and what it accepted before the input ended, and leaves", async () => {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] })
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } }
  const call = { name: "add", arguments: { a: 1, b: 2 } }
  const sent = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", id: 2, method: "resources/list" },
    { jsonrpc: "2.0", id: 3, method: "tools/call", params: call }
  ]
  child.stdin.end(`{garbage\n${sent.map((one) => JSON.stringify(one)).join("\n")}`)
  const code = new Promise((resolve) => child.once("exit", resolve))
  const answers = (await text(child.stdout)).trimEnd().split("\n")
  const parsed = answers.map((line): unknown => JSON.parse(line))
  expect(parsed).toHaveLength(4)
  expect(parsed).toMatchObject([
    { error: { code: -32700 } },
    { id: 1, result: { protocolVersion: "2025-11-25" } },
    { id: 2, error: { code: -32601 } },
    { id: 3, result: { content: [{ text: "3" }] } }
  ])
  expect(await code).toBe(0)
})

it("takes forty lines, and nothing but the core", () => {
  expect(readFileSync(source, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(40)
  const outside = modules.filter((id) => !/\/(packages\/core\/src|examples\/bare-core)\//.test(id))
  expect(outside.filter((id) => !id.startsWith("\0"))).toEqual([])
})
