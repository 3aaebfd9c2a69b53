/** Two machines wired together hold a whole conversation at each revision, with no driver between them. */
import { describe, expect, it } from "vitest"
import type { Called, ClientMachineOptions, Input as ClientInput, Output as ClientOutput } from "../src/client/index.js"
import { clientMachine } from "../src/client/index.js"
import type { Definition } from "../src/definition.js"
import type { Revision } from "../src/revision.js"
import { handshakeRevisions, v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25 } from "../src/revisions/index.js"
import type { Input as ServerInput, Output as ServerOutput } from "../src/server/index.js"
import { serverMachine } from "../src/server/index.js"

const definition: Definition = {
  info: { name: "server", version: "1.0.0", title: "Server" },
  instructions: "Be brief.",
  capabilities: { tools: { listChanged: true } },
  revisions: handshakeRevisions,
  unsupported: "offer",
  early: "answer",
  pageSize: 1,
  tools: [
    { name: "echo", inputSchema: { type: "object" } },
    { name: "slow", inputSchema: { type: "object" } }
  ],
  resources: [],
  templates: [],
  prompts: [],
  requires: {},
  caching: {}
}

interface Link {
  readonly toClient: (input: ClientInput) => void
  readonly toServer: (input: ServerInput) => void
  /** What the client put out for its user, in order. */
  readonly heard: Array<ClientOutput>
  /** What the server put out for its handlers, in order. */
  readonly run: Array<ServerOutput>
  readonly sent: Array<string>
}

function link(server: Definition, revisions: ReadonlyArray<Revision>, options: ClientMachineOptions = {}): Link {
  const [there, here] = [
    serverMachine(server),
    clientMachine({ info: { name: "client", version: "1" }, capabilities: {}, revisions }, options)
  ]
  let [far, near] = [there.initial, here.initial]
  const heard: Array<ClientOutput> = []
  const run: Array<ServerOutput> = []
  const sent: Array<string> = []
  const over = (text: unknown): unknown => JSON.parse(JSON.stringify(text))
  const toClient = (input: ClientInput): void => {
    const [next, outputs] = here.step(near, input)
    near = next
    for (const output of outputs) {
      heard.push(output)
      if (output._tag !== "Send") continue
      sent.push(`-> ${JSON.stringify(output.message)}`)
      toServer({ _tag: "Received", json: over(output.message), via: "link" })
    }
  }
  const toServer = (input: ServerInput): void => {
    const [next, outputs] = there.step(far, input)
    far = next
    for (const output of outputs) {
      run.push(output)
      if (output._tag !== "Send") continue
      sent.push(`<- ${output.text ?? JSON.stringify(output.message)}`)
      toClient({ _tag: "Received", json: over(output.message), via: "link" })
    }
  }
  return { toClient, toServer, heard, run, sent }
}

const called = (call: number, method: string, params?: Called["params"], progress = false): Called => ({
  _tag: "Called",
  call,
  method,
  params,
  timeoutMs: 1000,
  totalMs: undefined,
  progress
})
const settled = ({ heard }: Link, call: number) =>
  heard.flatMap((output) => (output._tag === "Settle" && output.call === call ? [output.outcome] : []))

describe.each([v2025_11_25, v2025_06_18, v2025_03_26, v2024_11_05])("a client of $name", (revision) => {
  const both = () => {
    const pair = link(definition, [revision])
    pair.toClient({ _tag: "Open" })
    return pair
  }

  it("opens, lists page by page, and ends", () => {
    const pair = both()
    expect(pair.heard.find(({ _tag }) => _tag === "Opened")).toMatchObject({
      asked: revision.name,
      peer: { revision: revision.name, capabilities: { tools: { listChanged: true } } },
      instructions: "Be brief."
    })
    pair.toClient(called(2, "tools/list"))
    expect(settled(pair, 2)).toEqual([
      {
        _tag: "Succeeded",
        result: { tools: [{ name: "echo", inputSchema: { type: "object" } }], nextCursor: "after:echo" }
      }
    ])
    pair.toClient(called(3, "tools/list", { cursor: "after:echo" }))
    expect(settled(pair, 3)).toEqual([
      { _tag: "Succeeded", result: { tools: [{ name: "slow", inputSchema: { type: "object" } }] } }
    ])
    pair.toClient({ _tag: "Stopping" })
    expect(pair.heard.at(-1)).toEqual({ _tag: "Close", reason: "the client closed it" })
    pair.toServer({ _tag: "PeerClosed" })
    expect(pair.run.at(-1)).toEqual({ _tag: "Close", reason: "the client is gone" })
  })

  it("calls, hears of progress, and is answered", () => {
    const pair = both()
    pair.toClient(called(2, "tools/call", { name: "slow", arguments: { ms: 5 } }, true))
    expect(pair.run.at(-1)).toMatchObject({
      _tag: "Invoke",
      call: 1,
      id: 2,
      target: { name: "slow", arguments: { ms: 5 } },
      progress: true
    })
    pair.toServer({ _tag: "Progressed", call: 1, id: 2, progress: 1, total: 2 })
    expect(pair.heard.at(-1)).toEqual({ _tag: "Progress", call: 2, progress: 1, total: 2, message: undefined })
    pair.toServer({ _tag: "Succeeded", call: 1, id: 2, result: { content: [{ type: "text", text: "done" }] } })
    expect(settled(pair, 2)).toEqual([{ _tag: "Succeeded", result: { content: [{ type: "text", text: "done" }] } }])
  })

  it("abandons, and the handler is interrupted", () => {
    const pair = both()
    pair.toClient(called(2, "tools/call", { name: "slow" }))
    pair.toClient({ _tag: "Abandoned", call: 2, reason: "no longer needed" })
    expect(pair.run).toContainEqual({ _tag: "Interrupt", call: 1, reason: "no longer needed" })
    pair.toServer({ _tag: "Succeeded", call: 1, id: 2, result: { content: [] } })
    expect(settled(pair, 2)).toEqual([
      { _tag: "Failed", error: { _tag: "Abandoned", method: "tools/call", reason: "no longer needed" } }
    ])
  })

  it("hears that a list changed, and pings both ways", () => {
    const pair = both()
    pair.toServer({ _tag: "Changed", families: ["tools"] })
    expect(pair.heard.at(-1)).toMatchObject({ _tag: "Notice", method: "notifications/tools/list_changed" })
    pair.toClient(called(2, "ping"))
    expect(settled(pair, 2)).toEqual([{ _tag: "Succeeded", result: {} }])
  })

  it("never sends what the server did not declare", () => {
    const pair = both()
    const before = pair.sent.length
    pair.toClient(called(2, "resources/list"))
    pair.toClient(called(2, "nope"))
    expect(pair.sent.length).toBe(before)
  })

  it("sends and hears these texts, and no others", () => {
    const pair = both()
    pair.toClient(called(2, "tools/call", { name: "nope" }))
    const names =
      revision.name >= "2025-06-18"
        ? '"name":"server","version":"1.0.0","title":"Server"'
        : '"name":"server","version":"1.0.0"'
    expect(pair.sent).toEqual([
      `-> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"${revision.name}","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}`,
      `<- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"${revision.name}","capabilities":{"tools":{"listChanged":true}},"serverInfo":{${names}},"instructions":"Be brief."}}`,
      '-> {"jsonrpc":"2.0","method":"notifications/initialized"}',
      '-> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"nope"}}',
      '<- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: nope"}}'
    ])
  })
})

describe("two sides that speak different revisions", () => {
  it("meet at what the server offers", () => {
    const pair = link({ ...definition, revisions: [v2025_03_26] }, handshakeRevisions)
    pair.toClient({ _tag: "Open" })
    expect(pair.heard.find(({ _tag }) => _tag === "Opened")).toMatchObject({
      asked: "2025-11-25",
      peer: { revision: "2025-03-26" }
    })
  })

  it("meet at what a strict server names", () => {
    const pair = link(
      { ...definition, revisions: [v2025_03_26, v2024_11_05], unsupported: "refuse" },
      handshakeRevisions
    )
    pair.toClient({ _tag: "Open" })
    expect(pair.heard.find(({ _tag }) => _tag === "Opened")).toMatchObject({
      asked: "2025-03-26",
      peer: { revision: "2025-03-26" }
    })
  })

  it("part when they share none", () => {
    const pair = link({ ...definition, revisions: [v2025_11_25] }, [v2024_11_05])
    pair.toClient({ _tag: "Open" })
    expect(pair.heard.at(-2)).toMatchObject({
      _tag: "OpenFailed",
      failure: { _tag: "VersionUnsupported", offered: ["2025-11-25"] }
    })
    expect(pair.heard.at(-1)).toMatchObject({ _tag: "Close" })
  })
})
