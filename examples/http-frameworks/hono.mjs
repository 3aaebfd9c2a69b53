/** An MCP server on a route of Hono: here on Node, and the same on Workers, Deno and Bun without the last lines. */
import { serve } from "@hono/node-server"
import { fetchHandler } from "@parley/http/server"
import { Hono } from "hono"
import { dice } from "./dice.mjs"

const mcp = fetchHandler(dice, {
  context: (request) => ({ player: request.headers.get("x-player") }),
  from: (_request, env) => env.incoming.socket.remoteAddress // on Node; other platforms need no telling
})

const app = new Hono()
app.all("/mcp", (c) => mcp(c.req.raw, c.env))
app.get("/", (c) => c.text("The dice are at /mcp"))

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: "localhost" }, ({ port }) =>
  console.log(`http://localhost:${port}/mcp`)
)
process.once("SIGTERM", () => {
  server.close()
  void mcp.close().then(() => server.closeAllConnections())
})
