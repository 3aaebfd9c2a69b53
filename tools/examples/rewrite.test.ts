/** Examples become tests that fail when the example is wrong. */
import { expect, test } from "vitest"
import { fencesOfMarkdown, fencesOfSource } from "./fences.ts"
import { exportsInScope, rewrite } from "./rewrite.ts"

test("a value and what it should be become an assertion", () => {
  expect(rewrite("x", "1 + 1 // => 2\n")).toContain("$expect(1 + 1).toEqual(2)")
})

test("a declaration and what it should be become an assertion on its name", () => {
  expect(rewrite("x", "const two: number = 1 + 1 // => 2\n")).toContain("$expect(two).toEqual(2)")
})

test("a value of several lines is compared whole", () => {
  expect(rewrite("x", "f(\n  1\n) // => 2\n")).toContain("$expect(f(\n  1\n)).toEqual(2)")
})

test("several arrows and exports keep their order", () => {
  const text = rewrite("x", 'import { f } from "f"\nexport const a = f(1) // => 1\nf(2) // => 2\nexport default a\n')
  expect(text.indexOf('import { f } from "f"')).toBeLessThan(text.indexOf("$test("))
  expect(text.indexOf("$expect(a).toEqual(1)")).toBeLessThan(text.indexOf("$expect(f(2)).toEqual(2)"))
  expect(text).not.toContain("export")
})

test("an arrow after nothing is refused", () => {
  expect(() => rewrite("x", "// => 2\n")).toThrow("nothing stands before")
})

test("an example that does not parse is refused by name", () => {
  expect(() => rewrite("README.md:3", "const = 1\n")).toThrow("README.md:3")
})

test("an example with tests of its own is left as it is", () => {
  const code = 'import { test } from "vitest"\ntest("a", () => {})\n'
  expect(rewrite("x", code)).toBe(`${code}\n`)
})

test("fences are found in docstrings, with their line", () => {
  const source = "const a = 1\n/**\n * Adds.\n *\n * ```ts\n * add(1, 2) // => 3\n * ```\n */\nconst add = 1\n"
  expect(fencesOfSource(source)).toEqual([{ line: 5, code: "add(1, 2) // => 3\n", runs: true }])
})

test("only TypeScript fences count, and those that must not run do not", () => {
  const text =
    "```sh\nls\n```\n```ts no-run\na()\n```\n```ts\nserve(x, stdio())\n```\n```ts\nb()\n```\n```ts continued\nc()\n```\n"
  expect(fencesOfMarkdown(text).map(({ code, runs }) => [code, runs])).toEqual([
    ["a()\n", false],
    ["serve(x, stdio())\n", false],
    ["b()\n", true],
    ["b()\nc()\n", true]
  ])
})

test("an example in a docstring may name its own file's exports without importing them", () => {
  const source = "export const add = 1\nexport function sub() {}\nexport const other = 1\nconst inner = 1\n"
  expect(exportsInScope(source, "./math.js", "const other = add(sub(inner))\n")).toBe(
    'import { add, sub } from "./math.js"\n'
  )
  expect(exportsInScope(source, "./math.js", 'import { add } from "math"\nadd()\n')).toBe("")
})
