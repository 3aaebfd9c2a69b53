/** What is done from this process for a runtime that is somewhere else: a client of its server, and a server for its client. */
import { http } from "@parley/http/client"
import { listen } from "@parley/http/node"
import { webSocket } from "@parley/websocket"
import { listen as listenForSockets } from "@parley/websocket/node"
import { verdicts } from "./checks.mjs"
import { converse } from "./converse.mjs"
import { parlour } from "./parlour.mjs"

/** What conversations with the servers at these addresses come to, `http:` and `ws:`. */
export const outside = (mcp, ws) =>
  verdicts({ fetch: () => converse(() => http(mcp)), websocket: () => converse(() => webSocket(ws)) })

/** The parlour for pages of that origin, over HTTP and over WebSocket. */
export async function forPages(allowedOrigins) {
  const all = await Promise.all([listen(parlour, { allowedOrigins }), listenForSockets(parlour, { allowedOrigins })])
  return { urls: all.map(({ url }) => url), close: () => Promise.all(all.map((one) => one.close())) }
}
