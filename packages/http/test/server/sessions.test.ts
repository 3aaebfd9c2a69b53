import { defineServer, live, tool } from "@parley/server"
import { expect, test } from "vitest"
import { book, call, defined, echo, initialize, serving, settled } from "./serving.js"

test("opens a session by initialize, with an id of visible ASCII", async () => {
  const { served, post } = await serving()
  const reply = post(initialize())
  expect(reply.status()).toBe(200)
  expect(reply.headers()["content-type"]).toBe("application/json")
  expect(reply.headers()["mcp-session-id"]).toMatch(/^[!-~]{22,}$/)
  expect(reply.json().result.protocolVersion).toBe("2025-11-25")
  expect(served.count()).toBe(1)
})

test("two sessions have different ids", async () => {
  const { opened } = await serving()
  expect(opened()["mcp-session-id"]).not.toBe(opened()["mcp-session-id"])
})

test.each([
  ["no initialize at all", call(1, "echo"), 400],
  [
    "an initialize without clientInfo",
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } },
    200
  ],
  [
    "an initialize whose capabilities are no object",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: true, clientInfo: { name: "a", version: "1" } }
    },
    200
  ],
  ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, 400],
  ["a reply", { jsonrpc: "2.0", id: 1, result: {} }, 400],
  ["an initialize in a batch", [initialize()], 400],
  ["no message", 7, 400]
])("keeps nothing of %s", async (_, came, status) => {
  const { served, post } = await serving()
  for (let i = 0; i < 100; i++) {
    const reply = post(came)
    expect(reply.status()).toBe(status)
    expect(reply.headers()["mcp-session-id"]).toBeUndefined()
    expect(reply.json().error.message).toEqual(expect.any(String))
    expect(reply.json().id).not.toBe(null)
  }
  expect(served.count()).toBe(0)
})

test("keeps nothing of an initialize that the server refuses", async () => {
  const { served, post } = await serving(defined([echo], { unsupported: "refuse" }))
  const reply = post(initialize("1999-01-01"))
  expect(reply.json().error.code).toBe(-32602)
  expect(served.count()).toBe(0)
})

test("answers a request as JSON, and what needs no answer with 202", async () => {
  const { post, opened } = await serving()
  const headers = opened()
  const reply = post(call(1, "echo", { text: "hi" }), { headers })
  expect(reply.headers()["content-type"]).toBe("application/json")
  expect(reply.json()).toMatchObject({ id: 1, result: { content: [{ text: "hi" }] } })
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 77 } }
  expect(post(cancelled, { headers }).status()).toBe(202)
  expect(post({ jsonrpc: "2.0", id: 5, result: {} }, { headers }).status()).toBe(202)
  expect(post({ jsonrpc: "2.0", id: 5, error: { code: 1, message: "no" } }, { headers }).status()).toBe(202)
})

test("an error of a method is 200 on a session, and what can not be read is 400 without an id", async () => {
  const { post, opened } = await serving()
  const headers = opened("2025-03-26")
  expect(post({ jsonrpc: "2.0", id: 1, method: "no/such" }, { headers }).status()).toBe(200)
  const odd = post({ jsonrpc: "2.0", id: 1.5, method: "ping" }, { headers })
  expect(odd.status()).toBe(400)
  expect(odd.json()).toEqual({ jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } })
  expect(post({ jsonrpc: "1.0", id: 3, method: "ping" }, { headers }).status()).toBe(400)
  expect(post([], { headers }).status()).toBe(400)
})

test("an unknown, a deleted and another principal's session are 404", async () => {
  const { post, get, remove, opened, served } = await serving()
  const ann = opened("2025-11-25", {}, "ann")
  for (const [headers, who] of [
    [{ "mcp-session-id": "nobody" }, "ann"],
    [ann, "bob"],
    [ann, undefined]
  ] as const) {
    expect(post(call(1, "echo", { text: "a" }), { headers }, who).status()).toBe(404)
    expect(get(headers, who).status()).toBe(404)
    expect(remove(headers, who).status()).toBe(404)
  }
  expect(served.count()).toBe(1)
  expect(post(call(1, "echo", { text: "a" }), { headers: ann }, "ann").status()).toBe(200)
  expect(remove(ann, "ann").status()).toBe(204)
  expect(served.count()).toBe(0)
  const dead = post(call(2, "echo", { text: "a" }), { headers: ann }, "ann")
  expect(dead.status()).toBe(404)
  expect(dead.json()).toMatchObject({ id: 2, error: { code: -32600 } })
  expect(get(ann, "ann").status()).toBe(404)
  expect(remove(ann, "ann").status()).toBe(404)
})

test("a missing id is 400", async () => {
  const { post, get, remove } = await serving()
  expect(post({ jsonrpc: "2.0", id: 1, method: "ping" }).status()).toBe(400)
  expect(get({}).status()).toBe(400)
  expect(remove({}).status()).toBe(400)
})

test("an initialize that carries a dead session's id opens a new one", async () => {
  const { post, served } = await serving()
  const reply = post(initialize(), { headers: { "mcp-session-id": "gone" } })
  expect(reply.status()).toBe(200)
  expect(reply.headers()["mcp-session-id"]).not.toBe("gone")
  expect(served.count()).toBe(1)
})

test.each(["2025-03-26", "2025-06-18", "2025-11-25"])("the version header of a session of %s", async (version) => {
  const { post, get, remove, opened } = await serving()
  const session = opened(version)
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
  const status = (named?: string) =>
    post(ping, { headers: named === undefined ? session : { ...session, "mcp-protocol-version": named } }).status()
  expect(status()).toBe(200)
  expect(status(version)).toBe(200)
  expect(status("bogus")).toBe(400)
  expect(status(version === "2025-06-18" ? "2025-11-25" : "2025-06-18")).toBe(400)
  expect(get({ ...session, "mcp-protocol-version": "bogus" }).status()).toBe(400)
  expect(remove({ ...session, "mcp-protocol-version": "bogus" }).status()).toBe(400)
  expect(remove({ ...session, "mcp-protocol-version": version }).status()).toBe(204)
})

test("a session ends when it was idle for so long, counted from its last activity", async () => {
  const { post, opened, clock, served } = await serving(undefined, { sessionIdleMs: 1_000 })
  const headers = opened()
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
  for (let i = 0; i < 5; i++) {
    clock.advance(900)
    expect(post(ping, { headers }).status()).toBe(200)
  }
  clock.advance(1_001)
  expect(post(ping, { headers }).status()).toBe(404)
  expect(served.count()).toBe(0)
})

test("expired sessions go by themselves", async () => {
  const { opened, clock, served } = await serving(undefined, { sessionIdleMs: 1_000 })
  for (let i = 0; i < 20; i++) opened()
  clock.advance(2_000)
  expect(served.count()).toBe(0)
  expect(clock.pending()).toBeLessThanOrEqual(1)
})

test("no session ends while a request runs or a stream is open", async () => {
  let finish: (text: string) => void = () => undefined
  const slow = tool("slow", {}, () => new Promise<string>((resolve) => (finish = resolve)))
  const { post, get, opened, clock, served } = await serving(defined([slow]), { sessionIdleMs: 1_000 })
  const [running, listening] = [opened(), opened()]
  const reply = post(call(1, "slow"), { headers: running })
  const stream = get(listening)
  clock.advance(60_000)
  expect(served.count()).toBe(2)
  finish("done")
  await settled()
  expect(reply.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: "done" }] } })
  stream.leave()
  clock.advance(900)
  expect(served.count()).toBe(2)
  clock.advance(500)
  expect(served.count()).toBe(0)
})

test("the session that was unused for longest makes room, and one in use does not", async () => {
  const { post, get, opened, clock, served } = await serving(undefined, { maxSessions: 2 })
  const first = opened()
  clock.advance(1)
  const second = opened()
  const stream = get(first)
  const third = opened()
  expect(served.count()).toBe(2)
  expect(get(second).status()).toBe(404)
  get(third)
  const refused = post(initialize())
  expect(refused.status()).toBe(503)
  expect(served.count()).toBe(2)
  stream.leave()
  expect(post(initialize()).status()).toBe(200)
  expect(served.count()).toBe(2)
})

test("one client's sessions are counted apart from another's", async () => {
  const { post, get, opened, served } = await serving(undefined, { maxSessionsPerClient: 1 })
  const near = opened("2025-11-25", {}, undefined, "10.0.0.1")
  get(near)
  expect(post(initialize(), { from: "10.0.0.1" }).status()).toBe(429)
  expect(post(initialize(), { from: "10.0.0.2" }).status()).toBe(200)
  const ann = post(initialize(), { from: "10.0.0.1" }, "ann")
  expect(ann.status()).toBe(200)
  expect(served.count()).toBe(3)
})

test("a request that was cancelled ends its exchange without a reply", async () => {
  const { post, opened, served } = await serving(
    defined([tool("wait", {}, () => new Promise<string>(() => undefined))])
  )
  const headers = opened()
  const reply = post(call(1, "wait"), { headers })
  expect(reply.status()).toBeUndefined()
  post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, { headers })
  expect(reply.ended()).toBe(true)
  expect(reply.messages()).toEqual([])
  expect(served.count()).toBe(1)
})

test("batches of 2025-03-26 are answered by one array, or by nothing", async () => {
  const { post, opened } = await serving()
  const headers = opened("2025-03-26")
  const reply = post([call(1, "echo", { text: "a" }), call(2, "echo", { text: "b" })], { headers })
  expect(reply.status()).toBe(200)
  expect(reply.json().map(({ id }: { id: number }) => id)).toEqual([1, 2])
  const note = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } }
  expect(post([note, note], { headers }).status()).toBe(202)
  expect(post([note], { headers: opened("2025-11-25") }).status()).toBe(400)
})

test("a member of a batch whose id can not be read is answered without one", async () => {
  const { post, opened } = await serving()
  const headers = opened("2025-03-26")
  const reply = post(
    [
      { jsonrpc: "2.0", id: null, method: "ping" },
      { jsonrpc: "2.0", id: 1, method: "ping" }
    ],
    { headers }
  )
  const [refused, answer] = reply.json()
  expect(refused).toEqual({ jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } })
  expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result: {} })
})

test("a batch of which every request was withdrawn by itself is answered with 202", async () => {
  const { post, opened } = await serving(defined([tool("wait", {}, () => new Promise<string>(() => undefined))]))
  const headers = opened("2025-03-26")
  const note = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
  expect(post([call(1, "wait"), note], { headers }).status()).toBe(202)
})

test("close answers what was accepted, ends every session, and lets none begin", async () => {
  let finish: (text: string) => void = () => undefined
  const slow = tool("slow", {}, () => new Promise<string>((resolve) => (finish = resolve)))
  const { post, get, opened, served, clock } = await serving(defined([slow]))
  const [one, two] = [opened(), opened()]
  const reply = post(call(1, "slow"), { headers: one })
  const stream = get(two)
  const closed = served.close()
  expect(stream.ended()).toBe(true)
  expect(post(initialize()).status()).toBe(503)
  finish("in time")
  await closed
  expect(reply.json()).toMatchObject({ result: { content: [{ text: "in time" }] } })
  expect(served.count()).toBe(0)
  expect(clock.pending()).toBe(0)
})

test("a change of the server is told on open streams only", async () => {
  const first = tool("first", {}, () => "1")
  const counting = live(
    defineServer({ name: "live", version: "1" }, [first], { declare: { tools: { listChanged: true } } })
  )
  const { post, get, opened } = await serving(counting)
  const [hears, deaf] = [opened(), opened()]
  const stream = get(hears)
  await counting.set([first, echo])
  await settled()
  expect(stream.messages()).toEqual([{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }])
  const late = get(deaf)
  await settled()
  expect(late.messages()).toEqual([])
  expect(post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { headers: deaf }).json().result.tools).toHaveLength(2)
})

test("a session that rests goes on as if nothing had been", async () => {
  let begun = 0
  const waits = tool("waits", {}, () => new Promise<string>(() => void begun++))
  const { post, opened, clock } = await serving(defined([echo, book, waits], { declare: { logging: true } }))
  const headers = opened()
  const ask = (id: number) => post(call(id, "book"), { headers })
  const asked = ask(1)
  await settled()
  for (let id = 2; id < 5; id++) {
    clock.advance(25_000)
    expect(post(call(id, "echo", { text: "a" }), { headers }).status()).toBe(200)
  }
  const answer = { jsonrpc: "2.0", id: asked.messages()[0].id, result: { action: "accept", content: { guests: 7 } } }
  post(answer, { headers })
  await settled()
  expect(asked.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: "for 7" }] } })
  post(call(9, "waits"), { headers })
  clock.advance(60_000)
  expect(begun).toBe(1)
})
