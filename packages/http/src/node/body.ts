/** Reads the body of a request of node:http, within a size and a time. */
import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import { isPlain } from "../server/accept.js"
import type { Body } from "../server/exchange.js"
import type { Awaited, Patience } from "./patience.js"

/** What a framework that reads bodies leaves beside the request. */
interface Read {
  readonly body?: unknown
  readonly rawBody?: unknown
}

/** Calls back once, maybe at once. */
export function readBody(
  req: IncomingMessage,
  limit: number,
  ms: number,
  patience: Patience,
  then: (body: Body) => void
): void {
  if (Number(req.headers["content-length"]) > limit) return then(tooLarge)
  const looked = wasRead(req)
  if (looked && !isPutBack(req)) return then(carries(req) ? fromFramework(req as Read, limit) : nothing)
  if (req.destroyed) return then(gone)
  // A framework that has read it has undone its codings, and left the headers as they were.
  if (!isPlain(req.headers["content-encoding"], req.headers["transfer-encoding"])) return then(coded)
  new Reading(req, looked ? Number(req.headers["content-length"]) : undefined, limit, patience, then).begin(ms)
}

/** What goes wrong in an event of the request is the request's own failure: thrown there, it would end the process. */
class Reading implements Awaited {
  readonly #req: IncomingMessage
  /** How long it has to be, in bytes, where somebody has looked at it before. */
  readonly #length: number | undefined
  readonly #limit: number
  readonly #patience: Patience
  #then: ((body: Body) => void) | undefined
  /** Nearly always there is one. */
  #first: Buffer | undefined
  #rest: Array<Buffer> | undefined
  #size = 0

  constructor(
    req: IncomingMessage,
    length: number | undefined,
    limit: number,
    patience: Patience,
    then: (body: Body) => void
  ) {
    this.#req = req
    this.#length = length
    this.#limit = limit
    this.#patience = patience
    this.#then = then
  }

  begin(ms: number): void {
    const req = this.#req
    this.#patience.add(this, ms)
    // Nobody takes them off again: what comes later finds that it is over.
    req.on("data", (chunk: unknown) => this.#more(chunk))
    req.on("end", () => this.#whole())
    req.on("close", () => this.#settle(gone))
    // Who held it back until now, such as one that had something to look up, need not know that it was to be let go.
    req.resume()
  }

  late(): void {
    this.#settle({ _tag: "TooSlow" })
  }

  #more(chunk: unknown): void {
    if (this.#then === undefined) return
    let bytes: Buffer
    try {
      bytes = Buffer.isBuffer(chunk) ? chunk : bytesOf(chunk, this.#req)
    } catch (error) {
      return this.#settle({ _tag: "Failed", error })
    }
    this.#size += bytes.length
    if (this.#size > this.#limit) return this.#settle(tooLarge)
    if (this.#first === undefined) this.#first = bytes
    else (this.#rest ??= [this.#first]).push(bytes)
  }

  #whole(): void {
    if (this.#then === undefined) return
    let body: Body
    try {
      body = this.#body()
    } catch (error) {
      body = { _tag: "Failed", error }
    }
    this.#settle(body)
  }

  #body(): Body {
    if (this.#length !== undefined && this.#size !== this.#length) throw new TypeError(spent)
    const bytes = this.#rest === undefined ? this.#first : Buffer.concat(this.#rest)
    return bytes === undefined ? nothing : decoded(bytes)
  }

  #settle(body: Body): void {
    const then = this.#then
    if (then === undefined) return
    this.#then = this.#first = this.#rest = undefined
    this.#patience.delete(this)
    then(body)
  }
}

/** Whether a body belongs to it. */
export const carries = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

const wasRead = (req: IncomingMessage): boolean => req.readableDidRead || req.readableEnded

const isLeft = ({ body, rawBody }: Read): boolean => body !== undefined || rawBody !== undefined

/** Whether somebody else has read of the body, and may have put back what he read: its length tells, once it is read to the end. */
const isPutBack = (req: IncomingMessage): boolean =>
  !req.readableEnded && !isLeft(req as Read) && req.headers["content-length"] !== undefined

/** Whether somebody else has read the body, and left it nowhere. */
export const isSpent = (req: IncomingMessage): boolean =>
  wasRead(req) && carries(req) && !isPutBack(req) && !isLeft(req as Read)

export const spent =
  "The body was read before this handler, and nobody left it in req.body: mount the handler first, or after express.json()"

/** Whoever set an encoding gets texts in place of bytes, which have the bytes in them. */
function bytesOf(chunk: unknown, { readableEncoding }: IncomingMessage): Buffer {
  if (typeof chunk === "string") return Buffer.from(chunk, readableEncoding ?? "utf8")
  if (chunk instanceof Uint8Array) return Buffer.from(chunk)
  throw new TypeError("The body of the request came neither as bytes nor as text")
}

/** The bytes, where they were kept: what was parsed has lost duplicate keys, and large numbers their last digits. */
function fromFramework({ body, rawBody }: Read, limit: number): Body {
  const kept = rawBody ?? body
  if (kept instanceof Uint8Array) return kept.length > limit ? tooLarge : decoded(Buffer.from(kept))
  const text = typeof kept === "string" ? kept : JSON.stringify(kept)
  return Buffer.byteLength(text) > limit ? tooLarge : { _tag: "Text", text }
}

function decoded(bytes: Buffer): Body {
  const text = bytes.toString()
  // What is no UTF-8 was replaced; but the text may have that very character.
  if (text.includes("\ufffd") && !isUtf8(bytes)) return { _tag: "Garbled" }
  return { _tag: "Text", text: text.startsWith("\ufeff") ? text.slice(1) : text }
}

const nothing: Body = { _tag: "Text", text: "" }
const gone: Body = { _tag: "Gone" }
const coded: Body = { _tag: "Coded" }
const tooLarge: Body = { _tag: "TooLarge" }
