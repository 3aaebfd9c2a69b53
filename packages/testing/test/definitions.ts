/** Servers and clients that differ in everything the invariants are about. */
import type { Definition, JsonObject, Revision } from "@parley/core"
import type { ClientDefinition } from "@parley/core/client"
import { handshakeRevisions, v2024_11_05, v2025_03_26 } from "@parley/core/revisions"

const echo = {
  name: "echo",
  title: "Echo",
  description: "Says it again",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  outputSchema: { type: "array" },
  annotations: { idempotentHint: true },
  icons: [{ src: "https://example.com/echo.png" }]
}
const tools = [echo, ...["add", "slow", "constructor", "a"].map((name) => ({ name, inputSchema: { type: "object" } }))]

const define = (capabilities: JsonObject, rest: Partial<Definition> = {}): Definition => ({
  info: { name: "under-test", version: "1.2.3", title: "Under test", websiteUrl: "https://example.com" },
  instructions: undefined,
  capabilities,
  revisions: handshakeRevisions,
  unsupported: "offer",
  early: "answer",
  pageSize: 50,
  tools,
  ...rest
})

export const everything = define({
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
})

const cantine: ReadonlyArray<Revision> = [v2024_11_05]

/** Each with options of its machine: small limits are reached, large ones are not. */
export const servers: Readonly<Record<string, readonly [Definition, { maxInFlight?: number; salt?: number }]>> = {
  "with tools": [define({ tools: {} }), {}],
  "without any capability": [define({}), { salt: 7 }],
  "that refuses early requests and unknown versions": [
    define({ tools: {}, resources: {} }, { early: "refuse", unsupported: "refuse" }),
    { maxInFlight: 3 }
  ],
  "that speaks only 2024-11-05": [
    define({ tools: { listChanged: true } }, { revisions: cantine, early: "refuse" }),
    {}
  ],
  "that speaks only 2025-03-26": [define({ tools: {}, logging: {} }, { revisions: [v2025_03_26] }), { maxInFlight: 4 }],
  "with pages of two": [define({ tools: {} }, { pageSize: 2, instructions: "Page on." }), {}],
  "that declares everything": [everything, {}]
}

const client = (capabilities: JsonObject, revisions = handshakeRevisions): ClientDefinition => ({
  info: { name: "caller", version: "0.1.0", title: "Caller" },
  capabilities,
  revisions
})

export const clients: Readonly<
  Record<string, readonly [ClientDefinition, { cancels?: "message" | "exchange"; maxAsks?: number }]>
> = {
  "that can be asked everything": [
    client({
      roots: { listChanged: true },
      sampling: {},
      elicitation: { form: {}, url: {} },
      tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } }
    }),
    {}
  ],
  "that can be asked nothing": [client({}), { cancels: "exchange" }],
  "that speaks only 2025-03-26": [client({ roots: {} }, [v2025_03_26]), { maxAsks: 2 }],
  "that speaks two old revisions": [client({ sampling: {} }, [v2025_03_26, v2024_11_05]), {}]
}
