/** So many requests of a session at once; what the server waits for is not among those that wait. */
import { afterEach, expect, it, vi } from "vitest"
import { turns } from "../../src/client/turns.js"
import type { Opened } from "./opened.js"
import { opened } from "./opened.js"
import type { Asked } from "./scripted.js"
import { empty, result } from "./scripted.js"

let one: Opened | undefined
afterEach(() => one?.channel.close())

/** Calls are answered when the test says so, everything else at once. */
function held(maxCalls: number) {
  const waiting: Array<() => void> = []
  one = opened(
    (asked) =>
      asked.body?.id === undefined || asked.body.method === undefined
        ? empty(202)
        : new Promise((resolve) => waiting.push(() => resolve(result(asked)))),
    { maxCalls }
  )
  return Object.assign(one, { answer: () => waiting.shift()!() })
}
const ids = (asked: ReadonlyArray<Asked>): ReadonlyArray<unknown> => asked.map(({ body }) => body?.id)
const isAsked = (expected: ReadonlyArray<unknown>): Promise<void> =>
  vi.waitFor(() => expect(ids(one!.asked)).toEqual(expected), { interval: 1 })

it("gives turns in the order in which they were asked for, and never more than there are", async () => {
  const { take, give } = turns(2)
  const had: Array<number> = []
  for (const n of [1, 2, 3, 4]) void Promise.resolve(take()).then(() => had.push(n))
  await Promise.resolve()
  await vi.waitFor(() => expect(had).toEqual([1, 2]))
  give()
  await vi.waitFor(() => expect(had).toEqual([1, 2, 3]))
  give()
  give()
  await vi.waitFor(() => expect(had).toEqual([1, 2, 3, 4]))
  expect(take()).toBeUndefined()
  expect(take()).toBeInstanceOf(Promise)
})

it("sends no more calls of a session at once than maxCalls, and the next when one is over", async () => {
  const { call, answer, came } = held(2)
  for (const id of [1, 2, 3, 4]) call(id)
  await isAsked([1, 2])
  answer()
  await came(1)
  await isAsked([1, 2, 3])
  answer()
  answer()
  await isAsked([1, 2, 3, 4])
  answer()
  await came(4)
})

it("lets out what is no call, and calls of 2026-07-28, however many wait", async () => {
  const { call, stand, tell, channel } = held(1)
  call(1)
  call(2)
  await tell("notifications/progress")
  const answer = { jsonrpc: "2.0" as const, id: "ask", result: {} }
  await channel.send({ message: answer, via: undefined, last: false, revision: "2025-11-25" })
  stand(3)
  stand(4)
  await isAsked([1, undefined, "ask", 3, 4])
})

it("does not send a call that was given up while it waited, and gives its turn to the next", async () => {
  const { call, channel, answer } = held(1)
  for (const id of [1, 2, 3]) call(id)
  channel.abort(2)
  await isAsked([1])
  answer()
  await isAsked([1, 3])
  channel.abort(3)
  call(4)
  await isAsked([1, 3, 4])
})

it("leaves nothing waiting when the channel is closed", async () => {
  const { call, channel, closed } = held(1)
  for (const id of [1, 2, 3]) call(id)
  await isAsked([1])
  await channel.close()
  expect(closed).toEqual([{ _tag: "Closed" }])
  await isAsked([1])
})
