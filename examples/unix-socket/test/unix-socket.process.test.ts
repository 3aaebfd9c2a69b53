import type { ChildProcess } from "node:child_process"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { connect } from "@parley/client"
import { stdio } from "@parley/stdio"
import { rolldown } from "rolldown"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"

// Bundled from the sources, so that plain node runs both without a build.
const folder = mkdtempSync(join(tmpdir(), "unix-socket-"))
const path = join(folder, "s")
beforeAll(async () => {
  for (const name of ["server.mjs", "client.mjs"]) {
    const bundle = await rolldown({
      input: join(import.meta.dirname, "..", name),
      platform: "node",
      logLevel: "warn",
      tsconfig: false,
      resolve: { conditionNames: ["@parley/source", "import", "node"] }
    })
    await bundle.write({ file: join(folder, name), format: "esm", codeSplitting: false })
    await bundle.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let server: ChildProcess
beforeEach(async () => {
  server = spawn(process.execPath, [join(folder, "server.mjs"), path], { stdio: ["ignore", "pipe", "inherit"] })
  await once(createInterface({ input: server.stdout! }), "line")
})
/** One that is killed leaves its file, which the next one finds. */
afterEach(() => void server.kill("SIGKILL"))

const socket = async () => {
  const made = createConnection({ path, allowHalfOpen: true })
  await once(made, "connect")
  return made
}

it("client.mjs asks, prints what the tool says, and leaves; another one after it", async () => {
  for (let left = 2; left > 0; left--) {
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "client.mjs"), path])
    expect(stdout).toMatch(/^\d+ ms\n$/)
  }
})

it("is open to its owner alone", () => {
  expect(statSync(path).mode & 0o077).toBe(0)
})

it("is one session for each connection", async () => {
  const open = async (name: string) => {
    const made = await socket()
    const client = await connect(stdio({ input: made, output: made }), {
      clientInfo: { name, version: "1.0.0" },
      prefer: "2025-11-25"
    })
    return client
  }
  const clients = await Promise.all(["a", "b", "c"].map(open))
  const said = await Promise.all(clients.map((client) => client.callTool("uptime")))
  expect(said).toHaveLength(3)
  await Promise.all(clients.map((client) => client.close()))
})

it("answers a client that has ended its side and still reads", async () => {
  const made = await socket()
  made.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  expect(JSON.parse(await text(made))).toEqual({ jsonrpc: "2.0", id: 1, result: {} })
})

it("leaves when it is told to, though a client is there, and takes its file along", async () => {
  const made = await socket()
  const client = await connect(stdio({ input: made, output: made }), { clientInfo: { name: "x", version: "1.0.0" } })
  const left = once(server, "exit")
  server.kill("SIGTERM")
  expect(await left).toEqual([0, null])
  expect(existsSync(path)).toBe(false)
  await client.close()
})
