/** A socket of `ws`: it can stop reading, ping, and tells when something was taken. */
import type { Writable } from "node:stream"
import type { RawData, WebSocket } from "ws"
import { leaving } from "./codes.js"
import type { Line, LineEvents } from "./line.js"
import { endedBefore } from "./line.js"

/**
 * `below`: the connection itself, where the socket is ours: what is sent in one tick goes out together, and pings are answered here
 * (`autoPong: false`). `limit`: the longest message it takes, in bytes.
 */
export class NodeLine implements Line {
  readonly pings = true
  readonly #socket: Lined
  readonly #below: Writable | undefined
  readonly #limit: number
  #to: LineEvents | undefined
  #taken: (() => void) | undefined
  #corked = false
  #heard = true
  /** What came with the last ping, while what was sent before waits for the system: it is answered after that. */
  #asked: Buffer | undefined

  constructor(socket: WebSocket, limit: number, below?: Writable) {
    this.#socket = socket
    this.#below = below
    this.#limit = limit
  }

  listen(to: LineEvents): void {
    this.#to = to
    if (this.#socket.readyState === this.#socket.CLOSED) return endedBefore(to)
    this.#socket[line] = this
    // The same functions for all sockets: a closure for each would cost more than the rest of a line.
    this.#socket.on("message", came)
    this.#socket.on("error", failed)
    this.#socket.on("close", closed)
    this.#socket.on("ping", pinged)
    this.#socket.on("pong", heard)
  }

  came(data: RawData, isBinary: boolean): void {
    const to = this.#to!
    this.#heard = true
    if (isBinary) return to.wrong(1003, "a binary frame came, and messages are text")
    const bytes = data as Buffer
    if (bytes.length > this.#limit) return to.wrong(1009, tooLarge(this.#limit))
    to.text(bytes.toString())
  }

  failed(error: Error): void {
    // It has closed with a code of its own already.
    this.#to!.ended(failure(error, this.#limit))
  }

  closed(code: number, reason: Buffer): void {
    this.#to!.ended(leaving(code, reason.toString()))
    this.#to!.closed()
  }

  pinged(data: Buffer): void {
    this.#heard = true
    // Where the socket is somebody else's it answers as they have it.
    if (this.#below !== undefined) this.#pong(data)
  }

  /** By a pong. */
  alive(): void {
    this.#heard = true
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
    this.#socket.send(text, this.#told())
  }

  waiting(): number {
    return this.#socket.readyState === this.#socket.CLOSED ? 0 : this.#socket.bufferedAmount
  }

  received(): number {
    return this.#wire?.bytesRead ?? 0
  }

  held(): number {
    return this.#wire?._handle?.writeQueueSize ?? 0
  }

  get #wire(): Wire | undefined {
    return (this.#below ?? (this.#socket as unknown as { readonly _socket?: unknown })._socket) as Wire | undefined
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

  heard(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  rest(): void {
    this.#taken = undefined
  }

  /** What is called when something was taken. */
  #told(): () => void {
    return (this.#taken ??= () => {
      if (this.#asked !== undefined) this.#pong(this.#asked)
      this.#to!.moved()
    })
  }

  /** RFC 6455 section 5.5.3: of pings that came meanwhile the last one may be answered alone. So they cost no memory, and no connection. */
  #pong(data: Buffer): void {
    const waits = this.waiting() > PONGS
    this.#asked = waits ? data : undefined
    if (!waits && this.#socket.readyState === this.#socket.OPEN) this.#socket.pong(data, undefined, this.#told())
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  cut(): void {
    this.#socket.terminate()
  }
}

/** A socket with what is told of it. */
type Lined = WebSocket & { [line]?: NodeLine }

const line = Symbol("line")

function came(this: Lined, data: RawData, isBinary: boolean): void {
  this[line]!.came(data, isBinary)
}

function failed(this: Lined, error: Error): void {
  this[line]!.failed(error)
}

function closed(this: Lined, code: number, reason: Buffer): void {
  this[line]!.closed(code, reason)
}

function pinged(this: Lined, data: Buffer): void {
  this[line]!.pinged(data)
}

function heard(this: Lined): void {
  this[line]!.alive()
}

/** What Node's sockets tell of bytes. Of those on their way out there is only what their own `setTimeout` goes by. */
interface Wire {
  readonly bytesRead?: number
  readonly _handle?: { readonly writeQueueSize?: number } | null
}

/** What may wait for the system before a ping waits for that, in bytes. */
const PONGS = 16 * 1024

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
