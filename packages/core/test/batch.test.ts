/** Batches under way: which members are waited for, and when the replies go out together. */
import { describe, expect, it } from "vitest"
import { begin, collect, decodeBatches, encodeBatches, holds, noBatches as none, wantsReply } from "../src/batch.js"

const reply = (id: number) => ({ jsonrpc: "2.0", id, result: {} }) as const

describe("a batch", () => {
  it("goes out when its last member is done, in the order in which they were done", () => {
    const begun = begin(none, 5, "here", 3, 0)
    const one = collect(begun, 5, reply(1), 0)
    expect(one.sendable).toBeUndefined()
    const two = collect(one.batches, 5, undefined, 0)
    expect(two.sendable).toBeUndefined()
    const three = collect(two.batches, 5, reply(3), 0)
    expect(three.sendable).toEqual({ via: "here", replies: [reply(1), reply(3)] })
    expect(three.batches.open.size).toBe(0)
  })

  it("holds the ids of replies that wait, and lets them go with the last", () => {
    const begun = begin(begin(none, 5, "here", 3, 0), 6, "there", 2, 0)
    const one = collect(begun, 5, reply(1), 0).batches
    expect([1, 2, 3].map((id) => holds(one, id, 0))).toEqual([true, false, false])
    const nameless = collect(one, 5, { jsonrpc: "2.0", id: null, error: { code: 1, message: "" } }, 0).batches
    const other = collect(nameless, 6, reply(2), 0).batches
    expect([1, 2].map((id) => holds(other, id, 0))).toEqual([true, true])
    const last = collect(other, 5, undefined, 0)
    expect(last.sendable?.replies).toHaveLength(2)
    expect([1, 2].map((id) => holds(last.batches, id, 0))).toEqual([false, true])
    expect(holds(decodeBatches(JSON.parse(JSON.stringify(encodeBatches(last.batches))), 0)!, 2, 0)).toBe(true)
  })

  it("of which every member was withdrawn goes out not at all", () => {
    expect(collect(begin(none, 5, "here", 1, 0), 5, undefined, 0)).toEqual({ batches: none, sendable: undefined })
  })

  it("without members to wait for is none, and one that is not there collects nothing", () => {
    expect(begin(none, 5, "here", 0, 0)).toBe(none)
    expect(collect(none, 5, reply(1), 0)).toEqual({ batches: none, sendable: undefined })
  })

  it("is written down and read back", () => {
    const busy = collect(begin(begin(none, 5, "a", 3, 0), 6, "b", 1, 0), 5, reply(1), 0).batches
    const back = decodeBatches(JSON.parse(JSON.stringify(encodeBatches(busy))), 0)
    expect(collect(collect(back!, 5, reply(2), 0).batches, 5, reply(3), 0).sendable).toEqual({
      via: "a",
      replies: [reply(1), reply(2), reply(3)]
    })
    expect(decodeBatches([], 0)).toEqual(none)
  })
})

describe("a member", () => {
  it.each([
    [true, { jsonrpc: "2.0", id: 1, method: "a" }],
    [true, { jsonrpc: "2.0", id: null, method: "a" }],
    [true, 7],
    [true, []],
    [false, { jsonrpc: "2.0", method: "a" }],
    [false, { jsonrpc: "2.0", id: 1, result: {} }],
    [false, { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } }],
    [false, { id: 1, result: {} }]
  ])("wants a reply (%j): %j", (wants, json) => expect(wantsReply(json)).toBe(wants))
})
