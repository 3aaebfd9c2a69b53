/** Servers and clients that differ in everything the invariants are about. */
import type { Definition, JsonObject, Revision } from "@parley/core"
import type { ClientDefinition, ClientMachineOptions } from "@parley/core/client"
import type { ServerMachineOptions } from "@parley/core/server"
import {
  handshakeRevisions,
  perRequestRevisions,
  revisions,
  v2024_11_05,
  v2025_03_26,
  v2026_07_28
} from "@parley/core/revisions"

const echo = {
  name: "echo",
  title: "Echo",
  description: "Says it again",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  outputSchema: { type: "array" },
  annotations: { idempotentHint: true },
  icons: [{ src: "https://example.com/echo.png" }]
}
const tools = [
  echo,
  ...["add", "slow", "constructor", "a", "needy"].map((name) => ({ name, inputSchema: { type: "object" } }))
]

const icons = [{ src: "https://example.com/i.png", theme: "dark", sizes: ["48x48"] }]
const annotations = { audience: ["user"], priority: 0.5, lastModified: "2025-01-01T00:00:00Z" }

const define = (capabilities: JsonObject, rest: Partial<Definition> = {}): Definition => ({
  info: { name: "under-test", version: "1.2.3", title: "Under test", websiteUrl: "https://example.com" },
  instructions: undefined,
  capabilities,
  revisions: handshakeRevisions,
  unsupported: "offer",
  early: "answer",
  pageSize: 50,
  tools,
  resources: [
    { uri: "file:///a", name: "a", title: "A", icons, _meta: { a: 1 }, size: 3, annotations },
    { uri: "file:///b", name: "b", mimeType: "text/plain" },
    { uri: "__proto__", name: "constructor" }
  ],
  templates: [{ uriTemplate: "file:///{name}", name: "any", title: "Any", icons, annotations }],
  prompts: [
    { name: "a", title: "A", icons, arguments: [{ name: "x", title: "X", required: true }, { name: "y" }] },
    { name: "toString", description: "Says it" }
  ],
  requires: { needy: ["roots", "elicitation.url"] },
  caching: {},
  ...rest
})

const all: JsonObject = {
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
}

export const everything = define(all)

/** The same for clients of both kinds, and for those only that say with every request who they are. */
export const both = define(all, { revisions })
export const modern = define(all, { revisions: perRequestRevisions })

const cantine: ReadonlyArray<Revision> = [v2024_11_05]

/** Each with options of its machine: small limits are reached, large ones are not. */
export const servers: Readonly<Record<string, readonly [Definition, ServerMachineOptions]>> = {
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
  "that declares everything": [everything, {}],
  "that declares everything, and hears few": [everything, { maxSubscriptions: 1, maxInFlight: 5, askMs: 1 }],
  "of both kinds of clients": [both, {}],
  "of both kinds of clients, by closing exchanges": [both, { cancels: "exchange", maxListens: 2, salt: 3 }],
  "that speaks only 2026-07-28": [modern, { maxInFlight: 8, maxQuestions: 5, maxSealed: 400 }],
  "that speaks 2026-07-28 and batches": [
    define(
      { tools: {}, logging: {} },
      { revisions: [v2026_07_28, v2025_03_26], early: "refuse", unsupported: "refuse" }
    ),
    {}
  ]
}

const client = (capabilities: JsonObject, revisions = handshakeRevisions): ClientDefinition => ({
  info: { name: "caller", version: "0.1.0", title: "Caller" },
  capabilities,
  revisions
})

export const clients: Readonly<Record<string, readonly [ClientDefinition, ClientMachineOptions]>> = {
  "that can be asked everything": [
    client({
      roots: { listChanged: true },
      sampling: {},
      elicitation: { form: {}, url: {} },
      tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } }
    }),
    { askMs: 50 }
  ],
  "that can be asked nothing": [client({}), { cancels: "exchange" }],
  "that speaks only 2025-03-26": [client({ roots: {} }, [v2025_03_26]), { maxAsks: 2 }],
  "that speaks two old revisions": [client({ sampling: {} }, [v2025_03_26, v2024_11_05]), {}]
}
