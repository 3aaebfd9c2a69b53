/** A server machine driven by hand: what it is told, and what it puts out. */
import type { Definition } from "../../src/definition.js"
import type { JsonObject } from "../../src/json.js"
import type { RequestId } from "../../src/jsonrpc.js"
import type { Revision, RevisionName } from "../../src/revision.js"
import { handshakeRevisions } from "../../src/revisions/index.js"
import type { Input, Output, ServerMachine, ServerMachineOptions, ServerState } from "../../src/server/index.js"
import { serverMachine } from "../../src/server/index.js"

export const tool = (name: string, rest: JsonObject = {}) => ({ name, inputSchema: { type: "object" }, ...rest })

export const define = (capabilities: JsonObject, rest: Partial<Definition> = {}): Definition => ({
  info: { name: "by-hand", version: "1.0.0" },
  instructions: undefined,
  capabilities,
  revisions: handshakeRevisions,
  unsupported: "offer",
  early: "answer",
  pageSize: 50,
  tools: [tool("echo"), tool("slow")],
  resources: [],
  templates: [],
  prompts: [],
  requires: {},
  caching: {},
  ...rest
})

/** All that can be announced. */
export const everything: JsonObject = {
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
}

export interface Session {
  readonly machine: ServerMachine
  readonly state: () => ServerState
  /** Everything the step put out. */
  readonly tell: (input: Input) => ReadonlyArray<Output>
  /** The same for a JSON value that arrives by `via`. */
  readonly hear: (json: unknown, via?: string) => ReadonlyArray<Output>
  /** What was sent in return, without the reports. */
  readonly said: (json: unknown, via?: string) => ReadonlyArray<unknown>
  /** Writes the state down and reads it back. */
  readonly move: (into?: ServerMachine) => void
}

export function session(definition: Definition, options: ServerMachineOptions = {}): Session {
  const machine = serverMachine(definition, options)
  let state = machine.initial
  const tell = (input: Input) => {
    const [next, outputs] = machine.step(state, input)
    state = next
    return outputs
  }
  const hear = (json: unknown, via = "a") => tell({ _tag: "Received", json, via })
  return {
    machine,
    state: () => state,
    tell,
    hear,
    said: (json, via) => messages(hear(json, via)),
    move: (into = machine) => {
      const moved = into.decode(JSON.parse(JSON.stringify(machine.encode(state))))
      if (!moved.ok) throw new Error(moved.error)
      state = moved.value
    }
  }
}

/** A session after the handshake. */
export function ready(
  revision: RevisionName,
  definition: Definition,
  options: ServerMachineOptions = {},
  clientCapabilities: unknown = {}
): Session {
  const by = session(definition, options)
  by.hear(initialize(revision, clientCapabilities))
  by.hear(initialized)
  return by
}

export const initialize = (protocolVersion: string, capabilities: unknown = {}, id: RequestId = "init") => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities, clientInfo: { name: "client", version: "1" } }
})

export const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }

export const ask = (id: unknown, method: string, params?: unknown) =>
  params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params }

/** What a complete envelope says, and more when that is given. */
export const envelope = (rest: JsonObject = {}): JsonObject => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "modern", version: "2" },
  ...rest
})

/** A request that says who asks. */
export const enveloped = (id: RequestId, method: string, params: object = {}, meta: JsonObject = {}) =>
  ask(id, method, { ...params, _meta: envelope(meta) })

/** What every result of a server driven by hand says of it. */
export const stamp = {
  resultType: "complete",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "by-hand", version: "1.0.0" } }
}

export const note = (method: string, params?: unknown) =>
  params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }

export const call = (id: RequestId, name = "slow", rest: object = {}) =>
  ask(id, "tools/call", { name, arguments: {}, ...rest })

export const cancelled = (requestId: RequestId, reason?: string) =>
  note("notifications/cancelled", reason === undefined ? { requestId } : { requestId, reason })

/** Who opened a session by hand, or said so with a request of its own. */
export const peer = (
  revision: RevisionName,
  capabilities: object = {},
  info: object = { name: "client", version: "1" }
) => ({ revision, capabilities, info })

export const messages = (outputs: ReadonlyArray<Output>): ReadonlyArray<unknown> =>
  outputs.flatMap((output) => (output._tag === "Send" ? [output.message] : []))

export const codes = (sent: ReadonlyArray<unknown>): ReadonlyArray<number | undefined> =>
  sent.map((message) => (message as { error?: { code: number } }).error?.code)

export const send = (message: unknown, via: string | undefined = "a", last = true): Output =>
  ({ _tag: "Send", message, via, last, text: undefined }) as Output

export const revisionNames: ReadonlyArray<RevisionName> = handshakeRevisions.map((revision: Revision) => revision.name)
