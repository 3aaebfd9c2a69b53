/** A WebSocket as browsers, Deno and Workers have it: it can neither stop reading nor ping, and is asked whether something was taken. */
import { leaving } from "./codes.js"
import type { Line, LineEvents } from "./line.js"
import { CLOSED, endedBefore } from "./line.js"

/** What is needed of a WebSocket that is open: every platform's has it. */
export interface SocketLike {
  readonly readyState: number
  readonly bufferedAmount?: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: "message" | "close" | "error", listener: (event: SocketEvent) => void): void
}

export interface SocketEvent {
  readonly type: string
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
  readonly message?: string
}

/** `limit`: the longest message it takes, in bytes, or in characters where that is what is known. */
export class WebLine implements Line {
  readonly #socket: SocketLike
  readonly #limit: number
  #to: LineEvents | undefined
  #looking = false
  #cut = false
  #heard = true
  /** The end was begun by this side. */
  #leaving = false

  constructor(socket: SocketLike, limit: number) {
    this.#socket = socket
    this.#limit = limit
  }

  /** One that never opens, and never ends either, is given up like any that is silent. 0 is CONNECTING. */
  get pings(): boolean {
    return this.#socket.readyState === 0
  }

  listen(to: LineEvents): void {
    this.#to = to
    if (this.#socket.readyState === CLOSED) return endedBefore(to)
    this.#socket.addEventListener("message", ({ data }) => {
      if (this.#cut) return
      this.#heard = true
      if (typeof data !== "string") return to.wrong(1003, "a binary frame came, and messages are text")
      if (data.length > this.#limit) return to.wrong(1009, `a message of more than ${this.#limit} characters came`)
      to.text(data)
    })
    this.#socket.addEventListener("close", ({ code = 1006, reason = "" }) => {
      to.ended(leaving(code, reason))
      if (this.#cut) return
      this.#cut = true
      // On Workers the close frame is not answered by itself; elsewhere this does nothing.
      if (!this.#leaving) this.close(1000, "")
      to.closed()
    })
    this.#socket.addEventListener("error", ({ message }) =>
      to.ended(message ? `the connection failed: ${message}` : "the connection failed")
    )
  }

  send(text: string): void {
    // 1 is OPEN. Some platforms throw in the moment before they tell of the end.
    if (this.#socket.readyState !== 1) return
    try {
      this.#socket.send(text)
    } catch (error) {
      this.#to?.ended(`the connection failed: ${(error as Error).message}`)
    }
    this.#look()
  }

  waiting(): number {
    return this.#cut || this.#socket.readyState !== 1 ? 0 : (this.#socket.bufferedAmount ?? 0)
  }

  received(): number {
    return 0
  }

  held(): number {
    return 0
  }

  pause(): void {}

  resume(): void {}

  ping(): void {}

  heard(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  rest(): void {}

  close(code: number, reason: string): void {
    this.#leaving = true
    try {
      this.#socket.close(code, reason)
    } catch {
      // A page may close with 1000, or with a code from 3000 on.
      this.#socket.close(code + 3000, reason)
    }
  }

  /** A page can only ask for the end, and not wait for it. Whoever is still there is told that it was no good one. */
  cut(): void {
    if (this.#cut) return
    this.#cut = true
    if (!this.#leaving) this.close(1008, "it showed no sign of life, or took nothing")
    this.#to?.closed()
  }

  #look(): void {
    if (this.#looking || this.waiting() === 0) return
    this.#looking = true
    const before = this.waiting()
    setTimeout(() => {
      this.#looking = false
      if (this.waiting() < before) this.#to?.moved()
      this.#look()
    }, LOOK)
  }
}

/** How often is looked whether something was taken, in ms. */
const LOOK = 10
