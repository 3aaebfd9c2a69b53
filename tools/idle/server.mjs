/** The server whose connections are idle, in a process of its own: its parent asks how much it holds. `bare`: nothing but `ws`. */
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { defineServer, tool } from "../../packages/server/dist/index.js"
import { listen } from "../../packages/websocket/dist/node/index.js"

let crashes = 0
const { url, count, close } = process.argv.includes("bare") ? await bare() : await ours()

function ours() {
  const echo = tool("echo", { input: { type: "object", properties: { text: { type: "string" } } } }, ({ text }) => text)
  return listen(defineServer({ name: "idle", version: "1.0.0" }, [echo]), {
    host: "127.0.0.1",
    maxConnectionsPerClient: 1_000_000,
    maxConnections: 1_000_000,
    crashed: (what, error) => {
      crashes++
      console.error(what, error)
    }
  })
}

/** What is sent comes back. */
async function bare() {
  const { WebSocketServer } = createRequire(new URL("../../packages/websocket/package.json", import.meta.url))("ws")
  const server = createServer({ noDelay: true })
  let count = 0
  const sockets = new WebSocketServer({ server, clientTracking: false, perMessageDeflate: false })
  sockets.on("connection", (socket) => {
    count++
    socket.on("message", (data) => socket.send(data.toString()))
    socket.on("error", () => {})
    socket.on("close", () => count--)
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `ws://127.0.0.1:${server.address().port}/mcp`, count: () => count, close: async () => {} }
}

process.on("message", (what) => void told(what))

async function told(what) {
  if (what === "close") {
    await close()
    process.exit(0)
  }
  for (let times = 0; times < 3; times++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ heap: heapUsed, external, rss, connections: count(), crashes })
}
// Its parent may have been killed.
process.on("disconnect", () => process.exit(1))
process.send({ url })
