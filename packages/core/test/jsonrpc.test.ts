/** The envelope: what is a request, a notification, a reply, and what is none of them. */
import { describe, expect, it } from "vitest"
import { isRequestId, read } from "../src/jsonrpc.js"

const v = { jsonrpc: "2.0" } as const
const malformed = (id: string | number | undefined, why: string, reply = false) => ({
  _tag: "Malformed",
  id,
  why,
  reply
})

describe("an id", () => {
  it.each(["", "a", 0, -0, -7, 9007199254740991, -9007199254740991])("may be %j", (id) =>
    expect(isRequestId(id)).toBe(true)
  )
  it.each([null, undefined, true, 1.5, Number.NaN, Infinity, 9007199254740992, {}, [], ["a"]])("may not be %j", (id) =>
    expect(isRequestId(id)).toBe(false)
  )
})

describe("a message", () => {
  it.each([
    ["Request", { ...v, id: 1, method: "a" }],
    ["Request", { ...v, id: "1", method: "", params: {} }],
    ["Request", { ...v, id: 0, method: "a", params: [1] }],
    ["Request", { ...v, id: 1, method: "a", more: 1, error: undefined }],
    ["Notification", { ...v, method: "a" }],
    ["Notification", { ...v, method: "a", params: [] }],
    ["Result", { ...v, id: 1, result: {} }],
    ["Result", { ...v, id: "", result: { a: 1 } }],
    ["Error", { ...v, id: 1, error: { code: -1, message: "" } }],
    ["Error", { ...v, id: null, error: { code: 0, message: "m", data: 1 } }],
    ["Error", { ...v, error: { code: 0, message: "m" } }]
  ])("is a %s: %j, handed on as it is", (tag, json) => {
    const envelope = read(json)
    expect(envelope._tag).toBe(tag)
    expect("message" in envelope && envelope.message).toBe(json)
  })

  it.each([
    [null, malformed(undefined, "a message must be an object")],
    [[], malformed(undefined, "a message must be an object")],
    ["x", malformed(undefined, "a message must be an object")],
    [{}, malformed(undefined, 'jsonrpc must be "2.0"')],
    [{ id: 1, method: "a" }, malformed(1, 'jsonrpc must be "2.0"')],
    [{ jsonrpc: 2, id: "a", method: "a" }, malformed("a", 'jsonrpc must be "2.0"')],
    [{ jsonrpc: "1.0", id: 1, result: {} }, malformed(1, 'jsonrpc must be "2.0"', true)],
    [{ id: 1, error: {} }, malformed(1, 'jsonrpc must be "2.0"', true)],
    [{ id: 1, method: "a", result: {} }, malformed(1, 'jsonrpc must be "2.0"')],
    [v, malformed(undefined, "method must be a string")],
    [{ ...v, id: 1, method: null }, malformed(1, "method must be a string")],
    [{ ...v, id: 1, method: 7, result: {} }, malformed(1, "method must be a string")],
    [{ ...v, id: 1, METHOD: "a" }, malformed(1, "method must be a string")],
    [{ ...v, id: 1, method: "a", result: {} }, malformed(1, "a message has either a method or a result or an error")],
    [{ ...v, id: 1, method: "a", error: {} }, malformed(1, "a message has either a method or a result or an error")],
    [{ ...v, id: 1, method: "a", params: null }, malformed(1, "params must be an object")],
    [{ ...v, id: 1, method: "a", params: 7 }, malformed(1, "params must be an object")],
    [{ ...v, method: "a", params: "p" }, malformed(undefined, "params must be an object")],
    [{ ...v, id: null, method: "a" }, malformed(undefined, "id must be a string or an integer up to 2^53-1")],
    [{ ...v, id: 1.5, method: "a" }, malformed(undefined, "id must be a string or an integer up to 2^53-1")],
    [
      { ...v, id: 1, result: {}, error: { code: 1, message: "" } },
      malformed(1, "a message has either a method or a result or an error", true)
    ],
    [{ ...v, result: {} }, malformed(undefined, "a reply needs the id of its request", true)],
    [{ ...v, id: null, result: {} }, malformed(undefined, "a reply needs the id of its request", true)],
    [{ ...v, id: 1, result: [] }, malformed(1, "result must be an object", true)],
    [{ ...v, id: 1, result: null }, malformed(1, "result must be an object", true)],
    [
      { ...v, id: true, error: { code: 1, message: "" } },
      malformed(undefined, "a reply needs the id of its request", true)
    ],
    [{ ...v, id: 1, error: "no" }, malformed(1, "error must be an object", true)],
    [{ ...v, id: 1, error: null }, malformed(1, "error must be an object", true)],
    [{ ...v, id: 1, error: { message: "" } }, malformed(1, "error.code must be an integer", true)],
    [{ ...v, id: 1, error: { code: 1.5, message: "" } }, malformed(1, "error.code must be an integer", true)],
    [{ ...v, id: 1, error: { code: 1 } }, malformed(1, "error.message must be a string", true)]
  ])("is none: %j", (json, expected) => expect(read(json)).toEqual(expected))

  it("is read by its own members only", () => {
    const json: unknown = JSON.parse('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}')
    expect(read(json)).toEqual(malformed(undefined, 'jsonrpc must be "2.0"'))
  })
})
