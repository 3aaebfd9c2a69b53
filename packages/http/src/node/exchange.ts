/** One request and its answer on node:http, straight on `req` and `res`. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Body, Exchange, Headers, Stream } from "../server/exchange.js"
import { carries, readBody } from "./body.js"
import type { Patience } from "./patience.js"

/** What is the same for all requests of a handler. */
export interface Manners {
  /** How long a client may take nothing of an answer that waits for it. */
  readonly stallMs: number
  /** Whether connections end with the answers under way. */
  readonly closing: () => boolean
  /** Those whose bodies are awaited. */
  readonly patience: Patience
  /** Told of what goes wrong where nobody else can be told. */
  readonly crashed: (what: string, error: unknown) => void
}

/** A class, and nothing made before it is asked for: there is one of them for every request. */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly target: string
  /** One that contradicts Host does not come this far. */
  readonly authority = undefined
  readonly from: string | undefined
  readonly context: unknown
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #headers: IncomingHttpHeaders
  readonly #manners: Manners
  #unasked: boolean
  #slow = false
  #answered = false
  #timed = false
  #waiting: Promise<void> | undefined

  /** `awaited`: the client holds its body back until it is told to go on, and nobody told it yet. */
  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    manners: Manners,
    from: string | undefined,
    context: unknown,
    awaited: boolean
  ) {
    this.method = req.method ?? "GET"
    this.target = targetOf(req)
    this.from = from
    this.context = context
    this.#req = req
    this.#res = res
    this.#headers = req.headers
    this.#manners = manners
    this.#unasked = awaited
  }

  header(name: string): string | undefined {
    // HTTP/2 has `:authority` in place of Host; where it has both, they are the same.
    const value = this.#headers[name] ?? (name === "host" ? this.#headers[":authority"] : undefined)
    return typeof value === "object" ? value.join(", ") : value
  }

  body(limit: number, ms: number, then: (body: Body) => void): void {
    const { patience } = this.#manners
    if (this.#unasked && !(Number(this.#headers["content-length"]) > limit)) {
      this.#unasked = false
      this.#res.writeContinue()
    }
    readBody(this.#req, limit, ms, patience, (body) => {
      if (body._tag === "TooSlow") this.#slow = true
      try {
        then(body)
      } catch (error) {
        this.#fell(error)
      }
    })
  }

  respond(status: number, headers: Headers, body?: string): void {
    const res = this.#res
    try {
      if (body === undefined) {
        const bare = status === 204 || status === 304
        if (!this.#begin(status, headers, bare ? undefined : 0)) return
        res.end()
      } else {
        const length = Buffer.byteLength(body)
        if (!this.#begin(status, headers, length)) return
        // Where each character is one byte, Node need not look at them again.
        res.end(body, length === body.length ? "latin1" : "utf8")
      }
      if (res.writableLength > 0) this.#watch()
    } catch (error) {
      this.#fell(error)
    }
  }

  stream(status: number, headers: Headers): Stream {
    const res = this.#res
    let ended = true
    try {
      ended = !this.#begin(status, headers, undefined)
    } catch (error) {
      this.#fell(error)
    }
    let wrote = ended
    // The head goes out with the first text, when that comes at once.
    process.nextTick(() => {
      try {
        if (!wrote && !this.#lost()) res.flushHeaders()
      } catch (error) {
        this.#fell(error)
      }
    })
    return {
      write: (text) => {
        // Whoever else ended it, such as one that waits no longer: a write after that would be an error of the process.
        if (ended || this.#lost() || res.writableEnded) return
        wrote = true
        try {
          if (!res.write(text)) return this.#room()
        } catch (error) {
          this.#fell(error)
        }
      },
      end: () => {
        if (ended) return
        ended = true
        if (this.#lost()) return
        wrote = true
        try {
          this.#endStream()
        } catch (error) {
          this.#fell(error)
        }
      }
    }
  }

  onGone(gone: () => unknown): void {
    if (this.#lost()) return void gone()
    whenClosed(this.#req, this.#res, () => {
      try {
        if (!(this.#answered && this.#res.writableEnded)) gone()
      } catch (error) {
        this.#fell(error)
      }
    })
  }

  /** Frameworks wrap what is written to. What throws there is this exchange's failure alone, whenever it is. */
  #fell(error: unknown): void {
    this.#manners.crashed("an HTTP request", error)
    this.#res.destroy()
  }

  #endStream(): void {
    const res = this.#res
    const req = this.#req
    // The head may have promised to keep the connection. That of HTTP/2 is not the answer's alone.
    if (this.#manners.closing() && req.httpVersionMajor < 2) res.once("finish", () => req.socket.destroySoon())
    res.end()
    if (res.writableLength > 0) this.#watch()
  }

  #lost(): boolean {
    return this.#res.destroyed || this.#req.socket.destroyed
  }

  /** False when there is nobody to answer, or a framework has answered for us. */
  #begin(status: number, headers: Headers, length: number | undefined): boolean {
    const req = this.#req
    const res = this.#res
    this.#answered = true
    if (res.headersSent || this.#lost()) return false
    // A body that is held back, or comes too slowly, is not waited for; the next request could not be told from it.
    if (this.#unasked || this.#slow || this.#manners.closing()) res.shouldKeepAlive = false
    else if (!req.complete && carries(req)) res.once("finish", () => linger(req))
    const lines: Array<string> = []
    for (const name in headers) lines.push(name, headers[name]!)
    if (length !== undefined) lines.push("content-length", String(length))
    res.writeHead(status, lines)
    return true
  }

  /** Settles when the client has taken what was written, or is gone; one that takes nothing for too long is let go. */
  #room(): Promise<void> {
    const res = this.#res
    return (this.#waiting ??= new Promise((resolve) => {
      const done = (): void => {
        res.off("drain", done)
        res.off("close", done)
        this.#waiting = undefined
        if (!this.#lost()) res.setTimeout(0)
        resolve()
      }
      res.on("drain", done)
      whenClosed(this.#req, res, done)
      this.#watch()
    }))
  }

  #watch(): void {
    const res = this.#res
    if (!this.#timed) res.on("timeout", () => res.destroy())
    this.#timed = true
    res.setTimeout(this.#manners.stallMs)
  }
}

/** Calls back, once, when the connection is closed under an answer or the answer is whole. */
function whenClosed(req: IncomingMessage, res: ServerResponse, closed: () => void): void {
  if (res.socket !== null) return void res.once("close", closed)
  // Node does not tell an answer that waits behind another one on its connection.
  const { socket } = req
  let waiting = queued.get(socket)
  if (waiting === undefined) {
    const callbacks = new Set<() => void>()
    queued.set(socket, (waiting = callbacks))
    socket.once("close", () => callbacks.forEach((callback) => callback()))
  }
  const once = (): void => {
    if (waiting.delete(once)) closed()
  }
  waiting.add(once)
  res.once("close", once)
}

const queued = new WeakMap<Socket, Set<() => void>>()

/** Frameworks cut the place where a handler is mounted off `url`, and keep the whole; a proxy may ask for a whole address. */
export function targetOf(req: IncomingMessage): string {
  const url = urlOf(req)
  if (url.startsWith("/")) return url
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "")
  return path.startsWith("/") ? path : `/${path}`
}

export const urlOf = (req: IncomingMessage): string => (req as { originalUrl?: string }).originalUrl ?? req.url ?? "/"

const lingerMs = 2_000

/** What a refused client still sends is thrown away, so that it gets to read why; for a while. */
function linger(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return
  req.resume()
  const timer = setTimeout(() => req.destroy(), lingerMs)
  timer.unref()
  const done = (): void => clearTimeout(timer)
  req.once("end", done)
  req.once("close", done)
}
