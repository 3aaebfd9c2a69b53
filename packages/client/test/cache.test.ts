/** What a cache keeps, for how long, and for whom. */
import { v2025_11_25, v2026_07_28 } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import type { Question } from "../src/cache.js"
import { keeping, outdated } from "../src/cache.js"
import { cache } from "../src/index.js"

const day = 24 * 60 * 60 * 1_000

const question = (method: string, params?: Question["params"], who = "me"): Question => ({
  revision: v2026_07_28,
  method,
  params,
  who
})
const read = (uri: string, who?: string) => question("resources/read", { uri }, who)
const tools = (cursor?: string) => question("tools/list", cursor === undefined ? undefined : { cursor })
const content = (n: unknown, ttlMs: number, cacheScope = "private") => ({
  contents: [{ n }] as never,
  ttlMs,
  cacheScope
})
const page = (names: ReadonlyArray<string>, ttlMs = 100) => ({ tools: [...names], ttlMs, cacheScope: "private" })

function kept(options: Parameters<typeof keeping>[0] = {}) {
  const clock = simulated()
  const cache = keeping({ clock, ...options })
  const keep = (asked: Question, result: object) => cache.asked(asked)(result as {})
  return { clock, cache, keep }
}

describe("a cache", () => {
  it("serves a result until its time is over, and not a moment longer", () => {
    const { cache, clock, keep } = kept()
    keep(read("a:b"), content(1, 100))
    clock.advance(99)
    expect(cache.find(read("a:b"))).toEqual(content(1, 100))
    clock.advance(1)
    expect(cache.find(read("a:b"))).toBeUndefined()
  })

  it.each([[0], [-1], [undefined], ["100"], [null]])("does not keep what may be kept for %j", (ttlMs) => {
    const { cache, keep } = kept()
    keep(read("a:b"), { contents: [], ttlMs, cacheScope: "public" })
    expect(cache.find(read("a:b"))).toBeUndefined()
    expect(cache.size()).toBe(0)
  })

  it("takes no server at its word for more than a day", () => {
    const { cache, clock, keep } = kept()
    keep(read("a:b"), content(1, 1e300))
    clock.advance(day - 1)
    expect(cache.find(read("a:b"))).toBeDefined()
    clock.advance(1)
    expect(cache.find(read("a:b"))).toBeUndefined()
  })

  it("tells one request from another by its method and its params, but not by their order, nor by _meta", () => {
    const { cache, keep } = kept()
    const asked = question("resources/read", { uri: "a:b", x: { b: 1, a: 2 }, _meta: { traceparent: "1" } })
    keep(asked, content(1, 100))
    expect(cache.find(question("resources/read", { x: { a: 2, b: 1 }, uri: "a:b" }))).toBeDefined()
    expect(cache.find(question("resources/read", { uri: "a:b" }))).toBeUndefined()
    expect(cache.find({ ...asked, revision: v2025_11_25 })).toBeUndefined()
    keep(tools(), page(["a"]))
    expect(cache.find(tools())).toBeDefined()
    expect(cache.find(question("prompts/list"))).toBeUndefined()
    expect(cache.find(tools("2"))).toBeUndefined()
  })

  it("gives what is private only to whom it was given, and what is public to everybody", () => {
    const { cache, keep } = kept()
    keep(read("a:private", "me"), content(1, 100))
    keep(read("a:public", "me"), content(2, 100, "public"))
    keep(read("a:strange", "me"), content(3, 100, "who knows"))
    const seen = (who: string) =>
      ["a:private", "a:public", "a:strange"].map((uri) => cache.find(read(uri, who)) !== undefined)
    expect(seen("me")).toEqual([true, true, true])
    expect(seen("you")).toEqual([false, true, false])
  })

  it("forgets the public one when the server has something private to say instead", () => {
    const { cache, keep } = kept()
    keep(read("a:b", "me"), content(1, 100, "public"))
    keep(read("a:b", "me"), content(2, 0))
    expect(cache.find(read("a:b", "you"))).toBeUndefined()
  })

  it("gives a value of its own each time", () => {
    const { cache, keep } = kept()
    const result = content([1], 100)
    keep(read("a:b"), result)
    ;(result.contents as Array<unknown>).push("mine")
    const first = cache.find(read("a:b")) as { contents: Array<unknown> }
    first.contents.push("mine too")
    expect(cache.find(read("a:b"))).toEqual(content([1], 100))
  })

  it("does not keep what was asked before something changed and came after", () => {
    const { cache } = kept()
    const [mine, other] = [cache.asked(read("a:b")), cache.asked(read("a:c"))]
    cache.drop(outdated(v2026_07_28, "notifications/resources/updated", { uri: "a:b" }))
    mine(content(1, 100))
    other(content(2, 100))
    expect(cache.find(read("a:b"))).toBeUndefined()
    expect(cache.find(read("a:c"))).toBeDefined()
  })

  it("does not keep what is nested deeper than can be written", () => {
    const { cache, keep } = kept()
    let deep: unknown = []
    for (let i = 0; i < 100_000; i++) deep = [deep]
    keep(read("a:b"), content(deep, 100))
    expect(cache.size()).toBe(0)
  })

  it("forgets the oldest that nobody wanted when there are too many", () => {
    const { cache, keep } = kept({ maxEntries: 2 })
    keep(read("a:1"), content(1, 100))
    keep(read("a:2"), content(2, 100))
    cache.find(read("a:1"))
    keep(read("a:3"), content(3, 100))
    expect(["a:1", "a:2", "a:3"].map((uri) => cache.find(read(uri)) !== undefined)).toEqual([true, false, true])
    expect(cache.size()).toBe(2)
  })

  it("forgets the oldest when they take too much, and does not keep what is too much by itself", () => {
    const size = 2 * JSON.stringify(content("x".repeat(200), 100)).length
    const { cache, keep } = kept({ maxBytes: 2 * size })
    for (const uri of ["a:1", "a:2", "a:3"]) keep(read(uri), content("x".repeat(200), 100))
    expect(["a:1", "a:2", "a:3"].map((uri) => cache.find(read(uri)) !== undefined)).toEqual([false, true, true])
    keep(read("a:big"), content("x".repeat(900), 100))
    expect(cache.find(read("a:big"))).toBeUndefined()
    expect(cache.size()).toBe(2)
    keep(read("a:3"), content("", 100))
    keep(read("a:4"), content("", 100))
    expect(cache.size()).toBe(3)
  })

  it("can be told to forget everything", () => {
    const { cache, keep } = kept()
    const late = cache.asked(read("a:late"))
    keep(read("a:b"), content(1, 100))
    cache.clear()
    late(content(2, 100))
    expect(cache.size()).toBe(0)
  })

  it.each([
    [{ maxEntries: 0 }, "cache needs a whole number from 1 on for maxEntries, not 0"],
    [{ maxBytes: 1.5 }, "cache needs a whole number from 1 on for maxBytes, not 1.5"],
    [{ ttl: 1 }, "cache has no option ttl; there are maxEntries, maxBytes, clock"]
  ])("refuses options that can not be used: %j", (options, message) => {
    expect(() => cache(options as {})).toThrow(new TypeError(message))
  })
})

describe("pages of a list", () => {
  it("are kept each for its own time", () => {
    const { cache, clock, keep } = kept()
    keep(tools(), page(["a"], 100))
    keep(tools("2"), page(["b"], 10))
    clock.advance(50)
    expect([cache.find(tools()), cache.find(tools("2"))]).toEqual([page(["a"], 100), undefined])
  })

  it("go all together when one comes again with other items, and only then", () => {
    const { cache, clock, keep } = kept()
    keep(tools(), page(["a"], 10))
    keep(tools("2"), page(["b"], 1_000))
    clock.advance(50)
    keep(tools(), { ...page(["a"], 10), nextCursor: "2" })
    expect(cache.changes("tools/list")).toBe(0)
    expect(cache.find(tools("2"))).toBeDefined()
    clock.advance(50)
    keep(tools(), page(["a", "c"], 10))
    expect(cache.changes("tools/list")).toBe(1)
    expect(cache.find(tools("2"))).toBeUndefined()
    expect(cache.find(tools())).toEqual(page(["a", "c"], 10))
  })
})

describe("a notification", () => {
  const all = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]
  const after = (method: string, params?: {}) => {
    const { cache, keep } = kept()
    for (const list of all) keep(question(list), { ttlMs: 100, cacheScope: "private" })
    for (const uri of ["file:///a", "file:///a/b", "file:///a/b/c", "file:///ab"]) keep(read(uri), content(1, 100))
    cache.drop(outdated(v2026_07_28, method, params))
    return [
      ...all.filter((list) => cache.find(question(list)) === undefined),
      ...["file:///a", "file:///a/b", "file:///a/b/c", "file:///ab"].filter(
        (uri) => cache.find(read(uri)) === undefined
      )
    ]
  }

  it.each([
    ["notifications/tools/list_changed", ["tools/list"]],
    ["notifications/prompts/list_changed", ["prompts/list"]],
    ["notifications/resources/list_changed", ["resources/list", "resources/templates/list"]],
    ["notifications/message", []]
  ])("%s makes %j a thing of the past", (method, lists) => {
    expect(after(method)).toEqual(lists)
  })

  it("about a resource makes it one, what lies below it, and what it lies below", () => {
    expect(after("notifications/resources/updated", { uri: "file:///a/b" })).toEqual([
      "file:///a",
      "file:///a/b",
      "file:///a/b/c"
    ])
  })
})
