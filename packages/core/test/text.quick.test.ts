/** The quick way is taken where it is meant to be, and looks twice at what only looks like its shapes. */
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Message } from "../src/jsonrpc.js"
import { prepared, serialise } from "../src/text.js"

const _meta = prepared({ server: { name: "s", version: "1" } })
const one = (text: unknown) => ({ type: "text", text })
const reply = (result: object, id: unknown = 1) => ({ jsonrpc: "2.0", id, result }) as unknown as Message
const texts = (values: ReadonlyArray<unknown>) => values.filter((value) => typeof value !== "string")

afterEach(() => vi.restoreAllMocks())

describe("no object is written by JSON.stringify", () => {
  it.each([
    ["a result of one block of text", reply({ content: [one("a")] })],
    ["such a reply to an id that is a text", reply({ content: [one("a")] }, "id")],
    ["the same with what every result says", reply({ content: [one("a")], resultType: "complete", _meta })],
    ["the same the other way round", reply({ _meta, resultType: "complete", content: [one("a")] })]
  ])("in %s", (_, message) => {
    const text = JSON.stringify(message)
    const spy = vi.spyOn(JSON, "stringify")
    expect(serialise(message)).toBe(text)
    expect(texts(spy.mock.calls.map(([value]) => value))).toEqual([])
  })

  it("in a request, but its params", () => {
    const params = { name: "a", arguments: {} }
    const message = { jsonrpc: "2.0", id: 7, method: "tools/call", params } as const
    const text = JSON.stringify(message)
    const spy = vi.spyOn(JSON, "stringify")
    expect(serialise(message)).toBe(text)
    expect(texts(spy.mock.calls.map(([value]) => value))).toEqual([params])
  })

  it("and of an id that is a number nothing is", () => {
    const spy = vi.spyOn(JSON, "stringify")
    serialise(reply({ content: [one("a")] }, 12))
    expect(spy.mock.calls.map(([value]) => value as unknown)).toEqual(["a"])
  })
})

it.each<object>([
  { structuredContent: [one("a")], _meta },
  { other: "complete", _meta },
  { resultType: "complete" },
  { resultType: "incomplete", _meta },
  { _meta: { a: 1 } },
  { _meta: {}, content: [one("a")] },
  { content: [one("a"), one("b")] },
  { content: [one("a"), one("b")], _meta },
  { content: [] },
  { content: [null] },
  { content: [{ type: "image", text: "a" }] },
  { content: [one(undefined)] },
  { content: [one(5)] },
  { content: [{ ...one("a"), _meta: {} }] },
  { content: undefined, _meta },
  { content: { length: 1, 0: one("a") } },
  {}
])("%j is written as it is", (result) => {
  expect(serialise(reply(result))).toBe(JSON.stringify(reply(result)))
})
