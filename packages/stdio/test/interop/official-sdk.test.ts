/** The first official client against our server, over real pipes. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"
import type { Heard } from "./hears.js"
import { hears } from "./hears.js"

let server: Bundled
let client: Client | undefined
beforeAll(async () => void (server = await bundled("../interop/server.ts")))
afterAll(() => server.remove())
afterEach(() => client?.close())

/** The client proposes 2025-11-25 and nothing else; a server that speaks one older revision offers that, and it agrees. */
describe.each([
  ["proposed by the client", "2025-11-25"],
  ["which this client can not propose, offered by the server", "2025-06-18"],
  ["which this client can not propose, offered by the server", "2025-03-26"],
  ["which this client can not propose, offered by the server", "2024-11-05"]
])("@modelcontextprotocol/sdk 1.32.2, %s: %s", (_, revision) => {
  it("agrees, lists, calls, hears progress and cancels", async () => {
    const { connected, stderr } = await connect(revision)
    expect(await stderr.line("agreed")).toBe(`agreed: 2025-11-25 ${revision}`)
    expect(connected.getServerVersion()).toEqual({ name: "interop", version: "1.0.0" })
    expect(connected.getServerCapabilities()).toEqual({ tools: {} })
    expect(connected.getInstructions()).toBe("Ask, and it shall be echoed.")
    await connected.ping()

    const first = await connected.listTools()
    const second = await connected.listTools({ cursor: first.nextCursor })
    expect([...first.tools, ...second.tools].map(({ name }) => name)).toEqual([
      "echo",
      "add",
      "count",
      "finish",
      "wait"
    ])
    expect(second.nextCursor).toBeUndefined()

    expect(await connected.callTool({ name: "echo", arguments: { text: "hello 👋" } })).toEqual({
      content: [{ type: "text", text: "hello 👋" }]
    })
    const structured = revision >= "2025-06-18"
    expect(await connected.callTool({ name: "add", arguments: { a: 2, b: 3 } })).toEqual({
      content: [{ type: "text", text: '{"sum":5}' }],
      ...(structured ? { structuredContent: { sum: 5 } } : {})
    })

    const heard: Array<number> = []
    await connected.callTool({ name: "count", arguments: { steps: 3 } }, CallToolResultSchema, {
      onprogress: ({ progress }) => {
        heard.push(progress)
        if (progress === 3) void connected.callTool({ name: "finish" })
      }
    })
    expect(heard).toEqual([1, 2, 3])

    const controller = new AbortController()
    const waiting = connected.callTool({ name: "wait" }, CallToolResultSchema, {
      signal: controller.signal,
      onprogress: () => controller.abort("enough")
    })
    await expect(waiting).rejects.toThrow("enough")
    expect(await stderr.line("interrupted")).toBe("interrupted: enough")
    await connected.ping()
  })

  it("is told what is wrong with a tool it calls wrongly", async () => {
    const { connected } = await connect(revision)
    await expect(connected.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 })
    const call = connected.callTool({ name: "echo", arguments: { text: 1 } })
    if (revision >= "2025-11-25") expect(await call).toMatchObject({ isError: true })
    else await expect(call).rejects.toMatchObject({ code: -32602 })
  })
})

async function connect(revision: string): Promise<{ connected: Client; stderr: Heard }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [server.path],
    env: { REVISION: revision },
    stderr: "pipe"
  })
  const stderr = hears(transport.stderr)
  const connected = new Client({ name: "official", version: "1.0.0" })
  client = connected
  await connected.connect(transport)
  return { connected, stderr }
}
