/** Our client against an official server, over real pipes. */
import type { Report } from "@parley/core"
import type { Client } from "@parley/client"
import { connect as connectOver } from "@parley/client"
import { handshakeRevisions } from "@parley/core/revisions"
import { tap } from "@parley/driver"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { command } from "../../src/command.js"

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")
const everything = join(dirname(manifest), "dist", "index.js")

let client: Client | undefined
afterEach(() => client?.close())

describe.each(handshakeRevisions.map((revision) => [revision.name, revision] as const))(
  "@modelcontextprotocol/server-everything 2026.8.31 at %s",
  (name, revision) => {
    it("agrees, lists, calls, tells of progress and is cancelled", async () => {
      const { connected, sent, received, reports } = await connect([revision])
      expect(connected.peer.revision).toBe(name)
      expect(connected.asked).toBe(name)
      expect(connected.peer.info).toMatchObject({ name: "mcp-servers/everything" })
      await connected.ping()

      const tools = await connected.listTools()
      expect(tools.map((tool) => tool.name)).toContain("trigger-long-running-operation")
      expect(reports.filter(({ _tag }) => _tag === "Refused" || _tag === "Unsendable")).toEqual([])

      expect(await connected.callTool("echo", { message: "hello 👋" })).toMatchObject({
        content: [{ type: "text", text: "Echo: hello 👋" }]
      })
      await expect(connected.callTool("echo", { message: 1 })).rejects.toMatchObject({
        reason: { _tag: "ArgumentsInvalid", tool: "echo" }
      })
      const weather = await connected.callTool("get-structured-content", { location: "Chicago" })
      expect(weather.structuredContent).toMatchObject({ temperature: 36 })

      const heard: Array<number> = []
      const long = { duration: 0.03, steps: 3 }
      await connected.callTool("trigger-long-running-operation", long, {
        onProgress: ({ progress }) => heard.push(progress)
      })
      expect(heard).toEqual([1, 2, 3])

      const controller = new AbortController()
      const endless = { duration: 3_600, steps: 360_000 }
      const waiting = connected.callTool("trigger-long-running-operation", endless, {
        signal: controller.signal,
        onProgress: () => controller.abort(new Error("enough"))
      })
      await expect(waiting).rejects.toMatchObject({ reason: { _tag: "Abandoned", reason: "enough" } })
      expect(sent.at(-1)).toMatchObject({ method: "notifications/cancelled", params: { reason: "enough" } })
      const id = (sent.at(-1) as { params: { requestId: number } }).params.requestId
      await connected.ping()
      expect(received.filter((message) => message.id === id)).toEqual([])
    })
  }
)

describe("@modelcontextprotocol/server-everything 2026.8.31", () => {
  it("is asked for nothing that it did not declare", async () => {
    const { connected, sent } = await connect(handshakeRevisions)
    const before = sent.length
    await expect(connected.request("tasks/nothing")).rejects.toMatchObject({ reason: { _tag: "MethodUnknown" } })
    expect(sent.length).toBe(before)
  })

  it("leaves when the client closes", async () => {
    const { connected, exited } = await connect(handshakeRevisions)
    await connected.close()
    expect(await exited).toBeDefined()
    await expect(connected.ping()).rejects.toMatchObject({ reason: { _tag: "NotOpen" } })
  })
})

type Spoken = typeof handshakeRevisions

async function connect(revisions: Spoken) {
  const sent: Array<unknown> = []
  const received: Array<{ id?: unknown }> = []
  const reports: Array<Report> = []
  let left: (how: unknown) => void
  const exited = new Promise<unknown>((resolve) => (left = resolve))
  const server = command(process.execPath, [everything], {
    stderr: "pipe",
    // It does not leave at the end of its input.
    graceMs: 50,
    exited: (code, signal) => left([code, signal])
  })
  const channel = tap(server, {
    sent: (message) => sent.push(message),
    received: (frame) => {
      if (frame._tag === "Text") received.push(JSON.parse(frame.text) as { id?: unknown })
    }
  })
  const connected = await connectOver(channel, {
    clientInfo: { name: "parley", version: "1.0.0" },
    revisions,
    report: (report) => reports.push(report)
  })
  client = connected
  return { connected, sent, received, reports, exited }
}
