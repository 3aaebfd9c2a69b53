/** The official SDK's own WebSocket client, version 1, does all that a client does. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { WebSocketClientTransport } from "@modelcontextprotocol/sdk/client/websocket.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema
} from "@modelcontextprotocol/sdk/types.js"
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import { revisions as all } from "@parley/core/revisions"
import { defineServer, tool } from "@parley/server"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { WebSocket } from "ws"
import { everything } from "../../../http/test/interop/everything.js"
import { Asked, converse } from "../../../stdio/test/interop/official-whole.js"
import type { Listening } from "../../src/node/listen.js"
import { listen } from "../../src/node/listen.js"

const me = { name: "official", version: "1.0.0" }

beforeAll(() => void vi.stubGlobal("WebSocket", WebSocket))
afterAll(() => void vi.unstubAllGlobals())

let listening: Listening
let client: Client
afterEach(async () => {
  await client.close()
  await listening.close()
})

describe("@modelcontextprotocol/sdk 1.32.2 over WebSocketClientTransport", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26"])("does all that it can, offered %s", async (revision) => {
    listening = await listen(everything(all.filter(({ name }) => name === revision || name === "2026-07-28")).server)
    const asked = new Asked()
    client = new Client(me, { capabilities: { elicitation: {}, sampling: {}, roots: {} } })
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => asked.form(params.message))
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked.samples.push(params.messages)
      return { role: "assistant", model: "small", content: { type: "text", text: "5" } }
    })
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///here" }] }))
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => asked.updated(params.uri))
    await client.connect(new WebSocketClientTransport(new URL(listening.url)))
    await converse(client, asked, revision)
  })

  it("cancels, and hears progress", async () => {
    let aborted!: () => void
    const stopped = new Promise<void>((resolve) => (aborted = resolve))
    const wait = tool("wait", {}, (_, call) => {
      call.progress(1, 2)
      return new Promise<string>(() => call.signal.addEventListener("abort", () => aborted()))
    })
    listening = await listen(defineServer({ name: "slow", version: "1.0.0" }, [wait]))
    client = new Client(me)
    await client.connect(new WebSocketClientTransport(new URL(listening.url)))
    const cut = new AbortController()
    const call = client.callTool({ name: "wait" }, undefined, {
      signal: cut.signal,
      onprogress: () => cut.abort("enough")
    })
    await expect(call).rejects.toThrow("enough")
    await stopped
  })
})
