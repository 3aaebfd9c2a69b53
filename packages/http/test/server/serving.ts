/** Sessions under a clock of the test's own, and a client that speaks to them by fake exchanges. */
import type { Item, Live, Server } from "@parley/server"
import { defineServer, form, tool } from "@parley/server"
import { host } from "@parley/server/host"
import type { HttpOptions } from "../../src/server/options.js"
import { sessions } from "../../src/server/sessions.js"
import { simulated } from "../../../driver/test/simulated.js"
import type { Fake, FakeOptions } from "./fake-exchange.js"
import { fakeExchange } from "./fake-exchange.js"

export type Serving = Awaited<ReturnType<typeof serving>>

export const either = { json: true, events: true }

export async function serving(subject: Server | Live = defined(), options: HttpOptions = {}) {
  const clock = simulated()
  const hosting = host(subject, options)
  await hosting.ready
  const served = sessions(hosting, Object.assign({ clock }, options))
  const post = (came: unknown, more: FakeOptions = {}, principal?: string): Fake => {
    const exchange = fakeExchange(Object.assign({ body: JSON.stringify(came) }, more))
    served.post(exchange, came, principal, either)
    return exchange
  }
  const get = (headers: Record<string, string>, principal?: string): Fake => {
    const exchange = fakeExchange({ method: "GET", headers })
    served.get(exchange, principal)
    return exchange
  }
  const remove = (headers: Record<string, string>, principal?: string): Fake => {
    const exchange = fakeExchange({ method: "DELETE", headers })
    served.delete(exchange, principal)
    return exchange
  }
  /** A session whose client is ready, and what goes with each of its requests. */
  const opened = (
    protocolVersion = "2025-11-25",
    capabilities: object = { elicitation: {} },
    principal?: string,
    from?: string
  ) => {
    const reply = post(initialize(protocolVersion, capabilities), from === undefined ? {} : { from }, principal)
    const session = { "mcp-session-id": reply.headers()["mcp-session-id"]! }
    post({ jsonrpc: "2.0", method: "notifications/initialized" }, { headers: session }, principal)
    return session
  }
  return { served, clock, post, get, remove, opened }
}

export const initialize = (protocolVersion = "2025-11-25", capabilities: object = {}) => ({
  jsonrpc: "2.0",
  id: "open",
  method: "initialize",
  params: { protocolVersion, capabilities, clientInfo: { name: "test", version: "1" } }
})

export const call = (id: string | number, name: string, args: object = {}, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, ...more }
})

export const echo = tool("echo", { input: text() }, ({ text }) => text)

export const guests = form(numbered())

export const book = tool("book", { asks: { guests } }, async (_, call) => {
  const { guests } = await call.ask("guests", { message: "How many?" })
  return `for ${guests}`
})

export const defined = (items: ReadonlyArray<Item> = [echo, book], options: object = {}): Server =>
  defineServer({ name: "test", version: "1" }, items, options)

function text() {
  return { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const
}

function numbered() {
  return { type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] } as const
}

/** Lets everything that waits for nothing but its turn have it. */
export const settled = (): Promise<void> => new Promise((done) => setImmediate(done))
