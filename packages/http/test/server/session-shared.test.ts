import { form, tool } from "@parley/server"
import { expect, test, vi } from "vitest"
import type { Fake } from "./fake-exchange.js"
import { fakeExchange } from "./fake-exchange.js"
import type { Serving } from "./serving.js"
import { book, call, defined, echo, initialize, serving, settled } from "./serving.js"
import { sharedStores } from "./shared-stores.js"

const done = (what: () => boolean): Promise<unknown> =>
  vi.waitFor(() => expect(what()).toBe(true), { interval: 1, timeout: 5_000 })
const answered = (...exchanges: ReadonlyArray<Fake>) => done(() => exchanges.every(({ ended }) => ended()))

/** Two processes over the same stores. */
async function pair(server = () => defined([echo, book]), options: object = {}) {
  const stores = sharedStores()
  const { sessions, events } = stores
  const made = async () => serving(server(), { sessions, events, crashed: () => undefined, ...options })
  const [a, b] = [await made(), await made()]
  return { stores, a, b }
}

async function opened({ post }: Serving, version = "2025-11-25", principal?: string) {
  const reply = post(initialize(version, { elicitation: {} }), {}, principal)
  await answered(reply)
  const headers = { "mcp-session-id": reply.headers()["mcp-session-id"]! }
  const ready = post({ jsonrpc: "2.0", method: "notifications/initialized" }, { headers }, principal)
  await answered(ready)
  expect(ready.status()).toBe(202)
  return headers
}

test("a session opened in one process is served by the other", async () => {
  const { a, b, stores } = await pair()
  const headers = await opened(a)
  const replies = [a, b, a, b].map(({ post }, at) => post(call(at, "echo", { text: `${at}` }), { headers }))
  await answered(...replies)
  expect(replies.map((reply) => reply.json().result.content[0].text)).toEqual(["0", "1", "2", "3"])
  expect(stores.kept.size).toBe(1)
})

test("what goes on for a client that has gone is waited for, and its reply kept", async () => {
  let finish: ((text: string) => void) | undefined
  const slow = tool("slow", {}, () => new Promise<string>((end) => (finish = end)))
  const { a, stores } = await pair(() => defined([slow]))
  const headers = await opened(a)
  const exchange = fakeExchange({ headers })
  let work: void | Promise<void>
  const watched = Object.assign({}, exchange, {
    onGone: (gone: () => void | Promise<void>) => exchange.onGone(() => void (work = gone()))
  })
  a.served.post(watched, call(1, "slow"), undefined, { json: true, events: true })
  await done(() => finish !== undefined)
  await settled()
  exchange.leave()
  let over = false
  void Promise.resolve(work!).then(() => (over = true))
  await settled()
  expect([work!, over]).toEqual([expect.any(Promise), false])
  finish!("kept")
  await done(() => over)
  expect(JSON.stringify([...stores.streams.values()])).toContain("kept")
})

test("nothing is stored for what opens no session", async () => {
  const { a, stores } = await pair()
  const replies = [call(1, "echo"), { jsonrpc: "2.0", id: 1, method: "initialize" }, 7].map((came) => a.post(came))
  await answered(...replies)
  expect(stores.kept.size).toBe(0)
  expect(a.served.count()).toBe(0)
})

test("who may not is refused as in one process", async () => {
  const { a, b } = await pair()
  const headers = await opened(a, "2025-11-25", "ann")
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
  const bob = b.post(ping, { headers }, "bob")
  const nobody = b.post(ping, { headers: { "mcp-session-id": "x" } })
  const odd = b.post(ping, { headers: { ...headers, "mcp-protocol-version": "2025-06-18" } }, "ann")
  const stream = b.get(headers, "bob")
  const removed = b.remove(headers, "bob")
  const good = b.post(ping, { headers }, "ann")
  await answered(bob, nobody, odd, stream, removed, good)
  expect([bob, nobody, odd, stream, removed, good].map(({ status }) => status())).toEqual([
    404, 404, 400, 404, 404, 200
  ])
})

test("a question asked by one process is answered by the other, and the call completes once", async () => {
  let effects = 0
  const hold = tool(
    "hold",
    { asks: { guests: form({ type: "object", properties: { guests: { type: "integer" } } }) } },
    async (_, call) => {
      await call.once("note", () => ++effects)
      const { guests } = await call.ask("guests", { message: "How many?" })
      return `held ${String(guests)}`
    }
  )
  const { a, b } = await pair(() => defined([hold]))
  const headers = await opened(a)
  const reply = a.post(call(1, "hold"), { headers })
  await done(() => reply.messages().length > 0)
  const question = reply.messages()[0]
  const answer = { jsonrpc: "2.0", id: question.id, result: { action: "accept", content: { guests: 3 } } }
  const accepted = b.post(answer, { headers })
  await answered(accepted, reply)
  expect(accepted.status()).toBe(202)
  expect(reply.messages().slice(1)).toMatchObject([{ id: 1, result: { content: [{ text: "held 3" }] } }])
  expect(effects).toBe(1)
  const again = a.post(answer, { headers })
  await answered(again)
  await settled()
  expect(reply.messages()).toHaveLength(2)
  for (const { served, clock } of [a, b]) {
    // The question's time is up as well, which is a step of its own.
    for (let hours = 0; hours < 3; hours++) {
      clock.advance(3_600_000)
      for (let i = 0; i < 20; i++) await settled()
    }
    expect(served.count()).toBe(0)
  }
})

test("the same answer sent to both counts once", async () => {
  const { a, b, stores } = await pair()
  const headers = await opened(a)
  const reply = a.post(call(1, "book"), { headers })
  await done(() => reply.messages().length > 0)
  const answer = { jsonrpc: "2.0", id: reply.messages()[0].id, result: { action: "accept", content: { guests: 3 } } }
  const both = [a, b, a, b].map(({ post }) => post(answer, { headers }))
  await answered(reply, ...both)
  for (let i = 0; i < 20; i++) await settled()
  expect(reply.messages().filter(({ id, result }) => id === 1 && result)).toHaveLength(1)
  expect(stores.lost()).toBeGreaterThan(0)
})

test("a stream is read on in the other process", async () => {
  const { a, b } = await pair()
  const headers = await opened(a)
  const reply = a.post(call(1, "book"), { headers })
  await done(() => reply.messages().length > 0)
  const seen = reply.events()[0]!.id!
  reply.leave()
  const back = b.get({ ...headers, "last-event-id": seen })
  await done(() => back.messages().length > 0)
  const answer = { jsonrpc: "2.0", id: back.messages()[0].id, result: { action: "accept", content: { guests: 5 } } }
  a.post(answer, { headers })
  await answered(back)
  expect(back.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: "for 5" }] } })
  const lost = b.get({ ...headers, "last-event-id": "nothing.1" })
  await answered(lost)
  expect(lost.status()).toBe(400)
})

test("a request is withdrawn by way of the other process: its handler hears of it, and its exchange ends", async () => {
  let aborted = false
  const wait = tool("wait", {}, (_, { signal }) => {
    signal.addEventListener("abort", () => (aborted = true))
    return new Promise<string>(() => undefined)
  })
  const { a, b } = await pair(() => defined([wait]))
  const headers = await opened(a)
  const reply = a.post(call(1, "wait"), { headers })
  await done(() => a.served.count() === 1)
  for (let i = 0; i < 20; i++) await settled()
  a.clock.advance(2_100)
  b.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, { headers })
  await answered(reply)
  await done(() => aborted)
  expect(reply.messages()).toEqual([])
})

test("a request that is withdrawn elsewhere before its answer is a stream ends at once", async () => {
  const wait = tool("wait", {}, () => new Promise<string>(() => undefined))
  const { a, b } = await pair(() => defined([wait]))
  const headers = await opened(a)
  const reply = a.post(call(1, "wait"), { headers })
  for (let i = 0; i < 20; i++) await settled()
  b.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, { headers })
  await answered(reply)
  expect(reply.messages()).toEqual([])
})

test("a session that is ended in one process ends in the other", async () => {
  const wait = tool("wait", {}, () => new Promise<string>(() => undefined))
  const { a, b, stores } = await pair(() => defined([wait]))
  const headers = await opened(a)
  const reply = a.post(call(1, "wait"), { headers })
  const stream = a.get(headers)
  await done(() => stream.events().length > 0)
  a.clock.advance(2_100)
  const removed = b.remove(headers)
  await answered(removed, reply, stream)
  expect(removed.status()).toBe(204)
  expect(stores.kept.size).toBe(0)
  const late = a.post(call(2, "wait"), { headers })
  await answered(late)
  expect(late.status()).toBe(404)
  expect([a.served.count(), b.served.count()]).toEqual([0, 0])
})

test("of two streams of one session the newer one is the session's, in whichever process", async () => {
  const { a, b } = await pair()
  const headers = await opened(a)
  const older = a.get(headers)
  await done(() => older.events().length > 0)
  const newer = b.get(headers)
  await answered(older)
  await done(() => newer.events().length > 0)
  expect(newer.ended()).toBe(false)
})

test("a state of a server that announces something else is 404", async () => {
  const { a, stores } = await pair()
  const headers = await opened(a)
  const { sessions, events } = stores
  const other = await serving(defined([echo], { declare: { logging: true } }), { sessions, events })
  const reply = other.post(call(1, "echo", { text: "a" }), { headers })
  await answered(reply)
  expect(reply.status()).toBe(404)
})

test("a store that can not be reached is 503, and what was under way is not waited for", async () => {
  let finish: (text: string) => void = () => undefined
  const slow = tool("slow", {}, () => new Promise<string>((resolve) => (finish = resolve)))
  const { a, stores } = await pair(() => defined([slow]))
  const headers = await opened(a)
  const reply = a.post(call(1, "slow"), { headers })
  for (let i = 0; i < 20; i++) await settled()
  stores.fail = true
  const refused = [a.post(initialize()), a.post(call(2, "slow"), { headers }), a.get(headers), a.remove(headers)]
  finish("in vain")
  await answered(reply, ...refused)
  expect([reply, ...refused].map(({ status }) => status())).toEqual([503, 503, 503, 503, 503])
})

test("a process that closes answers what runs in it, and leaves the session to the others", async () => {
  let finish: (text: string) => void = () => undefined
  const slow = tool("slow", {}, () => new Promise<string>((resolve) => (finish = resolve)))
  const { a, b } = await pair(() => defined([slow, echo]))
  const headers = await opened(a)
  const reply = a.post(call(1, "slow"), { headers })
  const stream = a.get(headers)
  await done(() => stream.events().length > 0)
  const closed = a.served.close()
  finish("in time")
  await closed
  expect(reply.json().result.content[0].text).toBe("in time")
  expect(stream.ended()).toBe(true)
  expect(a.served.count()).toBe(0)
  const there = b.post(call(2, "echo", { text: "b" }), { headers })
  await answered(there)
  expect(there.status()).toBe(200)
})

test("what one call did once is not taken for done by another of the same id", async () => {
  let effects = 0
  const asks = { guests: form({ type: "object", properties: {} }) }
  const note = tool("note", { asks }, async (_, call) => {
    const number = await call.once("note", () => ++effects)
    await call.ask("guests", { message: "Go on?" })
    return String(number)
  })
  const { a, b } = await pair(() => defined([note]))
  const headers = await opened(a)
  const results: Array<string> = []
  for (const [here, there] of [
    [a, b],
    [b, a],
    [a, a],
    [b, a]
  ] as const) {
    const reply = here.post(call(1, "note"), { headers })
    await done(() => reply.messages().length > 0)
    there.post({ jsonrpc: "2.0", id: reply.messages()[0].id, result: { action: "accept", content: {} } }, { headers })
    await answered(reply)
    results.push(reply.messages()[1].result.content[0].text)
  }
  expect(results).toEqual(["1", "2", "3", "4"])
})

test.each([
  ["as a stream", { json: true, events: true }, 5_000],
  ["whole", { json: true, events: false }, 5_000]
])("a process that closes interrupts what outlives its time, and answers it %s", async (_, accepts, ms) => {
  let aborted = false
  const wait = tool("wait", {}, (_, { signal }) => {
    signal.addEventListener("abort", () => (aborted = true))
    return new Promise<string>(() => undefined)
  })
  const { a, b, stores } = await pair(() => defined([wait]), { drainMs: 500 })
  const headers = await opened(a)
  const exchange = fakeExchange({ headers })
  a.served.post(exchange, call(1, "wait"), undefined, accepts)
  for (let i = 0; i < 20; i++) await settled()
  a.clock.advance(ms)
  for (let i = 0; i < 20; i++) await settled()
  const closed = a.served.close()
  a.clock.advance(400)
  await settled()
  expect(aborted).toBe(false)
  a.clock.advance(200)
  await closed
  expect(aborted).toBe(true)
  await answered(exchange)
  const [reply] = accepts.events ? exchange.messages() : [exchange.json()]
  expect(reply).toMatchObject({ id: 1, error: { message: "The server is stopping" } })
  // The session goes on elsewhere.
  expect(stores.kept.size).toBe(1)
  const ping = b.post({ jsonrpc: "2.0", id: 2, method: "ping" }, { headers })
  await answered(ping)
  expect(ping.status()).toBe(200)
})

test("who takes no stream gets the reply that another process came to", async () => {
  const { a, b } = await pair()
  const headers = await opened(a)
  const stream = a.get(headers)
  for (let i = 0; i < 20; i++) await settled()
  const exchange = fakeExchange({ headers })
  a.served.post(exchange, call(1, "book"), undefined, { json: true, events: false })
  await done(() => stream.messages().length > 0)
  a.clock.advance(3_000)
  const [question] = stream.messages()
  const result = { action: "accept", content: { guests: 3 } }
  b.post({ jsonrpc: "2.0", id: question.id, result }, { headers })
  await answered(exchange)
  expect(exchange.json()).toMatchObject({ id: 1, result: { content: [{ text: "for 3" }] } })
})
