/** A `fetch` that answers as it is told to, and keeps what it was asked. */
import type { Fetch } from "../../src/client/index.js"

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages as they came
  readonly body: any
  readonly signal: AbortSignal
}

export type Answer = (asked: Asked, count: number) => Response | Promise<Response>

export function scripted(answer: Answer): { readonly fetch: Fetch; readonly asked: Array<Asked> } {
  const asked: Array<Asked> = []
  return {
    asked,
    fetch: (url, { method = "GET", headers, body, signal }) => {
      const text = typeof body === "string" ? (JSON.parse(body) as unknown) : undefined
      const one: Asked = { method, url, headers: new Headers(headers), body: text, signal: signal! }
      asked.push(one)
      return new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error))
        Promise.resolve(answer(one, asked.length)).then(resolve, reject)
      })
    }
  }
}

export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

export const result = (asked: Asked, members: object = {}): Response =>
  json({ jsonrpc: "2.0", id: asked.body.id, result: members })

export const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers })

export interface Stream {
  readonly response: Response
  readonly push: (text: string) => void
  readonly end: () => void
  readonly tear: () => void
  readonly isCancelled: () => boolean
}

/** A stream of events that is written by hand. */
export function stream(headers: Readonly<Record<string, string>> = {}): Stream {
  let to!: ReadableStreamDefaultController<Uint8Array>
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (to = controller),
    cancel: () => void (cancelled = true)
  })
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8", ...headers } }),
    push: (text) => to.enqueue(new TextEncoder().encode(text)),
    end: () => to.close(),
    tear: () => to.error(new TypeError("terminated")),
    isCancelled: () => cancelled
  }
}

export const event = (message: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}data: ${typeof message === "string" ? message : JSON.stringify(message)}\n\n`

/** A stream that has said all it will say. */
export function said(...events: ReadonlyArray<string>): Response {
  const one = stream()
  for (const text of events) one.push(text)
  one.end()
  return one.response
}
