/** The server side for platforms that open WebSockets themselves: Deno, Bun, Workers, and whatever else has them. */
import type { Channel } from "@parley/driver"
import type { Live, Server } from "@parley/server"
import type { Host } from "@parley/server/host"
import { NodeLine } from "../line/node-line.js"
import type { Line } from "../line/line.js"
import { SocketChannel } from "../line/socket-channel.js"
import type { SocketLike } from "../line/web-line.js"
import { WebLine } from "../line/web-line.js"
import type { BunSocket } from "./bun.js"
import { BunLine } from "./bun.js"
import type { Let, Refused } from "./gate.js"
import { gate, refused } from "./gate.js"
import type { SocketOptions } from "./options.js"
import { checkOptions, defaultLimit } from "./options.js"

export interface Acceptor {
  /**
   * Judges a request to open a WebSocket: its Host, its Origin, its subprotocols, who asks, and how many there are already. A
   * `Response` is the refusal, to be sent. Never rejects: what is no request is told to `crashed`, and answered with 500. `from`: who is at the other end, such as an address; caps are
   * counted by it. `context`: what handlers get as `call.context`.
   */
  readonly admit: (request: Request, about?: About) => Promise<Response | Admission>
  /** Settles when connections can be served. Rejects when a schema was refused; the error names the tool. */
  readonly ready: Promise<void>
  /** Takes no more connections, answers the requests that were accepted (within `drainMs`), and closes all with 1001. */
  readonly close: () => Promise<void>
  /** Connections that are open. */
  readonly count: () => number
}

export interface About {
  readonly from?: string | undefined
  readonly context?: unknown
}

/** A request that may become a connection. */
export interface Admission {
  /** The subprotocol to answer with; none where the client offered none. */
  readonly protocol: string | undefined
  /** The same as a header, for platforms that are given headers. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Serves the connection: a WebSocket of the platform that is open or about to be, or one of Bun in its `open`. One that never opens
   * is let go after `silenceMs`.
   * @throws TypeError for what is no WebSocket, and when it is called once more
   */
  readonly serve: (socket: SocketLike | BunSocket) => void
}

/**
 * Serves connections that the platform accepts, one session each.
 *
 * ```ts no-run
 * import { defineServer } from "@parley/server"
 * import { acceptor } from "@parley/websocket"
 *
 * const mcp = acceptor(defineServer({ name: "empty", version: "1.0.0" }, []), { allowedHosts: ["mcp.example.com"] })
 *
 * type Upgrade = (request: Request, options: { protocol?: string }) => { socket: WebSocket; response: Response }
 *
 * // On Deno: Deno.serve((request) => answer(request, Deno.upgradeWebSocket))
 * const answer = async (request: Request, upgrade: Upgrade): Promise<Response> => {
 *   const admitted = await mcp.admit(request)
 *   if (admitted instanceof Response) return admitted
 *   const { protocol } = admitted
 *   const { socket, response } = upgrade(request, protocol === undefined ? {} : { protocol })
 *   admitted.serve(socket)
 *   return response
 * }
 * ```
 *
 * @throws TypeError for an option that is none, or is of another kind
 */
export function acceptor(server: Server | Live | Host, options: SocketOptions = {}): Acceptor {
  checkOptions("acceptor", options)
  const { judge, serve, ready, close, count } = gate(server, options)
  const limit = options.maxMessageBytes ?? defaultLimit
  const crashed = options.crashed ?? ((what, error) => console.error(`The handler of ${what} failed:`, error))
  const admission = (one: Let): Admission => {
    let served = false
    return {
      protocol: one.protocol,
      headers: one.protocol === undefined ? {} : { "sec-websocket-protocol": one.protocol },
      serve: (socket) => {
        const line = lineOf(socket, limit)
        if (served) throw new TypeError("This admission has served its connection already: admit each request")
        served = true
        serve(line, one)
      }
    }
  }
  return {
    ready,
    close,
    count,
    admit: async (request, about) => {
      try {
        return await admit(request, about ?? {})
      } catch (error) {
        crashed("a WebSocket request", error)
        return answered(refused(500, "Internal error", -32603))
      }
    }
  }
  async function admit(request: Request, { from, context }: About): Promise<Response | Admission> {
    const { pathname, search, host } = new URL(request.url)
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket")
      return answered(refused(426, "Upgrade required: this is a WebSocket", undefined, { upgrade: "websocket" }))
    if (request.method !== "GET")
      return answered(refused(405, "Method not allowed: a WebSocket is opened by GET", undefined, { allow: "GET" }))
    const header = (name: string): string | undefined =>
      request.headers.get(name) ?? (name.toLowerCase() === "host" ? host : undefined)
    const said = await judge({ target: pathname + search, header, from, context })
    return said._tag === "Refused" ? answered(said) : admission(said)
  }
}

/**
 * A channel over any WebSocket that is open, or about to be: the platform's own, one of `ws`, one of Bun. Whatever is to be judged
 * of it was judged before. With `serve` it is a server's side, with `connect` a client's.
 *
 * What comes is kept until the channel is opened; where the platform can not stop reading, up to 32 MiB, and then the connection is
 * closed with 1008.
 *
 * @throws TypeError for what is no WebSocket
 */
export function socketChannel(
  socket: SocketLike | BunSocket,
  options: Pick<SocketOptions, "maxMessageBytes" | "closeMs"> = {}
): Channel {
  const { maxMessageBytes = defaultLimit, closeMs = 2_000 } = options
  return new SocketChannel(lineOf(socket, maxMessageBytes), { closeMs, code: () => 1000 })
}

function lineOf(socket: SocketLike | BunSocket, limit: number): Line {
  const { send, close } = (socket ?? {}) as { readonly send?: unknown; readonly close?: unknown }
  const tells =
    typeof socket === "object" && socket !== null && ("addEventListener" in socket || "getBufferedAmount" in socket)
  if (!tells || typeof send !== "function" || typeof close !== "function")
    throw new TypeError(
      "What is served must be a WebSocket: with send, close and addEventListener, or one of Bun's server"
    )
  if (!("addEventListener" in socket)) return new BunLine(socket, limit)
  if ("pause" in socket && "terminate" in socket && "on" in socket)
    return new NodeLine(socket as unknown as ConstructorParameters<typeof NodeLine>[0], limit)
  return new WebLine(socket, limit)
}

const answered = ({ status, headers, body }: Refused): Response => new Response(body, { status, headers })
