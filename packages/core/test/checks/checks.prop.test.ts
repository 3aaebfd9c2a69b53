/** The generated checks and the schemas they were generated from accept the same values. */
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Check, Problem } from "../../src/check.js"
import { problem, within } from "../../src/check.js"
import * as v2024_11_05 from "../../src/checks/v2024_11_05.js"
import * as v2025_03_26 from "../../src/checks/v2025_03_26.js"
import * as v2025_06_18 from "../../src/checks/v2025_06_18.js"
import * as v2025_11_25 from "../../src/checks/v2025_11_25.js"
import { schemas } from "../../src/wire/index.js"
import { broken, valid } from "../wire/arbitrary.js"

const checks: Record<keyof typeof schemas, Readonly<Record<string, Check>>> = {
  "2024-11-05": v2024_11_05,
  "2025-03-26": v2025_03_26,
  "2025-06-18": v2025_06_18,
  "2025-11-25": v2025_11_25
}

const revisions = Object.keys(schemas) as ReadonlyArray<keyof typeof schemas>

const pairs = (revision: keyof typeof schemas) =>
  Object.entries<Schema.Codec<unknown>>(schemas[revision] as never).map(([name, schema]) => ({
    name,
    schema,
    check: checks[revision][name]!
  }))

describe.each(revisions)("the checks of %s", (revision) => {
  test("are there for every schema and for nothing else", () => {
    expect(Object.keys(checks[revision]).sort()).toEqual(Object.keys(schemas[revision]).sort())
  })

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
    return [path, [...path, "type"], [...path, "mode"]].map(spelled)
  })
}

const spelled = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduceRight<Problem>((inner, key) => within(key as string | number, inner), problem("", "")).at
