/** Questions to a client that takes no stream by its POST. */
import { expect, test } from "vitest"
import type { Fake } from "./fake-exchange.js"
import { fakeExchange } from "./fake-exchange.js"
import type { Serving } from "./serving.js"
import { call, serving, settled } from "./serving.js"

const wholly = { json: true, events: false }

/** A call by a client that takes JSON only. */
function book({ served }: Serving, headers: Record<string, string>): Fake {
  const exchange = fakeExchange({ headers })
  served.post(exchange, call(1, "book"), undefined, wholly)
  return exchange
}

const answer = (question: { readonly id: unknown }) => ({
  jsonrpc: "2.0",
  id: question.id,
  result: { action: "accept", content: { guests: 3 } }
})

test.each(["before", "soon after"])("go to the session's own stream, where one is opened %s", async (when) => {
  const at = await serving()
  const headers = at.opened()
  const early = when === "before" ? at.get(headers) : undefined
  const reply = book(at, headers)
  await settled()
  at.clock.advance(1_000)
  const stream = early ?? at.get(headers)
  await settled()
  expect(stream.messages()).toMatchObject([{ method: "elicitation/create" }])
  // It is asked once, and not given up on.
  at.clock.advance(5_000)
  await settled()
  expect(stream.messages()).toHaveLength(1)
  expect(at.post(answer(stream.messages()[0]), { headers }).status()).toBe(202)
  await settled()
  expect(reply.json()).toMatchObject({ id: 1, result: { content: [{ text: "for 3" }] } })
})

test("fail where there is no way to the client, and the call does not wait in vain", async () => {
  const at = await serving()
  const reply = book(at, at.opened())
  await settled()
  expect(reply.status()).toBeUndefined()
  at.clock.advance(2_100)
  await settled()
  expect(reply.headers()).toMatchObject({ "content-type": "application/json" })
  expect(reply.json()).toMatchObject({
    id: 1,
    result: { isError: true, content: [{ text: expect.stringMatching(/^The client could not answer: guests: .*GET/) }] }
  })
})

test("so they do of a client that went before there was a stream", async () => {
  const at = await serving()
  const headers = at.opened()
  const ready = at.post(call(2, "book"), { headers })
  expect(ready.streams()).toBe(false)
  ready.leave()
  await settled()
  const stream = at.get(headers)
  await settled()
  expect(stream.messages()).toMatchObject([{ method: "elicitation/create" }])
})

test("that are taken back are asked nobody, and taken back where they were asked", async () => {
  const at = await serving()
  const headers = at.opened()
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
  book(at, headers)
  await settled()
  at.post(cancel, { headers })
  const stream = at.get(headers)
  await settled()
  expect(stream.messages()).toEqual([])
  book(at, headers)
  await settled()
  at.post(cancel, { headers })
  await settled()
  const [question, taken] = stream.messages()
  expect(question).toMatchObject({ method: "elicitation/create" })
  expect(taken).toMatchObject({ method: "notifications/cancelled", params: { requestId: question.id } })
})
