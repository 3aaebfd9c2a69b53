import { expect, test } from "vitest"
import { memoryEvents } from "../../src/server/event-memory.js"
import { simulated } from "../../../driver/test/simulated.js"
import { settled } from "./serving.js"

const say = (text: string, last = false) => ({ text, last })
const never = new AbortController().signal

async function read(tail: AsyncIterable<{ text: string }>, most = Infinity) {
  const texts: Array<string> = []
  for await (const { text } of tail) {
    texts.push(text)
    if (texts.length >= most) break
  }
  return texts
}

test("a tail has what is kept and then what comes, until the last", async () => {
  const events = memoryEvents()
  events.append("s", "a", say("1"))
  const texts = read(events.tail("s", "a", undefined, never))
  await settled()
  events.append("s", "b", say("other"))
  events.append("s", "a", say("2"))
  events.append("s", "a", say("3", true))
  events.append("s", "a", say("too late"))
  expect(await texts).toEqual(["1", "2", "3"])
})

test("ids are unique in a session, and good in their stream only", async () => {
  const events = memoryEvents()
  const ids = ["a", "b", "a", "c"].map((via) => events.append("s", via, say(via)))
  expect(new Set(ids).size).toBe(4)
  expect(await read(events.tail("s", "a", ids[0], never), 1)).toEqual(["a"])
  await expect(read(events.tail("s", "b", ids[0], never))).rejects.toThrow("not kept")
  await expect(read(events.tail("t", "a", ids[0], never))).rejects.toThrow("not kept")
})

test("a tail that begins before its stream waits for it, until it is called off", async () => {
  const events = memoryEvents()
  const off = new AbortController()
  const texts = read(events.tail("s", "a", undefined, off.signal))
  await settled()
  events.append("s", "a", say("1"))
  await settled()
  off.abort()
  expect(await texts).toEqual(["1"])
})

test.each([
  ["events", { maxEvents: 3 }, "x"],
  ["bytes", { maxEventBytes: 60 }, "0123456789"]
])("keeps so many %s of a session, the newest", async (_, bounds, text) => {
  const events = memoryEvents(bounds)
  const ids = Array.from({ length: 10 }, (_, at) => events.append("s", at % 2 === 0 ? "a" : "b", say(text)))
  expect(events.size().events).toBe(3)
  await expect(read(events.tail("s", "a", ids[0], never))).rejects.toThrow("not kept")
  events.append("t", "a", say(text))
  expect(events.size()).toMatchObject({ sessions: 2, events: 4 })
})

test("keeps what a reader has not come to, whatever the bounds, and lets it go when it has", async () => {
  const events = memoryEvents({ maxEvents: 3 })
  const texts = read(events.tail("s", "a", undefined, never))
  for (let i = 0; i < 50; i++) events.append("s", "a", say(String(i)))
  events.append("s", "a", say("end", true))
  expect(await texts).toHaveLength(51)
  events.append("s", "b", say("more"))
  expect(events.size().events).toBe(3)
})

test("keeps an event that is larger than all there is room for", async () => {
  const events = memoryEvents({ maxEventBytes: 10 })
  events.append("s", "a", say("x".repeat(100)))
  expect(events.size().events).toBe(1)
})

test("lets a stream go some time after its end, with one alarm for all", async () => {
  const clock = simulated()
  const events = memoryEvents({ resumeMs: 1_000, clock })
  for (const via of ["a", "b", "c"]) events.append("s", via, say("1", via !== "c"))
  clock.advance(500)
  events.append("s", "d", say("1", true))
  expect(clock.pending()).toBe(1)
  expect(clock.holding()).toBe(0)
  clock.advance(600)
  expect(events.size()).toMatchObject({ streams: 2, events: 2 })
  clock.advance(500)
  expect(events.size()).toMatchObject({ streams: 1, events: 1 })
  events.forget("s")
  expect(events.size()).toEqual({ sessions: 0, streams: 0, events: 0 })
  expect(clock.pending()).toBe(0)
})

test("a session that is forgotten ends those who read it", async () => {
  const events = memoryEvents()
  const texts = read(events.tail("s", "a", undefined, never))
  await settled()
  events.forget("s")
  expect(await texts).toEqual([])
})

test("keeps nothing of a session of which nothing is kept any more", async () => {
  const clock = simulated()
  const events = memoryEvents({ resumeMs: 1_000, clock })
  const stop = new AbortController()
  const texts = read(events.tail("s", "waited for in vain", undefined, stop.signal))
  events.append("s", "a", say("1", true))
  clock.advance(1_100)
  expect(events.size()).toEqual({ sessions: 1, streams: 1, events: 0 })
  stop.abort()
  expect(await texts).toEqual([])
  expect(events.size()).toEqual({ sessions: 0, streams: 0, events: 0 })
})
