/** The conversation over WebSocket on Node, Bun and Deno: the server is what each has for it. */
import { acceptor, bunHandlers, webSocket } from "@parley/websocket"
import { listen } from "@parley/websocket/node"
import { converse } from "./converse.mjs"
import { parlour } from "./parlour.mjs"

const { Bun, Deno } = globalThis

export async function overWebSocket() {
  const { url, close } = await (Bun === undefined ? (Deno === undefined ? listen(parlour) : onDeno()) : onBun())
  try {
    await converse(() => webSocket(url))
  } finally {
    await close()
  }
}

function onBun() {
  const mcp = acceptor(parlour)
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    websocket: bunHandlers,
    async fetch(request, server) {
      const admitted = await mcp.admit(request, { from: server.requestIP(request)?.address })
      if (admitted instanceof Response) return admitted
      const { headers } = admitted
      return server.upgrade(request, { data: admitted, headers }) ? undefined : new Response(null, { status: 400 })
    }
  })
  return { url: `ws://127.0.0.1:${server.port}/mcp`, close: () => mcp.close().then(() => server.stop(true)) }
}

function onDeno() {
  const mcp = acceptor(parlour)
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const admitted = await mcp.admit(request)
    if (admitted instanceof Response) return admitted
    const { protocol } = admitted
    const { socket, response } = Deno.upgradeWebSocket(request, protocol === undefined ? {} : { protocol })
    admitted.serve(socket)
    return response
  })
  return { url: `ws://127.0.0.1:${server.addr.port}/mcp`, close: () => mcp.close().then(() => server.shutdown()) }
}
