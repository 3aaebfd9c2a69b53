/** 2026-07-28 over HTTP: what is answered, and with which status. */
import { form, defineServer, tool } from "@parley/server"
import { describe, expect, it, vi } from "vitest"
import { asking, body, meta, modern, turns } from "./asking.js"
import { call, held, info, server } from "./served.js"

describe("a request", () => {
  it.each([
    ["tools/list", body("tools/list")],
    ["server/discover", body("server/discover")],
    ["a tool", call("plain")],
    ["a tool whose name no header can say", call("名前"), { "mcp-name": "=?base64?5ZCN5YmN?=" }],
    ["a prompt", body("prompts/get", { name: "greet" })],
    ["a resource", body("resources/read", { uri: "test://one" })],
    ["a string for an id", call("plain", {}, "1")]
  ] as const)("is answered by one JSON text: %s", async (_, message, other: Record<string, string> = {}) => {
    const { post } = await asking(server)
    const answer = await post(message, other)
    // What reads resources is loaded when it is first needed.
    await vi.waitFor(() => expect(answer.status()).toBe(200))
    expect(answer.headers()).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" })
    expect(answer.json()).toMatchObject({ id: (message as { id: unknown }).id, result: { resultType: "complete" } })
  })

  it.each([
    ["a tool that is not there", call("none"), 200, -32602],
    ["a cursor that is none", body("tools/list", { cursor: "x" }), 200, -32602],
    ["a resource that is not there", body("resources/read", { uri: "test://two" }), 200, -32602],
    ["params that lack a member", body("tools/call"), 200, -32602],
    ["a state that is none of ours", body("tools/call", { name: "plain", requestState: "x" }), 200, -32602],
    ["a method that is not there", body("none"), 404, -32601],
    ["a method of older revisions", body("ping"), 404, -32601],
    ["initialize with an envelope", body("initialize"), 404, -32601],
    ["a method that was not declared", body("completion/complete", {}), 404, -32601],
    ["no envelope", { jsonrpc: "2.0", id: 1, method: "tools/list" }, 400, -32602],
    ["empty params", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }, 400, -32602],
    [
      "an envelope without a version",
      body("tools/list", { _meta: { "io.modelcontextprotocol/clientInfo": {} } }),
      400,
      -32602
    ],
    [
      "a log level that is none",
      body("tools/list", { _meta: { ...meta, "io.modelcontextprotocol/logLevel": "loud" } }),
      400,
      -32602
    ],
    [
      "a method of an extension that the client lacks",
      body("jobs/get", { jobId: "1" }),
      400,
      -32021,
      { "mcp-name": "1" }
    ],
    ["no jsonrpc", { id: 1, method: "ping" }, 400, -32600],
    ["an array", [body("tools/list")], 400, -32600],
    ["no id that can be said", { jsonrpc: "2.0", id: null, method: "tools/list" }, 400, -32600],
    ["a result", { jsonrpc: "2.0", id: 1, result: {} }, 400, -32600],
    ["an error", { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } }, 400, -32600],
    ["no object", "text", 400, -32600]
  ] as const)("is refused for %s", async (_, message, status, code, other: Record<string, string> = {}) => {
    const { post } = await asking(server)
    const answer = await post(message, { "mcp-method": "tools/list", ...modern(message), ...other })
    // What opens seals is loaded when it is first needed.
    await vi.waitFor(() => expect(answer.status()).toBeDefined())
    expect([answer.status(), answer.json().error.code]).toEqual([status, code])
    expect(answer.headers()["content-type"]).toBe("application/json")
    const { id } = message as { readonly id?: unknown }
    const echoed = typeof id === "number" && !("result" in (message as object) || "error" in (message as object))
    expect(answer.json().id).toBe(echoed ? id : undefined)
    expect("id" in answer.json()).toBe(echoed)
  })

  it("of a version that nobody speaks is told which there are", async () => {
    const { post } = await asking(server)
    const future = { ...meta, "io.modelcontextprotocol/protocolVersion": "v999.0.0" }
    const answer = await post(body("tools/list", { _meta: future }), { "mcp-protocol-version": "v999.0.0" })
    expect(answer.status()).toBe(400)
    expect(answer.json().error).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28"], requested: "v999.0.0" }
    })
  })

  it("of a handshake revision by envelope is refused so, though it has no headers of 2026-07-28", async () => {
    const { post } = await asking(server)
    const older = { ...meta, "io.modelcontextprotocol/protocolVersion": "2025-11-25" }
    const answer = await post(body("tools/list", { _meta: older }), {
      "mcp-protocol-version": undefined,
      "mcp-method": undefined
    })
    expect([answer.status(), answer.json().error.code]).toEqual([400, -32022])
  })

  it("tells nothing of what a handler threw", async () => {
    const crashed = vi.fn<() => void>()
    const { post } = await asking(server, { crashed })
    const answer = await post(call("throws"))
    expect([answer.status(), answer.json().result.isError]).toEqual([200, true])
    expect(answer.text()).not.toContain("secret")
    expect(crashed).toHaveBeenCalledOnce()
  })

  it("may have the id of another that still runs, on another exchange", async () => {
    const { slow, calls } = held()
    const { post, endpoint } = await asking(defineServer(info, [slow]))
    const [one, two] = [await post(call("slow")), await post(call("slow"))]
    expect(endpoint.count().answers).toBe(2)
    calls[1]!.end("two")
    calls[0]!.end("one")
    await turns()
    expect(one.json().result.content[0].text).toBe("one")
    expect(two.json().result.content[0].text).toBe("two")
    expect(endpoint.count().answers).toBe(0)
  })
})

describe("a notification", () => {
  it.each([
    ["notifications/cancelled", { requestId: 1 }, 202],
    ["notifications/unknown", {}, 202],
    ["notifications/cancelled", { requestId: {} }, 400],
    ["tools/call", {}, 400]
  ] as const)("%s with %j is answered %i", async (method, params, status) => {
    const { post } = await asking(server)
    const answer = await post({ jsonrpc: "2.0", method, params: { _meta: meta, ...params } })
    expect(answer.status()).toBe(status)
    if (status === 202) expect(answer.text()).toBeUndefined()
    else expect("id" in answer.json()).toBe(false)
  })
})

describe("a handler", () => {
  const input = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const
  const able = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } }

  it("knows on whose behalf it runs and what the adapter handed over, of the request that it runs for", async () => {
    const seen: Array<unknown> = []
    const asks = tool("asks", { asks: { who: form(input) } }, async (_, call) => {
      seen.push([call.principal, call.context])
      const { name } = await call.ask("who", { message: "Who?" })
      return `Hello, ${name}`
    })
    let principal = "ann"
    const { post } = await asking(defineServer(info, [asks]), { authenticate: () => ({ principal }) })
    const first = await post(body("tools/call", { name: "asks", _meta: able }), {}, { context: 1 })
    await vi.waitFor(() => expect(first.status()).toBe(200))
    const { requestState, resultType } = first.json().result
    expect(resultType).toBe("input_required")
    const inputResponses = { who: { action: "accept", content: { name: "Bo" } } }
    const again = body("tools/call", { name: "asks", _meta: able, requestState, inputResponses })
    const second = await post(again, {}, { context: 2 })
    await vi.waitFor(() => expect(second.json()?.result.content[0].text).toBe("Hello, Bo"))
    expect(seen).toEqual([
      ["ann", 1],
      ["ann", 2]
    ])
    principal = "bob"
    const third = await post(again, {}, { context: 3 })
    await vi.waitFor(() => expect([third.status(), third.json()?.error.code]).toEqual([200, -32602]))
    expect(seen).toHaveLength(2)
  })
})
