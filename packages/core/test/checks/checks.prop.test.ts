/** The generated checks and the schemas they were generated from accept the same values. */
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Problem } from "../../src/check.js"
import { problem, within } from "../../src/check.js"
import * as shapes from "../../src/checks/shapes.js"
import { schemas } from "../../src/wire/index.js"
import { broken, valid } from "../wire/arbitrary.js"
import { checks, revisions } from "./by-revision.js"

const pairs = (revision: keyof typeof schemas) =>
  Object.entries<Schema.Codec<unknown>>(schemas[revision] as never).map(([name, schema]) => ({
    name,
    schema,
    check: checks[revision][name]!
  }))

test("there is a shape for every schema that is more than any object, and for nothing else", () => {
  const names = new Set(Object.values(schemas).flatMap((table) => Object.keys(table)))
  expect([...Object.keys(shapes), "Flag", "Meta"].sort()).toEqual([...names].sort())
})

describe.each(revisions)("the checks of %s", (revision) => {
  test("accept what the schema generates", () => {
    for (const { name, schema, check } of pairs(revision))
      fc.assert(
        fc.property(valid(schema.ast), (value) => {
          expect(Schema.is(schema)(value), name).toBe(true)
          expect(check(value), name).toBeUndefined()
        }),
        { numRuns: 40 }
      )
  })

  test("accept a broken value exactly when the schema does, and name a place that is wrong", () => {
    for (const { name, schema, check } of pairs(revision))
      fc.assert(
        fc.property(broken(schema.ast), ({ value }) => {
          const found = check(value)
          expect(found === undefined, name).toBe(Schema.is(schema)(value))
          if (found !== undefined) expect(wrongPlaces(schema, value), name).toContain(found.at)
        }),
        { numRuns: 150 }
      )
  })

  test("throw on no value whatever", () => {
    const any = fc.oneof(fc.jsonValue(), fc.anything({ withNullPrototype: true }))
    for (const { check } of pairs(revision))
      fc.assert(
        fc.property(any, (value) => {
          check(value)
        }),
        { numRuns: 20 }
      )
  })
})

/** Every place the schema itself complains about; a shape told apart by a member may also name that member. */
function wrongPlaces(schema: Schema.Codec<unknown>, value: unknown): ReadonlyArray<string> {
  const outcome = Schema.toStandardSchemaV1(schema)["~standard"].validate(value)
  if (outcome instanceof Promise || outcome.issues === undefined) return []
  return outcome.issues.flatMap((issue) => {
    const path = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step))
    return [path, ...["type", "mode", "method", "resultType"].map((tag) => [...path, tag])].map(spelled)
  })
}

const spelled = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduceRight<Problem>((inner, key) => within(key as string | number, inner), problem("", "")).at
