/** A `fetch` that keeps what a client says and hears, message by message, and which streams it opened. */
import type { Recording, Wire } from "../../../stdio/test/interop/recorded.js"

export interface Tapped extends Recording {
  readonly fetch: typeof fetch
  /** Settles when a stream was opened by a GET. */
  readonly streaming: Promise<void>
  /** What came back, in the order in which it began. */
  readonly answers: ReadonlyArray<{ readonly method: string; readonly status: number; readonly type: string | null }>
}

export function tapped(): Tapped {
  const said = { client: [] as Array<Wire>, server: [] as Array<Wire> }
  const answers: Array<{ method: string; status: number; type: string | null }> = []
  let opened: () => void
  const streaming = new Promise<void>((resolve) => (opened = resolve))
  const hear = (text: string): void => void said.server.push(...[JSON.parse(text)].flat())
  return {
    args: [],
    starts: () => 1,
    said: (from) => said[from],
    remove: () => {},
    streaming,
    answers,
    fetch: async (input, init) => {
      const method = init?.method ?? "GET"
      const body = init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : init?.body
      if (typeof body === "string") said.client.push(...[JSON.parse(body)].flat())
      const response = await fetch(input, init)
      const type = response.headers.get("content-type")
      answers.push({ method, status: response.status, type })
      if (method === "GET" && response.ok) opened()
      if (response.body === null) return response
      let rest = ""
      const tap = new TransformStream<string, string>({
        transform(text, controller) {
          rest += text
          if (type === "text/event-stream") {
            const events = rest.split("\n\n")
            rest = events.pop()!
            for (const event of events) {
              const data = event.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []))
              if (data.join("") !== "") hear(data.join("\n"))
            }
          }
          controller.enqueue(text)
        },
        flush() {
          if (type !== "text/event-stream" && rest !== "") hear(rest)
        }
      })
      const heard = response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(tap)
        .pipeThrough(new TextEncoderStream())
      const { status, headers } = response
      return new Response(heard, { status, headers })
    }
  }
}
