/** One request and its answer on node:http, straight on `req` and `res`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Exchange, Headers } from "../server/exchange.js"
import { carries, readBody } from "./body.js"

/** What is the same for all requests of a handler. */
export interface Manners {
  /** How long a client may take nothing of an answer that waits for it. */
  readonly stallMs: number
  /** Whether connections end with the answers under way. */
  readonly closing: () => boolean
}

/** `awaited`: the client holds its body back until it is told to go on, and nobody told it yet. */
export function nodeExchange(
  req: IncomingMessage,
  res: ServerResponse,
  { stallMs, closing }: Manners,
  from: string | undefined,
  context: unknown,
  awaited: boolean
): Exchange {
  let unasked = awaited
  let slow = false
  let answered = false
  const lost = (): boolean => res.destroyed || req.socket.destroyed

  /** False when there is nobody to answer, or a framework has answered for us. */
  const begin = (status: number, headers: Headers, length: number | undefined): boolean => {
    answered = true
    if (res.headersSent || lost()) return false
    // A body that is held back, or comes too slowly, is not waited for; the next request could not be told from it.
    if (unasked || slow || closing()) res.shouldKeepAlive = false
    else if (!req.complete && carries(req)) res.once("finish", () => linger(req))
    const lines: Array<string> = []
    for (const name in headers) lines.push(name, headers[name]!)
    if (length !== undefined) lines.push("content-length", String(length))
    res.writeHead(status, lines)
    return true
  }

  let waiting: Promise<void> | undefined
  let timed = false
  /** Settles when the client has taken what was written, or is gone; one that takes nothing for too long is let go. */
  const room = (): Promise<void> =>
    (waiting ??= new Promise((resolve) => {
      const done = (): void => {
        res.off("drain", done)
        res.off("close", done)
        waiting = undefined
        if (!lost()) res.setTimeout(0)
        resolve()
      }
      res.on("drain", done)
      whenClosed(req, res, done)
      watch()
    }))
  const watch = (): void => {
    if (!timed) res.on("timeout", () => res.destroy())
    timed = true
    res.setTimeout(stallMs)
  }

  return {
    method: req.method ?? "GET",
    target: targetOf(req),
    from,
    context,
    header(name) {
      const value = req.headers[name]
      return typeof value === "object" ? value.join(", ") : value
    },
    async body(limit, ms) {
      if (unasked && !(Number(req.headers["content-length"]) > limit)) {
        unasked = false
        res.writeContinue()
      }
      const body = await readBody(req, limit, ms)
      slow = body._tag === "TooSlow"
      return body
    },
    respond(status, headers, body) {
      const bare = body === undefined && (status === 204 || status === 304)
      if (!begin(status, headers, bare ? undefined : body === undefined ? 0 : Buffer.byteLength(body))) return
      res.end(body)
      if (res.writableLength > 0) watch()
    },
    stream(status, headers) {
      let ended = !begin(status, headers, undefined)
      let wrote = ended
      // The head goes out with the first text, when that comes at once.
      process.nextTick(() => {
        if (!wrote && !lost()) res.flushHeaders()
      })
      return {
        write(text) {
          if (ended || lost()) return
          wrote = true
          if (!res.write(text)) return room()
        },
        end() {
          if (ended) return
          ended = true
          if (lost()) return
          wrote = true
          // The head may have promised to keep the connection.
          if (closing()) res.once("finish", () => req.socket.destroySoon())
          res.end()
          if (res.writableLength > 0) watch()
        }
      }
    },
    onGone(gone) {
      if (lost()) return gone()
      whenClosed(req, res, () => {
        if (!(answered && res.writableEnded)) gone()
      })
    }
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
