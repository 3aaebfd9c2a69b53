/** WebSocket by hand: bytes on a TCP connection, whatever they may be. */
import type { Socket } from "node:net"
import { connect } from "node:net"

export interface Raw {
  readonly socket: Socket
  readonly write: (bytes: Uint8Array) => void
  /** The next text that comes. Rejects when the connection ends before. */
  readonly next: () => Promise<string>
  /** The code of the close frame that came, or nothing where the connection ended without one. */
  readonly closed: Promise<number | undefined>
}

/** One that was opened, or the answer that came instead. */
export async function open(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  target?: string
): Promise<Raw | string> {
  const { hostname, port, pathname, search, host } = new URL(url)
  const socket = connect({ host: hostname === "localhost" ? "127.0.0.1" : hostname, port: Number(port) })
  socket.setNoDelay()
  socket.on("error", () => {})
  const all = {
    host,
    upgrade: "websocket",
    connection: "Upgrade",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]))
  socket.write(`GET ${target ?? pathname + search} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`)
  return new Promise((resolve) => {
    let came = Buffer.alloc(0)
    const look = (chunk: Buffer): void => {
      came = Buffer.concat([came, chunk])
      const end = came.indexOf("\r\n\r\n")
      if (end < 0 || !came.subarray(0, end).toString().startsWith("HTTP/1.1 101")) return
      socket.off("data", look)
      socket.off("close", ended)
      resolve(Object.assign(reading(socket, came.subarray(end + 4)), { head: came.subarray(0, end).toString() }))
    }
    const ended = (): void => resolve(came.toString())
    socket.on("data", look)
    socket.on("close", ended)
  })
}

export async function opened(url: string, headers?: Readonly<Record<string, string>>): Promise<Raw> {
  const raw = await open(url, headers)
  if (typeof raw === "string") throw new Error(raw)
  return raw
}

function reading(socket: Socket, rest: Buffer): Raw {
  let bytes = rest
  const texts: Array<string> = []
  const waiting: Array<{ readonly resolve: (text: string) => void; readonly reject: (error: Error) => void }> = []
  let code: number | undefined
  let over = false
  const look = (): void => {
    for (let one = frameIn(bytes); one !== undefined; one = frameIn(bytes)) {
      bytes = bytes.subarray(one.size)
      if (one.opcode === 8) code = one.payload.length < 2 ? 1005 : one.payload.readUInt16BE(0)
      if (one.opcode === 1) texts.push(one.payload.toString())
    }
    while (texts.length > 0 && waiting.length > 0) waiting.shift()!.resolve(texts.shift()!)
  }
  const closed = new Promise<number | undefined>((resolve) =>
    socket.once("close", () => {
      over = true
      for (const { reject } of waiting) reject(new Error("the connection ended"))
      resolve(code)
    })
  )
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    look()
  })
  look()
  return {
    socket,
    closed,
    write: (sent) => void socket.write(sent),
    next: () =>
      new Promise((resolve, reject) => {
        const text = texts.shift()
        if (text !== undefined) resolve(text)
        else if (over) reject(new Error("the connection ended"))
        else waiting.push({ resolve, reject })
      })
  }
}

function frameIn(bytes: Buffer) {
  if (bytes.length < 2) return undefined
  const short = bytes[1]! & 0x7f
  const head = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < head) return undefined
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if (bytes.length < head + length) return undefined
  return { opcode: bytes[0]! & 15, payload: bytes.subarray(head, head + length), size: head + length }
}

/** One frame as clients send it: masked. */
export function frame(opcode: number, payload: string | Uint8Array, fin = true): Buffer {
  const bytes = Buffer.from(payload as string)
  const { length } = bytes
  const head =
    length < 126
      ? Buffer.of(0, 0x80 | length)
      : length < 65_536
        ? Buffer.of(0, 0x80 | 126, length >> 8, length & 255)
        : Buffer.concat([Buffer.of(0, 0x80 | 127), big(length)])
  head[0] = (fin ? 0x80 : 0) | opcode
  const mask = Buffer.of(1, 2, 3, 4)
  return Buffer.concat([head, mask, bytes.map((byte, at) => byte ^ mask[at % 4]!)])
}

export const text = (message: unknown): Buffer =>
  frame(1, typeof message === "string" ? message : JSON.stringify(message))

function big(length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return bytes
}
