/** Who is turned away before anything of what they ask is looked at, and what browsers are told. */
import { v2025_11_25, v2026_07_28 } from "@parley/core/revisions"
import { defineServer, tool } from "@parley/server"
import { describe, expect, it, vi } from "vitest"
import type { HttpOptions } from "../../src/server/options.js"
import { checkOptions } from "../../src/server/options.js"
import { asking, body, headers, modern, turns } from "./asking.js"

const info = { name: "guarded", version: "1.0.0" }
const hello = tool("hello", {}, (_, call) => JSON.stringify([call.principal, call.context]))
const server = defineServer(info, [hello])
const list = body("tools/list")
const call = body("tools/call", { name: "hello" })

describe("the name by which a request comes", () => {
  it.each([
    [undefined, "localhost", 200],
    [undefined, "LOCALHOST:3000", 200],
    [undefined, "127.0.0.1:1", 200],
    [undefined, "[::1]:65535", 200],
    [undefined, "[::1]", 200],
    [undefined, "evil.example.com", 403],
    [undefined, "localhost.evil.example.com", 403],
    [undefined, "localhost:3000@evil.example.com", 403],
    [undefined, "evil.example.com:localhost", 403],
    [undefined, "localhost, evil.example.com", 403],
    [undefined, "", 403],
    [undefined, undefined, 403],
    [["mcp.example.com"], "mcp.example.com:443", 200],
    [["mcp.example.com"], "MCP.example.com", 200],
    [["mcp.example.com"], "localhost", 403],
    [["mcp.example.com:8443"], "mcp.example.com:8443", 200],
    [["mcp.example.com:8443"], "mcp.example.com", 403],
    [["mcp.example.com:8443"], "mcp.example.com:443", 403],
    [["*"], "anything", 200],
    [["*"], undefined, 200]
  ] as const)("with %j allowed, %s is answered %i", async (allowedHosts, host, status) => {
    const { post } = await asking(server, allowedHosts && { allowedHosts })
    const answer = await post(list, { host })
    expect(answer.status()).toBe(status)
    if (status === 403 && host) expect(answer.text()).not.toContain(host)
  })
})

describe("a whole address", () => {
  it.each([
    ["localhost:3000", "localhost:3000", 200],
    ["localhost", "LOCALHOST:80", 200],
    ["localhost:443", "localhost", 200],
    ["localhost:3000", "127.0.0.1:3000", 200],
    ["evil.example.com", "localhost", 400],
    ["localhost.evil.example.com:3000", "localhost:3000", 400],
    ["localhost", "evil.example.com", 403],
    ["evil.example.com", "evil.example.com", 403]
  ])("of %s by which the host %s is asked is answered %i", async (authority, host, status) => {
    const { post } = await asking(server)
    const answer = await post(list, { host }, { authority })
    expect(answer.status()).toBe(status)
    if (status !== 200) expect(answer.text()).not.toContain("evil")
  })

  it("is not looked at where any host will do", async () => {
    const { post } = await asking(server, { allowedHosts: ["*"] })
    expect((await post(list, { host: "one.example.com" }, { authority: "other.example.com" })).status()).toBe(200)
    expect((await post(list, { host: undefined }, { authority: "other.example.com" })).status()).toBe(200)
  })
})

describe("the page from which a request comes", () => {
  it.each([
    [{}, undefined, 200],
    [{}, "http://localhost:5173", 200],
    [{}, "https://127.0.0.1", 200],
    [{}, "http://[::1]:80", 200],
    [{}, "https://evil.example.com", 403],
    [{}, "http://localhost.evil.example.com", 403],
    [{}, "http://localhost:5173.evil.example.com", 403],
    [{}, "null", 403],
    [{}, "", 403],
    [{ allowedHosts: ["localhost:3000"] }, "http://localhost:5173", 200],
    [{ allowedHosts: ["mcp.example.com", "localhost"] }, "http://localhost:5173", 403],
    [{ allowedOrigins: ["https://app.example.com"] }, "https://app.example.com", 200],
    [{ allowedOrigins: ["https://App.example.com"] }, "https://app.EXAMPLE.com", 200],
    [{ allowedOrigins: ["https://app.example.com"] }, "http://app.example.com", 403],
    [{ allowedOrigins: ["https://app.example.com"] }, "http://localhost:5173", 403],
    [{ allowedOrigins: ["*"] }, "https://anywhere.example", 200],
    [{ allowedOrigins: [] }, "http://localhost", 403],
    [{ allowedOrigins: [] }, undefined, 200]
  ] as ReadonlyArray<readonly [HttpOptions, string | undefined, number]>)(
    "with %j, %s is answered %i",
    async (options, origin, status) => {
      const { post } = await asking(server, options)
      const answer = await post(list, { origin })
      expect(answer.status()).toBe(status)
      const allowed = answer.headers()["access-control-allow-origin"]
      expect(allowed).toBe(status === 200 ? origin : undefined)
    }
  )

  it("is judged for every method, and a refused one reaches nothing", async () => {
    const authenticate = vi.fn<() => {}>(() => ({}))
    const { send } = await asking(server, { authenticate })
    for (const method of ["GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT"]) {
      const answer = send({ method, headers: { ...headers, origin: "https://evil.example.com" } })
      expect(answer.status()).toBe(403)
      expect(answer.text() === undefined).toBe(method === "HEAD")
    }
    expect(authenticate).not.toHaveBeenCalled()
  })
})

describe("a browser", () => {
  const allowedOrigins = ["https://app.example.com"]
  const origin = "https://app.example.com"
  const wanted = "authorization, content-type, mcp-method, mcp-param-region"

  it("is told beforehand that the page may ask, with whatever headers, without being authenticated", async () => {
    const authenticate = vi.fn<() => {}>(() => ({}))
    const { send } = await asking(server, { allowedOrigins, authenticate })
    const answer = send({
      method: "OPTIONS",
      headers: {
        host: "localhost",
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": wanted
      }
    })
    expect([answer.status(), answer.text()]).toEqual([204, undefined])
    expect(answer.headers()).toEqual({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST, GET, DELETE",
      "access-control-allow-headers": wanted,
      "access-control-max-age": "7200",
      vary: "origin, access-control-request-headers"
    })
    expect(authenticate).not.toHaveBeenCalled()
  })

  it("is not told anything that is no name of a header", async () => {
    const { send } = await asking(server, { allowedOrigins })
    const odd = { "access-control-request-method": "POST", "access-control-request-headers": "a\r\nb: c" }
    const answer = send({ method: "OPTIONS", headers: { host: "localhost", origin, ...odd } })
    expect(answer.headers()["access-control-allow-headers"]).toBeUndefined()
  })

  it.each([
    ["an answer", list, {}, {}, 200],
    ["a stream", list, { accept: "text/event-stream" }, {}, 200],
    ["a refusal", body("none"), {}, {}, 404],
    ["a body that is none", list, { "content-type": "text/plain" }, {}, 415],
    ["a challenge", list, {}, { authenticate: () => ({ unauthorized: {} }) }, 401]
  ] as const)("lets the page read %s and what it says in headers", async (_, message, other, options, status) => {
    const { post } = await asking(server, { allowedOrigins, ...options })
    const answer = await post(message, { origin, ...other })
    expect(answer.status()).toBe(status)
    expect(answer.headers()).toMatchObject({ "access-control-allow-origin": origin, vary: "origin" })
    const exposed = answer.headers()["access-control-expose-headers"]!.split(", ")
    expect(exposed).toEqual(expect.arrayContaining(["mcp-session-id", "www-authenticate"]))
  })

  it("that has no page to speak for gets none of it", async () => {
    const { post } = await asking(server, { allowedOrigins })
    expect(Object.keys((await post(list)).headers()).filter((name) => name.startsWith("access"))).toEqual([])
  })
})

describe("a request is turned away", () => {
  it.each([
    ["PUT", undefined, 405, "POST, GET, DELETE"],
    ["HEAD", undefined, 405, "POST, GET, DELETE"],
    ["OPTIONS", undefined, 405, "POST, GET, DELETE"],
    ["GET", [v2026_07_28], 405, "POST"],
    ["DELETE", [v2026_07_28], 405, "POST"],
    ["GET", [v2026_07_28, v2025_11_25], 405, "POST", { "mcp-protocol-version": "2026-07-28" }]
  ] as const)("for its method: %s", async (method, revisions, status, allow, other: Record<string, string> = {}) => {
    const { send } = await asking(revisions ? defineServer(info, [hello], { revisions }) : server)
    const answer = send({ method, headers: { ...headers, ...other } })
    expect([answer.status(), answer.headers()["allow"]]).toEqual([status, allow])
  })

  it.each([
    ["no Content-Type", { "content-type": undefined }, 415],
    ["another Content-Type", { "content-type": "text/plain" }, 415],
    ["one that begins alike", { "content-type": "application/jsonx" }, 415],
    ["one of a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["an Accept of neither kind", { accept: "text/html" }, 406],
    ["an Accept that excludes both", { accept: "application/json;q=0, text/event-stream;q=0.0" }, 406],
    [
      "an Accept that excludes them and takes the rest",
      { accept: "*/*, application/*;q=0, text/event-stream;q=0" },
      406
    ]
  ] as const)("for %s", async (_, other, status) => {
    const { post } = await asking(server)
    const answer = await post(list, other)
    expect(answer.status()).toBe(status)
    expect(answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 } })
    expect("id" in answer.json()).toBe(false)
  })

  it.each([
    [{ "content-type": "Application/JSON; charset=utf-8" }],
    [{ "content-type": "application/json;charset=UTF-8" }],
    [{ accept: undefined }],
    [{ accept: "" }],
    [{ accept: "*/*" }],
    [{ accept: "application/*" }],
    [{ accept: "Application/JSON;q=0.1" }],
    [{ accept: "text/html, application/json;q=0.9, */*;q=0.8" }]
  ])("but not for %j", async (other: Record<string, string | undefined>) => {
    const { post } = await asking(server)
    expect((await post(list, other)).status()).toBe(200)
  })

  it.each([
    [{ _tag: "Garbled" }, 400, -32700],
    [{ _tag: "TooLarge" }, 413, -32600],
    [{ _tag: "TooSlow" }, 408, -32600],
    [{ _tag: "Text", text: "{" }, 400, -32700],
    [{ _tag: "Text", text: "" }, 400, -32700],
    [{ _tag: "Text", text: "[".repeat(17 * 1024 * 1024) }, 413, -32600]
  ] as const)("for what came as its body", async (came, status, code) => {
    const { send } = await asking(server)
    const answer = send({ headers: modern(list), body: came })
    await turns()
    expect([answer.status(), answer.json().error.code, "id" in answer.json()]).toEqual([status, code, false])
  })
})

describe("authenticate", () => {
  it("sees the request, and what it finds out reaches the handler", async () => {
    const seen: Array<unknown> = []
    const authenticate: HttpOptions["authenticate"] = async ({ method, target, from, context, header }) => {
      seen.push(method, target, from, context, header("Authorization"))
      return { principal: "ann" }
    }
    const { post } = await asking(server, { authenticate })
    const answer = await post(call, { authorization: "Bearer t" }, { from: "1.2.3.4", context: 7, target: "/mcp?x" })
    expect(seen).toEqual(["POST", "/mcp?x", "1.2.3.4", 7, "Bearer t"])
    expect(answer.json().result.content[0].text).toBe('["ann",7]')
  })

  it("may put its own context in the place of the adapter's", async () => {
    const { post } = await asking(server, { authenticate: () => ({ principal: "ann", context: { claims: 1 } }) })
    const answer = await post(call, {}, { context: 7 })
    expect(answer.json().result.content[0].text).toBe('["ann",{"claims":1}]')
  })

  it.each([
    [{ unauthorized: {} }, undefined, 401, "Bearer"],
    [
      { unauthorized: { resourceMetadata: "https://x/.well-known/oauth-protected-resource", scope: "a b" } },
      undefined,
      401,
      'Bearer scope="a b", resource_metadata="https://x/.well-known/oauth-protected-resource"'
    ],
    [
      { unauthorized: { description: 'ex"pired\r\nx: y' } },
      "Bearer old",
      401,
      `Bearer error="invalid_token", error_description="ex'pired??x: y"`
    ],
    [{ forbidden: true }, "Bearer t", 403, undefined],
    [{ forbidden: { scope: "files" } }, "Bearer t", 403, 'Bearer error="insufficient_scope", scope="files"']
  ] as const)("turns away with %j", async (said, authorization, status, challenge) => {
    const { post } = await asking(server, { authenticate: () => said })
    const answer = await post(list, { authorization })
    expect([answer.status(), answer.headers()["www-authenticate"]]).toEqual([status, challenge])
    expect(answer.json().error.code).toBe(-32600)
  })

  it.each([
    ["throws", () => Promise.reject(new Error("secret"))],
    [
      "throws at once",
      () => {
        throw new Error("secret")
      }
    ],
    ["returns nothing", () => undefined as never],
    ["returns a promise of nothing", async () => undefined as never],
    ["returns a principal that is no text", () => ({ principal: 7 }) as never],
    ["returns an empty principal", () => ({ principal: "" })]
  ])("that %s is an error of the server's, told to the operator only", async (_, authenticate) => {
    const crashed = vi.fn<() => void>()
    const { post } = await asking(server, { authenticate, crashed })
    const answer = await post(list)
    expect([answer.status(), answer.json().error]).toEqual([500, { code: -32603, message: "Internal error" }])
    expect(crashed).toHaveBeenCalledOnce()
  })
})

describe("options", () => {
  it.each([
    [{ maxBodyByte: 1 }, "unknown option maxBodyByte"],
    [{ maxBodyBytes: 0 }, "a whole number from 1 on for maxBodyBytes"],
    [{ authenticate: "me" }, "a function for authenticate"],
    [{ allowedOrigins: "https://app.example.com" }, "a list of texts for allowedOrigins"],
    [{ allowedHosts: [1] }, "a list of texts for allowedHosts"],
    [{ allowedOrigins: ["app.example.com"] }, 'an origin is "*", "null", or a scheme and a host'],
    [{ allowedOrigins: ["https://app.example.com/"] }, 'an origin is "*", "null", or a scheme and a host'],
    [{ allowedHosts: ["https://mcp.example.com"] }, 'a host is "*", or a name'],
    [{ allowedHosts: ["mcp.example.com/mcp"] }, 'a host is "*", or a name'],
    [{ session: { keep: () => undefined } }, "unknown option session"]
  ])("%j are refused: %s", (options, why) => {
    expect(() => checkOptions("listen", options as never)).toThrow(TypeError)
    expect(() => checkOptions("listen", options as never)).toThrow(why)
  })

  it("that are well-formed are taken", () => {
    const allowedOrigins = ["*", "null", "http://localhost:5173", "chrome-extension://abc"]
    const allowedHosts = ["*", "mcp.example.com", "mcp.example.com:8443", "[::1]:80", "127.0.0.1"]
    expect(() => checkOptions("listen", { allowedOrigins, allowedHosts, drainMs: 1 })).not.toThrow()
  })
})
