/** A server made with the official SDK 2.4.0, over HTTP in every way it knows. */
import type { EventStore } from "@modelcontextprotocol/server"
import {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired
} from "@modelcontextprotocol/server"
import { randomUUID } from "node:crypto"
import type { Site } from "../client/site.js"
import { webSite } from "../client/site.js"

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

/** What all servers of one site have in common: on 2026-07-28 each request has a server of its own. */
interface Common {
  changes: number
  grown: boolean
  readonly done: Array<string>
  updated: (server: McpServer) => void
  grew: (server: McpServer) => void
}

function made(common: Common, sessions: boolean): McpServer {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {} }
  const server = new McpServer({ name: "sdk-2", version: "2.4.0" }, { capabilities, instructions: "Add." })
  const grown = () => server.registerTool("grown", { description: "Came later" }, () => text("grown"))
  server.registerTool(
    "add",
    { description: "Adds", inputSchema: fromJsonSchema<{ a: number; b: number }>(numbers) },
    ({ a, b }) => text(String(a + b))
  )
  server.registerTool("book", { description: "Asks" }, ({ mcpReq }) => {
    const accepted = acceptedContent<{ guests: number }>(mcpReq.inputResponses, "guests")
    if (accepted !== undefined) return text(`${accepted.guests} guests`)
    const ask = inputRequired.elicit({ message: "How many guests?", requestedSchema: guests })
    return inputRequired({ inputRequests: { guests: ask }, requestState: "mine" })
  })
  server.registerTool("touch", { description: "Changes the note" }, () => {
    common.changes++
    common.updated(server)
    return text("touched")
  })
  server.registerTool("grow", { description: "Brings another tool" }, () => {
    common.grown = true
    common.grew(server)
    if (sessions) grown()
    return text("grew")
  })
  server.registerTool("wait", { description: "Waits to be cancelled" }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta!.progressToken!
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } })
    await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve))
    common.done.push("interrupted")
    return text("cancelled")
  })
  server.registerTool("say", { description: "Writes to the log" }, async ({ mcpReq }) => {
    for (const level of ["debug", "info", "warning"] as const) await mcpReq.log(level, `said at ${level}`)
    return text("said")
  })
  server.registerTool("cut", { description: "Lets go of its stream" }, ({ http }) => {
    common.done.push("cut")
    http!.closeSSE!()
    return text("resumed")
  })
  server.registerResource("one", "note://one", { title: "One" }, ({ href }) => ({
    contents: [{ uri: href, text: `changed ${common.changes} times` }]
  }))
  server.registerPrompt("greet", { description: "Greets" }, () => ({
    messages: [{ role: "user" as const, content: { type: "text" as const, text: "Greet." } }]
  }))
  if (common.grown) grown()
  // It leaves these to whoever declares that they can subscribe.
  if (sessions)
    for (const method of ["resources/subscribe", "resources/unsubscribe"] as const)
      server.server.setRequestHandler(method, () => ({}))
  return server
}

export interface OfficialSite extends Site {
  /** What was done, in order. */
  readonly done: ReadonlyArray<string>
  readonly sessions: () => number
}

const nobody = (): void => undefined

/** A session for each `initialize`, events kept so that a stream can be taken up again. */
export async function withSessions(): Promise<OfficialSite> {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const servers: Array<McpServer> = []
  const done: Array<string> = []
  const common: Common = {
    changes: 0,
    grown: false,
    done,
    updated: (server) => void server.server.sendResourceUpdated({ uri: "note://one" }),
    grew: nobody
  }
  const one = await webSite(async (request) => {
    const id = request.headers.get("mcp-session-id")
    const known = id === null ? undefined : open.get(id)
    if (known !== undefined) return known.handleRequest(request)
    if (id !== null) return new Response(null, { status: 404 })
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      eventStore: remembered(),
      retryInterval: 20,
      onsessioninitialized: (session) => void open.set(session, transport),
      onsessionclosed: (session) => void open.delete(session)
    })
    const server = made(common, true)
    servers.push(server)
    await server.connect(transport)
    return transport.handleRequest(request)
  })
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()))
    await one.close()
  }
  return { ...one, close, done, sessions: () => open.size }
}

/** A server for each request: of 2026-07-28 only, or of handshakes as well. */
export async function withRequests(eras: "modern" | "dual"): Promise<OfficialSite> {
  const done: Array<string> = []
  const common: Common = {
    changes: 0,
    grown: false,
    done,
    updated: () => handler.notify.resourceUpdated("note://one"),
    grew: () => handler.notify.toolsChanged()
  }
  const handler = createMcpHandler(() => made(common, false), { legacy: eras === "modern" ? "reject" : "stateless" })
  const one = await webSite((request) => handler.fetch(request))
  return { ...one, done, sessions: () => 0 }
}

function remembered(): EventStore {
  const events: Array<{ readonly stream: string; readonly message: unknown }> = []
  return {
    storeEvent: async (stream, message) => `${events.push({ stream, message }) - 1}`,
    getStreamIdForEventId: async (id) => events[Number(id)]?.stream,
    replayEventsAfter: async (last, { send }) => {
      const { stream } = events[Number(last)]!
      for (const [at, event] of events.entries())
        // A priming event holds nothing.
        if (at > Number(last) && event.stream === stream && Object.keys(event.message as object).length > 0)
          await send(`${at}`, event.message as never)
      return stream
    }
  }
}
