import { tool } from "@parley/server"
import { expect, test } from "vitest"
import type { Fake } from "./fake-exchange.js"
import { book, call, defined, echo, initialize, serving, settled } from "./serving.js"

const addressOf = (stream: Fake): string => {
  const [first] = stream.events()
  expect(first).toMatchObject({ event: "endpoint" })
  return first!.data!
}

const replies = (stream: Fake) =>
  stream
    .events()
    .slice(1)
    .map(({ event, data }) => ({ event, message: JSON.parse(data!) }))

async function older(options: object = {}, server = defined([echo, book])) {
  const all = await serving(server, { legacySse: true, ...options })
  return {
    ...all,
    say: (stream: Fake, came: unknown, who?: string) => all.post(came, { target: addressOf(stream) }, who)
  }
}

test("is not there unless it is asked for", async () => {
  const { get } = await serving()
  expect(get({}).status()).toBe(400)
})

test("tells first where to post, answers posts with 202, and replies on the stream", async () => {
  const { get, say, served } = await older()
  const stream = get({})
  expect(stream.headers()["content-type"]).toBe("text/event-stream")
  expect(addressOf(stream)).toMatch(/^\/mcp\?[\w-]+=[\da-f-]{36}$/)
  expect(say(stream, initialize("2024-11-05")).status()).toBe(202)
  expect(say(stream, { jsonrpc: "2.0", method: "notifications/initialized" }).status()).toBe(202)
  expect(say(stream, call(1, "echo", { text: "hi" })).status()).toBe(202)
  expect(replies(stream)).toMatchObject([
    { event: "message", message: { id: "open", result: { protocolVersion: "2024-11-05" } } },
    { event: "message", message: { id: 1, result: { content: [{ text: "hi" }] } } }
  ])
  expect(served.count()).toBe(1)
})

test("asks its client on the stream", async () => {
  const { get, say } = await older()
  const stream = get({})
  say(stream, initialize("2025-06-18", { elicitation: {} }))
  say(stream, { jsonrpc: "2.0", method: "notifications/initialized" })
  say(stream, call(1, "book"))
  await settled()
  const question = replies(stream).at(-1)!.message
  say(stream, { jsonrpc: "2.0", id: question.id, result: { action: "accept", content: { guests: 2 } } })
  await settled()
  expect(replies(stream).at(-1)!.message).toMatchObject({ id: 1, result: { content: [{ text: "for 2" }] } })
})

test("a stream that is gone, or another's, is 404", async () => {
  const { get, post, say, served } = await older()
  const stream = get({}, "ann")
  expect(say(stream, initialize("2024-11-05"), "bob").status()).toBe(404)
  expect(post(initialize("2024-11-05"), { target: "/mcp?legacy-session=nothing" }).status()).toBe(404)
  stream.leave()
  expect(say(stream, initialize("2024-11-05"), "ann").status()).toBe(404)
  expect(served.count()).toBe(0)
})

test("the end of the stream interrupts what it asked for, and close ends all streams", async () => {
  let aborted = 0
  const wait = tool("wait", {}, (_, { signal }) => {
    signal.addEventListener("abort", () => aborted++)
    return new Promise<string>(() => undefined)
  })
  const { get, say, served, clock } = await older({ drainMs: 1 }, defined([wait]))
  const [one, two] = [get({}), get({})]
  for (const stream of [one, two]) {
    say(stream, initialize("2024-11-05"))
    say(stream, call(1, "wait"))
  }
  one.leave()
  expect(aborted).toBe(1)
  const closed = served.close()
  clock.advance(10)
  await closed
  expect(aborted).toBe(2)
  expect(two.ended()).toBe(true)
  expect(replies(two).at(-1)!.message).toMatchObject({ id: 1, error: { code: -32603 } })
  expect(get({}).status()).toBe(503)
  expect(clock.pending()).toBe(0)
})

test("has the caps of sessions, and shows that it is alive", async () => {
  const { get, clock } = await older({ maxSessions: 2, maxSessionsPerClient: 1, keepAliveMs: 100 })
  const stream = get({}, "ann")
  expect(get({}, "ann").status()).toBe(429)
  get({}, "bob")
  expect(get({}, "eve").status()).toBe(503)
  const before = stream.written().length
  clock.advance(300)
  expect(stream.written().slice(before)).toContain(":\n\n:\n\n")
})

test("serves sessions beside it", async () => {
  const { get, post, opened } = await older()
  get({})
  const headers = opened()
  expect(post(call(1, "echo", { text: "a" }), { headers }).status()).toBe(200)
  expect(get(headers).streams()).toBe(true)
})
