/** `parley bridge -- command`: real servers as real processes, and clients over real sockets. */
import { Client as Second, StreamableHTTPClientTransport as SecondTransport } from "@modelcontextprotocol/client"
import { Client as First } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { connect } from "@parley/client"
import { revisions } from "@parley/core/revisions"
import { http } from "@parley/http/client"
import { afterEach, describe, expect, it } from "vitest"
import type { Standing } from "../stage.js"
import { fixture, parley, script, standing } from "../stage.js"

let bridge: Standing
afterEach(async () => {
  const code = await bridge.stop()
  if (code !== 0) throw new Error(`the bridge left with ${code}: ${bridge.stderr()}`)
})

const me = { name: "demo", version: "1.0.0" }
const client = (revision = "2026-07-28") =>
  connect(http(bridge.url), { clientInfo: me, revisions: revisions.filter(({ name }) => name === revision) })
const said = ({ content }: { readonly content: ReadonlyArray<object> }): unknown =>
  JSON.parse((content[0] as { readonly text: string }).text)

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

/** A request of 2026-07-28, by hand. */
const post = (method: string, params: Record<string, unknown>, id: unknown, more: RequestInit = {}) =>
  fetch(bridge.url, {
    method: "POST",
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method,
      params: { ...params, _meta: { ...meta, ...(params["_meta"] as object) } }
    }),
    ...more,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof params["name"] === "string" && { "mcp-name": params["name"] }),
      ...(more.headers as Record<string, string>)
    }
  })
const call = (name: string, id: unknown, more?: RequestInit) => post("tools/call", { name }, id, more)
const textOf = async (response: Response): Promise<unknown> =>
  said(((await response.json()) as { result: { content: ReadonlyArray<object> } }).result)

describe("official clients use", () => {
  it("an official server of the handshake, which asks them, through a session of their own", async () => {
    bridge = await standing(["bridge", ...fixture("sdk-1")])
    expect(bridge.stderr()).toContain("in versions up to 2025-11-25, as the server does")
    const first = new First(me, { capabilities: { elicitation: {} } })
    first.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { guests: 3 } }))
    await first.connect(new FirstTransport(new URL(bridge.url)))
    expect((await first.listTools()).tools.map(({ name }) => name)).toContain("add")
    expect(await first.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toMatchObject({
      structuredContent: { sum: 3 }
    })
    expect(JSON.stringify(await first.callTool({ name: "dinner" }))).toContain("3")
    await first.close()
  })

  it("an official server of 2026-07-28", async () => {
    bridge = await standing(["bridge", ...fixture("sdk-2-eras")])
    expect(bridge.stderr()).toContain("in all versions")
    const second = new Second(me, { versionNegotiation: { mode: "auto" } })
    await second.connect(new SecondTransport(new URL(bridge.url)))
    expect(second.getProtocolEra()).toBe("modern")
    const sum = await second.callTool({ name: "add", arguments: { a: 1, b: 2 } })
    expect(sum.content).toEqual([{ type: "text", text: "3" }])
    await second.close()
  })
})

it("gives each session a process of its own, and requests of 2026-07-28 one together", async () => {
  bridge = await standing(["bridge", ...fixture("plain")])
  const [one, two] = await Promise.all([client("2025-11-25"), client("2025-06-18")])
  const pids = await Promise.all([one, two, one].map(async (each) => said(await each.callTool("pid", {}))))
  expect(pids[0]).toBe(pids[2])
  expect(pids[0]).not.toBe(pids[1])
  const shared = await Promise.all([1, 1, "1"].map(async (id) => textOf(await call("pid", id))))
  expect(new Set(shared).size).toBe(1)
  expect(pids).not.toContain(shared[0])
  await Promise.all([one.close(), two.close()])
})

it("keeps two clients apart that use the same ids and tokens, and passes on what nobody knows", async () => {
  bridge = await standing(["bridge", ...fixture("plain")])
  const leave = new AbortController()
  const waiting = await post("tools/call", { name: "wait", _meta: { progressToken: "t" } }, 7, { signal: leave.signal })
  const reader = waiting.body!.getReader()
  const first = new TextDecoder().decode((await reader.read()).value)
  expect(first).toContain('"progressToken":"t"')
  const other = (await (await call("seen", 7)).json()) as { id: unknown; result: Record<string, never> }
  expect([other.id, other.result["example.com/odd"]]).toEqual([7, { n: 1.5 }])
  const listen = await post("subscriptions/listen", { notifications: {} }, "s", { signal: leave.signal })
  const told = new TextDecoder().decode((await listen.body!.getReader().read()).value)
  expect(told).toContain('"io.modelcontextprotocol/subscriptionId":"s"')
  // Closing the exchanges withdraws them, under the ids that the server knows them by.
  leave.abort()
  await expect
    .poll(async () => {
      const seen = (await textOf(await call("seen", 8))) as ReadonlyArray<Record<string, unknown>>
      const idOf = (name: string) => seen.find((one) => one["name"] === name || one["method"] === name)?.["id"]
      const withdrawn = seen.flatMap(({ method, about }) => (method === "notifications/cancelled" ? [about] : []))
      return [idOf("wait"), idOf("subscriptions/listen")].every((id) => withdrawn.includes(id))
    })
    .toBe(true)
})

it("says a log of one's own only, and none of which it is not known whose it is", async () => {
  bridge = await standing(["bridge", ...fixture("plain")])
  const level = { "io.modelcontextprotocol/logLevel": "info" }
  const alone = await (await post("tools/call", { name: "log", _meta: level }, 1)).text()
  expect(alone).toContain("notifications/message")
  const leave = new AbortController()
  const more = { ...level, progressToken: 1 }
  const waiting = await post("tools/call", { name: "wait", _meta: more }, 2, { signal: leave.signal })
  const unclear = await (await post("tools/call", { name: "log", _meta: level }, 3)).text()
  expect(unclear).not.toContain("notifications/message")
  expect(bridge.stderr()).toContain("notifications/message was not passed on")
  expect(waiting.status).toBe(200)
  leave.abort()
})

describe("a process that is killed", () => {
  it("fails the request with an error that says so, and is there again for the next", async () => {
    bridge = await standing(["bridge", ...fixture("plain")])
    const waiting = post("tools/call", { name: "wait", _meta: { progressToken: 1 } }, "w")
    const before = await textOf(await call("pid", 1))
    expect(await (await call("die", 2)).json()).toMatchObject({
      id: 2,
      error: { code: -32603, message: expect.stringContaining("killed by SIGKILL") as string }
    })
    expect(await (await waiting).text()).toMatch(/"id":"w","error":.*killed by SIGKILL/)
    expect(bridge.stderr()).toContain("it is started again for the next request")
    expect(await textOf(await call("pid", 3))).not.toBe(before)
  })

  it("ends its session with an error that says so, and the client opens another", async () => {
    bridge = await standing(["bridge", ...fixture("plain")])
    const one = await client("2025-11-25")
    const two = await client("2025-11-25")
    const before = said(await one.callTool("pid", {}))
    const others = said(await two.callTool("pid", {}))
    await expect(one.callTool("die", {})).rejects.toThrow("killed by SIGKILL")
    expect(said(await one.callTool("pid", {}))).not.toBe(before)
    expect(said(await two.callTool("pid", {}))).toBe(others)
    await Promise.all([one.close(), two.close()])
  })
})

it("keeps the guards and the statuses of HTTP", async () => {
  bridge = await standing([
    "bridge",
    "--path",
    "/there",
    "--allow-origin",
    "https://app.example.com",
    ...fixture("plain")
  ])
  expect(new URL(bridge.url).pathname).toBe("/there")
  const status = async (response: Promise<Response>) => (await response).status
  expect(await status(call("pid", 1, { headers: { origin: "https://evil.example" } }))).toBe(403)
  expect(await status(call("pid", 1, { headers: { origin: "https://app.example.com" } }))).toBe(200)
  expect(await status(call("pid", 1, { headers: { "mcp-name": "other" } }))).toBe(400)
  expect(await status(call("pid", 1, { headers: { "mcp-protocol-version": "2099-01-01" } }))).toBe(400)
  expect(await status(post("no/such", {}, 1))).toBe(404)
  expect(await status(call("nothing", 1))).toBe(200)
  const there = (headers: Record<string, string>) =>
    status(post("tools/call", { name: "there", arguments: { region: "eu" } }, 1, { headers }))
  expect(await there({ "mcp-param-region": "us" })).toBe(400)
  expect(await there({ "mcp-param-region": "eu" })).toBe(200)
  expect((await fetch(bridge.url, { headers: { accept: "text/event-stream" } })).status).toBe(400)
})

it("ends with its result a stream that listens, when it is told to stop", async () => {
  bridge = await standing(["bridge", ...fixture("plain")])
  const listening = await post("subscriptions/listen", { notifications: {} }, "s")
  const text = listening.text()
  await bridge.stop()
  const events = (await text)
    .trim()
    .split("\n\n")
    .map((event) => JSON.parse(event.replace(/^[^{]*/, "")) as unknown)
  expect(events).toMatchObject([
    { method: "notifications/subscriptions/acknowledged" },
    { id: "s", result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": "s" } } }
  ])
})

it("says with --json in one line where it is reached, and in which versions", async () => {
  bridge = await standing(["bridge", "--json", ...fixture("plain")])
  expect(bridge.url).not.toContain("\n")
  expect(JSON.parse(bridge.url)).toEqual({
    url: expect.stringMatching(/^http:.*\/mcp$/) as string,
    revisions: revisions.map(({ name }) => name)
  })
})

it("does not begin where there is no such command, or the port is taken", async () => {
  const none = await parley(["bridge", "--", "no-such-command"])
  expect([none.code, none.stdout]).toEqual([3, ""])
  expect(none.stderr).toContain('"no-such-command" was not found')
  bridge = await standing(["bridge", ...fixture("plain")])
  const taken = await parley(["bridge", "--port", new URL(bridge.url).port, ...fixture("plain")])
  expect([taken.code, taken.stdout]).toEqual([3, ""])
  expect(taken.stderr).toContain("EADDRINUSE")
})

it("answers an opening that comes to nothing, and keeps no session of it", async () => {
  bridge = await standing(["bridge", ...script("process.exit(3)")])
  await expect(client("2025-11-25")).rejects.toThrow("exited with code 3")
})
