/** A WebSocket of Bun's server: it is told of by functions that are given to the server, not by events of its own. */
import { leaving } from "../line/codes.js"
import type { Line, LineEvents } from "../line/line.js"
import { CLOSED, endedBefore } from "../line/line.js"
import type { Admission } from "./acceptor.js"

/** What is needed of it. */
export interface BunSocket {
  readonly data: unknown
  readonly readyState: number
  send(text: string): number
  ping(): number
  close(code?: number, reason?: string): void
  terminate(): void
  getBufferedAmount(): number
}

/**
 * What `Bun.serve` is given as `websocket`, where `upgrade` was given an admission as `data`.
 *
 * ```ts no-run
 * import { defineServer } from "@parley/server"
 * import { acceptor, bunHandlers } from "@parley/websocket"
 *
 * interface BunServer {
 *   upgrade(request: Request, options: object): boolean
 *   requestIP(request: Request): { address: string } | null
 * }
 * const mcp = acceptor(defineServer({ name: "empty", version: "1.0.0" }, []))
 *
 * // Bun.serve(options)
 * const options = {
 *   websocket: bunHandlers,
 *   async fetch(request: Request, server: BunServer) {
 *     const admitted = await mcp.admit(request, { from: server.requestIP(request)?.address })
 *     if (admitted instanceof Response) return admitted
 *     const { headers } = admitted
 *     return server.upgrade(request, { data: admitted, headers }) ? undefined : new Response(null, { status: 400 })
 *   }
 * }
 * ```
 */
export const bunHandlers = {
  perMessageDeflate: false,
  sendPings: true,
  open: (socket: BunSocket): void => (socket.data as Admission).serve(socket),
  message: (socket: BunSocket, data: string | Uint8Array): void => lines.get(socket)?.came(data),
  drain: (socket: BunSocket): void => lines.get(socket)?.drained(),
  pong: (socket: BunSocket): void => lines.get(socket)?.ponged(),
  close: (socket: BunSocket, code: number, reason: string): void => lines.get(socket)?.left(code, reason)
} as const

const lines = new WeakMap<BunSocket, BunLine>()

export class BunLine implements Line {
  readonly pings = true
  readonly #socket: BunSocket
  readonly #limit: number
  #to: LineEvents | undefined
  #heard = true

  constructor(socket: BunSocket, limit: number) {
    this.#socket = socket
    this.#limit = limit
  }

  listen(to: LineEvents): void {
    this.#to = to
    if (this.#socket.readyState === CLOSED) return endedBefore(to)
    lines.set(this.#socket, this)
  }

  came(data: string | Uint8Array): void {
    this.#heard = true
    if (typeof data !== "string") this.#to?.wrong(1003, "a binary frame came, and messages are text")
    else if (data.length > this.#limit) this.#to?.wrong(1009, `a message of more than ${this.#limit} characters came`)
    else this.#to?.text(data)
  }

  drained(): void {
    this.#to?.moved()
  }

  ponged(): void {
    this.#heard = true
  }

  left(code: number, reason: string): void {
    this.#to?.ended(leaving(code, reason))
    this.#to?.closed()
    this.#to = undefined
  }

  send(text: string): void {
    if (this.#socket.readyState !== 1) return
    // 0: it was dropped, and more would be out of order.
    if (this.#socket.send(text) === 0) this.cut()
  }

  waiting(): number {
    return this.#socket.readyState === 1 ? this.#socket.getBufferedAmount() : 0
  }

  received(): number {
    return 0
  }

  held(): number {
    return 0
  }

  pause(): void {}

  resume(): void {}

  ping(): void {
    this.#socket.ping()
  }

  heard(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  rest(): void {}

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  cut(): void {
    this.#socket.terminate()
  }
}
