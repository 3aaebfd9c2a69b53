/** One request and its answer on web standards: a `Request` that settles into a `Response`. */
import { isPlain } from "./accept.js"
import type { Body, Exchange, Headers, Stream } from "./exchange.js"

export class FetchExchange implements Exchange {
  readonly method: string
  readonly target: string
  readonly authority: string
  readonly from: string | undefined
  readonly context: unknown
  /** The answer, once it begins. */
  readonly response: Promise<Response>
  readonly #request: Request
  #answer!: (response: Response) => void
  #ended: Promise<void> | undefined
  #end: (() => void) | undefined
  /** Whether nobody takes any more of it, and whether all was given, or nothing is to be given any more. */
  #over = false
  #finished = false
  /** How much else goes on. */
  #going = 0
  #gone: (() => void | Promise<void>) | undefined
  /** Ends what is written of an answer. */
  #drop: (() => void) | undefined

  constructor(request: Request, from: string | undefined, context: unknown) {
    const { host, target } = placed(request.url)
    this.method = request.method
    this.target = target
    this.authority = host
    this.from = from
    this.context = context
    this.#request = request
    this.response = new Promise((resolve) => (this.#answer = resolve))
  }

  /** Settles when all of the answer was given, or its client has left, and no work goes on that came by it. */
  get ended(): Promise<void> {
    return (this.#ended ??= this.#isIdle() ? Promise.resolve() : new Promise((resolve) => (this.#end = resolve)))
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? (name === "host" ? this.authority : undefined)
  }

  body(limit: number, ms: number, then: (body: Body) => void): void {
    void readBody(this.#request, limit, ms).then(then, (error: unknown) => then({ _tag: "Failed", error }))
  }

  respond(status: number, headers: Headers, body?: string): void {
    this.#answer(new Response(body ?? null, { status, headers }))
    this.#finish()
  }

  stream(status: number, headers: Headers): Stream {
    const { readable, write, close } = texts(() => this.#left())
    this.#drop = close
    this.#answer(new Response(readable, { status, headers }))
    return {
      write,
      end: () => {
        close()
        this.#finish()
      }
    }
  }

  onGone(gone: () => void | Promise<void>): void {
    this.#gone = gone
    const { signal } = this.#request
    if (signal.aborted) return this.#left()
    signal.addEventListener("abort", this.#left, { once: true })
  }

  readonly goesOn = (work: Promise<void>): void => {
    this.#going++
    void work.then(() => {
      this.#going--
      this.#rest()
    })
  }

  readonly #left = (): void => {
    if (this.#over) return
    this.#over = true
    this.#drop?.()
    const work = this.#gone?.()
    // Nobody reads it; but a platform waits for an answer.
    this.#answer(new Response(null, { status: 499 }))
    if (work === undefined) this.#finish()
    else void work.then(() => this.#finish())
  }

  #finish(): void {
    this.#over = this.#finished = true
    // Deno aborts it after a success as well.
    if (this.#gone !== undefined) this.#request.signal.removeEventListener("abort", this.#left)
    this.#rest()
  }

  #isIdle(): boolean {
    return this.#finished && this.#going === 0
  }

  #rest(): void {
    if (this.#isIdle()) this.#end?.()
  }
}

/** Bytes that wait to be taken, before the writer is told to wait as well. */
const highWaterMark = 64 * 1024

/** Texts as a stream of bytes; `cancelled` is called when nobody wants more of them. */
function texts(cancelled: () => void): {
  readonly readable: ReadableStream<Uint8Array>
  readonly write: (text: string) => void | Promise<void>
  readonly close: () => void
} {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let open = true
  let waiting: Promise<void> | undefined
  let go = (): void => {}
  const readable = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => go(),
      cancel() {
        open = false
        go()
        cancelled()
      }
    },
    new ByteLengthQueuingStrategy({ highWaterMark })
  )
  return {
    readable,
    write(text) {
      if (!open) return
      controller.enqueue(encoder.encode(text))
      if (controller.desiredSize! > 0) return
      return (waiting ??= new Promise((resolve) => {
        go = () => {
          waiting = undefined
          go = () => {}
          resolve()
        }
      }))
    },
    close() {
      if (!open) return
      open = false
      go()
      controller.close()
    }
  }
}

async function readBody(request: Request, limit: number, ms: number): Promise<Body> {
  if (Number(request.headers.get("content-length")) > limit) return { _tag: "TooLarge" }
  if (request.body === null) return { _tag: "Text", text: "" }
  if (!isPlain(request.headers.get("content-encoding") ?? undefined)) return { _tag: "Coded" }
  const reader = request.body.getReader()
  let early: Body | undefined
  const give = (up: Body) => (): void => {
    early ??= up
    // What was asked of the stream so far ends with this as if the body had.
    reader.cancel().catch(() => {})
  }
  const timer = setTimeout(give({ _tag: "TooSlow" }), ms)
  const chunks: Array<Uint8Array> = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (early !== undefined) return early
      if (done) return decoded(chunks, size)
      size += value.byteLength
      if (size > limit) {
        give({ _tag: "TooLarge" })()
        return { _tag: "TooLarge" }
      }
      chunks.push(value)
    }
  } catch {
    return early ?? { _tag: "Gone" }
  } finally {
    clearTimeout(timer)
  }
}

function decoded(chunks: ReadonlyArray<Uint8Array>, size: number): Body {
  try {
    return { _tag: "Text", text: decoder.decode(chunks.length === 1 ? chunks[0] : joined(chunks, size)) }
  } catch {
    return { _tag: "Garbled" }
  }
}

function joined(chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

/** The host, and the path with its query, of a whole address. */
function placed(url: string): { readonly host: string; readonly target: string } {
  const start = url.indexOf("://") + 3
  const slash = url.indexOf("/", start)
  const fragment = url.indexOf("#", slash)
  return { host: url.slice(start, slash), target: url.slice(slash, fragment === -1 ? undefined : fragment) }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: true })
