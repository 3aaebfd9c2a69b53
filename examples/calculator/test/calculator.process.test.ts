import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { connect } from "@parley/client"
import { command } from "@parley/stdio"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const servers = ["ten-lines.mjs", "with-zod.mjs", "with-arktype.mjs", "with-json-schema.mjs", "with-effect.mjs"]
const source = (name: string): string => join(import.meta.dirname, "..", name)

// Bundled from the sources, so that plain node runs them without a build.
const folder = mkdtempSync(join(tmpdir(), "calculator-"))
const program = (name: string): string => join(folder, name)
beforeAll(async () => {
  writeFileSync(program("package.json"), '{ "type": "module" }')
  const bundle = await rolldown({
    input: Object.fromEntries(["client.mjs", ...servers].map((name) => [name.slice(0, -4), source(name)])),
    platform: "node",
    logLevel: "warn",
    tsconfig: false,
    resolve: { conditionNames: ["@parley/source", "import", "node"] }
  })
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" })
  await bundle.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(servers)("%s", (name) => {
  it("lists one tool, adds, and refuses what is no number", async () => {
    const channel = command(process.execPath, [program(name)], { stderr: "pipe" })
    const client = await connect(channel, { clientInfo: { name: "test", version: "1.0.0" } })
    expect(client.peer.info).toEqual({ name: "calculator", version: "1.0.0" })
    expect(client.peer.capabilities).toEqual({ tools: {} })
    const number = expect.objectContaining({ type: "number" })
    expect(await client.listTools()).toMatchObject([
      {
        name: "add",
        description: "Add two numbers",
        inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
        outputSchema: { type: "object", properties: { sum: number }, required: ["sum"] }
      }
    ])
    expect((await client.callTool("add", { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 })
    const wrong = { name: "add", arguments: { a: "1", b: 2 } }
    expect(await client.request("tools/call", wrong)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Invalid arguments for tool add: a\b/) }]
    })
    await client.close()
  })

  it("is what client.mjs adds with", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program("client.mjs"), program(name)])
    expect(stdout).toBe("add: Add two numbers\n{ sum: 3 }\n")
  })
})

it("client.mjs finds a server beside itself by its name alone, from any folder", async () => {
  const run = promisify(execFile)(process.execPath, [program("client.mjs"), "with-zod.mjs"], { cwd: tmpdir() })
  expect((await run).stdout).toBe("add: Add two numbers\n{ sum: 3 }\n")
})

it("client.mjs takes the ten lines when it is told nothing", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program("client.mjs")])
  expect(stdout).toBe("add: Add two numbers\n{ sum: 3 }\n")
})

it("ten-lines.mjs has ten lines", () => {
  expect(readFileSync(source("ten-lines.mjs"), "utf8").trimEnd().split("\n")).toHaveLength(10)
})
