/** The questions asked of JSON at the border. */
import { expect, it } from "vitest"
import { isObject, member } from "../src/json.js"

it.each([
  [true, {}],
  [false, null],
  [false, []],
  [false, "x"],
  [false, 7],
  [false, undefined]
])("%j: %j is an object", (expected, value) => expect(isObject(value)).toBe(expected))

it("finds own members of objects, and nothing else", () => {
  expect(member({ a: 1 }, "a")).toBe(1)
  for (const [value, key] of [
    [{ a: 1 }, "b"],
    [{}, "constructor"],
    [null, "a"],
    [[1], "0"],
    ["text", "length"]
  ] as const)
    expect(member(value, key)).toBeUndefined()
})
