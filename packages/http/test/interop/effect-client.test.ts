/** Effect's own MCP client against our server, in both eras, on real sockets. */
// oxlint-disable-next-line no-restricted-imports -- a peer to talk to, not something to build on
import * as McpClient from "effect/ai/McpClient"
// oxlint-disable-next-line no-restricted-imports -- a peer to talk to, not something to build on
import * as McpProtocol from "effect/ai/McpProtocol"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as Scope from "effect/Scope"
import { afterEach, describe, expect, it } from "vitest"
import { versionOf, wrongs } from "../../../stdio/test/interop/modern-wire.js"
import { everything } from "./everything.js"
import type { Standing } from "./standing.js"
import { places, platforms } from "./standing.js"
import type { Tapped } from "./tapped.js"
import { tapped } from "./tapped.js"

let standing: Standing
let tap: Tapped
afterEach(() => standing.close())

type Adapter = Parameters<typeof McpClient.http>[0]["protocol"]

/** Runs what is done with a client that speaks one version. */
async function using<A>(
  place: (typeof places)[number],
  protocol: Adapter,
  work: (client: McpClient.McpClient) => Effect.Effect<A, unknown, Scope.Scope>
): Promise<A> {
  standing = await platforms[place](everything().server)
  tap = tapped()
  return Effect.gen(function* () {
    const transport = yield* McpClient.http({ url: standing.url, protocol })
    const client = yield* McpClient.make({ name: "effect", version: "4.1.0" }).pipe(
      Effect.provideService(McpClient.Transport, transport)
    )
    return yield* work(client)
  }).pipe(
    Effect.scoped,
    Effect.provide(FetchHttpClient.layer),
    Effect.provideService(FetchHttpClient.Fetch, tap.fetch),
    Effect.runPromise
  )
}

const converse = (client: McpClient.McpClient) =>
  Effect.gen(function* () {
    expect(client.serverInfo).toMatchObject({ name: "everything", version: "1.0.0" })
    const tools = yield* client.listTools()
    const add = tools.find(({ name }) => name === "add")!
    expect(yield* client.callTool({ tool: add, arguments: { a: 2, b: 3 } })).toMatchObject({
      content: [{ type: "text", text: '{"sum":5}' }]
    })
    expect(yield* client.listResources()).toMatchObject([{ uri: "note://one" }])
    expect(yield* client.readResource({ uri: "note://one" })).toMatchObject({ contents: [{ text: "changed 0 times" }] })
    const [greet] = yield* client.listPrompts()
    expect(yield* client.getPrompt({ prompt: greet!, arguments: { who: "Ada" } })).toMatchObject({
      messages: [{ content: { text: "Greet Ada." } }]
    })
  })

describe.each(places)("%s", (place) => {
  it("does all that Effect's McpClient can at 2026-07-28", async () => {
    await using(place, McpProtocol.v2026_07_28, converse)
    const posted = tap.said("client").filter(({ id }) => id !== undefined)
    expect(new Set(posted.map(versionOf))).toEqual(new Set(["2026-07-28"]))
    expect(wrongs(tap)).toEqual([])
  })

  it.each<readonly [string, unknown]>([
    ["2025-11-25", McpProtocol.v2025_11_25],
    ["2025-06-18", McpProtocol.v2025_06_18],
    ["2025-03-26", McpProtocol.v2025_03_26]
  ])("does all that it can by a handshake at %s", async (revision, protocol) => {
    await using(place, protocol as Adapter, (client) => {
      expect(client.protocolVersion).toBe(revision)
      return converse(client)
    })
    expect(JSON.stringify(tap.said("server"))).not.toMatch("resultType")
  })
})
