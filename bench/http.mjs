/** Over node:http, sessions and single requests at one URL. */
import { listen } from "@parley/http/node"
import { benchServer } from "./server.mjs"

const kit = await import(new URL("lib/toolset.mjs", process.env.BENCH_ROOT).href)
const { url } = await listen(benchServer(kit, kit.toolCount()), {
  port: 0,
  host: "127.0.0.1",
  maxSessions: 1_000_000,
  maxSessionsPerClient: 1_000_000
})
console.log(`LISTENING ${url}`)
