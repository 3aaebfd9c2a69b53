/** The linear matcher is the platform's, on generated expressions and texts; and no expression is slow. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { allow, bounds, exhausted } from "../src/bounds.js"
import { parse, ways } from "../src/expression.js"
import { linear } from "../src/linear.js"
import { patternOf } from "../src/pattern.js"

const atom = fc.constantFrom(
  "a",
  "b",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "🎁",
  "\\u{1F381}",
  "\\.",
  "\\]",
  "\\p{L}",
  "-",
  "\\x61",
  "[\\]a]"
)
const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: atom },
    fc.constantFrom("^", "$", "\\b", "\\B", ""),
    fc.tuple(tie("any"), tie("any")).map(([left, right]) => left + right),
    fc.tuple(tie("any"), tie("any")).map(([left, right]) => `(${left}|${right})`),
    fc
      .tuple(tie("any"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?"))
      .map(([body, sign]) => `(?:${body})${sign}`),
    tie("any").map((body) => `(?<n>${body})`.replace("?<n>", ""))
  )
})).any
const text = fc
  .array(fc.constantFrom("a", "b", "1", "-", ".", "]", "🎁", "\n", " "), { maxLength: 6 })
  .map((all) => all.join(""))

it("finds what the platform's matcher finds", () => {
  let found = 0
  fc.assert(
    fc.property(expression, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
      const parsed = parse(source)
      expect(parsed).toBeDefined()
      const match = linear(parsed!, "u")
      fc.pre(match !== undefined)
      for (const one of texts) {
        // V8 looks for \\B within a pair of surrogates too.
        if (source.includes("\\B") && one.includes("🎁")) continue
        allow(bounds.work)
        const expected = new RegExp(source, "u").test(one)
        if (expected) found++
        expect(match(one)).toBe(expected)
      }
    }),
    { numRuns: 3_000 }
  )
  expect(found).toBeGreaterThan(500)
})

it.each([
  "^(a+)+$",
  "(a|a)*b",
  "(a|aa)+$",
  "^(\\w+\\s?)*$",
  "(.*)*x",
  "a*a*a*a*a*a*b",
  "(a?){30}a{30}",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "\\s+$",
  "([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))"
])("judges 5,000 characters by %s at once", (source) => {
  const pattern = patternOf(source, "")
  const begun = process.cpuUsage()
  for (const one of ["a".repeat(5_000) + "!", " ".repeat(5_000) + "!"]) {
    allow(bounds.work)
    pattern.test(one)
  }
  const { user } = process.cpuUsage(begun)
  expect(user / 1000).toBeLessThan(1_000)
})

it("gives up, at once, where an expression looks back and could be slow", () => {
  const pattern = patternOf("^(a+)+\\1$", "")
  allow(bounds.work)
  expect(pattern.test("aa")).toBe(true)
  expect(() => pattern.test(`${"a".repeat(100)}!`)).toThrow(exhausted)
})

it("counts no fewer ways than there are", () => {
  expect(ways(parse("^abc$")!, 1000)).toBe(0)
  expect(ways(parse("a*")!, 1000)).toBeGreaterThan(9)
  expect(ways(parse("(a|b)*")!, 1000)).toBeGreaterThan(1000)
  expect(ways(parse("(?=a*)b")!, 1000)).toBeGreaterThan(9)
})

it("reads what is only valid without the unicode flag", () => {
  const pattern = patternOf("^[\\w-\\.]+@a\\-b{$", "")
  allow(bounds.work)
  expect(pattern.test("x.y-z@a-b{")).toBe(true)
  expect(pattern.test("x y@a-b{")).toBe(false)
})

it("refuses what is no expression, or too long", () => {
  expect(() => patternOf("[", "/pattern")).toThrow("Not a regular expression")
  expect(() => patternOf("a".repeat(2_001), "/pattern")).toThrow("2000")
  expect(() => patternOf("\\-", "/patternProperties", true)).toThrow("Not a regular expression")
})
