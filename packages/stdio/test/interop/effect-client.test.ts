/** Effect's own MCP client against our server of either kind, over real pipes. */
// oxlint-disable-next-line no-restricted-imports -- a peer to talk to, not something to build on
import * as McpClient from "effect/ai/McpClient"
// oxlint-disable-next-line no-restricted-imports -- a peer to talk to, not something to build on
import * as McpProtocol from "effect/ai/McpProtocol"
import * as Effect from "effect/Effect"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"
import { nodeSpawner } from "./effect-spawner.js"
import { versionOf, wrongs } from "./modern-wire.js"
import type { Recording } from "./recorded.js"
import { exchange, recorded } from "./recorded.js"

let server: Bundled
let recording: Recording
beforeAll(async () => void (server = await bundled("../interop/eras.ts")))
afterAll(() => server.remove())
afterEach(() => recording.remove())

type Adapter = Parameters<typeof McpClient.stdio>[0]["protocol"]

/** Runs what is done with a client that speaks one version, and waits until its process is gone. */
function using<A>(
  eras: "legacy" | "modern" | "dual",
  protocol: Adapter,
  work: (client: McpClient.McpClient) => Effect.Effect<A, unknown, Scope.Scope>
): Promise<A> {
  recording = recorded(server.path)
  const command = ChildProcess.make(process.execPath, [...recording.args], { env: { ERAS: eras } })
  return Effect.gen(function* () {
    const transport = yield* McpClient.stdio({ command, protocol })
    const client = yield* McpClient.make({ name: "effect", version: "4.1.0" }).pipe(
      Effect.provideService(McpClient.Transport, transport)
    )
    return yield* work(client)
  }).pipe(Effect.scoped, Effect.provideService(ChildProcessSpawner, nodeSpawner), Effect.runPromise)
}

const converse = (client: McpClient.McpClient) =>
  Effect.gen(function* () {
    expect(client.serverInfo).toMatchObject({ name: "eras", version: "1.0.0" })
    expect(client.instructions).toBe("Add, and it shall be summed.")
    const tools = yield* client.listTools()
    const add = tools.find(({ name }) => name === "add")!
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["add", "think"]))
    expect(yield* client.callTool({ tool: add, arguments: { a: 2, b: 3 } })).toMatchObject({
      structuredContent: { sum: 5 }
    })
    expect(yield* client.listResources()).toMatchObject([{ uri: "note://one" }, { uri: "note://two" }])
    expect(yield* client.readResource({ uri: "note://one" })).toMatchObject({ contents: [{ text: "changed 0 times" }] })
    const [greet] = yield* client.listPrompts()
    expect(yield* client.getPrompt({ prompt: greet!, arguments: { who: "Ada" } })).toMatchObject({
      messages: [{ content: { text: "Greet Ada." } }]
    })
    return tools
  })

describe("Effect's McpClient", () => {
  it.each(["modern", "dual"] as const)("does all it can at 2026-07-28 with a server that is %s", async (eras) => {
    await using(eras, McpProtocol.v2026_07_28, converse)
    const sent = recording.said("client")
    expect(sent.map(({ method }) => method)).not.toContain("initialize")
    expect(new Set(sent.map(versionOf))).toEqual(new Set(["2026-07-28"]))
    expect(wrongs(recording)).toEqual([])
  })

  it("can be asked nothing: a tool that must ask, and one that does, say what the client lacks", async () => {
    await using("dual", McpProtocol.v2026_07_28, (client) =>
      Effect.gen(function* () {
        const tools = yield* client.listTools()
        const called = (name: string) => client.callTool({ tool: tools.find((one) => one.name === name)! })
        // Required before its handler runs, or asked by it: it can not be done without.
        for (const name of ["need", "book"])
          expect(yield* Effect.flip(called(name))).toMatchObject({ reason: { code: -32021 } })
      })
    )
    expect(wrongs(recording)).toEqual([])
  })

  it.each<readonly [string, unknown]>([
    ["2025-11-25", McpProtocol.v2025_11_25],
    ["2025-06-18", McpProtocol.v2025_06_18],
    ["2025-03-26", McpProtocol.v2025_03_26],
    ["2024-11-05", McpProtocol.v2024_11_05]
  ])("opens a server of both kinds by a handshake at %s", async (revision, protocol) => {
    await using("dual", protocol as Adapter, (client) =>
      Effect.gen(function* () {
        expect(client.protocolVersion).toBe(revision)
        const tools = yield* client.listTools()
        const add = tools.find(({ name }) => name === "add")!
        expect(yield* client.callTool({ tool: add, arguments: { a: 2, b: 3 } })).toMatchObject({
          content: [{ type: "text", text: '{"sum":5}' }]
        })
      })
    )
    expect(JSON.stringify(recording.said("server"))).not.toMatch("resultType")
  })

  it("is refused by a server of the other kind, either way, and can read why", async () => {
    const nothing = () => Effect.void
    await expect(using("legacy", McpProtocol.v2026_07_28, nothing)).rejects.toThrow()
    expect(exchange(recording, "server/discover").reply.error).toMatchObject({ code: -32600 })
    expect(exchange(recording, "server/discover").reply.error.data.supported).toContain("2025-11-25")
    recording.remove()
    await expect(using("modern", McpProtocol.v2025_11_25, nothing)).rejects.toThrow()
    expect(exchange(recording, "initialize").reply.error).toMatchObject({
      code: -32602,
      data: { supported: ["2026-07-28"] }
    })
  })
})
