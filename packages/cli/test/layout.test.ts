/** Text in columns. */
import { expect, it } from "vitest"
import { cap, pad, shorten, widthOf, wrap } from "../src/layout.js"
import { table } from "../src/table.js"

it("measures what one sees", () => {
  expect([widthOf("abc"), widthOf("日本"), widthOf("👩‍👩‍👧"), widthOf("é")]).toEqual([3, 4, 2, 1])
  expect(pad("日本", 6)).toBe("日本  ")
})

it("cuts whole characters and says so", () => {
  expect(shorten("abcdef", 4)).toBe("abc…")
  expect(shorten("日本語です", 6)).toBe("日本…")
  expect(shorten("abcd", 4)).toBe("abcd")
})

it("wraps between words, hangs lists, and breaks what is too long", () => {
  expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"])
  expect(wrap("- the quick brown fox", 12)).toEqual(["- the quick", "  brown fox"])
  expect(wrap("abcdefghijklmnop", 8)).toEqual(["abcdefgh", "ijklmnop"])
  expect(wrap("a\n\nb", 8)).toEqual(["a", "", "b"])
})

it("takes no longer for a word of a megabyte", () => {
  expect(wrap("x".repeat(1_000_000), 100)).toHaveLength(10_000)
  expect(wrap("日".repeat(100_000), 100)).toHaveLength(2_000)
  expect(shorten("x".repeat(1_000_000), 10)).toBe("xxxxxxxxx…")
})

it("says how many lines it leaves out", () => {
  expect(cap(["a", "b", "c"], 2)).toEqual(["a", "… 2 more lines, shown with --full"])
  expect(cap(["a", "b"], 2)).toEqual(["a", "b"])
})

it("puts the last column below where there is no room for it", () => {
  const plain = (text: string): { text: string; paint: (text: string) => string } => ({ text, paint: (text) => text })
  const rows = [
    [plain("name"), plain("string"), plain("What it is called")],
    [plain("n"), plain("integer"), plain("")]
  ]
  const limits = { indent: 2, widest: [10, 10], lines: 3 }
  expect(table(rows, { ...limits, width: 60 })).toEqual(["  name  string   What it is called", "  n     integer"])
  expect(table(rows, { ...limits, width: 40 })).toEqual([
    "  name  string",
    "      What it is called",
    "  n     integer"
  ])
})
