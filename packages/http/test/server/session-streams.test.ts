import { defineServer, live, tool } from "@parley/server"
import { expect, test, vi } from "vitest"
import { memoryEvents } from "../../src/server/event-memory.js"
import type { Fake } from "./fake-exchange.js"
import { fakeExchange } from "./fake-exchange.js"
import { call, defined, echo, serving, settled } from "./serving.js"

/** A tool that ends when it is told to, and says what it is told to. */
function patient() {
  const calls: Array<{ say: (n: number) => void; finish: (text: string) => void; release: (ms?: number) => void }> = []
  const wait = tool(
    "wait",
    {},
    (_, call) =>
      new Promise<string>((finish) =>
        calls.push({
          say: (n) => call.progress(n),
          finish,
          release: (retryMs) => call.release(retryMs === undefined ? {} : { retryMs })
        })
      )
  )
  return { calls, server: defined([wait, echo]) }
}

const told = { _meta: { progressToken: "p" } }
const lastId = (exchange: Fake): string => exchange.events().findLast(({ id }) => id !== undefined)!.id!

test("a request that takes its time becomes a stream, which ends with the reply", async () => {
  const { calls, server } = patient()
  const { post, opened, clock } = await serving(server)
  const reply = post(call(1, "wait"), { headers: opened() })
  clock.advance(1_900)
  expect(reply.status()).toBeUndefined()
  clock.advance(200)
  expect(reply.status()).toBe(200)
  expect(reply.headers()).toMatchObject({ "content-type": "text/event-stream", "x-accel-buffering": "no" })
  calls[0]!.finish("done")
  await settled()
  expect(reply.messages()).toMatchObject([{ id: 1, result: { content: [{ text: "done" }] } }])
  expect(reply.ended()).toBe(true)
})

test("what comes before the reply comes on the stream of its request", async () => {
  const { calls, server } = patient()
  const { post, opened } = await serving(server)
  const headers = opened()
  const [one, two] = [post(call(1, "wait", {}, told), { headers }), post(call(2, "wait"), { headers })]
  calls[0]!.say(1)
  calls[0]!.finish("a")
  calls[1]!.finish("b")
  await settled()
  expect(one.messages()).toMatchObject([{ method: "notifications/progress" }, { id: 1 }])
  expect(two.json()).toMatchObject({ id: 2 })
})

test.each([
  ["2025-03-26", 0],
  ["2025-06-18", 0],
  ["2025-11-25", 1]
])("a stream of %s begins with %i events without data", async (version, primes) => {
  const { calls, server } = patient()
  const { post, opened } = await serving(server)
  const reply = post(call(1, "wait", {}, told), { headers: opened(version) })
  calls[0]!.say(1)
  await settled()
  const events = reply.events()
  expect(events.filter(({ data }) => data === "")).toHaveLength(primes)
  if (primes === 1) expect(events[0]).toEqual({ id: expect.any(String), retry: expect.any(Number), data: "" })
  expect(events.at(-1)).toMatchObject({ id: expect.any(String) })
})

test("a question goes out on the exchange of its request, and the answer comes by another POST", async () => {
  const { post, opened } = await serving()
  const headers = opened()
  const reply = post(call(1, "book"), { headers })
  await settled()
  const [question] = reply.messages()
  expect(question).toMatchObject({ method: "elicitation/create" })
  const answer = post(
    { jsonrpc: "2.0", id: question.id, result: { action: "accept", content: { guests: 4 } } },
    { headers }
  )
  expect(answer.status()).toBe(202)
  await settled()
  expect(reply.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: "for 4" }] } })
  expect(reply.ended()).toBe(true)
})

test("a client that goes cancels nothing, and comes back for the rest of its stream", async () => {
  const { calls, server } = patient()
  const { post, get, opened } = await serving(server)
  const headers = opened()
  const reply = post(call(1, "wait", {}, told), { headers })
  calls[0]!.say(1)
  await settled()
  const seen = lastId(reply)
  reply.leave()
  calls[0]!.say(2)
  const back = get({ ...headers, "last-event-id": seen })
  await settled()
  calls[0]!.say(3)
  calls[0]!.finish("done")
  await settled()
  expect(back.messages()).toMatchObject([{ params: { progress: 2 } }, { params: { progress: 3 } }, { id: 1 }])
  expect(back.ended()).toBe(true)
  expect(reply.messages()).toHaveLength(1)
})

test("a stream that has ended can be read again for a while", async () => {
  const { calls, server } = patient()
  const { post, get, opened, clock } = await serving(server, { resumeMs: 10_000 })
  const headers = opened()
  const reply = post(call(1, "wait", {}, told), { headers })
  calls[0]!.say(1)
  calls[0]!.finish("done")
  await settled()
  const first = reply.events()[0]!.id!
  const again = get({ ...headers, "last-event-id": first })
  await settled()
  expect(again.messages()).toMatchObject([{ method: "notifications/progress" }, { id: 1 }])
  expect(again.ended()).toBe(true)
  const nothing = get({ ...headers, "last-event-id": lastId(reply) })
  await settled()
  expect([nothing.status(), nothing.messages(), nothing.ended()]).toEqual([200, [], true])
  clock.advance(10_100)
  const late = get({ ...headers, "last-event-id": first })
  await settled()
  expect(late.status()).toBe(400)
})

test("nobody comes back for another session's stream, nor for one that is none", async () => {
  const { calls, server } = patient()
  const { post, get, opened } = await serving(server)
  const [ann, bob] = [opened(), opened()]
  const reply = post(call(1, "wait", {}, told), { headers: ann })
  calls[0]!.say(1)
  await settled()
  for (const id of [lastId(reply), "x.1", "nonsense", ".", "../..", "!.1", `${lastId(reply)}0`]) {
    const stolen = get({ ...bob, "last-event-id": id })
    await settled()
    expect([id, stolen.status()]).toEqual([id, 400])
  }
})

test("a handler lets its connection go, and the client fetches the reply", async () => {
  const { calls, server } = patient()
  const { post, get, opened } = await serving(server)
  const headers = opened()
  const reply = post(call(1, "wait"), { headers })
  calls[0]!.release(50)
  await settled()
  expect(reply.ended()).toBe(true)
  expect(reply.messages()).toEqual([])
  const events = reply.events()
  expect(events[0]).toMatchObject({ id: expect.any(String), data: "" })
  expect(events.at(-1)).toMatchObject({ retry: 50, data: "" })
  const back = get({ ...headers, "last-event-id": lastId(reply) })
  await settled()
  expect(back.ended()).toBe(false)
  calls[0]!.finish("done")
  await settled()
  expect(back.messages()).toMatchObject([{ id: 1, result: { content: [{ text: "done" }] } }])
})

test("a handler that lets go before its revision has that keeps its connection", async () => {
  const { calls, server } = patient()
  const { post, opened } = await serving(server)
  const reply = post(call(1, "wait"), { headers: opened("2025-06-18") })
  calls[0]!.release()
  calls[0]!.finish("done")
  await settled()
  expect(reply.json()).toMatchObject({ id: 1 })
})

test("open streams say from time to time that they are alive", async () => {
  const { get, opened, clock } = await serving(undefined, { keepAliveMs: 1_000 })
  const stream = get(opened("2025-06-18"))
  const before = stream.written().length
  clock.advance(3_000)
  expect(stream.written().slice(before)).toBe(":\n\n:\n\n:\n\n")
  stream.leave()
  clock.advance(2_000)
  expect(clock.pending()).toBeLessThanOrEqual(1)
})

test("of two streams of one session the newer one is the session's", async () => {
  const { get, opened } = await serving()
  const session = opened()
  const [older, newer] = [get(session), get(session)]
  await settled()
  expect(older.ended()).toBe(true)
  expect(newer.ended()).toBe(false)
})

test("the client of a session's own stream comes back for what it missed, and to a new one when that is gone", async () => {
  const items = (n: number) => Array.from({ length: n }, (_, at) => tool(`t${at}`, {}, () => ""))
  const subject = live(
    defineServer({ name: "l", version: "1" }, items(1), { declare: { tools: { listChanged: true } } })
  )
  const { get, opened, clock } = await serving(subject, { resumeMs: 5_000 })
  const session = opened()
  const stream = get(session)
  await settled()
  const primed = lastId(stream)
  stream.leave()
  await subject.set(items(2))
  const back = get({ ...session, "last-event-id": primed })
  await settled()
  expect(back.messages()).toMatchObject([{ method: "notifications/tools/list_changed" }])
  back.leave()
  clock.advance(5_100)
  await subject.set(items(3))
  clock.advance(5_100)
  const late = get({ ...session, "last-event-id": primed })
  await settled()
  expect(late.status()).toBe(200)
  expect(late.messages()).toEqual([])
  await subject.set(items(4))
  await settled()
  expect(late.messages()).toHaveLength(1)
})

test("a client that takes no stream gets its reply as JSON, and nothing before", async () => {
  const { calls, server } = patient()
  const { served, opened, clock } = await serving(server)
  const exchange = fakeExchange({ headers: opened() })
  served.post(exchange, call(1, "wait", {}, told), undefined, { json: true, events: false })
  calls[0]!.say(1)
  clock.advance(5_000)
  calls[0]!.finish("done")
  await settled()
  expect(exchange.json()).toMatchObject({ id: 1 })
  const streamed = fakeExchange({ headers: opened() })
  served.post(streamed, call(1, "echo", { text: "a" }), undefined, { json: false, events: true })
  await settled()
  expect(streamed.messages()).toMatchObject([{ id: 1 }])
  expect(streamed.ended()).toBe(true)
})

test("progress is left out while the client does not read", async () => {
  const { calls, server } = patient()
  const { post, opened } = await serving(server)
  const reply = post(call(1, "wait", {}, told), { headers: opened() })
  calls[0]!.say(1)
  await settled()
  reply.clog()
  for (let n = 2; n < 10_000; n++) calls[0]!.say(n)
  calls[0]!.finish("done")
  await settled()
  reply.ease()
  await settled()
  await settled()
  const messages = reply.messages()
  expect(messages.length).toBeLessThan(1_000)
  expect(messages.at(-1)).toMatchObject({ id: 1 })
  expect(reply.ended()).toBe(true)
})

test("nothing is left of sessions that have ended, however they were used", async () => {
  const events = memoryEvents()
  const { calls, server } = patient()
  const { post, get, remove, opened, served, clock } = await serving(server, { events })
  for (let i = 0; i < 20; i++) {
    const headers = opened()
    const stream = get(headers)
    const reply = post(call(1, "wait", {}, told), { headers })
    calls[i]!.say(1)
    await settled()
    if (i % 3 === 0) reply.leave()
    if (i % 4 === 0) stream.leave()
    if (i % 5 === 0) calls[i]!.finish("done")
    await settled()
    expect(remove(headers).status()).toBe(204)
    await settled()
    expect(reply.ended() || i % 3 === 0).toBe(true)
    expect(stream.ended() || i % 4 === 0).toBe(true)
  }
  expect(served.count()).toBe(0)
  expect(events.size()).toEqual({ sessions: 0, streams: 0, events: 0 })
  clock.advance(3_600_000)
  expect(clock.pending()).toBe(0)
})

test("a burst that comes at once is heard whole by a client that reads", async () => {
  const chatty = tool("chatty", {}, (_, call) => {
    for (let n = 0; n < 5_000; n++) call.log("info", n)
    return "done"
  })
  const { post, opened } = await serving(defined([chatty], { declare: { logging: true } }))
  const reply = post(call(1, "chatty"), { headers: opened() })
  for (let i = 0; i < 50 && !reply.ended(); i++) await settled()
  expect(reply.messages()).toHaveLength(5_001)
})

test("a client that does not read its session's stream hears of everything once when it does", async () => {
  const subject = live(
    defineServer({ name: "l", version: "1" }, [echo], { declare: { resources: { subscribe: true } } })
  )
  const { post, get, opened } = await serving(subject)
  const session = opened()
  for (const uri of ["a:1", `b:${"x".repeat(5_000)}`])
    post({ jsonrpc: "2.0", id: uri, method: "resources/subscribe", params: { uri } }, { headers: session })
  const stream = get(session)
  await settled()
  stream.clog()
  for (let n = 0; n < 1_000; n++) subject.updated(`b:${"x".repeat(5_000)}`)
  subject.updated("a:1")
  await settled()
  stream.ease()
  for (let i = 0; i < 20; i++) await settled()
  const told = stream.messages().map(({ params }) => params.uri as string)
  expect(told.length).toBeLessThan(30)
  expect(told).toContain("a:1")
})

test("a client has so many streams open, in all its sessions together", async () => {
  const { get, opened } = await serving(undefined, { maxStreamsPerClient: 2 })
  const sessions = [1, 2, 3].map(() => opened("2025-11-25", {}, "ann"))
  const [one, two] = [get(sessions[0]!, "ann"), get(sessions[1]!, "ann")]
  expect(get(sessions[2]!, "ann").status()).toBe(429)
  expect(get(opened("2025-11-25", {}, "bob"), "bob").status()).toBe(200)
  one.leave()
  expect(get(sessions[2]!, "ann").status()).toBe(200)
  expect(two.ended()).toBe(false)
})

test("streams of a session's own that gave way to newer ones are not kept", async () => {
  const events = memoryEvents({ resumeMs: 0 })
  const { get, opened } = await serving(undefined, { events })
  const session = opened()
  for (let i = 0; i < 50; i++) get(session)
  await vi.waitFor(() => expect(events.size().streams).toBe(1))
})

test("a client that has come back to its session's stream stays there", async () => {
  const subject = live(defineServer({ name: "l", version: "1" }, [echo], { declare: { tools: { listChanged: true } } }))
  const { get, opened, clock } = await serving(subject, { resumeMs: 5_000 })
  const session = opened()
  const stream = get(session)
  await settled()
  stream.leave()
  const back = get({ ...session, "last-event-id": lastId(stream) })
  clock.advance(10)
  await settled()
  clock.advance(6_000)
  await subject.set([])
  await settled()
  expect(back.messages()).toMatchObject([{ method: "notifications/tools/list_changed" }])
  expect(back.ended()).toBe(false)
})
