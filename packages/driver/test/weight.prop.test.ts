/** Texts that are refused unparsed, against a plain count. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { tooManyValues } from "../src/weight.js"

const large = 16 * 1024 * 1024
const most = 2_000_000

/** That many characters that begin values, among others, up to the length. */
const holding = (marks: number, length: number, mark = "[", other = "x") =>
  mark.repeat(marks) + other.repeat(length - marks)

it("is so when a large text has more characters that may begin a value than the limit", () => {
  const few = fc.array(fc.constantFrom("[", ",", "{", "]", "}", ":", '"', "\\", "é", "[]", "{,}"), { maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: -200, max: 10 }), few, fc.constantFrom("[", ",", "{"), (more, odd, mark) => {
      const text = holding(most + more, large - 100, mark) + odd.join("")
      const outside = text.slice(large - 100).replaceAll(/"(?:\\.|[^"\\])*(?:"|\\?$)/gs, "")
      const marks = most + more + outside.split(/[[,{]/).length - 1
      expect(tooManyValues(text)).toBe(text.length > large && marks > most)
    }),
    { numRuns: 12 }
  )
})

describe("the limits", () => {
  it("are 16 Mi characters: shorter texts are never refused", () => {
    expect(tooManyValues("[".repeat(large))).toBe(false)
    expect(tooManyValues("[".repeat(large + 1))).toBe(true)
  })

  it("are 2,000,000 values: large texts with fewer are never refused", () => {
    expect(tooManyValues(holding(most, large + 1))).toBe(false)
    for (const mark of ["[", "{", ","]) expect(tooManyValues(holding(most + 1, large + 1, mark))).toBe(true)
    for (const other of ["]", "}", ":", '"', "0"]) expect(tooManyValues(holding(0, large + 1, "[", other))).toBe(false)
  })

  it("are not met by commas inside of a string, however many", () => {
    const cell = String.raw`1,2,3\n\"\\`
    const table = `"${cell.repeat(2_000_000)}"`
    expect(table.length).toBeGreaterThan(large)
    expect(tooManyValues(table)).toBe(false)
    expect(tooManyValues(`${table}${",1".repeat(most + 1)}`)).toBe(true)
  })
})
