/** Addresses that begin with ws: are taken wherever http: ones are. */
import { Client as Second } from "@modelcontextprotocol/client"
import { Client as First } from "@modelcontextprotocol/sdk/client/index.js"
import { connect } from "@parley/client"
import { http } from "@parley/http/client"
import { defineServer, resource, tool } from "@parley/server"
import type { Listening } from "@parley/websocket/node"
import { listen } from "@parley/websocket/node"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { legacy } from "../../websocket/test/legacy.js"
import { parley, spoken, standing } from "./stage.js"

let withdrawn: () => void = () => {}
const echo = tool("echo", { input: { type: "object", properties: { word: { type: "string" } } } }, ({ word }) => word)
const who = tool("who", {}, (_, call) => String(call.principal))
const long = tool(
  "long",
  {},
  (_, { signal }) => new Promise<string>(() => signal.addEventListener("abort", () => withdrawn()))
)
const server = defineServer({ name: "socket", version: "1.0.0" }, [
  echo,
  who,
  long,
  resource("note://1", { name: "note" }, () => "a note")
])

let listening: Listening
beforeEach(async () => {
  listening = await listen(server, {
    authenticate: ({ header }) =>
      header("authorization") === "Bearer no" ? { unauthorized: {} } : { principal: header("authorization") }
  })
})
afterEach(() => listening.close())

const me = { name: "demo", version: "1.0.0" }

describe("parley", () => {
  it.each(["2026-07-28", "2025-11-25"])("calls, reads and inspects in %s", async (revision) => {
    const of = ["--revision", revision, listening.url]
    expect(await parley(["call", "echo", "word=hi", ...of])).toMatchObject({ code: 0, stdout: "hi\n" })
    expect(await parley(["read", "note://1", ...of])).toMatchObject({ code: 0, stdout: "a note\n" })
    const { code, stdout } = await parley(["inspect", ...of])
    expect([code, stdout]).toEqual([0, expect.stringContaining("It speaks WebSocket.")])
    const { stdout: json } = await parley(["inspect", "--json", ...of])
    expect(JSON.parse(json)).toMatchObject({ url: listening.url, transport: { name: "WebSocket" } })
  })

  it("sends headers, and tells a refusal", async () => {
    const header = (token: string) => ["--header", `Authorization: Bearer ${token}`, listening.url]
    expect(await parley(["call", "who", ...header("ada")])).toMatchObject({ code: 0, stdout: "Bearer ada\n" })
    const { code, stderr } = await parley(["call", "who", ...header("no")])
    expect(code).not.toBe(0)
    expect(stderr.replace(/\s+/g, " ")).toContain("answered HTTP 401 instead of opening a WebSocket: Unauthorized")
  })
})

describe.each([
  ["by a code", { code: 1002, reason: "initialize first" }, "1002, protocol error: initialize first"],
  ["without a word", undefined, "the connection broke without a word (1006)"]
])("a server of older revisions that closes the socket on what it does not know, %s,", (_, end, how) => {
  let server: Awaited<ReturnType<typeof legacy>>
  beforeEach(async () => {
    server = await legacy(end)
  })
  afterEach(() => server.close())
  const twice = ["server/discover", "initialize"]

  it("is connected to again and opened by initialize, which is said", async () => {
    const { code, stdout, stderr } = await parley(["call", "hi", server.url])
    expect([code, stdout, server.first]).toEqual([0, "hi\n", twice])
    expect(stderr.replace(/\s+/g, " ")).toContain(
      `The server closed the connection on server/discover (${how}): it is connected to again and opened by initialize.`
    )
    const inspected = (await parley(["inspect", server.url])).stdout.replace(/\s+/g, " ")
    expect(inspected).toContain(
      "It closed the connection on server/discover, was connected to again, and answered initialize."
    )
    expect(inspected).toContain(`! It closed the connection on server/discover (${how}), and was connected to again:`)
  })

  it("is reached through a bridge to HTTP, in its revisions", async () => {
    const bridge = await standing(["bridge", "--port", "0", server.url])
    const client = await connect(http(bridge.url), { clientInfo: me })
    expect(client.peer.revision).toBe("2025-06-18")
    expect((await client.callTool("hi")).content).toEqual([{ type: "text", text: "hi" }])
    await client.close()
    expect(await bridge.stop()).toBe(0)
    expect(server.first).toEqual(twice)
  })
})

describe("a server that is not there", () => {
  it.each([
    ["call", ["call", "hi"]],
    ["inspect", ["inspect"]],
    ["bridge to HTTP", ["bridge", "--port", "0"]]
  ])("is told by %s, which ends", async (_, argv) => {
    await listening.close()
    const { code, stdout, stderr } = await parley([...argv, listening.url])
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).toContain("the connection could not be opened: connect ECONNREFUSED")
    expect(stderr).not.toContain("server/discover (")
  })
})

describe("parley bridge", () => {
  it("brings it to standard streams, for official clients of both kinds", async () => {
    const first = new First(me)
    await first.connect(spoken(["bridge", listening.url]) as never)
    expect(await first.callTool({ name: "echo", arguments: { word: "hi" } })).toMatchObject({
      content: [{ text: "hi" }]
    })
    await first.close()
    const second = new Second(me, { versionNegotiation: { mode: "auto" } })
    await second.connect(spoken(["bridge", listening.url]) as never)
    expect(second.getProtocolEra()).toBe("modern")
    expect((await second.listTools()).tools.map(({ name }) => name)).toEqual(["echo", "who", "long"])
    const aborted = new Promise<void>((resolve) => (withdrawn = resolve))
    const cut = new AbortController()
    const call = second.callTool({ name: "long" }, { signal: cut.signal })
    await second.callTool({ name: "echo", arguments: { word: "it is under way" } })
    cut.abort("enough")
    await expect(call).rejects.toThrow()
    await aborted
    await second.close()
  })

  it("brings it to HTTP, where a port is given", async () => {
    const bridge = await standing(["bridge", "--port", "0", listening.url])
    expect(bridge.url).toMatch(/^http:/)
    for (const prefer of ["newest", "oldest"] as const) {
      const client = await connect(http(bridge.url), {
        clientInfo: me,
        prefer: prefer === "newest" ? prefer : "2025-11-25"
      })
      expect((await client.callTool("echo", { word: "hi" })).content).toEqual([{ type: "text", text: "hi" }])
      await client.close()
    }
    expect(await bridge.stop()).toBe(0)
  })
})
