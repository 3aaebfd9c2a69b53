/** The quick way and the library agree on every schema both can read, on every value, and on what is wrong with it. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { allow, bounds } from "../src/bounds.js"
import "@parley/json-schema/library"
import { simple } from "../src/simple.js"
import { tell } from "../src/tell.js"
import { thorough } from "../src/thorough.js"

const names = fc.constantFrom("a", "b", "c", "toString", "constructor", "odd name", "é/~")
const name = fc.oneof({ weight: 9, arbitrary: names }, { weight: 1, arbitrary: fc.constant("__proto__") })
const texts = fc.oneof(fc.constantFrom("", "a", "ab", "🎁", "🎁🎁", "1", "abc"), fc.string({ maxLength: 4 }))
const numbers = fc.oneof(fc.constantFrom(-0, 0, 1, 1.5, -1, 2, 1e21, 2 ** 53), fc.integer({ min: -3, max: 3 }))
const leaf = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null))

const own = (entries: ReadonlyArray<readonly [string, unknown]>): Record<string, unknown> => {
  const all: Record<string, unknown> = {}
  for (const [key, value] of entries)
    Object.defineProperty(all, key, { value, enumerable: true, writable: true, configurable: true })
  return all
}
const record = <A>(value: fc.Arbitrary<A>) => fc.array(fc.tuple(name, value), { maxLength: 4 }).map(own)

const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("any"), { maxLength: 3 }), record(tie("any")))
})).any

const type = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object")
const size = fc.integer({ min: 0, max: 3 })
const optional = <A>(arbitrary: fc.Arbitrary<A>, absent = 4) =>
  fc.oneof({ weight: absent, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const schema = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.boolean(),
    type.map((one) => ({ type: one })),
    fc
      .record({
        type: optional(fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }), fc.constant("object"))),
        properties: optional(record(tie("any")), 1),
        required: optional(fc.uniqueArray(name, { maxLength: 2 })),
        additionalProperties: optional(tie("any")),
        enum: optional(fc.array(leaf, { maxLength: 3 }), 18),
        const: optional(leaf, 18),
        minimum: optional(numbers),
        maximum: optional(numbers),
        exclusiveMinimum: optional(numbers),
        exclusiveMaximum: optional(numbers),
        minLength: optional(size),
        maxLength: optional(size),
        pattern: optional(fc.constantFrom("^a", "b$", "^\\p{L}*$", "[^a]", "")),
        items: optional(tie("any"), 1),
        minItems: optional(size),
        maxItems: optional(size),
        anyOf: optional(fc.array(tie("any"), { minLength: 1, maxLength: 3 }), 14),
        oneOf: optional(fc.array(tie("any"), { minLength: 1, maxLength: 3 }), 14),
        title: optional(fc.string()),
        format: optional(fc.constantFrom("email", "date"))
      })
      .map((keywords) => Object.fromEntries(Object.entries(keywords).filter(([, one]) => one !== undefined)))
  )
})).any

it("judges as the library does, and says the same of what it refuses", () => {
  let valid = 0
  let total = 0
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 4, maxLength: 8 }), (one, values) => {
      fc.pre(typeof one === "object" && one !== null)
      const root = one as Record<string, unknown>
      const judged = simple(root)
      expect(judged).toBeDefined()
      const judge = thorough(root)
      for (const each of values) {
        allow(bounds.work)
        const quick = judged!(each)
        const full = judge(each)
        total++
        if (quick) valid++
        expect(full.ok).toBe(quick)
        if (!full.ok) {
          expect(full.unchecked).toBeUndefined()
          expect(tell(judged!, each)).toEqual(full.issues)
          expect(full.issues.length).toBeGreaterThan(0)
          for (const issue of full.issues) expect(issue.message).not.toMatch(/undefined|\[object/)
        }
      }
    }),
    { numRuns: 2_000 }
  )
  expect(valid / total).toBeGreaterThan(0.1)
  expect(valid / total).toBeLessThan(0.9)
})

it("leaves every other keyword to the library", () => {
  for (const keyword of [
    "allOf",
    "not",
    "if",
    "$ref",
    "prefixItems",
    "uniqueItems",
    "patternProperties",
    "multipleOf",
    "contains",
    "propertyNames",
    "dependentRequired",
    "unevaluatedProperties",
    "$defs",
    "minProperties"
  ])
    expect(simple({ [keyword]: keyword === "allOf" ? [] : {} })).toBeUndefined()
  expect(simple({ properties: { a: { items: { not: {} } } } })).toBeUndefined()
  expect(simple({ enum: [[]] })).toBeUndefined()
})
