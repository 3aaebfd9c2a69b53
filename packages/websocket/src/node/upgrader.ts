/** The server side in a server of node:http of one's own: a function for its `upgrade` event. */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import type { Live, Server } from "@parley/server"
import type { Host } from "@parley/server/host"
import { WebSocketServer } from "ws"
import { NodeLine } from "../line/node-line.js"
import { targetOf } from "./target.js"
import type { Let, Refused } from "../server/gate.js"
import { gate, refused } from "../server/gate.js"
import { offersOf } from "../line/offers.js"
import type { SocketOptions } from "../server/options.js"
import { checkOptions, defaultLimit } from "../server/options.js"

export interface UpgradeOptions extends SocketOptions {
  /** Made of each request, before anything of it is judged, and handed to handlers as `call.context`. What it throws is answered with 500. */
  readonly context?: (request: IncomingMessage) => unknown
  /**
   * Who asks, as far as it can be told without asking: caps are counted by it. Default: the address at the other end of the
   * connection. Behind a proxy of yours take what the proxy says, such as `(request) => request.headers["x-real-ip"]`.
   */
  readonly from?: (request: IncomingMessage) => string | string[] | undefined
  /** The only path that is answered; elsewhere 404. Default: any. */
  readonly path?: string
}

/** The options that only `node:http` has. */
export const upgradeOptions = { context: "a function", from: "a function", path: "a string" } as const

export interface Upgrader {
  /** Answers a request to open a WebSocket. */
  (request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Settles when connections can be served; requests that come before wait. Rejects when a schema was refused; the error names the tool. */
  readonly ready: Promise<void>
  /** Takes no more connections (503), answers the requests that were accepted (within `drainMs`), and closes all with 1001. */
  readonly close: () => Promise<void>
  /** Connections that are open. */
  readonly count: () => number
}

/**
 * Opens WebSockets on a server of your own, beside whatever else it answers: at the same port and path as Streamable HTTP, if you like.
 *
 * ```ts
 * import { createServer } from "node:http"
 * import { defineServer } from "@parley/server"
 * import { upgrader } from "@parley/websocket/node"
 *
 * const mcp = upgrader(defineServer({ name: "empty", version: "1.0.0" }, []), { path: "/mcp" })
 * const server = createServer().on("upgrade", mcp) // createServer(nodeHandler(...)) for both; server.listen(...)
 * await mcp.close()
 * ```
 *
 * @throws TypeError for an option that is none, or is of another kind
 */
export function upgrader(server: Server | Live | Host, options: UpgradeOptions = {}): Upgrader {
  checkOptions("upgrader", options, upgradeOptions)
  return upgrading(server, options)
}

/** Options that were looked at already. */
export function upgrading(server: Server | Live | Host, options: UpgradeOptions): Upgrader {
  const { context, from, path, ...own } = options
  const { judge, serve, ready, close, count } = gate(server, own)
  const limit = options.maxMessageBytes ?? defaultLimit
  const crashed = options.crashed ?? ((what, error) => console.error(`The handler of ${what} failed:`, error))
  // The declarations are of an older version, and do not have it.
  const undeclared = { closeTimeout: options.closeMs ?? 2_000 }
  const opening = new WebSocketServer({
    noServer: true,
    // Its own answers end the connection when there are many at once.
    autoPong: false,
    clientTracking: false,
    // A message of a few bytes may unfold to gigabytes, each connection holds memory for it, and what is compressed together leaks by its length.
    perMessageDeflate: false,
    maxPayload: Math.min(limit, 2 ** 31 - 1),
    ...undeclared,
    handleProtocols: (_, request) => (offersOf(offered(request)) as { readonly protocol?: string }).protocol ?? false
  })

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const said = await judged(request)
    socket.off("error", ignored)
    if (socket.destroyed) return
    if (said._tag === "Refused") return turnAway(socket, said)
    opening.handleUpgrade(request, socket, head, (opened) => serve(new NodeLine(opened, limit, socket), said))
  }

  async function judged(request: IncomingMessage): Promise<Refused | Let> {
    const target = targetOf(request)
    if (path !== undefined && target.path !== path) return refused(404, "Not found: nothing is served at this path")
    if (target.elsewhere) return refused(400, "Bad request: the target of the request has another host than Host")
    if (request.httpVersion === "1.0") return refused(400, "Bad request: a WebSocket is opened by HTTP/1.1")
    try {
      const who = from === undefined ? (request.socket.remoteAddress ?? undefined) : from(request)?.toString()
      return await judge({ target: target.text, from: who, header: headersOf(request), context: context?.(request) })
    } catch (error) {
      crashed("a WebSocket request", error)
      return refused(500, "Internal error", -32603)
    }
  }

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Whoever leaves meanwhile is no failure of ours.
    socket.on("error", ignored)
    void open(request, socket, head)
  }
  return Object.assign(upgrade, { ready, close, count })
}

const ignored = (): void => {}

const offered = (request: IncomingMessage): string | undefined => headersOf(request)("sec-websocket-protocol")

const headersOf =
  ({ headers }: IncomingMessage) =>
  (name: string): string | undefined => {
    const value = headers[name.toLowerCase()]
    return typeof value === "object" ? value.join(", ") : value
  }

/** The connection is no connection of HTTP any more: the refusal is written by hand. */
function turnAway(socket: Duplex, { status, headers, body }: Refused): void {
  const all = { ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.on("error", ignored)
  socket.end(`HTTP/1.1 ${status} ${phrases[status] ?? "Refused"}\r\n${lines.join("\r\n")}\r\n\r\n${body}`)
  // Who does not read it is not waited for.
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  timer.unref()
  socket.once("close", () => clearTimeout(timer))
  socket.resume()
}

const lingerMs = 2_000

const phrases: { readonly [status: number]: string } = {
  400: "Bad Request",
  405: "Method Not Allowed",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  426: "Upgrade Required",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable"
}
