/** Each failure as JSON-RPC spells it: its number, and a message that names the method and the member. */
import { expect, it } from "vitest"
import type { Failure } from "../src/failure.js"
import { errorOf, told } from "../src/failure.js"

it.each<[Failure, number, string]>([
  [{ _tag: "ParseFailed", why: "utf8" }, -32700, "Parse error: not valid UTF-8"],
  [{ _tag: "ParseFailed", why: "json" }, -32700, "Parse error: not valid JSON"],
  [{ _tag: "TooLarge" }, -32600, "Message too large: it was discarded unread"],
  [{ _tag: "InvalidRequest", why: "w" }, -32600, "Invalid request: w"],
  [{ _tag: "BatchRefused", why: "w" }, -32600, "Invalid request: w"],
  [{ _tag: "AlreadyInitialized" }, -32600, "Already initialized: initialize is sent once"],
  [{ _tag: "NotReady", method: "m" }, -32600, "Not ready: send notifications/initialized before m"],
  [{ _tag: "IdInUse", id: "a" }, -32600, 'Id in use: the request with id "a" is not answered yet'],
  [
    { _tag: "MethodUnknown", method: "m", why: "is not in 2025-11-25" },
    -32601,
    "Method not found: m is not in 2025-11-25"
  ],
  [
    { _tag: "MethodUndeclared", method: "m", needs: "tools" },
    -32601,
    "Method not found: m needs the capability tools, which was not declared"
  ],
  [
    { _tag: "ParamsInvalid", method: "m", problem: { at: "a.b", expected: "a string" } },
    -32602,
    "Invalid params for m: a.b: expected a string"
  ],
  [
    { _tag: "ParamsInvalid", method: "m", problem: { at: "", expected: "an object" } },
    -32602,
    "Invalid params for m: expected an object"
  ],
  [{ _tag: "ToolUnknown", name: "n" }, -32602, "Unknown tool: n"],
  [{ _tag: "PromptUnknown", name: "n" }, -32602, "Unknown prompt: n"],
  [
    { _tag: "ArgumentMissing", prompt: "p", argument: "a" },
    -32602,
    "Invalid params for prompts/get: arguments.a: expected a string, which the prompt p requires"
  ],
  [{ _tag: "TooManySubscriptions", limit: 3 }, -32603, "Too many subscriptions: the limit is 3"],
  [{ _tag: "CursorInvalid", method: "m", cursor: "c" }, -32602, "Invalid cursor for m: list again from the start"],
  [{ _tag: "ArgumentsInvalid", tool: "t", why: "w" }, -32602, "Invalid arguments for tool t: w"],
  [{ _tag: "HandlerCrashed", method: "m" }, -32603, "Internal error: the handler of m failed"],
  [{ _tag: "ResultInvalid", method: "m" }, -32603, "Internal error: the result of m was not valid and was not sent"],
  [{ _tag: "TooManyRequests", limit: 3 }, -32603, "Too many requests in flight: the limit is 3"],
  [{ _tag: "Stopping" }, -32603, "The server is stopping"],
  [{ _tag: "Interrupted" }, -32603, "The server was restarted while it served this request"]
])("%j", (failure, code, message) => expect(errorOf(failure)).toEqual({ code, message }))

it("names the versions spoken where the version is what is wrong", () => {
  expect(errorOf({ _tag: "NotInitialized", method: "m", supported: ["a"] })).toEqual({
    code: -32600,
    message: "Not initialized: send initialize before m",
    data: { supported: ["a"] }
  })
  expect(errorOf({ _tag: "VersionUnsupported", requested: "r", supported: ["a"] })).toEqual({
    code: -32602,
    message: "Unsupported protocol version: r",
    data: { supported: ["a"], requested: "r" }
  })
})

it("names the resource that is not there", () =>
  expect(errorOf({ _tag: "ResourceUnknown", uri: "a:1", code: -32002 })).toEqual({
    code: -32002,
    message: "Resource not found: a:1",
    data: { uri: "a:1" }
  }))

it("hands on what a handler chose, with its data when there is any", () => {
  expect(errorOf({ _tag: "Chosen", code: 7, message: "m", data: null })).toEqual({ code: 7, message: "m", data: null })
  expect(Object.keys(errorOf({ _tag: "Chosen", code: 7, message: "m", data: undefined }))).toEqual(["code", "message"])
})

it("tells a problem with its path or without", () => {
  expect(told({ at: "a[0]", expected: "a string" })).toBe("a[0]: expected a string")
  expect(told({ at: "", expected: "an object" })).toBe("expected an object")
})

it("repeats no more than 200 characters of what a peer called something", () => {
  const name = "m".repeat(200)
  const { message } = errorOf({ _tag: "ToolUnknown", name })
  expect(message).toBe(`Unknown tool: ${name}`)
  expect(errorOf({ _tag: "ToolUnknown", name: `${name}m` }).message).toBe(`${message}...`)
  expect(
    errorOf({ _tag: "MethodUnknown", method: "x".repeat(1_000_000), why: "is not here" }).message.length
  ).toBeLessThan(300)
})
