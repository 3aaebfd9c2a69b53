/** Both official clients and all of a server: its resources, prompts, suggestions and questions, over real pipes. */
import { Client as Second } from "@modelcontextprotocol/client"
import { StdioClientTransport as SecondTransport } from "@modelcontextprotocol/client/stdio"
import { Client as First } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"
import { Asked, converse } from "./official-whole.js"

let server: Bundled
let client: { close: () => Promise<void> } | undefined
beforeAll(async () => void (server = await bundled("../interop/whole.ts")))
afterAll(() => server.remove())
afterEach(() => client?.close())

const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
const me = { name: "official", version: "1.0.0" }
const capabilities = { elicitation: {}, sampling: {}, roots: {} }
const thought = { role: "assistant" as const, model: "small", content: { type: "text" as const, text: "5" } }
const here = { roots: [{ uri: "file:///here" }] }
const spawned = (env: Record<string, string>) => ({ command: process.execPath, args: [server.path], env })

/** This client proposes 2025-11-25 and nothing else; a server that speaks one older revision offers that, and it agrees. */
describe.each(revisions)("@modelcontextprotocol/sdk 1.32.2, offered %s", (revision) => {
  it("lists, reads, subscribes, completes, gets prompts, and answers questions", async () => {
    const asked = new Asked()
    const connected = new First(me, { capabilities })
    client = connected
    connected.setRequestHandler(ElicitRequestSchema, ({ params }) => asked.form(params.message))
    connected.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked.samples.push(params.messages)
      return thought
    })
    connected.setRequestHandler(ListRootsRequestSchema, () => here)
    connected.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => asked.updated(params.uri))
    await connected.connect(new FirstTransport(spawned({ REVISION: revision })))
    await converse(connected, asked, revision)
  })
})

async function second(revision: string, supported: ReadonlyArray<string>, env: Record<string, string>) {
  const asked = new Asked()
  const connected = new Second(me, { capabilities, supportedProtocolVersions: [...supported] })
  client = connected
  connected.setRequestHandler("elicitation/create", ({ params }) => asked.form(params.message))
  connected.setRequestHandler("sampling/createMessage", ({ params }) => {
    asked.samples.push(params.messages)
    return thought
  })
  connected.setRequestHandler("roots/list", () => here)
  connected.setNotificationHandler("notifications/resources/updated", ({ params }) => asked.updated(params.uri))
  await connected.connect(new SecondTransport(spawned(env)))
  expect(connected.getNegotiatedProtocolVersion()).toBe(revision)
  await converse(connected, asked, revision)
}

describe("@modelcontextprotocol/client 2.4.0", () => {
  it.each(revisions)("does all of it when it proposes %s", async (revision) => {
    await second(revision, [revision], {})
  })

  it.each(revisions)("does all of it when it is offered %s", async (revision) => {
    await second(revision, revisions, { REVISION: revision })
  })
})
