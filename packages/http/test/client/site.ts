/** A server on a free port, and its end with every socket of it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Site {
  readonly url: string
  /** Exchanges that are open now. */
  readonly busy: () => number
  /** Kills every socket. */
  readonly kill: () => void
  readonly close: () => Promise<void>
}

/** What fails there fails the exchange. */
export async function site(
  listener: (request: IncomingMessage, answer: ServerResponse) => void | Promise<void>
): Promise<Site> {
  let busy = 0
  const server = createServer((request, answer) => {
    busy++
    answer.on("close", () => busy--)
    void Promise.resolve(listener(request, answer)).catch(() => answer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    busy: () => busy,
    kill: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** The same, for what is written for web standards. */
export const webSite = (handler: (request: Request) => Promise<Response>): Promise<Site> =>
  site(async (request, answer) => {
    const gone = new AbortController()
    answer.on("close", () => gone.abort())
    const body = await textOf(request)
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
    const response = await handler(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? "GET",
        headers,
        signal: gone.signal,
        ...(body !== "" && { body })
      })
    )
    answer.writeHead(response.status, Object.fromEntries(response.headers))
    // A stream that says nothing yet is there all the same.
    answer.flushHeaders()
    const reader = response.body?.getReader()
    gone.signal.addEventListener("abort", () => void reader?.cancel().catch(() => undefined))
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) answer.write(part.value)
    answer.end()
  })

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += chunk as string
  return text
}
