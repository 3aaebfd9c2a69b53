/** A digest stands for a JSON value. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { digestOf } from "../src/digest.js"
import type { Json } from "../src/json.js"

it("is sixteen characters that never change", () => {
  expect(digestOf({ tools: {} })).toBe(digestOf({ tools: {} }))
  fc.assert(fc.property(fc.jsonValue(), (value) => /^[0-9a-f]{16}$/.test(digestOf(value as Json))))
})

it("differs where the values do", () => {
  const values = [
    null,
    {},
    [],
    "",
    0,
    "0",
    { a: 1 },
    { a: 2 },
    { b: 1 },
    ["ab"],
    ["a", "b"],
    { tools: {} },
    { tools: true }
  ]
  expect(new Set(values.map(digestOf)).size).toBe(values.length)
  const many = Array.from({ length: 20_000 }, (_, n) => digestOf({ n }))
  expect(new Set(many).size).toBe(many.length)
})
