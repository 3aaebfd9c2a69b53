/** Over WebSocket on node:http: one connection is one session. */
import { listen } from "@parley/websocket/node"
import { benchServer } from "./server.mjs"

const kit = await import(new URL("lib/toolset.mjs", process.env.BENCH_ROOT).href)
const { url } = await listen(benchServer(kit, kit.toolCount()), {
  port: 0,
  host: "127.0.0.1",
  maxConnections: 1_000_000,
  maxConnectionsPerClient: 1_000_000
})
console.log(`LISTENING ${url}`)
