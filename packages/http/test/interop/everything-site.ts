/** An official server with everything in it, by each way that its SDK has over HTTP, and our client that talks to it. */
import type { EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { Client, ConnectOptions, TellingRoots } from "@parley/client"
import { connect } from "@parley/client"
import type { Report } from "@parley/core"
import { tap } from "@parley/driver"
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { http } from "../../src/client/index.js"
import type { Site } from "../client/site.js"
import { site, textOf } from "../client/site.js"

/** The package publishes no types, and no entry but its command. */
type Everything = () => {
  readonly server: { readonly connect: (transport: unknown) => Promise<void>; readonly close: () => Promise<void> }
  readonly cleanup: (session?: string) => void
}
const inside = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/server/index.js")
const { createServer } = (await import(pathToFileURL(inside).href)) as { readonly createServer: Everything }

type Asked = (request: IncomingMessage, answer: ServerResponse) => Promise<void>
interface Way {
  readonly asked: Asked
  readonly close: () => Promise<void>
}

/** A session for each `initialize`, events kept so that a stream can be taken up again. */
function sessions(): Way {
  const open = new Map<string, StreamableHTTPServerTransport>()
  const closing: Array<() => Promise<void>> = []
  return {
    close: async () => void (await Promise.all(closing.map((close) => close()))),
    asked: async (request, answer) => {
      const id = request.headers["mcp-session-id"] as string | undefined
      let transport = id === undefined ? undefined : open.get(id)
      if (transport === undefined && id !== undefined) return void answer.writeHead(404).end()
      if (transport === undefined) {
        const made: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          eventStore: remembered(),
          onsessioninitialized: (session) => void open.set(session, made),
          onsessionclosed: (session) => void open.delete(session)
        })
        transport = made
        const { server, cleanup } = createServer()
        await server.connect(made)
        closing.push(async () => {
          cleanup(made.sessionId)
          await server.close()
        })
      }
      await transport.handleRequest(request, answer)
    }
  }
}

/** A server for each POST, and nothing else. */
const sessionless = (): Way => ({
  close: async () => undefined,
  asked: async (request, answer) => {
    if (request.method !== "POST") return void answer.writeHead(405, { allow: "POST" }).end()
    const { server, cleanup } = createServer()
    const transport = new StreamableHTTPServerTransport()
    answer.on("close", () => {
      cleanup()
      void server.close()
    })
    await server.connect(transport)
    await transport.handleRequest(request, answer)
  }
})

/** HTTP+SSE of 2024-11-05. */
function pair(): Way {
  const open = new Map<string, SSEServerTransport>()
  return {
    close: async () => void (await Promise.all([...open.values()].map((transport) => transport.close()))),
    asked: async (request, answer) => {
      if (request.method === "GET") {
        const transport = new SSEServerTransport("/messages", answer)
        const { server, cleanup } = createServer()
        open.set(transport.sessionId, transport)
        answer.on("close", () => {
          open.delete(transport.sessionId)
          cleanup(transport.sessionId)
        })
        return server.connect(transport)
      }
      const transport = open.get(new URL(request.url!, "http://localhost").searchParams.get("sessionId") ?? "")
      if (transport === undefined) return void answer.writeHead(404).end("Cannot POST /mcp")
      await transport.handlePostMessage(request, answer, JSON.parse(await textOf(request)))
    }
  }
}

function remembered(): EventStore {
  const events: Array<{ readonly id: string; readonly stream: string; readonly message: unknown }> = []
  return {
    storeEvent: async (stream, message) => {
      const id = `${events.length}`
      events.push({ id, stream, message })
      return id
    },
    getStreamIdForEventId: async (id) => events[Number(id)]?.stream,
    replayEventsAfter: async (last, { send }) => {
      const { stream } = events[Number(last)]!
      for (const event of events.slice(Number(last) + 1))
        // A priming event holds nothing.
        if (event.stream === stream && Object.keys(event.message as object).length > 0)
          await send(event.id, event.message as never)
      return stream
    }
  }
}

export const ways = { "with sessions": sessions, "without sessions": sessionless, "over HTTP+SSE": pair }

export interface Talk {
  readonly client: Client
  readonly sent: ReadonlyArray<{ readonly method?: string; readonly params?: unknown }>
  readonly reports: ReadonlyArray<Report>
  /** Exchanges that are open now. */
  readonly busy: () => number
  /** Tells the server that the roots changed, where that was promised. */
  readonly rootsChanged: () => void
  /** Resolves with the first notification of that method, whether it came already or comes later. */
  readonly told: (method: string, fits?: (params: never) => boolean) => Promise<unknown>
}

const open = new Set<{ readonly client: Client; readonly way: Way; readonly one: Site }>()

export async function talk(by: keyof typeof ways, options: Partial<ConnectOptions> = {}): Promise<Talk> {
  const way = ways[by]()
  const one = await site(way.asked)
  const sent: Array<Talk["sent"][number]> = []
  const reports: Array<Report> = []
  const heard: Array<readonly [method: string, params: unknown]> = []
  const waiting = new Set<() => void>()
  const client = await connect(tap(http(one.url), { sent: (message) => sent.push(message as Talk["sent"][number]) }), {
    clientInfo: { name: "parley", version: "1.0.0" },
    report: (report) => reports.push(report),
    onNotification: (method, params) => {
      heard.push([method, params])
      for (const look of waiting) look()
    },
    ...options
  })
  open.add({ client, way, one })
  const told: Talk["told"] = (method, fits = () => true) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = heard.find(([one, params]) => one === method && fits(params as never))
        if (found === undefined) return
        waiting.delete(look)
        resolve(found[1])
      }
      waiting.add(look)
      look()
    })
  const rootsChanged = (): void => (client as Client & Partial<TellingRoots>).rootsChanged?.()
  return { client, sent, reports, busy: one.busy, rootsChanged, told }
}

export async function closeAll(): Promise<void> {
  for (const { client, way, one } of open) {
    await client.close()
    await way.close()
    await one.close()
  }
  open.clear()
}

/** The text of a result's blocks. */
export const wordsOf = ({ content }: Awaited<ReturnType<Client["callTool"]>>): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n")
