/** A client process that is killed: the server finds out at once, and keeps nothing of it. */
import { spawn } from "node:child_process"
import { defineServer, tool } from "@parley/server"
import { expect, it } from "vitest"
import { listen } from "../../src/node/listen.js"

const program = `
const { WebSocket } = require("ws")
const socket = new WebSocket(process.argv[1], "mcp")
const say = (message) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }))
const clientInfo = { name: "killed", version: "1.0.0" }
socket.on("open", () => {
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } })
  say({ method: "notifications/initialized" })
  say({ id: 2, method: "tools/call", params: { name: "hang", arguments: {} } })
})
`

it("a killed client interrupts what it asked for, and leaves no connection", async () => {
  let began!: () => void
  const begun = new Promise<void>((resolve) => (began = resolve))
  let ended!: () => void
  const aborted = new Promise<void>((resolve) => (ended = resolve))
  const hang = tool("hang", {}, (_, { signal }) => {
    signal.addEventListener("abort", () => ended())
    began()
    return new Promise<string>(() => {})
  })
  const { url, count, close } = await listen(defineServer({ name: "left", version: "1.0.0" }, [hang]))
  const client = spawn(process.execPath, ["-e", program, url], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "ignore", "inherit"]
  })
  await begun
  expect(count()).toBe(1)
  client.kill("SIGKILL")
  await aborted
  await expect.poll(() => count()).toBe(0)
  await close()
})
