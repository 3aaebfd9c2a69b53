/** Values in headers: the specification's own examples, and what nobody may send. */
import { describe, expect, it } from "vitest"
import { decodeHeaderValue, encodeHeaderValue, mismatched } from "../src/mirror.js"

describe("a value in a header", () => {
  // 2026-07-28 basic/transports/streamable-http, Encoding examples.
  it.each([
    ["us-west1", "us-west1"],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["", ""],
    ["a b", "a b"],
    ["\ta", "=?base64?CWE=?="],
    ["a\tb", "a\tb"],
    ["=?base64??=", "=?base64?PT9iYXNlNjQ/Pz0=?="],
    ["=?base64?=", "=?base64?="],
    ["\u007f", "=?base64?fw==?="],
    ["\ufeffa", "=?base64?77u/YQ==?="]
  ])("%j is written as %j, and read again", (value, written) => {
    expect(encodeHeaderValue(value)).toBe(written)
    expect(decodeHeaderValue(written)).toBe(value)
  })

  it.each([
    "ä",
    "a\nb",
    "a\0",
    "=?base64?a?=",
    "=?base64?YQ?=",
    "=?base64?YQ=?=",
    "=?base64?Y Q=?=",
    "=?base64?Y===?=",
    "=?base64?____?=",
    "=?base64?/w==?=",
    "=?base64?7aCA?="
  ])("that is %j says nothing", (written) => {
    expect(decodeHeaderValue(written)).toBeUndefined()
  })

  it.each(["=?BASE64?YQ==?=", "=?base64?YQ==", "x=?base64?YQ==?="])("that is %j is what it is", (written) => {
    expect(decodeHeaderValue(written)).toBe(written)
  })
})

describe("what a request's headers repeat", () => {
  const headed = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name]

  it("is not looked for in a prototype", () => {
    const headers = headed({ "mcp-method": "constructor" })
    expect(mismatched(headers, { method: "constructor", params: {} }, "constructor", [])).toBeUndefined()
    const level = { header: "Mcp-Param-Level", path: ["__proto__", "constructor"], type: "string" } as const
    expect(
      mismatched(headers, { method: "constructor", params: { arguments: {} } }, undefined, [level])
    ).toBeUndefined()
  })

  it("is compared as UTF-8 has it where the body's text is no UTF-16", () => {
    const headers = headed({ "mcp-method": "m", "mcp-name": encodeHeaderValue("a\ud800") })
    expect(mismatched(headers, { method: "m", params: { name: "a\ud800" } }, "name", [])).toBeUndefined()
  })

  it("is shown to the client's author in part only when it is long", () => {
    const headers = headed({ "mcp-method": "x".repeat(100_000) })
    expect(mismatched(headers, { method: "m" }, undefined, [])!.why.length).toBeLessThan(200)
  })
})
