/** The handler on web standards: what it is told by its platform, and what it tells it. */
import { defineServer, form, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import type { FetchHandler, FetchOptions } from "../../src/server/fetch.js"
import { fetchHandler } from "../../src/server/fetch.js"

let finish: () => void = () => {}
const server = defineServer({ name: "fetched", version: "1.0.0" }, [
  tool("who", { description: "Says who asks" }, (_, { context }) => JSON.stringify(context) ?? "nobody"),
  tool(
    "asks",
    { description: "Asks", asks: { n: form({ type: "object", properties: { n: { type: "integer" } } }) } },
    async (_, call) => {
      await call.ask("n", { message: "?" })
      return new Promise<string>((resolve) => (finish = () => resolve("asked")))
    }
  ),
  tool("linger", { description: "Says nothing" }, () => new Promise<string>((resolve) => (finish = () => resolve("")))),
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

  it("is not asked by one name while the address says another", async () => {
    const request = (address: string, host: string) => new Request(address, { method: "PUT", headers: { host } })
    const mcp = handler({ allowedHosts: ["mcp.example.com"] })
    expect((await mcp(request("https://mcp.example.com/", "mcp.example.com:443"))).status).toBe(405)
    const answer = await mcp(request("https://evil.example.com/", "mcp.example.com"))
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        jsonrpc: "2.0",
        error: {
          code: -32600,
          message: "Bad request: the address that was asked for has another host than Host"
        }
      }
    ])
  })

  describe("has the platform wait for a client that leaves", () => {
    const watched = () => {
      const waits: Array<Promise<unknown>> = []
      const over = (n: number): Promise<boolean> =>
        Promise.race([
          waits[n]!.then(() => true),
          new Promise<boolean>((resolve) => setImmediate(() => setImmediate(resolve, false)))
        ])
      const mcp = handler<unknown, { waitUntil: (work: Promise<unknown>) => void }>()
      const ask = (request: Request): Promise<Response> =>
        mcp(request, {}, { waitUntil: (work) => void waits.push(work) })
      return { ask, over }
    }
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    const say = (message: object, more: object = {}): Request =>
      new Request(url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(message) })
    const opening = {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    }

    it("no longer than until it has left the session's own stream", async () => {
      const { ask, over } = watched()
      const session = { "mcp-session-id": (await ask(say(opening))).headers.get("mcp-session-id")! }
      const stream = await ask(new Request(url, { headers: { accept: "text/event-stream", ...session } }))
      expect([stream.status, await over(0), await over(1)]).toEqual([200, true, false])
      await stream.body!.cancel()
      expect(await over(1)).toBe(true)
    })

    it("until its call in a session has ended, since that goes on", async () => {
      const { ask, over } = watched()
      const session = { "mcp-session-id": (await ask(say(opening))).headers.get("mcp-session-id")! }
      const params = { name: "wait", arguments: {}, _meta: { progressToken: 1 } }
      const stream = await ask(say({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, session))
      await stream.body!.cancel()
      expect(await over(1)).toBe(false)
      finish()
      expect(await over(1)).toBe(true)
    })

    it("until the handler has ended that went on with an answer, though that was taken long before", async () => {
      const { ask, over } = watched()
      const able = { ...opening, params: { ...opening.params, capabilities: { elicitation: {} } } }
      const session = { "mcp-session-id": (await ask(say(able))).headers.get("mcp-session-id")! }
      await ask(say({ jsonrpc: "2.0", method: "notifications/initialized" }, session))
      const params = { name: "asks", arguments: {} }
      const stream = await ask(say({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, session))
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ""
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        text += read.value
        if (text.includes("elicitation/create")) break
      }
      const id = Number(/"id":(\d+),"method":"elicitation/.exec(text)![1])
      const result = { action: "accept", content: { n: 1 } }
      const taken = await ask(say({ jsonrpc: "2.0", id, result }, session))
      expect([taken.status, await over(2), await over(3)]).toEqual([202, false, false])
      finish()
      expect([await over(3), await over(2)]).toEqual([true, true])
      expect((await reader.read()).value).toContain("asked")
    })

    it("not at all since 2026-07-28, where leaving cancels", async () => {
      const { ask, over } = watched()
      const stream = await ask(call("wait"))
      expect(await over(0)).toBe(false)
      await stream.body!.cancel()
      expect(await over(0)).toBe(true)
    })

    it("who leaves by the request's signal before there is an answer", async () => {
      const { ask, over } = watched()
      const leaving = new AbortController()
      const asked = ask(call("linger", { signal: leaving.signal }))
      await new Promise((resolve) => setImmediate(resolve))
      expect(await over(0)).toBe(false)
      leaving.abort()
      expect([(await asked).status, await over(0)]).toEqual([499, true])
    })
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
