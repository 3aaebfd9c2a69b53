/** Requests of 2026-07-28 for tests, with the headers that belong to them. */
import { member } from "@parley/core"
import type { HttpOptions } from "../../src/server/options.js"
import type { Endpoint } from "../../src/server/endpoint.js"
import { endpoint } from "../../src/server/endpoint.js"
import type { Live, Server } from "@parley/server"
import type { Fake, FakeOptions } from "./fake-exchange.js"
import { fakeExchange } from "./fake-exchange.js"

export const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

export const headers = {
  host: "localhost:3000",
  "content-type": "application/json",
  accept: "application/json, text/event-stream"
}

export const body = (method: string, params: object = {}, id: string | number = 1): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { _meta: meta, ...params }
})

/** Those of a well-behaved client; `other` goes over them, and undefined takes one away. */
export function modern(
  json: unknown,
  other: Readonly<Record<string, string | undefined>> = {}
): Readonly<Record<string, string>> {
  const params = member(json, "params")
  const name = member(params, "name") ?? member(params, "uri")
  const all = {
    ...headers,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": member(json, "method") as string | undefined,
    ...(typeof name === "string" && { "mcp-name": name }),
    ...other
  }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

export interface Asking {
  readonly endpoint: Endpoint
  /** Sends anything. */
  readonly send: (options: FakeOptions) => Fake
  /** Sends a message with the headers that belong to it, and gives what there is to be done at once its turn. */
  readonly post: (
    json: unknown,
    other?: Readonly<Record<string, string | undefined>>,
    more?: FakeOptions
  ) => Promise<Fake>
}

export async function asking(server: Server | Live, options: HttpOptions = {}): Promise<Asking> {
  const made = endpoint(server, options)
  await made.ready
  const send = (options: FakeOptions): Fake => {
    const exchange = fakeExchange(options)
    made.handle(exchange)
    return exchange
  }
  return {
    endpoint: made,
    send,
    post: async (json, other, more) => {
      const exchange = send({ headers: modern(json, other), body: JSON.stringify(json), ...more })
      await turns()
      return exchange
    }
  }
}

/** Everything that follows from what has happened has happened, but for what waits for time. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}
