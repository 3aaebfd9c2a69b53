/**
 * The program that Node, Bun and Deno run: `command.js CORPUS` does the checks and prints what they came to, as JSON;
 * `command.js serve` serves on standard streams.
 */
import { once } from "node:events"
import { readFileSync, rmSync } from "node:fs"
import { createConnection, createServer } from "node:net"
import { http } from "@parley/http/client"
import { listen } from "@parley/http/node"
import { fetchHandler } from "@parley/http/server"
import { serve } from "@parley/server"
import { command, stdio } from "@parley/stdio"
import { everywhere, verdicts } from "./checks.mjs"
import { converse } from "./converse.mjs"
import { parlour } from "./parlour.mjs"
import { overWebSocket } from "./sockets.mjs"

const [what] = process.argv.slice(2)
if (what === "serve") serve(parlour, stdio())
else {
  const corpus = JSON.parse(readFileSync(what, "utf8"))
  const adapters = { stdio: overStdio, socket: overSocket, http: overHttp, fetch: overFetch, websocket: overWebSocket }
  const checks = { ...everywhere, ...adapters }
  const found = await verdicts(checks, corpus)
  process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0))
}

/** This runtime with this program once more, as a process of its own. */
function overStdio() {
  const [program] = process.argv.slice(1)
  const flags = "Deno" in globalThis ? ["run", "-A"] : []
  return converse(() => command(process.execPath, [...flags, program, "serve"], { inherit: "all" }))
}

async function overSocket() {
  const path = `${what}.sock`
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void serve(parlour, stdio({ input: socket, output: socket }))
  })
  server.listen(path)
  await once(server, "listening")
  try {
    await converse(async () => {
      const socket = createConnection({ path, allowHalfOpen: true })
      await once(socket, "connect")
      return stdio({ input: socket, output: socket })
    })
  } finally {
    server.close()
  }
}

async function overHttp() {
  const { url, close } = await listen(parlour)
  try {
    await converse(() => http(url))
  } finally {
    await close()
  }
}

/** The runtime's own server where it has one that takes a fetch handler; else the handler by itself. */
async function overFetch() {
  const handler = fetchHandler(parlour)
  const { url, end, fetch } = await served(handler)
  try {
    await converse(() => http(url, fetch === undefined ? {} : { fetch }))
  } finally {
    await handler.close()
    await end?.()
  }
}

async function served(handler) {
  const { Bun, Deno } = globalThis
  if (Bun !== undefined) {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: (request) => handler(request) })
    return { url: `http://127.0.0.1:${server.port}/mcp`, end: () => server.stop(true) }
  }
  if (Deno !== undefined) {
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => handler(request))
    return { url: `http://127.0.0.1:${server.addr.port}/mcp`, end: () => server.shutdown() }
  }
  return { url: "http://127.0.0.1/mcp", fetch: (url, init) => handler(new Request(url, init)) }
}
