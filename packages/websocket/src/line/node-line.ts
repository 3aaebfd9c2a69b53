/** A socket of `ws`: it can stop reading, ping, and tells when something was taken. */
import type { Writable } from "node:stream"
import type { WebSocket } from "ws"
import { leaving } from "./codes.js"
import type { Line, LineEvents } from "./line.js"

/** `below`: the connection itself, where it is at hand: what is sent in one tick goes out together. `limit`: the longest message it takes, in bytes. */
export class NodeLine implements Line {
  readonly pings = true
  readonly #socket: WebSocket
  readonly #below: Writable | undefined
  readonly #limit: number
  #taken: (() => void) | undefined
  #corked = false

  constructor(socket: WebSocket, limit: number, below?: Writable) {
    this.#socket = socket
    this.#below = below
    this.#limit = limit
  }

  listen(to: LineEvents): void {
    const heard = (): void => to.heard()
    this.#taken = () => to.moved()
    this.#socket.on("message", (data, isBinary) => {
      if (isBinary) return to.wrong(1003, "a binary frame came, and messages are text")
      const bytes = data as Buffer
      if (bytes.length > this.#limit) return to.wrong(1009, tooLarge(this.#limit))
      to.text(bytes.toString())
    })
    this.#socket.on("ping", heard)
    this.#socket.on("pong", heard)
    // It has closed with a code of its own already.
    this.#socket.on("error", (error) => to.ended(failure(error, this.#limit)))
    this.#socket.on("close", (code, reason) => {
      to.ended(leaving(code, reason.toString()))
      to.closed()
    })
  }

  send(text: string): void {
    const below = this.#below
    if (below !== undefined && !this.#corked) {
      this.#corked = true
      below.cork()
      process.nextTick(() => {
        this.#corked = false
        below.uncork()
      })
    }
    this.#socket.send(text, this.#taken)
  }

  waiting(): number {
    return this.#socket.readyState === this.#socket.CLOSED ? 0 : this.#socket.bufferedAmount
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  cut(): void {
    this.#socket.terminate()
  }
}

const tooLarge = (limit: number): string => `a message of more than ${limit} bytes came`

function failure(error: Error, limit: number): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case "WS_ERR_INVALID_UTF8":
      return "text that is not UTF-8 came (closed with 1007)"
    case "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH":
    case "WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH":
      return `${tooLarge(limit)} (closed with 1009)`
    default:
      return `the connection failed: ${error.message}`
  }
}
