/** A client machine driven by hand: what it is told, and what it puts out. */
import type {
  Called,
  ClientDefinition,
  ClientMachine,
  ClientMachineOptions,
  ClientState,
  ClientTimer,
  Input,
  Output
} from "../../src/client/index.js"
import { clientMachine } from "../../src/client/index.js"
import type { JsonObject } from "../../src/json.js"
import type { RevisionName } from "../../src/revision.js"
import { handshakeRevisions, perRequestRevisions, revisions } from "../../src/revisions/index.js"

export const define = (capabilities: JsonObject = {}, rest: Partial<ClientDefinition> = {}): ClientDefinition => ({
  info: { name: "by-hand", version: "1.0.0" },
  capabilities,
  revisions: handshakeRevisions,
  ...rest
})

/** All that a client can announce. */
export const everything: JsonObject = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } }
}

/** All that a server can announce. */
export const offered: JsonObject = {
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
}

export interface Session {
  readonly machine: ClientMachine
  readonly state: () => ClientState
  readonly tell: (input: Input) => ReadonlyArray<Output>
  readonly hear: (json: unknown, via?: string) => ReadonlyArray<Output>
  readonly said: (json: unknown, via?: string) => ReadonlyArray<unknown>
  readonly move: () => void
}

export function session(definition: ClientDefinition = define(), options: ClientMachineOptions = {}): Session {
  const machine = clientMachine(definition, options)
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
    move: () => {
      const moved = machine.decode(JSON.parse(JSON.stringify(machine.encode(state))))
      if (!moved.ok) throw new Error(moved.error)
      state = moved.value
    }
  }
}

/** A session after the handshake. The proposal had the id 1, so that calls are numbered from 2. */
export function opened(
  revision: RevisionName = "2025-11-25",
  capabilities: unknown = offered,
  definition: ClientDefinition = define(),
  options: ClientMachineOptions = {}
): Session {
  const by = session(definition, options)
  by.tell({ _tag: "Open" })
  by.hear(agreed(revision, capabilities))
  return by
}

/** A client of both kinds of revision. */
export const both = (capabilities: JsonObject = {}, rest: Partial<ClientDefinition> = {}): ClientDefinition =>
  define(capabilities, { revisions, ...rest })

/** A client of those without a handshake only. */
export const modern = (capabilities: JsonObject = {}, rest: Partial<ClientDefinition> = {}): ClientDefinition =>
  define(capabilities, { revisions: perRequestRevisions, ...rest })

/** A session of 2026-07-28. The question what the server speaks had the id 1, so that calls are numbered from 2. */
export function discovered(
  capabilities: unknown = offered,
  definition: ClientDefinition = both(),
  options: ClientMachineOptions = {}
): Session {
  const by = session(definition, options)
  by.tell({ _tag: "Open" })
  by.hear(discovery(1, ["2026-07-28"], { capabilities }))
  return by
}

export const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "server", version: "1" } }

export const discovery = (id: unknown, supportedVersions: unknown = ["2026-07-28"], rest: object = {}) => ({
  jsonrpc: "2.0",
  id,
  result: {
    resultType: "complete",
    supportedVersions,
    capabilities: {},
    ttlMs: 0,
    cacheScope: "private",
    _meta: serverInfo,
    ...rest
  }
})

/** What every request of 2026-07-28 says of the client by hand. */
export const envelope = (capabilities: object = {}, rest: object = {}) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "by-hand", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": capabilities,
  ...rest
})

/** Whether the server speaks it. */
export const probe = (id: number, capabilities: object = {}) =>
  ask(id, "server/discover", { _meta: envelope(capabilities) })

export const proposal = (id: number, protocolVersion = "2025-11-25", capabilities: object = {}) =>
  ask(id, "initialize", { protocolVersion, capabilities, clientInfo: { name: "by-hand", version: "1.0.0" } })

export const fired = (of: ClientTimer["of"], call = 0): Input => ({ _tag: "TimerFired", timer: { of, call } })

export const agreed = (protocolVersion: unknown, capabilities: unknown = {}, rest: object = {}, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  result: { protocolVersion, capabilities, serverInfo: { name: "server", version: "1" }, ...rest }
})

export const called = (call: number, method: string, params?: JsonObject, rest: Partial<Called> = {}): Called => ({
  _tag: "Called",
  call,
  method,
  params,
  timeoutMs: 1000,
  totalMs: undefined,
  progress: false,
  ...rest
})

export const send = (message: unknown, via?: string): Output =>
  ({ _tag: "Send", message, via, last: via !== undefined, text: undefined }) as Output

export const ask = (id: unknown, method: string, params?: unknown) =>
  params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params }

export const note = (method: string, params?: unknown) =>
  params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }

export const result = (id: unknown, of: object = {}) => ({ jsonrpc: "2.0", id, result: of })

export const error = (id: unknown, code: number, message = "no", data?: unknown) => ({
  jsonrpc: "2.0",
  id,
  error: data === undefined ? { code, message } : { code, message, data }
})

export const messages = (outputs: ReadonlyArray<Output>): ReadonlyArray<unknown> =>
  outputs.flatMap((output) => (output._tag === "Send" ? [output.message] : []))

export const startTimer = (of: ClientTimer["of"], call: number, ms: number): Output => ({
  _tag: "StartTimer",
  timer: { of, call },
  ms
})
export const stopTimer = (of: ClientTimer["of"], call: number): Output => ({
  _tag: "StopTimer",
  timer: { of, call }
})

export const failed = (call: number, why: object): Output =>
  ({ _tag: "Settle", call, outcome: { _tag: "Failed", error: why } }) as Output

export const succeeded = (call: number, of: object = {}): Output =>
  ({ _tag: "Settle", call, outcome: { _tag: "Succeeded", result: of } }) as Output

export const ignored = (why: string, method?: string, id?: unknown): Output =>
  ({ _tag: "Report", report: { _tag: "Ignored", method, id, why } }) as Output

/** A notification that is ignored, because nobody declared what it needs. */
export const unannounced = (method: string, needs: string): Output =>
  ignored(`Method not found: ${method} needs the capability ${needs}, which was not declared`, method)

export const revisionNames: ReadonlyArray<RevisionName> = handshakeRevisions.map(({ name }) => name)
