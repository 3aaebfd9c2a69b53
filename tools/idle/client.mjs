/** A client of a WebSocket that costs next to nothing: bytes on a TCP connection, and counts of what came. */
import { randomBytes } from "node:crypto"
import { connect } from "node:net"

/**
 * Opens a connection. `next()` resolves with the next text that comes; `ended` with the code of the close frame, or with nothing
 * where there was none.
 */
export function opened(url) {
  const { hostname, port, pathname, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname === "localhost" ? "127.0.0.1" : hostname,
      port: Number(port),
      noDelay: true
    })
    socket.once("error", reject)
    socket.once("close", () => reject(new Error("the connection ended before it was opened")))
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Protocol: mcp\r\n\r\n`
    )
    let came = ""
    const look = (chunk) => {
      came += chunk.latin1Slice()
      const end = came.indexOf("\r\n\r\n")
      if (end < 0) return
      socket.removeAllListeners()
      if (!came.startsWith("HTTP/1.1 101")) {
        socket.destroy()
        return reject(new Error(`it was not opened: ${came.slice(0, 200)}`))
      }
      resolve(line(socket, Buffer.from(came.slice(end + 4), "latin1")))
    }
    socket.on("data", look)
  })
}

function line(socket, rest) {
  let told
  let code
  const ended = new Promise((resolve) => socket.once("close", () => resolve(code)))
  const next = () =>
    new Promise((resolve, reject) => {
      told = resolve
      void ended.then((code) => reject(new Error(`the connection ended (${code})`)))
    })
  const look = (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let one = frameIn(rest); one !== undefined; one = frameIn(rest)) {
      rest = rest.subarray(one.size)
      if (one.opcode === 1) told?.(one.payload.toString())
      if (one.opcode === 9) socket.write(frame(10, one.payload))
      if (one.opcode !== 8) continue
      code = one.payload.length < 2 ? 1005 : one.payload.readUInt16BE(0)
      socket.end(frame(8, one.payload))
    }
    // A part of something larger would be kept whole.
    if (rest.length === 0) rest = nothing
  }
  socket.on("error", () => {})
  socket.on("data", look)
  look(nothing)
  return {
    ended,
    next,
    send: (message) => void socket.write(frame(1, JSON.stringify(message))),
    ask: (message) => {
      const came = next()
      socket.write(frame(1, JSON.stringify(message)))
      return came.then((text) => JSON.parse(text))
    },
    /** Each way in which one may leave. */
    close: () => void socket.write(frame(8, Buffer.of(1000 >> 8, 1000 & 255))),
    half: () => void socket.end(),
    cut: () => void socket.resetAndDestroy()
  }
}

const nothing = Buffer.alloc(0)

function frameIn(bytes) {
  if (bytes.length < 2) return undefined
  const short = bytes[1] & 0x7f
  const head = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < head) return undefined
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if (bytes.length < head + length) return undefined
  return { opcode: bytes[0] & 15, payload: bytes.subarray(head, head + length), size: head + length }
}

/** Masked with zeros, which change nothing. */
function frame(opcode, payload) {
  const bytes = Buffer.from(payload)
  const { length } = bytes
  const head = Buffer.alloc(length < 126 ? 6 : 8)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | (length < 126 ? length : 126)
  if (length >= 126) head.writeUInt16BE(length, 2)
  return Buffer.concat([head, bytes])
}
