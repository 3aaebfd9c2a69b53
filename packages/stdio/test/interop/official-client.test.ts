/** The second official client against our server, over real pipes. */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
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

const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

describe.each(revisions)("@modelcontextprotocol/client 2.4.0, which proposes %s", (revision) => {
  it("agrees, lists, calls, hears progress and cancels", async () => {
    const { connected, stderr } = await connect({ supportedProtocolVersions: [revision] })
    expect(await stderr.line("agreed")).toBe(`agreed: ${revision} ${revision}`)
    await converse(connected, stderr, revision)
  })

  it("is told what is wrong with a tool it calls wrongly", async () => {
    const { connected } = await connect({ supportedProtocolVersions: [revision] })
    await expect(connected.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 })
    const call = connected.callTool({ name: "echo", arguments: { text: 1 } })
    if (revision >= "2025-11-25") expect(await call).toMatchObject({ isError: true })
    else await expect(call).rejects.toMatchObject({ code: -32602 })
  })
})

describe("@modelcontextprotocol/client 2.4.0, otherwise", () => {
  it.each(revisions.slice(1))("proposes its newest and agrees to %s when that is offered", async (revision) => {
    const { connected, stderr } = await connect({}, { REVISION: revision })
    expect(await stderr.line("agreed")).toBe(`agreed: 2025-11-25 ${revision}`)
    await converse(connected, stderr, revision)
  })

  it("probes for 2026-07-28 and falls back to the handshake", async () => {
    const { connected, stderr } = await connect({ versionNegotiation: { mode: "auto" } })
    expect(await stderr.line("agreed")).toBe("agreed: 2025-11-25 2025-11-25")
    await converse(connected, stderr, "2025-11-25")
  })
})

async function converse(connected: Client, stderr: Heard, revision: string): Promise<void> {
  expect(connected.getServerVersion()).toEqual({ name: "interop", version: "1.0.0" })
  expect(connected.getServerCapabilities()).toEqual({ tools: {} })
  expect(connected.getInstructions()).toBe("Ask, and it shall be echoed.")
  await connected.ping()

  const { tools } = await connected.listTools()
  expect(tools.map(({ name }) => name)).toEqual(["echo", "add", "count", "finish", "wait"])

  expect(await connected.callTool({ name: "echo", arguments: { text: "hello 👋" } })).toMatchObject({
    content: [{ type: "text", text: "hello 👋" }]
  })
  const added = await connected.callTool({ name: "add", arguments: { a: 2, b: 3 } })
  expect(added).toMatchObject({ content: [{ type: "text", text: '{"sum":5}' }] })
  if (revision >= "2025-06-18") expect(added).toMatchObject({ structuredContent: { sum: 5 } })
  else expect(added).not.toHaveProperty("structuredContent")

  const heard: Array<number> = []
  await connected.callTool(
    { name: "count", arguments: { steps: 3 } },
    {
      onprogress: ({ progress }) => {
        heard.push(progress)
        if (progress === 3) void connected.callTool({ name: "finish" })
      }
    }
  )
  expect(heard).toEqual([1, 2, 3])

  const controller = new AbortController()
  const waiting = connected.callTool(
    { name: "wait" },
    { signal: controller.signal, onprogress: () => controller.abort("enough") }
  )
  await expect(waiting).rejects.toThrow("enough")
  expect(await stderr.line("interrupted")).toBe("interrupted: enough")
  await connected.ping()
}

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>

async function connect(
  options: Options,
  env: Record<string, string> = {}
): Promise<{ connected: Client; stderr: Heard }> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [server.path], env, stderr: "pipe" })
  const stderr = hears(transport.stderr)
  const connected = new Client({ name: "official", version: "1.0.0" }, options)
  client = connected
  await connected.connect(transport)
  return { connected, stderr }
}
