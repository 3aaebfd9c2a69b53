/** The server side, listening: node:http with limits of its own. */
import type { Server as HttpServer } from "node:http"
import { createServer } from "node:http"
import type { Socket } from "node:net"
import type { Live, Server } from "@parley/server"
import type { Host } from "@parley/server/host"
import type { Open } from "../server/endpoint.js"
import { checkOptions } from "../server/options.js"
import { bind, portOf } from "./bind.js"
import type { NodeOptions } from "./handler.js"
import { nodeOptions, taking } from "./handler.js"

export interface ListenOptions extends NodeOptions {
  /** Default 0: any port that is free. */
  readonly port?: number
  /**
   * The address to bind, or a name of it. Default `localhost`: both 127.0.0.1 and ::1, so that only this machine gets
   * in. Elsewhere list `allowedHosts`, the names that clients will use: of its own only the names of this machine for itself
   * are allowed, and the one given here. So with `0.0.0.0` or `::`, which are names of nothing, clients elsewhere get 403 until
   * it lists the name or address by which they come.
   */
  readonly host?: string
  /** The path that is answered; anything else is 404. Default `/mcp`. */
  readonly path?: string
  /** How long the head of a request may take to arrive, in ms; the first counts from when it is connected. Beyond it: 408. Default 10,000. */
  readonly headersMs?: number
  /** The largest head of a request, in bytes. Beyond it: 431. Default 16 KiB. */
  readonly maxHeaderBytes?: number
  /** How long a connection may be kept after an answer without another request, in ms. Default 65,000: longer than the proxies that keep connections. */
  readonly idleMs?: number
}

export interface Listening {
  /**
   * Where clients find it, such as `http://localhost:3000/mcp`. Bound to all addresses (`0.0.0.0` or `::`) it is where clients of
   * this machine do. `allowedHosts` that were given have to have its host in them, or that client is refused.
   */
  readonly url: string
  readonly port: number
  /** What is open now: answers of 2026-07-28 that are not whole yet, and sessions of older revisions. */
  readonly count: () => Open
  /**
   * Takes no further connections and requests, answers the requests that were accepted (within `drainMs`), ends streams, and
   * gives clients another 2 seconds to read. Settles when nothing listens and no connection is left.
   */
  readonly close: () => Promise<void>
}

/**
 * Serves over Streamable HTTP, all revisions at one URL. In place of a server it takes a `Host` (`@parley/server/host`), such as a
 * bridge to servers elsewhere; the options that are the server's own, such as `report`, are then the host's affair.
 *
 * ```ts
 * import { listen } from "@parley/http/node"
 * import { defineServer } from "@parley/server"
 *
 * const { url, close } = await listen(defineServer({ name: "empty", version: "1.0.0" }, []))
 * const answer = await fetch(url, { method: "PUT" })
 * answer.status // => 405
 * await close()
 * ```
 *
 * @throws TypeError (as a rejection) for an option that is none, or is of another kind, and when a schema was refused; what Node
 * says when the port is taken (`EADDRINUSE`) or the address is none of this machine's (`EADDRNOTAVAIL`). Nothing listens then.
 */
export async function listen(server: Server | Live | Host, options: ListenOptions = {}): Promise<Listening> {
  checkOptions("listen", options, listenOptions)
  const { port: asked = 0, host = "localhost", path = "/mcp", headersMs, maxHeaderBytes, idleMs, ...rest } = options
  if (asked > 65_535) throw new TypeError("listen needs a port up to 65535")
  if (!/^\/[^?#\s]*$/.test(path)) throw new TypeError('listen needs a path that begins with "/", without a query')
  const { take, ready, close, count } = taking(server, { ...rest, ...own(host, options) }, path)
  await ready

  const limits = {
    headersTimeout: headersMs ?? 10_000,
    // The body's time is kept where it is read; this is for what is thrown away.
    requestTimeout: (headersMs ?? 10_000) + (options.bodyMs ?? 10_000) + slackMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: idleMs ?? 65_000,
    maxHeaderSize: maxHeaderBytes ?? 16 * 1024,
    // Two hosts or two origins are then the name of none.
    joinDuplicateHeaders: true,
    // Machines that vanished are noticed though nothing is sent.
    keepAlive: true,
    keepAliveInitialDelay: 30_000
  }
  const sockets = new Set<Socket>()
  const make = (): HttpServer =>
    createServer(limits, (req, res) => take(req, res))
      .on("checkContinue", (req, res) => take(req, res, true))
      .on("connection", (socket: Socket) => {
        sockets.add(socket)
        socket.once("close", () => sockets.delete(socket))
      })
  const servers = await bind(make, host, asked).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const port = portOf(servers[0]!)

  let closing: Promise<void> | undefined
  const shut = async (): Promise<void> => {
    const closed = Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))))
    // Clients open connections ahead; for Node one without a request is no idle one.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    await close()
    const cut = setTimeout(() => servers.forEach((one) => one.closeAllConnections()), lingerMs)
    for (const one of servers) one.closeIdleConnections()
    await closed
    clearTimeout(cut)
  }
  return {
    url: `http://${nameOf(host)}:${port}${path}`,
    port,
    count,
    close: () => (closing ??= shut())
  }
}

const listenOptions = {
  ...nodeOptions,
  port: 0,
  host: "a string",
  path: "a string",
  headersMs: 1,
  maxHeaderBytes: 1,
  idleMs: 1
} as const

const slackMs = 5_000

const lingerMs = 2_000

/** A server bound to an address is known by it. */
function own(host: string, { allowedHosts }: ListenOptions): Pick<ListenOptions, "allowedHosts"> {
  if (allowedHosts !== undefined || loopback.has(host) || host === "0.0.0.0" || host === "::") return {}
  return { allowedHosts: ["localhost", "127.0.0.1", "[::1]", nameOf(host)] }
}

/** An address as URLs and `Host` have it. All addresses together are none to go to: the loopback one is among them. */
function nameOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"])
