/** Reads the body of a request of node:http, within a size and a time. */
import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import type { Body } from "../server/exchange.js"

/** What a framework that reads bodies leaves beside the request. */
interface Read {
  readonly body?: unknown
  readonly rawBody?: unknown
}

export function readBody(req: IncomingMessage, limit: number, ms: number): Body | Promise<Body> {
  if (Number(req.headers["content-length"]) > limit) return tooLarge
  if (wasRead(req)) return carries(req) ? fromFramework(req as Read, limit) : nothing
  if (req.destroyed) return gone
  return new Promise((resolve) => {
    let chunks: Array<Buffer> = []
    let size = 0
    const settle = (body: Body): void => {
      clearTimeout(timer)
      req.off("data", more)
      req.off("end", whole)
      req.off("close", cut)
      chunks = []
      resolve(body)
    }
    const more = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else settle(tooLarge)
    }
    const whole = (): void => settle(decoded(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const cut = (): void => settle(gone)
    const timer = setTimeout(settle, ms, { _tag: "TooSlow" })
    req.on("data", more)
    req.on("end", whole)
    req.on("close", cut)
    // Who held it back until now, such as one that had something to look up, need not know that it was to be let go.
    req.resume()
  })
}

/** Whether a body belongs to it. */
export const carries = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

const wasRead = (req: IncomingMessage): boolean => req.readableDidRead || req.readableEnded

/** Whether somebody else has read the body, and left it nowhere. */
export const isSpent = (req: IncomingMessage): boolean =>
  carries(req) && wasRead(req) && (req as Read).body === undefined && (req as Read).rawBody === undefined

/** The bytes, where they were kept: what was parsed has lost duplicate keys, and large numbers their last digits. */
function fromFramework({ body, rawBody }: Read, limit: number): Body {
  const kept = rawBody ?? body
  if (kept instanceof Uint8Array) return kept.length > limit ? tooLarge : decoded(Buffer.from(kept))
  const text = typeof kept === "string" ? kept : JSON.stringify(kept)
  return Buffer.byteLength(text) > limit ? tooLarge : { _tag: "Text", text }
}

function decoded(bytes: Buffer): Body {
  if (!isUtf8(bytes)) return { _tag: "Garbled" }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return { _tag: "Text", text: bytes.toString("utf8", marked ? 3 : 0) }
}

const nothing: Body = { _tag: "Text", text: "" }
const gone: Body = { _tag: "Gone" }
const tooLarge: Body = { _tag: "TooLarge" }
