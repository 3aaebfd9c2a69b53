/** Both official clients and all of a server, by a handshake, on real sockets. */
import { Client as Second, StreamableHTTPClientTransport as SecondTransport } from "@modelcontextprotocol/client"
import { Client as First } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import { revisions as all } from "@parley/core/revisions"
import { afterEach, describe, expect, it } from "vitest"
import { Asked, converse } from "../../../stdio/test/interop/official-whole.js"
import type { Everything } from "./everything.js"
import { everything } from "./everything.js"
import type { Standing } from "./standing.js"
import { places, platforms } from "./standing.js"
import { tapped } from "./tapped.js"

const me = { name: "official", version: "1.0.0" }
const capabilities = { elicitation: {}, sampling: {}, roots: {} }
const thought = { role: "assistant" as const, model: "small", content: { type: "text" as const, text: "5" } }
const here = { roots: [{ uri: "file:///here" }] }
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26"]

let standing: Standing
let client: { close: () => Promise<void> } | undefined
afterEach(async () => {
  await client?.close()
  await standing.close()
})

/** A server that speaks this revision, and 2026-07-28 beside it. */
const speaking = (revision: string): Everything =>
  everything(all.filter(({ name }) => name === revision || name === "2026-07-28"))

function first(asked: Asked): First {
  const connected = new First(me, { capabilities })
  client = connected
  connected.setRequestHandler(ElicitRequestSchema, ({ params }) => asked.form(params.message))
  connected.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    asked.samples.push(params.messages)
    return thought
  })
  connected.setRequestHandler(ListRootsRequestSchema, () => here)
  connected.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => asked.updated(params.uri))
  return connected
}

function second(asked: Asked, supported: ReadonlyArray<string>): Second {
  const connected = new Second(me, { capabilities, supportedProtocolVersions: [...supported] })
  client = connected
  connected.setRequestHandler("elicitation/create", ({ params }) => asked.form(params.message))
  connected.setRequestHandler("sampling/createMessage", ({ params }) => {
    asked.samples.push(params.messages)
    return thought
  })
  connected.setRequestHandler("roots/list", () => here)
  connected.setNotificationHandler("notifications/resources/updated", ({ params }) => asked.updated(params.uri))
  return connected
}

describe.each(places)("%s", (place) => {
  it.each(revisions)("does all that @modelcontextprotocol/sdk 1.32.2 can, offered %s", async (revision) => {
    standing = await platforms[place](speaking(revision).server)
    const [asked, tap] = [new Asked(), tapped()]
    const connected = first(asked)
    const transport = new FirstTransport(standing.url, { fetch: tap.fetch })
    await connected.connect(transport)
    await tap.streaming
    expect(transport.protocolVersion).toBe(revision)
    expect(transport.sessionId).toMatch(/^[\x21-\x7e]{20,}$/)
    await converse(connected, asked, revision)
    await transport.terminateSession()
    expect(tap.answers.filter(({ status }) => status >= 400)).toEqual([])
  })

  it.each(revisions)("does all that @modelcontextprotocol/client 2.4.0 can, proposing %s", async (revision) => {
    standing = await platforms[place](everything().server)
    const [asked, tap] = [new Asked(), tapped()]
    const connected = second(asked, [revision])
    await connected.connect(new SecondTransport(standing.url, { fetch: tap.fetch }))
    await tap.streaming
    expect(connected.getNegotiatedProtocolVersion()).toBe(revision)
    await converse(connected, asked, revision)
    expect(JSON.stringify(tap.said("server"))).not.toMatch("resultType")
  })

  it("lets a call be cancelled by a message", async () => {
    const { server, interrupted } = everything()
    standing = await platforms[place](server)
    const connected = second(new Asked(), ["2025-11-25"])
    await connected.connect(new SecondTransport(standing.url))
    const controller = new AbortController()
    const told = interrupted()
    const waiting = connected.callTool(
      { name: "wait" },
      { signal: controller.signal, onprogress: () => controller.abort("enough") }
    )
    await expect(waiting).rejects.toThrow("enough")
    expect(await told).toMatch("enough")
    await connected.ping()
  })

  it("speaks 2024-11-05 with the pair of endpoints that it had, where it is told to", async () => {
    standing = await platforms[place](everything().server, { legacySse: true })
    const asked = new Asked()
    const connected = second(asked, ["2024-11-05"])
    await connected.connect(new SSEClientTransport(standing.url))
    expect(connected.getNegotiatedProtocolVersion()).toBe("2024-11-05")
    await converse(connected, asked, "2024-11-05")
  })
})
