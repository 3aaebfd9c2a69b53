/** How the client finds out what a server speaks, whatever HTTP has to say about it. */
import type { Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import { handshakeRevisions, v2026_07_28 } from "@parley/core/revisions"
import { afterEach, describe, expect, it } from "vitest"
import type { HttpClientOptions } from "../../src/client/index.js"
import { http } from "../../src/client/index.js"
import { url } from "./opened.js"
import type { Answer, Asked } from "./scripted.js"
import { empty, event, json, result, said, scripted, stream } from "./scripted.js"

const clientInfo = { name: "parley", version: "1.0.0" }
const serverInfo = { name: "scripted", version: "1.0.0" }
const capabilities = { tools: {} }
const discovered = {
  supportedVersions: ["2026-07-28"],
  capabilities,
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private"
}
const initialized = { protocolVersion: "2025-11-25", capabilities, serverInfo }

let client: Client | undefined
afterEach(async () => {
  await client?.close()
  client = undefined
})

async function meet(
  answer: Answer,
  options: HttpClientOptions = {},
  wishes: Partial<ConnectOptions> = {}
): Promise<{ readonly asked: ReadonlyArray<Asked>; readonly error: string | undefined }> {
  const { fetch, asked } = scripted(answer)
  const error = await connect(http(url, { fetch, ...options }), { clientInfo, ...wishes }).then(
    (one) => {
      client = one
      return undefined
    },
    (error: Error) => error.message
  )
  return { asked, error }
}

const isCalled = ({ body }: Asked, method: string): boolean => body?.method === method
const methods = (asked: ReadonlyArray<Asked>) => asked.map(({ method, body }) => body?.method ?? method)
/** A server of a handshake revision, but for what is said to `server/discover`. */
const older =
  (probed: () => Response): Answer =>
  (asked) => {
    if (isCalled(asked, "server/discover")) return probed()
    if (isCalled(asked, "initialize")) return result(asked, initialized)
    return asked.method === "GET" ? empty(405) : empty(202)
  }
const error = (code: number, message: string, id?: unknown, data?: unknown): object => ({
  jsonrpc: "2.0",
  ...(id !== undefined && { id }),
  error: { code, message, ...(data !== undefined && { data }) }
})
const falling = ["server/discover", "initialize", "notifications/initialized"]

describe("the question what a server speaks, answered", () => {
  it.each([
    ["by 400 and nothing", () => empty(400)],
    ["by 404 and a page", () => new Response("<h1>Not found</h1>", { status: 404 })],
    ["by 405", () => empty(405)],
    ["by 406", () => json({ error: "not acceptable" }, 406)],
    ["by 400 and an error without an id", () => json(error(-32_000, "Bad Request: Server not initialized", null), 400)],
    ["by 404 and an error that others have too", () => json(error(-32_601, "Method not found", 1), 404)],
    ["by 200 and such an error", () => json(error(-32_601, "Method not found", 1))]
  ])("%s, falls back to initialize", async (_, probed) => {
    const { asked, error } = await meet(older(probed))
    expect(error).toBeUndefined()
    expect(methods(asked).slice(0, 3)).toEqual(falling)
    expect(client!.peer.revision).toBe("2025-11-25")
  })

  it.each([
    [
      "401",
      () =>
        json({ error: "invalid_token", error_description: "no token" }, 401, { "www-authenticate": "Bearer scope=x" }),
      "server/discover was not answered: HTTP 401: no token (Bearer scope=x); the server wants to know who asks: give credentials by the options headers or fetch"
    ],
    ["401 with an error of JSON-RPC", () => json(error(-32_000, "Unauthorized", null), 401), "HTTP 401: Unauthorized"],
    ["403", () => json(error(-32_000, "Invalid Origin"), 403), "HTTP 403: Invalid Origin"],
    ["500 with an error of JSON-RPC", () => json(error(-32_603, "boom", 1), 500), "HTTP 500: boom"],
    ["503", () => new Response("", { status: 503 }), "HTTP 503; the server can not serve now"],
    [
      "no answer",
      () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })),
      "server/discover was not answered: fetch failed: connect ECONNREFUSED"
    ],
    [
      "another origin",
      () => empty(307, { location: "https://elsewhere.test/mcp" }),
      "it redirects to https://elsewhere.test, which is another origin"
    ],
    ["something else with 200", () => new Response("hello", { status: 200 }), "the answer is no JSON"]
  ] as ReadonlyArray<readonly [string, Answer, string]>)(
    "by %s, fails at once and says why",
    async (_, probed, why) => {
      const { asked, error } = await meet((one) => probed(one, 1))
      expect(error).toContain(why)
      expect(methods(asked)).toEqual(["server/discover"])
    }
  )

  it("by a modern error without an id, is asked again in a version that is named", async () => {
    const { asked } = await meet((one, count) =>
      count === 1 ? json(error(-32_022, "no", undefined, { supported: ["2026-07-28"] }), 400) : result(one, discovered)
    )
    expect(methods(asked)).toEqual(["server/discover", "server/discover"])
    expect(client!.peer.revision).toBe("2026-07-28")
  })

  it("by a modern error that only names handshakes, is opened by initialize", async () => {
    const refused = () => json(error(-32_022, "no", 1, { supported: ["2025-11-25"] }), 400)
    expect(methods((await meet(older(refused))).asked).slice(0, 3)).toEqual(falling)
  })

  it("by 404, fails where nothing older is spoken", async () => {
    const { error } = await meet(
      () => new Response("Cannot POST /mcp", { status: 404 }),
      {},
      { revisions: [v2026_07_28] }
    )
    expect(error).toBe("server/discover was not answered: HTTP 404: Cannot POST /mcp; is the address right?")
  })
})

describe("what goes along", () => {
  it("with each request that stands for itself is its version, its method and what it names", async () => {
    const one = { name: "naïve", inputSchema: { type: "object" } }
    const { asked } = await meet((asked) => {
      if (isCalled(asked, "server/discover"))
        return json({ jsonrpc: "2.0", id: asked.body.id, result: discovered }, 200, { "mcp-session-id": "not ours" })
      return isCalled(asked, "tools/list")
        ? result(asked, { tools: [one], resultType: "complete", ttlMs: 0, cacheScope: "private" })
        : result(asked, { content: [], resultType: "complete" })
    })
    await client!.callTool("naïve")
    expect(asked.map(({ headers }) => [headers.get("mcp-method"), headers.get("mcp-name")])).toEqual([
      ["server/discover", null],
      ["tools/list", null],
      ["tools/call", "=?base64?bmHDr3Zl?="]
    ])
    for (const { headers } of asked) {
      expect(headers.get("mcp-protocol-version")).toBe("2026-07-28")
      expect(headers.get("accept")).toBe("application/json, text/event-stream")
      expect(headers.get("content-type")).toBe("application/json")
      expect(headers.has("mcp-session-id")).toBe(false)
    }
  })

  it("after a handshake is the version agreed on and the session, and neither with the handshake itself", async () => {
    const { asked } = await meet(
      (asked) => {
        if (isCalled(asked, "initialize"))
          return json(
            { jsonrpc: "2.0", id: asked.body.id, result: { ...initialized, protocolVersion: "2025-06-18" } },
            200,
            {
              "Mcp-Session-Id": "s1"
            }
          )
        if (isCalled(asked, "ping")) return result(asked)
        return asked.method === "GET" ? empty(405) : empty(204)
      },
      { headers: async () => ({ Authorization: "Bearer x", "Content-Type": "text/plain" }) },
      { revisions: handshakeRevisions }
    )
    await client!.ping()
    await client!.close()
    const said = asked.map(({ method, body, headers }) => [
      body?.method ?? method,
      headers.get("mcp-protocol-version"),
      headers.get("mcp-session-id"),
      headers.get("mcp-method")
    ])
    expect(said).toEqual([
      ["initialize", null, null, null],
      ["notifications/initialized", "2025-06-18", "s1", null],
      ["GET", "2025-06-18", "s1", null],
      ["ping", "2025-06-18", "s1", null],
      ["DELETE", "2025-06-18", "s1", null]
    ])
    for (const { headers, body } of asked) {
      expect(headers.get("authorization")).toBe("Bearer x")
      if (body !== undefined) expect(headers.get("content-type")).toBe("application/json")
    }
  })
})

describe("HTTP+SSE", () => {
  const pair = (refused: () => Response, endpoint = "/messages?id=1"): Answer => {
    const own = stream()
    own.push(`event: endpoint\ndata: ${endpoint}\n\n`)
    return ({ method, url: to, body }) => {
      if (method === "GET") return own.response
      if (to === url) return refused()
      if (body.method === "initialize")
        own.push(event({ jsonrpc: "2.0", id: body.id, result: { ...initialized, protocolVersion: "2024-11-05" } }))
      if (body.method === "ping") own.push(`event: message\n${event({ jsonrpc: "2.0", id: body.id, result: {} })}`)
      return new Response("Accepted", { status: 202 })
    }
  }

  it.each([400, 404, 405])("is tried when initialize is refused by %i", async (status) => {
    const { asked } = await meet(pair(() => empty(status)))
    expect(client!.peer.revision).toBe("2024-11-05")
    await client!.ping()
    expect(methods(asked)).toEqual([
      "server/discover",
      "initialize",
      "GET",
      "initialize",
      "notifications/initialized",
      "ping"
    ])
    expect(asked.at(-1)!.url).toBe("http://mcp.test/messages?id=1")
  })

  it.each([
    ["a modern error", () => json(error(-32_020, "no"), 400), {}, "initialize was answered with error -32020"],
    ["another status", () => empty(422), {}, "initialize was not answered: HTTP 422"],
    ["400, but it is not wanted", () => empty(400), { legacySse: false }, "initialize was not answered: HTTP 400"]
  ] as const)("is not tried after %s", async (_, refused, options, why) => {
    const { asked, error } = await meet(pair(refused), options, { revisions: handshakeRevisions })
    expect(error).toContain(why)
    expect(methods(asked)).toEqual(["initialize"])
  })

  it.each([
    ["a place of another origin", "https://elsewhere.test/", "which is another origin than it is itself"],
    ["what is no place", "http://[", "which is no address"]
  ])("is not used when messages are to go to %s", async (_, endpoint, why) => {
    expect((await meet(pair(() => empty(404), endpoint))).error).toContain(why)
  })

  it("that is not there either leaves what was answered first", async () => {
    const answer: Answer = ({ method }) =>
      method === "GET" ? empty(405) : new Response("Cannot POST /mcp", { status: 404 })
    expect((await meet(answer)).error).toBe(
      "initialize was not answered: HTTP 404: Cannot POST /mcp; is the address right?; nor does it open HTTP+SSE, as servers of 2024-11-05 do: HTTP 405; is the address right?"
    )
  })

  it("says nothing more when its stream has no endpoint", async () => {
    const answer: Answer = ({ method }) => (method === "GET" ? said(event("hello")) : empty(404))
    expect((await meet(answer)).error).toContain("the server ended the stream by which it answers")
  })
})
