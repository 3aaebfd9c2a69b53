/** The program that workerd runs: `/check` does the checks on the corpus that it is sent, `/mcp` and `/ws` are the parlour. */
import { http } from "@parley/http/client"
import { fetchHandler } from "@parley/http/server"
import { acceptor } from "@parley/websocket"
import { compiles, everywhere, verdicts } from "./checks.mjs"
import { converse } from "./converse.mjs"
import { parlour } from "./parlour.mjs"

const handler = fetchHandler(parlour)
const sockets = acceptor(parlour)

/** The client is in the worker as well. */
const within = (url, init) => handler(new Request(url, init))
const overFetch = () => converse(() => http("http://127.0.0.1/mcp", { fetch: within }))

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    if (pathname === "/mcp") return handler(request, env, ctx)
    if (pathname === "/ws") return socket(request)
    const found = await verdicts({ ...everywhere, inside: overFetch }, await request.json())
    return Response.json({ ...found, compiles: compiles() })
  }
}

async function socket(request) {
  const admitted = await sockets.admit(request)
  if (admitted instanceof Response) return admitted
  const [theirs, ours] = Object.values(new WebSocketPair())
  ours.accept()
  admitted.serve(ours)
  return new Response(null, { status: 101, webSocket: theirs, headers: admitted.headers })
}
