/** The handler on web standards: what it is told by its platform, and what it tells it. */
import { defineServer, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import type { FetchHandler, FetchOptions } from "../../src/server/fetch.js"
import { fetchHandler } from "../../src/server/fetch.js"

let finish: () => void = () => {}
const server = defineServer({ name: "fetched", version: "1.0.0" }, [
  tool("who", { description: "Says who asks" }, (_, { context }) => JSON.stringify(context) ?? "nobody"),
  tool("wait", { description: "Waits to be told" }, (_, call) => {
    call.progress(1)
    return new Promise<string>((resolve) => {
      finish = () => resolve("finished")
      call.signal.addEventListener("abort", () => resolve("aborted"))
    })
  })
])

const open: Array<FetchHandler> = []
afterEach(async () => {
  finish()
  await Promise.all(open.splice(0).map(({ close }) => close()))
})

function handler<Env = unknown, Ctx = unknown>(options: FetchOptions<Env, Ctx> = {}): FetchHandler<Env, Ctx> {
  const made = fetchHandler(server, options)
  open.push(made as FetchHandler)
  return made
}

const url = "http://localhost/anywhere"
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  progressToken: 1
}

function call(name: string, init: RequestInit = {}): Request {
  const params = { name, arguments: {}, _meta: envelope }
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name
  }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  return new Request(url, { method: "POST", headers, body, ...init })
}

const said = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { result: { content: [{ text: string }] } }).result.content[0].text

describe("fetchHandler", () => {
  it("answers at once, also before the server is ready, wherever it is mounted", async () => {
    const mcp = handler()
    const response = await mcp(call("who"))
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(await said(response)).toBe("nobody")
    await mcp.ready
  })

  it("hands what is made of request, env and ctx to the handler", async () => {
    const mcp = handler<{ readonly db: string }, { readonly at: number }>({
      context: (request, { db }, { at }) => ({ path: new URL(request.url).pathname, db, at })
    })
    expect(await said(await mcp(call("who"), { db: "d" }, { at: 1 }))).toBe('{"path":"/anywhere","db":"d","at":1}')
  })

  it.each<readonly [string, Request, unknown, string | undefined]>([
    ["Deno", call("who"), { remoteAddr: { hostname: "192.0.2.1" } }, "192.0.2.1"],
    ["Bun", call("who"), { requestIP: () => ({ address: "192.0.2.2" }) }, "192.0.2.2"],
    ["a unix socket", call("who"), { remoteAddr: { transport: "unix" }, requestIP: undefined }, undefined],
    ["Cloudflare", cloudflare("192.0.2.3"), {}, "192.0.2.3"],
    ["somebody who only says so", call("who", { headers: { "cf-connecting-ip": "192.0.2.4" } }), {}, undefined]
  ])("knows who asks from %s", async (_, request, env, expected) => {
    let from: string | undefined = "unasked"
    const authenticate: FetchOptions["authenticate"] = (asked) => {
      from = asked.from
      return { forbidden: true }
    }
    expect((await handler({ authenticate })(request, env)).status).toBe(403)
    expect(from).toBe(expected)
  })

  it("asks the user's function instead, where there is one", async () => {
    let from: string | undefined
    const mcp = handler<{ readonly ip: string }>({
      from: (_, { ip }) => ip,
      authenticate: (asked) => {
        from = asked.from
        return {}
      }
    })
    await mcp(call("who"), { ip: "me" })
    expect(from).toBe("me")
  })

  it("has the platform wait for what goes on after the response", async () => {
    const waits: Array<Promise<unknown>> = []
    const mcp = handler<unknown, { waitUntil: (work: Promise<unknown>) => void }>()
    const response = await mcp(call("wait"), {}, { waitUntil: (work) => void waits.push(work) })
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(waits).toHaveLength(1)
    let over = false
    void waits[0]!.then(() => (over = true))
    await Promise.resolve()
    expect(over).toBe(false)
    finish()
    await waits[0]
    expect(await response.text()).toMatch(/"progress":1[^]*"finished"/)
  })

  it.each<readonly [string, FetchOptions]>([
    ["context", { context: fails }],
    ["from", { from: fails }]
  ])("answers 500 when %s throws, and only the user learns what", async (_, options) => {
    const crashed: Array<unknown> = []
    const response = await handler({ ...options, crashed: (...told) => crashed.push(told) })(call("who"))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch("secret")
    expect(crashed).toEqual([["an HTTP request", new Error("secret")]])
  })

  it("says what to do when the body was read before", async () => {
    const crashed: Array<Error> = []
    const request = call("who")
    await request.text()
    const response = await handler({ crashed: (_, error) => crashed.push(error as Error) })(request)
    expect(response.status).toBe(500)
    expect(crashed[0]!.message).toMatch(/^The body was read before this handler: hand it the request unread/)
  })

  it("answers what runs when it is closed, and refuses what comes then", async () => {
    const mcp = handler()
    const response = await mcp(call("wait"))
    const closed = mcp.close()
    expect((await mcp(call("who"))).status).toBe(503)
    finish()
    await closed
    expect(await response.text()).toMatch("finished")
  })

  it.each<readonly [object, RegExp]>([
    [{ context: 1 }, /fetchHandler needs a function for context/],
    [{ from: "x" }, /fetchHandler needs a function for from/],
    [{ port: 1 }, /unknown option port/],
    [{ allowedHosts: "localhost" }, /list of texts for allowedHosts/]
  ])("refuses %j", (options, why) => {
    expect(() => fetchHandler(server, options)).toThrow(why)
  })
})

function fails(): never {
  throw new Error("secret")
}

function cloudflare(address: string): Request {
  return Object.assign(call("who", { headers: { "cf-connecting-ip": address } }), { cf: {} })
}
