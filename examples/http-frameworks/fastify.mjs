/** An MCP server on a route of Fastify. */
import { nodeHandler } from "@parley/http/node"
import Fastify from "fastify"
import { dice } from "./dice.mjs"

const mcp = nodeHandler(dice, { context: (request) => ({ player: request.headers["x-player"] }) })

const app = Fastify({ forceCloseConnections: true })
app.get("/", () => "The dice are at /mcp")
app.register(async (route) => {
  // The handler reads bodies itself, within its own limits, and answers what is no JSON as the protocol asks.
  route.removeAllContentTypeParsers()
  route.addContentTypeParser("*", (_request, _body, done) => done(null))
  route.all("/mcp", (request, reply) => {
    reply.hijack()
    mcp(request.raw, reply.raw)
  })
  route.addHook("preClose", mcp.close)
})

await app.listen({ port: Number(process.env.PORT ?? 3000), host: "localhost" })
console.log(`http://localhost:${app.server.address().port}/mcp`)
process.once("SIGTERM", () => void app.close())
