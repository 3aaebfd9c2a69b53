/** Clients that speak 2026-07-28, with others or alone, and differ in how they open and in what they can be asked. */
import type { JsonObject } from "@parley/core"
import type { ClientDefinition, ClientMachineOptions } from "@parley/core/client"
import { perRequestRevisions, revisions } from "@parley/core/revisions"

export const askable: JsonObject = {
  roots: { listChanged: true },
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  experimental: { "io.example/x": {} },
  tasks: { list: {}, cancel: {} }
}

export const client = (capabilities: JsonObject, rest: Partial<ClientDefinition> = {}): ClientDefinition => ({
  info: { name: "caller", version: "0.1.0", title: "Caller" },
  capabilities,
  revisions,
  ...rest
})

/** What a server said of itself that is remembered. */
export const discovered: JsonObject = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  ttlMs: 0,
  cacheScope: "private"
}

export const moderns: Readonly<Record<string, readonly [ClientDefinition, ClientMachineOptions]>> = {
  "of both kinds of servers": [client(askable), { askMs: 50 }],
  "of both kinds, by closing exchanges, and with little patience": [
    client({ elicitation: {} }, {}),
    { cancels: "exchange", maxRounds: 3, maxAsks: 2, salt: 7 }
  ],
  "that speaks only 2026-07-28": [client(askable, { revisions: perRequestRevisions }), {}],
  "that can be asked nothing, by servers of both kinds": [client({}), {}],
  "that prefers the oldest": [client({ sampling: {}, roots: {} }, { prefer: "oldest" }), { probeMs: 1 }],
  "that wants 2026-07-28 and no other": [client(askable, { prefer: "2026-07-28" }), { askMs: 1 }],
  "that wants 2025-06-18 and no other": [client(askable, { prefer: "2025-06-18" }), {}],
  "that remembers a server of 2026-07-28": [client(askable), { prior: { _tag: "Discovered", result: discovered } }],
  "that remembers a handshake": [client(askable), { prior: { _tag: "Handshake" } }]
}
