/** Whatever a value is, its header is one that HTTP carries, and says that value and no other. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeHeaderValue, encodeHeaderValue, mismatched } from "../src/mirror.js"

/** Whether it is UTF-16. */
function isText(value: string): boolean {
  try {
    return encodeURIComponent(value) !== undefined
  } catch {
    return false
  }
}

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }).filter(isText),
  fc.string({ unit: "binary-ascii" }),
  fc.string().map((inner) => `=?base64?${inner}?=`)
)

describe("a value", () => {
  it("is the same after it was a header", () => {
    fc.assert(
      fc.property(text, (value) => {
        const written = encodeHeaderValue(value)
        expect(written).toMatch(/^[\t\x20-\x7e]*$/)
        expect(written.trim()).toBe(written)
        expect(decodeHeaderValue(written)).toBe(value)
      })
    )
  })

  it("never passes for another", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        for (const said of [one, other]) {
          const header = (name: string) => (name === "mcp-method" ? "tools/call" : encodeHeaderValue(said))
          const wrong = mismatched(header, { method: "tools/call", params: { name: other } }, "name", [])
          expect(wrong === undefined).toBe(said === other)
        }
      })
    )
  })

  it("that is an integer is compared as a number", () => {
    const annotated = [{ header: "Mcp-Param-N", path: ["n"], type: "integer" }] as const
    const say = (said: string, n: number) => {
      const header = (name: string) => (name === "mcp-method" ? "tools/call" : said)
      return mismatched(header, { method: "tools/call", params: { arguments: { n } } }, undefined, annotated)
    }
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (one, other) => {
        for (const said of [String(one), `${one}.0`, `${one}e0`]) {
          expect(say(said, one)).toBeUndefined()
          expect(say(said, other) === undefined).toBe(one === other)
        }
      })
    )
  })
})
