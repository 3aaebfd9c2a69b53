/** What a generated check says about a value that has not the shape: the first wrong member and what was expected. */
import { expect, test } from "vitest"
import { checks } from "./by-revision.js"

const is = checks["2025-11-25"]

const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "demo", version: "1.0.0" }
}

test("says nothing about a value that has the shape", () => {
  expect(is["InitializeParams"]!(initialize)).toBeUndefined()
})

test("names a missing member inside a member", () => {
  const problem = is["InitializeParams"]!({ ...initialize, clientInfo: { version: "1.0.0" } })
  expect(problem).toEqual({ at: "clientInfo.name", expected: "a string" })
})

test("names capabilities that are no object", () => {
  for (const capabilities of [true, null, [], "tools", undefined])
    expect(is["InitializeParams"]!({ ...initialize, capabilities })).toEqual({
      at: "capabilities",
      expected: "an object"
    })
})

test("lets capabilities of the wrong type pass, for they count as undeclared", () => {
  const capabilities = { roots: true, sampling: null, tasks: [] }
  expect(is["InitializeParams"]!({ ...initialize, capabilities })).toBeUndefined()
})

test("names an item by its index", () => {
  const content = [
    { type: "text", text: "hi" },
    { type: "image", data: "" }
  ]
  expect(is["CallToolResult"]!({ content })).toEqual({
    at: "content[1].mimeType",
    expected: "a string"
  })
})

test("lists the kinds when none is told", () => {
  expect(is["ContentBlock"]!({ type: "video" })).toEqual({
    at: "type",
    expected: '"text" or "image" or "audio" or "resource_link" or "resource"'
  })
})

test("takes a progress token that is a string or an exact integer, and no other", () => {
  for (const progressToken of ["", "a", 0, -7, 2 ** 53 - 1])
    expect(is["EmptyParams"]!({ _meta: { progressToken } })).toBeUndefined()
  for (const progressToken of [1.5, 2 ** 53, null, true, {}, [1]])
    expect(is["EmptyParams"]!({ _meta: { progressToken } })).toEqual({
      at: "_meta.progressToken",
      expected: "a string or an integer"
    })
})

test("does not walk a tool's arguments, and walks a prompt's", () => {
  expect(is["CallToolParams"]!({ name: "a", arguments: { n: [null, 1] } })).toBeUndefined()
  expect(is["CallToolParams"]!({ name: "a", arguments: [1] })).toEqual({
    at: "arguments",
    expected: "an object"
  })
  expect(is["GetPromptParams"]!({ name: "a", arguments: { n: 1 } })).toEqual({
    at: "arguments.n",
    expected: "a string"
  })
})

test("treats an elicitation without a mode as a form", () => {
  expect(is["ElicitParams"]!({ message: "?", mode: "url" })?.at).toBe("url")
  expect(is["ElicitParams"]!({ message: "?", mode: "url", url: "u" })?.at).toBe("elicitationId")
  expect(checks["2026-07-28"]["ElicitParams"]!({ message: "?", mode: "url", url: "u" })).toBeUndefined()
  expect(is["ElicitParams"]!({ message: "?" })?.at).toBe("requestedSchema")
  expect(is["ElicitParams"]!({ message: "?", mode: "page" })?.at).toBe("requestedSchema")
})

test("is fooled by no name that a prototype knows", () => {
  const hostile: unknown = JSON.parse(
    '{"__proto__":{"name":"a"},"constructor":1,"toString":2,"arguments":{"__proto__":1}}'
  )
  expect(is["GetPromptParams"]!(hostile)).toEqual({ at: "name", expected: "a string" })
  const named: unknown = JSON.parse('{"name":"a","arguments":{"__proto__":1}}')
  expect(is["GetPromptParams"]!(named)).toEqual({ at: "arguments.__proto__", expected: "a string" })
  expect(is["ContentBlock"]!({ type: { toString: 1 } })?.at).toBe("type")
})

test("tells the results of 2026-07-28 apart by what they say they are", () => {
  const { CallToolResult, InputRequiredResult } = checks["2026-07-28"]
  for (const resultType of ["complete", undefined])
    expect(CallToolResult!({ content: [], resultType, structuredContent: [null] })).toBeUndefined()
  for (const resultType of ["input_required", "task", 7, null])
    expect(CallToolResult!({ content: [], resultType })).toEqual({ at: "resultType", expected: '"complete"' })
  expect(InputRequiredResult!({ resultType: "input_required", requestState: "s" })).toBeUndefined()
  expect(InputRequiredResult!({ resultType: "input_required", inputRequests: {} })).toBeUndefined()
  expect(InputRequiredResult!({ resultType: "input_required" })).toEqual({ at: "inputRequests", expected: "an object" })
  expect(InputRequiredResult!({ requestState: "s" })?.at).toBe("resultType")
})

test("names a question inside a result by its key, and lists what may be asked", () => {
  const asked = (question: object) =>
    checks["2026-07-28"]["InputRequiredResult"]!({ resultType: "input_required", inputRequests: { a: question } })
  expect(asked({ method: "roots/list" })).toBeUndefined()
  expect(asked({ method: "elicitation/create", params: { message: 1 } })?.at).toBe("inputRequests.a.params.message")
  expect(asked({ method: "ping" })).toEqual({
    at: "inputRequests.a.method",
    expected: '"elicitation/create" or "sampling/createMessage" or "roots/list"'
  })
})

test("names what is missing in the envelope of a request, and lets wrong capabilities pass", () => {
  const envelope = checks["2026-07-28"]["RequestMeta"]!
  const whole = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { roots: true }
  }
  expect(envelope(whole)).toBeUndefined()
  for (const [name, wrong, at] of [
    ["protocolVersion", undefined, ""],
    ["clientCapabilities", [], ""],
    ["clientInfo", { name: "a" }, ".version"],
    ["logLevel", "loud", ""]
  ] as const)
    expect(envelope({ ...whole, [`io.modelcontextprotocol/${name}`]: wrong })?.at).toBe(
      `io.modelcontextprotocol/${name}${at}`
    )
  expect(envelope({ ...whole, progressToken: 1.5 })?.at).toBe("progressToken")
})
