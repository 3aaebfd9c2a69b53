/** The way of a request through the endpoint: from before it is ready to after it was closed, and to either era. */
import * as Schema from "effect/Schema"
import { handshakeRevisions, v2026_07_28 } from "@parley/core/revisions"
import { defineServer, tool } from "@parley/server"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { simulated } from "../../../driver/test/simulated.js"
import { asking, body, modern, turns } from "./asking.js"
import { fakeExchange } from "./fake-exchange.js"
import { call, held, info, server } from "./served.js"

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } }
}
const asked = (json: unknown) => fakeExchange({ headers: modern(json), body: JSON.stringify(json) })

describe("before it is ready", () => {
  beforeEach(() => void vi.resetModules())

  it("lets requests wait, and answers them then", async () => {
    const { endpoint } = await import("../../src/server/endpoint.js")
    const { defineServer, tool } = await import("@parley/server")
    const loads = tool("loads", { input: Schema.Struct({ a: Schema.optionalKey(Schema.String) }) }, () => "loaded")
    const { handle, ready } = endpoint(defineServer(info, [loads]), {})
    const early = asked(call("loads"))
    handle(early)
    await turns()
    await ready
    await vi.waitFor(() => expect(early.json()?.result.content[0].text).toBe("loaded"))
  })

  it("answers 500 when it never will be, and says why to the operator only", async () => {
    const { endpoint } = await import("../../src/server/endpoint.js")
    const { defineServer, tool } = await import("@parley/server")
    const union = tool("union", { input: Schema.Union([Schema.Struct({}), Schema.String]) as never }, () => "x")
    const crashed = vi.fn<() => void>()
    const { handle, ready } = endpoint(defineServer(info, [union]), { crashed })
    const early = asked(call("union"))
    handle(early)
    await expect(ready).rejects.toThrow("union")
    await vi.waitFor(() => expect(early.status()).toBe(500))
    expect(early.json()).toEqual({ jsonrpc: "2.0", error: { code: -32603, message: "Internal error" } })
    expect(crashed).toHaveBeenCalledOnce()
  })
})

describe("one URL", () => {
  it("serves both eras, side by side", async () => {
    const { post, endpoint } = await asking(server)
    const older = { "mcp-protocol-version": undefined, "mcp-method": undefined }
    const opened = await post(initialize, older)
    expect(opened.json()).toMatchObject({ id: 1, result: { protocolVersion: "2025-11-25" } })
    const session = { ...older, "mcp-session-id": opened.headers()["mcp-session-id"] }
    await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)
    const ping = { jsonrpc: "2.0", id: 2, method: "ping" }
    expect((await post(ping, session)).json()).toEqual({ jsonrpc: "2.0", id: 2, result: {} })
    const bare = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "plain" } }
    expect((await post(bare, session)).json().result.resultType).toBeUndefined()
    expect((await post(call("plain"))).json().result.resultType).toBe("complete")
    expect(endpoint.count()).toEqual({ answers: 0, sessions: 1 })
    await endpoint.close()
    expect(endpoint.count()).toEqual({ answers: 0, sessions: 0 })
  })

  it.each([
    ["initialize under the header of 2026-07-28", initialize, "2026-07-28", 400, -32020],
    ["an envelope without its header", body("tools/list"), undefined, 400, -32020],
    ["a method that only 2026-07-28 has", { jsonrpc: "2.0", id: 1, method: "server/discover" }, undefined, 400, -32602]
  ] as const)("takes for 2026-07-28: %s", async (_, message, version, status, code) => {
    const { post } = await asking(server)
    const answer = await post(message, { "mcp-protocol-version": version })
    expect([answer.status(), answer.json().error.code]).toEqual([status, code])
  })

  it("of a server of 2026-07-28 only has no sessions: an older client is told which versions there are", async () => {
    const { post } = await asking(defineServer(info, [], { revisions: [v2026_07_28] }))
    const answer = await post(initialize, { "mcp-protocol-version": undefined, "mcp-session-id": "x" })
    expect([answer.status(), answer.json().error.data.supported]).toEqual([400, ["2026-07-28"]])
    expect(answer.headers()["mcp-session-id"]).toBeUndefined()
    const unheaded = await post(body("tools/list"), { "mcp-session-id": "x", "last-event-id": "1" })
    expect(unheaded.status()).toBe(404)
  })

  it("of a server of older revisions takes an envelope for something unknown in _meta", async () => {
    const { post } = await asking(defineServer(info, [], { revisions: handshakeRevisions }))
    const answer = await post(body("ping"), {})
    expect(answer.json()?.error.code).not.toBe(-32022)
    expect(answer.status()).toBe(400)
  })
})

describe("after it was closed", () => {
  it.each(["POST", "GET", "DELETE"])("%s is answered 503", async (method) => {
    const { endpoint, send } = await asking(server)
    await endpoint.close()
    const answer = send({ method, headers: modern(call("plain"), { "mcp-protocol-version": "2025-11-25" }) })
    expect(answer.status()).toBe(503)
  })

  it("a request whose body was still to come is answered 503", async () => {
    const { endpoint, send } = await asking(server)
    const late = send({ headers: modern(call("plain")), body: JSON.stringify(call("plain")) })
    await endpoint.close()
    await turns()
    expect(late.status()).toBe(503)
  })

  it("no alarm is left", async () => {
    const clock = simulated()
    const { slow, calls } = held()
    const { endpoint, post } = await asking(defineServer(info, [slow]), { clock })
    const [one, two] = [await post(call("slow")), await post(call("slow"))]
    expect(clock.pending()).toBeGreaterThan(0)
    expect(clock.holding()).toBe(0)
    one.leave()
    calls[1]!.end("two")
    await turns()
    expect(two.status()).toBe(200)
    await endpoint.close()
    expect(clock.pending()).toBe(0)
  })
})

describe("a function among the options that throws", () => {
  it("ends no more than the exchange that it was asked about", async () => {
    const crashed = vi.fn<() => void>(() => {
      throw new Error("and so does this one")
    })
    const told = vi.spyOn(console, "error").mockReturnValue()
    const authenticate = vi.fn<() => {}>().mockImplementationOnce(() => {
      throw new Error("secret")
    })
    authenticate.mockReturnValue({})
    const { post } = await asking(server, { authenticate, crashed })
    expect((await post(call("plain"))).status()).toBe(500)
    expect((await post(call("plain"))).status()).toBe(200)
    told.mockRestore()
  })
})

describe("a tool with many clients", () => {
  it("has one in flight for each that may, and no more", async () => {
    const { slow, calls } = held()
    const { post } = await asking(defineServer(info, [slow, tool("quick", {}, () => "")]), { maxInFlight: 1 })
    const one = await post(call("slow"), {}, { from: "a" })
    const more = await post(call("slow"), {}, { from: "a" })
    expect([more.status(), more.json().error.code]).toEqual([429, -32603])
    expect((await post(call("slow"), {}, { from: "b" })).status()).toBeUndefined()
    expect((await post(call("slow"))).status()).toBeUndefined()
    expect((await post(call("slow"))).status()).toBeUndefined()
    calls[0]!.end("one")
    await turns()
    expect(one.status()).toBe(200)
    expect((await post(call("quick"), {}, { from: "a" })).status()).toBe(200)
  })

  it("is counted by principal where there is one", async () => {
    const { slow } = held()
    const authenticate = ({ header }: { readonly header: (name: string) => string | undefined }) => ({
      principal: header("x-user")
    })
    const { post } = await asking(defineServer(info, [slow]), { maxInFlight: 1, authenticate })
    const from = { from: "proxy" }
    expect((await post(call("slow"), { "x-user": "ann" }, from)).status()).toBeUndefined()
    expect((await post(call("slow"), { "x-user": "bob" }, from)).status()).toBeUndefined()
    expect((await post(call("slow"), { "x-user": "ann" }, from)).status()).toBe(429)
  })
})

describe("an authenticate that does not settle", () => {
  const never = (): Promise<never> => new Promise(() => undefined)

  it("is waited for as long as is set, and told of", async () => {
    const clock = simulated()
    const crashed: Array<unknown> = []
    const options = {
      authenticate: never,
      authenticateMs: 1_000,
      clock,
      crashed: (...told: Array<unknown>) => crashed.push(told)
    }
    const { post } = await asking(server, options)
    const answer = await post(body("tools/list"))
    clock.advance(999)
    expect(answer.status()).toBeUndefined()
    clock.advance(1)
    expect(answer.status()).toBe(503)
    expect(crashed).toMatchObject([["an HTTP request", { message: "authenticate took longer than 1000 ms" }]])
    expect(clock.pending()).toBe(0)
  })

  it("is not waited for once the server stops", async () => {
    const clock = simulated()
    const { post, endpoint } = await asking(server, { authenticate: never, clock })
    const answer = await post(body("tools/list"))
    await endpoint.close()
    expect(answer.status()).toBe(503)
    expect(clock.pending()).toBe(0)
  })

  it("that settles later answers nothing more", async () => {
    const clock = simulated()
    let settle: (said: object) => void = () => undefined
    const authenticate = (): Promise<object> => new Promise((resolve) => (settle = resolve))
    const { post, endpoint } = await asking(server, { authenticate, clock })
    const answer = await post(body("tools/list"))
    await endpoint.close()
    settle({})
    await turns()
    expect(answer.status()).toBe(503)
  })
})
