/** One request and its answer on web standards: a `Request` that settles into a `Response`. */
import type { Body, Exchange } from "./exchange.js"

/** An exchange, and the answer once it begins; `ended` settles when all of it was given. */
export interface Fetched {
  readonly exchange: Exchange
  readonly response: Promise<Response>
  readonly ended: Promise<void>
}

export function fetchExchange(request: Request, from: string | undefined, context: unknown): Fetched {
  let answer!: (response: Response) => void
  let end!: () => void
  const response = new Promise<Response>((resolve) => (answer = resolve))
  const ended = new Promise<void>((resolve) => (end = resolve))
  const { host, target } = placed(request.url)
  let over = false
  let listens = false
  let gone = (): void => {}
  let drop = (): void => {}
  const left = (): void => {
    if (over) return
    over = true
    drop()
    gone()
    // Nobody reads it; but a platform waits for an answer.
    answer(new Response(null, { status: 499 }))
  }
  const finish = (): void => {
    over = true
    // Deno aborts it after a success as well.
    if (listens) request.signal.removeEventListener("abort", left)
    end()
  }
  const exchange: Exchange = {
    method: request.method,
    target,
    from,
    context,
    header: (name) => request.headers.get(name) ?? (name === "host" ? host : undefined),
    body: (limit, ms) => readBody(request, limit, ms),
    respond(status, headers, body) {
      answer(new Response(body ?? null, { status, headers }))
      finish()
    },
    stream(status, headers) {
      const { readable, write, close } = texts(left)
      drop = close
      answer(new Response(readable, { status, headers }))
      return {
        write,
        end() {
          close()
          finish()
        }
      }
    },
    onGone(called) {
      gone = called
      if (request.signal.aborted) return left()
      listens = true
      request.signal.addEventListener("abort", left, { once: true })
    }
  }
  return { exchange, response, ended }
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
