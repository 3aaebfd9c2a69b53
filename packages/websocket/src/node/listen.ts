/** The server side, listening: node:http with limits of its own, for WebSockets only. */
import type { Server as HttpServer } from "node:http"
import { createServer } from "node:http"
import type { Socket } from "node:net"
import type { Live, Server } from "@parley/server"
import type { Host } from "@parley/server/host"
import { checkOptions } from "../server/options.js"
import { targetOf } from "./target.js"
import { bind, portOf } from "./bind.js"
import type { UpgradeOptions } from "./upgrader.js"
import { upgradeOptions, upgrading } from "./upgrader.js"

export interface ListenOptions extends UpgradeOptions {
  /** Default 0: any port that is free. */
  readonly port?: number
  /**
   * The address to bind, or a name of it. Default `localhost`: both 127.0.0.1 and ::1, so that only this machine gets
   * in. Elsewhere list `allowedHosts`, the names that clients will use: of its own only the names of this machine for itself
   * are allowed, and the one given here.
   */
  readonly host?: string
  /** The path that is answered; anything else is 404. Default `/mcp`. */
  readonly path?: string
  /** How long the head of a request may take to arrive, in ms. Default 10,000. */
  readonly headersMs?: number
  /** The largest head of a request, in bytes. Default 16 KiB. */
  readonly maxHeaderBytes?: number
}

export interface Listening {
  /** Where clients find it, such as `ws://localhost:3000/mcp`. */
  readonly url: string
  readonly port: number
  /** Connections that are open. */
  readonly count: () => number
  /**
   * Takes no further connections, answers the requests that were accepted (within `drainMs`), closes with 1001. Settles when nothing
   * listens and no connection is left.
   */
  readonly close: () => Promise<void>
}

/**
 * Serves over WebSocket, all revisions at one URL, a session for each connection.
 *
 * ```ts
 * import { connect } from "@parley/client"
 * import { defineServer, tool } from "@parley/server"
 * import { webSocket } from "@parley/websocket"
 * import { listen } from "@parley/websocket/node"
 *
 * const hello = tool("hello", {}, () => "Hello!")
 * const { url, close } = await listen(defineServer({ name: "greeter", version: "1.0.0" }, [hello]))
 * const client = await connect(webSocket(url), { clientInfo: { name: "demo", version: "1.0.0" } })
 * const { content } = await client.callTool("hello")
 * content // => [{ type: "text", text: "Hello!" }]
 * await client.close()
 * await close()
 * ```
 *
 * @throws TypeError (as a rejection) for an option that is none, or is of another kind, and when a schema was refused; what Node
 * says when the port is taken (`EADDRINUSE`) or the address is none of this machine's (`EADDRNOTAVAIL`). Nothing listens then.
 */
export async function listen(server: Server | Live | Host, options: ListenOptions = {}): Promise<Listening> {
  checkOptions("listen", options, listenOptions)
  const { port: asked = 0, host = "localhost", path = "/mcp", headersMs = 10_000, maxHeaderBytes, ...rest } = options
  if (asked > 65_535) throw new TypeError("listen needs a port up to 65535")
  if (!/^\/[^?#\s]*$/.test(path)) throw new TypeError('listen needs a path that begins with "/", without a query')
  const mcp = upgrading(server, { ...rest, ...own(host, options), path })
  await mcp.ready

  const limits = {
    headersTimeout: headersMs,
    requestTimeout: headersMs,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: maxHeaderBytes ?? 16 * 1024,
    // Two hosts or two origins are then the name of none.
    joinDuplicateHeaders: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // Small answers are not to wait for others.
    noDelay: true
  }
  /** Connections that are none of WebSocket, or not yet. */
  const sockets = new Set<Socket>()
  function forget(this: Socket): void {
    sockets.delete(this)
    this.off("close", forget)
  }
  const make = (): HttpServer =>
    createServer(limits, (request, response) => {
      const here = targetOf(request).path === path
      response.writeHead(here ? 426 : 404, {
        "content-type": "application/json",
        connection: here ? "upgrade, close" : "close",
        ...(here && { upgrade: "websocket" })
      })
      response.end(here ? plain : nothing)
    })
      .on("connection", (socket: Socket) => {
        sockets.add(socket)
        socket.on("close", forget)
      })
      .on("upgrade", (request, socket, head) => {
        // From here on it is looked after there.
        forget.call(socket as Socket)
        mcp(request, socket, head)
      })
  const servers = await bind(make, host, asked).catch(async (error: unknown) => {
    await mcp.close()
    throw error
  })
  const port = portOf(servers[0]!)

  let closing: Promise<void> | undefined
  const shut = async (): Promise<void> => {
    const closed = Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))))
    await mcp.close()
    const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), lingerMs)
    // Clients open connections ahead; for Node one without a request is no idle one.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    await closed
    clearTimeout(cut)
  }
  return {
    url: `ws://${host.includes(":") ? `[${host}]` : host}:${port}${path}`,
    port,
    count: mcp.count,
    close: () => (closing ??= shut())
  }
}

const listenOptions = {
  ...upgradeOptions,
  port: 0,
  host: "a string",
  headersMs: 1,
  maxHeaderBytes: 1
} as const

const plain = '{"error":"This is a WebSocket: open it with ws://, not with http://"}'
const nothing = '{"error":"Nothing is served at this path"}'

const lingerMs = 2_000

/** A server bound to an address is known by it. */
function own(host: string, { allowedHosts }: ListenOptions): Pick<ListenOptions, "allowedHosts"> {
  if (allowedHosts !== undefined || loopback.has(host) || host === "0.0.0.0" || host === "::") return {}
  return { allowedHosts: ["localhost", "127.0.0.1", "[::1]", host.includes(":") ? `[${host}]` : host] }
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"])
