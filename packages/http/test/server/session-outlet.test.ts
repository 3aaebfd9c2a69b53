/** How what is not answered ends, and what counts as in use. */
import { tool } from "@parley/server"
import { expect, test } from "vitest"
import type { Fake } from "./fake-exchange.js"
import { fakeExchange } from "./fake-exchange.js"
import { call, defined, serving, settled } from "./serving.js"

const wait = tool("wait", {}, (_, { signal }) => new Promise((_, no) => signal.addEventListener("abort", no)))

const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }

const started = async (accepts: { json: boolean; events: boolean }, ms: number) => {
  const at = await serving(defined([wait]))
  const headers = at.opened()
  const exchange: Fake = fakeExchange({ headers })
  at.served.post(exchange, call(1, "wait"), undefined, accepts)
  at.clock.advance(ms)
  await settled()
  return { at, headers, exchange }
}

const wholly = { json: true, events: false }
const either = { json: true, events: true }

test.each([
  ["JSON only, at once", wholly, 0],
  ["JSON only, later", wholly, 5_000],
  ["either, at once", either, 0]
] as const)("a session that ends is 404 for what waits: %s", async (_, accepts, ms) => {
  const { at, headers, exchange } = await started(accepts, ms)
  expect(at.remove(headers).status()).toBe(204)
  await settled()
  expect(exchange.status()).toBe(404)
  expect(exchange.json()).toMatchObject({ id: 1, error: { code: -32600 } })
})

test("a stream of a session that ends says so", async () => {
  const { at, headers, exchange } = await started(either, 5_000)
  at.remove(headers)
  await settled()
  expect(exchange.messages()).toMatchObject([{ id: 1, error: { code: -32600 } }])
  expect(exchange.ended()).toBe(true)
})

test.each([0, 5_000])("what is cancelled is no stream to who takes none, after %i ms", async (ms) => {
  const { at, headers, exchange } = await started(wholly, ms)
  at.post(cancel, { headers })
  await settled()
  expect(exchange.status()).toBe(400)
  expect(exchange.headers()).toMatchObject({ "content-type": "application/json" })
  // No reply to what its requester has cancelled.
  expect(exchange.json()).not.toHaveProperty("id")
})

test("a session is in use until its reply was taken", async () => {
  const lots = tool("lots", {}, (_, call) => {
    call.log("info", "first")
    return "all"
  })
  const options = { declare: { logging: true } }
  const at = await serving(defined([lots], options), { sessionIdleMs: 1_000 })
  const headers = at.opened()
  const exchange = fakeExchange({ headers })
  exchange.clog()
  at.served.post(exchange, call(1, "lots"), undefined, { json: false, events: true })
  for (let i = 0; i < 20; i++) await settled()
  expect(exchange.ended()).toBe(false)
  at.clock.advance(10_000)
  expect(at.served.count()).toBe(1)
  exchange.ease()
  for (let i = 0; i < 5; i++) await settled()
  expect(exchange.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: "all" }] } })
  expect(exchange.ended()).toBe(true)
  at.clock.advance(10_000)
  expect(at.served.count()).toBe(0)
})

test.each([
  ["null", null],
  ["a text", "x"],
  ["an id that is none", { jsonrpc: "2.0", id: {}, method: "ping" }],
  ["another version", { jsonrpc: "1.0", id: 1, method: "ping" }]
])("without a session what is no message is told that: %s", async (_, came) => {
  const { post } = await serving()
  const { json, status } = post(came)
  expect(status()).toBe(400)
  expect(json()).toMatchObject({ error: { code: -32600 } })
  expect(json().error.message).not.toMatch(/Mcp-Session-Id/)
})

test("without a session a message is told that it needs one", async () => {
  const { post } = await serving()
  expect(post({ jsonrpc: "2.0", id: 1, method: "ping" }).json()).toMatchObject({
    id: 1,
    error: { message: expect.stringMatching(/^Mcp-Session-Id is missing/) }
  })
})

test.each(["x_.1", "zz_.1", "00_.1", "_.1", "!.1", "1_", ""])(
  "an event that nobody named is 400, and no new stream: %s",
  async (lastEventId) => {
    const { opened, get } = await serving()
    const stream = get({ ...opened(), "last-event-id": lastEventId })
    await settled()
    expect(stream.status()).toBe(400)
  }
)
