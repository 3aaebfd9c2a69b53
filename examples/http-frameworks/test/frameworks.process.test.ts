import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { connect } from "@parley/client"
import { http } from "@parley/http/client"
import { rolldown } from "rolldown"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"

const names = ["express.mjs", "fastify.mjs", "hono.mjs"]

// Bundled from the sources, so that plain node runs them without a build; the frameworks stay what they are.
const folder = mkdtempSync(join(import.meta.dirname, "../node_modules/.frameworks-"))
const frameworks = /^(express|fastify|hono|@hono\/node-server)$/
beforeAll(async () => {
  for (const name of names) {
    const bundle = await rolldown({
      input: join(import.meta.dirname, "..", name),
      platform: "node",
      external: frameworks,
      logLevel: "warn",
      // One program is one file here, whatever could have been loaded later.
      checks: { ineffectiveDynamicImport: false },
      tsconfig: false,
      resolve: { conditionNames: ["@parley/source", "import", "node"] }
    })
    await bundle.write({ file: join(folder, name), format: "esm", codeSplitting: false })
    await bundle.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let server: ChildProcess
afterEach(() => void server.kill("SIGKILL"))

/** Starts one, and waits until it says where it is. */
async function start(name: string): Promise<URL> {
  server = spawn(process.execPath, [join(folder, name)], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [line] = (await once(createInterface({ input: server.stdout! }), "line")) as [string]
  return new URL(line)
}

const said = (text: RegExp) => ({ content: [{ type: "text", text: expect.stringMatching(text) as string }] })

describe.each(names)("%s", (name) => {
  it("rolls dice for a client of either kind, and tells the handler who asked", async () => {
    const url = await start(name)
    for (const mode of ["legacy", "auto"] as const) {
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } })
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { "x-player": "Ada" } } }))
      expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25")
      expect((await client.listTools()).tools).toMatchObject([{ name: "roll", description: "Roll a die" }])
      const rolled = await client.callTool({ name: "roll", arguments: { sides: 6 } })
      expect(rolled).toMatchObject(said(/^Ada rolled [1-6]$/))
      await client.close()
    }
  })

  it("rolls them for the first official client", async () => {
    const client = new OldClient({ name: "test", version: "1.0.0" })
    await client.connect(new OldTransport(await start(name)))
    const rolled = await client.callTool({ name: "roll", arguments: { sides: 2 } })
    expect(rolled).toMatchObject(said(/^Somebody rolled [12]$/))
    await client.close()
  })

  it("rolls them for our own client", async () => {
    const channel = http((await start(name)).href, { headers: { "x-player": "Eve" } })
    const client = await connect(channel, { clientInfo: { name: "test", version: "1.0.0" } })
    expect(client.peer.revision).toBe("2026-07-28")
    expect(await client.callTool("roll", { sides: 3 })).toMatchObject(said(/^Eve rolled [123]$/))
    await client.close()
  })

  it("answers on other routes, and what is no JSON as the protocol asks", async () => {
    const url = await start(name)
    expect(await (await fetch(new URL("/", url))).text()).toBe("The dice are at /mcp")
    const headers = { "content-type": "application/json" }
    const garbage = await fetch(url, { method: "POST", headers, body: "{" })
    expect(garbage.status).toBe(400)
    expect(await garbage.json()).toMatchObject({ error: { code: -32700 } })
  })

  it("is gone once it is told to end, though a client still listens", async () => {
    const url = await start(name)
    const client = new OldClient({ name: "test", version: "1.0.0" })
    await client.connect(new OldTransport(url))
    await client.listTools()
    const exited = once(server, "exit")
    server.kill("SIGTERM")
    expect(await exited).toEqual([0, null])
    await client.close().catch(() => {})
  })
})
