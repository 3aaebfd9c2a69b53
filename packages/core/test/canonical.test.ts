/** One text for a value, whatever the order of its members and however deep. */
import { expect, it } from "vitest"
import { canonical } from "../src/canonical.js"

it.each([
  [null, "null"],
  [undefined, "null"],
  ["a\n", '"a\\n"'],
  [-1.5, "-1.5"],
  [[], "[]"],
  [{}, "{}"],
  [[1, [true], { a: null }], '[1,[true],{"a":null}]'],
  [{ b: [1, 2], a: { d: 1, c: 2 }, '"': undefined }, '{"a":{"c":2,"d":1},"b":[1,2]}']
])("%j", (value, text) => expect(canonical(value)).toBe(text))

it("does not mind depth", () => {
  let deep: unknown = 1
  for (let at = 0; at < 100_000; at++) deep = [deep]
  expect(canonical(deep)).toHaveLength(200_001)
})
