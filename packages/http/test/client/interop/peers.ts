/** Other people's servers over HTTP, each with the same few things in it. */
import type { EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema
} from "@modelcontextprotocol/sdk/types.js"
import {
  McpServer as McpServer2,
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired
} from "@modelcontextprotocol/server"
// oxlint-disable-next-line no-restricted-imports -- a peer to talk to, not something to build on
import * as McpProtocol from "effect/ai/McpProtocol"
// oxlint-disable-next-line no-restricted-imports -- a peer to talk to, not something to build on
import * as EffectServer from "effect/ai/McpServer"
// oxlint-disable-next-line no-restricted-imports -- a peer to talk to, not something to build on
import * as Tool from "effect/ai/Tool"
// oxlint-disable-next-line no-restricted-imports -- a peer to talk to, not something to build on
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import type { Site } from "../site.js"
import { site, textOf, webSite } from "../site.js"

export interface Peer extends Site {
  /** Ends every session without a word. */
  readonly forget: () => void
  /** How many sessions there are. */
  readonly sessions: () => number
  /** What was done by the tools, and what was asked of the session. */
  readonly done: ReadonlyArray<string>
  /** The version header of each request, in order. */
  readonly versions: ReadonlyArray<string | undefined>
}

const numbers = {
  type: "object" as const,
  properties: { a: { type: "number" as const }, b: { type: "number" as const } },
  required: ["a", "b"]
}
const guests = {
  type: "object" as const,
  properties: { guests: { type: "integer" as const } },
  required: ["guests"]
}
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] })

/** The official SDK 1.32.2, with sessions; event ids where `resumable`. */
export async function official(options: { readonly resumable?: boolean; readonly json?: boolean } = {}): Promise<Peer> {
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const done: Array<string> = []
  const versions: Array<string | undefined> = []
  const one = await site(async (request, answer) => {
    const raw = await textOf(request)
    versions.push(request.headers["mcp-protocol-version"] as string | undefined)
    const id = request.headers["mcp-session-id"] as string | undefined
    let transport = id === undefined ? undefined : transports.get(id)
    if (transport === undefined && id !== undefined) {
      answer.writeHead(404, { "content-type": "application/json" })
      const error = { code: -32001, message: "Session not found" }
      return void answer.end(JSON.stringify({ jsonrpc: "2.0", error, id: null }))
    }
    if (transport === undefined) {
      const made: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: options.json ?? false,
        retryInterval: 50,
        ...(options.resumable === true && { eventStore: remembered() }),
        onsessioninitialized: (session) => void transports.set(session, made),
        onsessionclosed: (session) => void transports.delete(session)
      })
      transport = made
      await serverOf(done).connect(made)
    }
    await transport.handleRequest(request, answer, raw === "" ? undefined : JSON.parse(raw))
  })
  return { ...one, forget: () => transports.clear(), sessions: () => transports.size, done, versions }
}

/** The official SDK 1.32.2 over HTTP+SSE: the stream at the address, messages elsewhere. */
export async function officialPair(): Promise<Peer> {
  const transports = new Map<string, SSEServerTransport>()
  const done: Array<string> = []
  const versions: Array<string | undefined> = []
  const one = await site(async (request, answer) => {
    const url = new URL(request.url!, "http://localhost")
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", answer)
      transports.set(transport.sessionId, transport)
      answer.on("close", () => transports.delete(transport.sessionId))
      return serverOf(done).connect(transport)
    }
    versions.push(request.headers["mcp-protocol-version"] as string | undefined)
    const transport = transports.get(url.searchParams.get("sessionId") ?? "")
    if (url.pathname !== "/messages" || transport === undefined)
      return void answer.writeHead(404).end("Cannot POST /mcp")
    await transport.handlePostMessage(request, answer, JSON.parse(await textOf(request)))
  })
  return { ...one, forget: () => transports.clear(), sessions: () => transports.size, done, versions }
}

function serverOf(done: Array<string>): Server {
  const server = new Server(
    { name: "sdk-1", version: "1.32.2" },
    { capabilities: { tools: { listChanged: true }, logging: {}, resources: { subscribe: true } } }
  )
  const tools = ["book", "touch", "cut", "wait"].map((name) => ({ name, inputSchema: { type: "object" as const } }))
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: "add", inputSchema: numbers }, ...tools] }))
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    done.push(`level ${params.level}`)
    return {}
  })
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    done.push(`subscribe ${params.uri}`)
    return {}
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: args = {} } = params
    done.push(name)
    switch (name) {
      case "add":
        if (extra._meta?.progressToken !== undefined)
          await extra.sendNotification({
            method: "notifications/progress",
            params: { progressToken: extra._meta.progressToken, progress: 1 }
          })
        return text(String(Number(args["a"]) + Number(args["b"])))
      case "book": {
        const answer = await server.elicitInput({ message: "How many guests?", requestedSchema: guests })
        return text(`${String(answer.content?.["guests"])} guests`)
      }
      case "touch":
        await server.sendToolListChanged()
        return text("touched")
      case "cut":
        extra.closeSSEStream?.()
        return text("resumed")
      default:
        await new Promise((resolve) => extra.signal.addEventListener("abort", resolve))
        done.push("interrupted")
        return text("interrupted")
    }
  })
  return server
}

function remembered(): EventStore {
  const events: Array<{ readonly id: string; readonly stream: string; readonly message: unknown }> = []
  return {
    storeEvent: async (stream, message) => {
      const id = `${stream}_${events.length}`
      events.push({ id, stream, message })
      return id
    },
    getStreamIdForEventId: async (id) => events.find((event) => event.id === id)?.stream,
    replayEventsAfter: async (last, { send }) => {
      const from = events.findIndex(({ id }) => id === last)
      const { stream } = events[from]!
      for (const event of events.slice(from + 1)) {
        // A priming event holds nothing.
        const { id, message } = event
        if (event.stream === stream && Object.keys(message as object).length > 0) await send(id, message as never)
      }
      return stream
    }
  }
}

const nothing = { forget: () => {}, sessions: () => 0 }

/** The official SDK 2.4.0 by its handler for web standards, for one era or both. */
export async function official2(eras: "modern" | "dual"): Promise<Peer> {
  const done: Array<string> = []
  const versions: Array<string | undefined> = []
  const handler = createMcpHandler(
    () => {
      const server = new McpServer2(
        { name: "sdk-2", version: "2.4.0" },
        { capabilities: { tools: { listChanged: true } }, instructions: "Add." }
      )
      const region = { type: "string" as const, "x-mcp-header": "Region" }
      const place = fromJsonSchema<{ region: string }>({ type: "object", properties: { region } })
      server.registerTool("add", { inputSchema: fromJsonSchema<{ a: number; b: number }>(numbers) }, ({ a, b }) =>
        text(String(a + b))
      )
      server.registerTool("place", { inputSchema: place }, ({ region }) => text(region))
      server.registerTool("book", {}, ({ mcpReq }) => {
        const accepted = acceptedContent<{ guests: number }>(mcpReq.inputResponses, "guests")
        if (accepted !== undefined) return text(`${accepted.guests} guests`)
        const ask = inputRequired.elicit({ message: "How many guests?", requestedSchema: guests })
        return inputRequired({ inputRequests: { guests: ask }, requestState: "mine" })
      })
      server.registerTool("wait", {}, async ({ mcpReq }) => {
        done.push("wait")
        await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve))
        done.push("interrupted")
        return text("interrupted")
      })
      server.registerTool("touch", {}, () => {
        handler.notify.toolsChanged()
        return text("touched")
      })
      return server
    },
    { legacy: eras === "modern" ? "reject" : "stateless" }
  )
  const one = await webSite((request) => {
    versions.push(request.headers.get("mcp-protocol-version") ?? undefined)
    return handler.fetch(request)
  })
  return { ...one, ...nothing, done, versions }
}

/** Effect's own, for handshakes, for 2026-07-28, or for both. */
export async function effects(eras: "legacy" | "modern" | "dual"): Promise<Peer> {
  const versions: Array<string | undefined> = []
  const add = Tool.make("add", {
    description: "Adds",
    parameters: Schema.Struct({ a: Schema.Finite, b: Schema.Finite }),
    success: Schema.Struct({ sum: Schema.Finite })
  })
  const book = Tool.make("book", { description: "Asks", success: Schema.String })
  const toolkit = Toolkit.make(add, book)
  const handlers = toolkit.toLayer({
    add: ({ a, b }) => Effect.succeed({ sum: a + b }),
    book: () =>
      EffectServer.elicit({ message: "How many guests?", schema: Schema.Struct({ guests: Schema.Finite }) }).pipe(
        Effect.map((answer) => `${answer.guests} guests`),
        Effect.orDie
      ) as Effect.Effect<string>
  })
  const registrations = EffectServer.toolkit(toolkit).pipe(Layer.provide(handlers))
  const legacy = [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18] as const
  const modern = [McpProtocol.v2026_07_28] as const
  const options = { name: "effect", version: "4.1.0", path: "/mcp", registrations } as const
  const layer =
    eras === "legacy"
      ? EffectServer.layerHttp({ ...options, protocols: legacy })
      : eras === "modern"
        ? EffectServer.layerHttp({ ...options, protocols: modern })
        : EffectServer.layerHttp({ ...options, protocols: [...modern, ...legacy] })
  const web: { readonly handler: (request: Request) => Promise<Response>; readonly dispose: () => Promise<void> } =
    HttpRouter.toWebHandler(layer as never, { disableLogger: true })
  const one = await webSite((request) => {
    versions.push(request.headers.get("mcp-protocol-version") ?? undefined)
    return web.handler(request)
  })
  const close = async (): Promise<void> => {
    await one.close()
    await web.dispose()
  }
  return { ...one, ...nothing, close, done: [], versions }
}
