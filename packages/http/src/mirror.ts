/** What headers repeat of a body (2026-07-28): how a value is written in a header, and read again, and whether both say the same. */
import type { JsonObject, Mirrored } from "@parley/core"
import { member, valueAt } from "@parley/core"

/** The names of the headers, in lower case. */
export const versionHeader = "mcp-protocol-version"
export const methodHeader = "mcp-method"
export const nameHeader = "mcp-name"

/**
 * The value as a header can say it: itself, or its UTF-8 in Base64 between `=?base64?` and `?=`.
 * 2026-07-28 basic/transports/streamable-http, Value Encoding.
 */
export function encodeHeaderValue(value: string): string {
  if (plain.test(value) && !isSentinel(value) && value === value.trim()) return value
  let bytes = ""
  for (const byte of new TextEncoder().encode(value)) bytes += String.fromCharCode(byte)
  return `${prefix}${btoa(bytes)}${suffix}`
}

/** What a header's value says; nothing when it has characters that none may have, or its Base64 is none, or no UTF-8. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!plain.test(value)) return undefined
  if (!isSentinel(value)) return value
  const base64 = value.slice(prefix.length, -suffix.length)
  if (base64.length % 4 !== 0 || !letters.test(base64)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
    )
  } catch {
    return undefined
  }
}

const prefix = "=?base64?"
const suffix = "?="

const isSentinel = (value: string): boolean =>
  value.startsWith(prefix) && value.endsWith(suffix) && value.length >= prefix.length + suffix.length

/** RFC 9110 section 5.5, without what is obsolete. */
const plain = /^[\t\x20-\x7e]*$/

const letters = /^[A-Za-z\d+/]*={0,2}$/

/** What is wrong between a request's headers and its body. */
export interface Mismatch {
  readonly header: string
  /** In words, for the client's author. */
  readonly why: string
}

/**
 * Whether the headers say what the body says; nothing when they do. `name`: the member of params that `Mcp-Name` repeats.
 * `header` gives a header's value by its name in lower case. The version is another's business.
 */
export function mismatched(
  header: (name: string) => string | undefined,
  { method, params }: { readonly method: string; readonly params?: JsonObject | undefined },
  name: string | undefined,
  annotated: ReadonlyArray<Mirrored>
): Mismatch | undefined {
  const said = header(methodHeader)
  // A method's name is said as it is.
  if (said !== method) return { header: "Mcp-Method", why: differs(said, method) }
  if (name !== undefined) {
    const value = member(params, name)
    const wrong = compared(header(nameHeader), typeof value === "string" ? value : undefined)
    if (wrong !== undefined) return { header: "Mcp-Name", why: wrong }
  }
  for (const one of annotated) {
    const wrong = compared(header(one.header.toLowerCase()), valueAt(params?.["arguments"], one), one.type)
    if (wrong !== undefined) return { header: one.header, why: wrong }
  }
  return undefined
}

function compared(
  said: string | undefined,
  expected: string | undefined,
  type: Mirrored["type"] = "string"
): string | undefined {
  if (said === undefined) return expected === undefined ? undefined : differs(said, expected)
  const decoded = decodeHeaderValue(said)
  if (decoded === undefined) return "has characters or a Base64 text that no header may have"
  if (expected === undefined) return `is ${shown(decoded)}, and the body has no such value`
  if (decoded === expected) return undefined
  // The note under Server Validation: integers are compared as numbers.
  if (type === "integer" && decimal.test(decoded) && Number(decoded) === Number(expected)) return undefined
  // What is no UTF-16 can not be said in UTF-8.
  if (new TextDecoder().decode(new TextEncoder().encode(expected)) === decoded) return undefined
  return differs(decoded, expected)
}

const decimal = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

const differs = (said: string | undefined, expected: string): string =>
  said === undefined
    ? `is missing, and the body says ${shown(expected)}`
    : `is ${shown(said)}, and the body says ${shown(expected)}`

const shown = (text: string): string => JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 100)}...`)
