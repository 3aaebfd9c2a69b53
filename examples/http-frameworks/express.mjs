/** An MCP server on a route of Express. */
import { nodeHandler } from "@parley/http/node"
import express from "express"
import { dice } from "./dice.mjs"

const mcp = nodeHandler(dice, { context: (request) => ({ player: request.get("x-player") }) })

const app = express()
app.all("/mcp", mcp) // before or after express.json(), as you like
app.get("/", (_request, response) => response.send("The dice are at /mcp"))

const server = app.listen(process.env.PORT ?? 3000, "localhost", () =>
  console.log(`http://localhost:${server.address().port}/mcp`)
)
process.once("SIGTERM", () => {
  server.close()
  void mcp.close().then(() => server.closeAllConnections())
})
