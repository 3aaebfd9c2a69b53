/** Raw connections to a server on node:http: bytes in, bytes out. */
import type { RequestListener, Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { connect } from "node:net"
import { Patience } from "../../src/node/patience.js"
import type { Taking } from "../../src/node/requests.js"

/** A server on a free port, and raw connections to it. */
export interface Stage {
  readonly port: number
  readonly server: Server
  readonly raw: () => Raw
  readonly stop: () => Promise<void>
}

export interface Raw {
  readonly socket: Socket
  /** All that came so far. */
  readonly text: () => string
  /** Settles when what came matches. Rejects when the connection is closed before. */
  readonly until: (what: RegExp | ((came: string) => boolean)) => Promise<string>
  /** Settles with all that came when the connection is closed, however. */
  readonly closed: Promise<string>
  readonly write: (text: string | Uint8Array) => void
}

export async function stage(listener: RequestListener, server: Server = createServer()): Promise<Stage> {
  server.on("request", listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const open: Array<Raw> = []
  return {
    port,
    server,
    raw: () => {
      const one = raw(port)
      open.push(one)
      return one
    },
    stop: async () => {
      for (const { socket } of open) socket.destroy()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    }
  }
}

export function raw(port: number, host = "127.0.0.1"): Raw {
  const socket = connect({ port, host })
  let came = ""
  let ended = false
  const looking = new Set<() => void>()
  const look = (): void => looking.forEach((one) => one())
  socket.setEncoding("latin1")
  socket.on("data", (text: string) => {
    came += text
    look()
  })
  socket.on("error", () => {})
  const closed = new Promise<string>((resolve) =>
    socket.once("close", () => {
      ended = true
      look()
      resolve(came)
    })
  )
  return {
    socket,
    text: () => came,
    until: (what) =>
      new Promise((resolve, reject) => {
        const one = (): void => {
          if (what instanceof RegExp ? what.test(came) : what(came)) resolve(came)
          else if (ended) reject(new Error(`closed before ${String(what)}: ${came}`))
          else return
          looking.delete(one)
        }
        looking.add(one)
        one()
      }),
    closed,
    write: (text) => void socket.write(text)
  }
}

/** Taking requests with nothing special about it, and no answers. */
export const still: Taking = {
  handle: () => {},
  stallMs: 60_000,
  closing: () => false,
  patience: new Patience(),
  path: undefined,
  from: undefined,
  context: undefined,
  crashed: () => {}
}

/** A POST of a body, as bytes on the wire. */
export const post = (body: string | Uint8Array, ...headers: ReadonlyArray<string>): string =>
  [
    "POST /mcp HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    "",
    typeof body === "string" ? body : Buffer.from(body).toString("latin1")
  ].join("\r\n")
