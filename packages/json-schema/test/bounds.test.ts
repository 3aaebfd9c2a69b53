/** Each bound, met by a schema or a value that would otherwise hold up the process. */
import { describe, expect, it } from "vitest"
import { bounds } from "@parley/json-schema"
import { fromJsonSchema, fromPeer } from "@parley/json-schema/library"
import type { JsonSchema } from "@parley/json-schema"

const nested = (depth: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema => {
  let schema: JsonSchema = { type: "string" }
  for (let i = 0; i < depth; i++) schema = wrap(schema)
  return schema
}
const reasonOf = (schema: unknown) => {
  const read = fromPeer(schema)
  return read._tag === "Uncheckable" ? read.refused.reason : "none"
}
/** Milliseconds of processor time. */
const cost = (work: () => unknown): number => {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
const isUnchecked = (schema: JsonSchema, value: unknown) => {
  const { validate } = fromJsonSchema(schema)
  let unchecked: boolean | undefined = false
  const spent = cost(() => {
    const result = validate(value)
    unchecked = !result.ok && result.unchecked
  })
  expect(spent).toBeLessThan(3_000)
  return unchecked
}

describe("schemas", () => {
  it("may be nested 64 deep", () => {
    expect(reasonOf(nested(bounds.schemaDepth - 1, (items) => ({ items })))).toBe("none")
    expect(reasonOf(nested(bounds.schemaDepth + 1, (items) => ({ items })))).toBe("size")
    expect(reasonOf(nested(100_000, (not) => ({ not })))).toBe("size")
  })

  it("may hold 10,000 subschemas and 100,000 values", () => {
    const many = (count: number) => ({
      properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: "string" }]))
    })
    expect(reasonOf(many(bounds.subschemas - 1))).toBe("none")
    expect(reasonOf(many(bounds.subschemas))).toBe("size")
    expect(reasonOf({ enum: Array.from({ length: bounds.schemaNodes }, (_, i) => i) })).toBe("size")
  })

  it("may chain 256 references", () => {
    const chain = (length: number) => ({
      $ref: "#/$defs/d0",
      $defs: Object.fromEntries(
        Array.from({ length }, (_, i) => [`d${i}`, i === length - 1 ? {} : { $ref: `#/$defs/d${i + 1}` }])
      )
    })
    expect(reasonOf(chain(bounds.chain - 1))).toBe("none")
    expect(reasonOf(chain(bounds.chain + 2))).toBe("size")
  })

  it("may be shared without growing beyond their bounds", () => {
    let schema: JsonSchema = {}
    for (let i = 0; i < 40; i++) schema = { properties: { a: schema, b: schema } }
    expect(cost(() => expect(reasonOf(schema)).toBe("size"))).toBeLessThan(2_000)
  })

  it("may not contain themselves as values", () => {
    const schema: Record<string, unknown> = { type: "object" }
    schema["properties"] = { a: schema }
    expect(reasonOf(schema)).toBe("size")
  })
})

describe("values", () => {
  it("may be nested 128 deep where the schema follows them down", () => {
    const tree: JsonSchema = { type: "array", items: { $ref: "#" } }
    const deep = (depth: number): unknown => {
      let value: unknown = []
      for (let i = 1; i < depth; i++) value = [value]
      return value
    }
    expect(fromJsonSchema(tree).validate(deep(bounds.valueDepth)).ok).toBe(true)
    expect(isUnchecked(tree, deep(bounds.valueDepth + 1))).toBe(true)
    expect(isUnchecked(tree, deep(100_000))).toBe(true)
    expect(fromJsonSchema({ type: "array" }).validate(deep(100_000)).ok).toBe(true)
  })

  it("are left unchecked when references multiply the work", () => {
    const $defs: Record<string, unknown> = {}
    for (let i = 0; i < 40; i++) {
      const next = { $ref: `#/$defs/d${i + 1}` }
      $defs[`d${i}`] = { anyOf: [next, next] }
    }
    $defs["d40"] = { type: "string" }
    expect(isUnchecked({ $ref: "#/$defs/d0", $defs }, 1)).toBe(true)
  })

  it("are left unchecked when alternatives multiply the work", () => {
    const anyOf = Array.from({ length: 5_000 }, (_, i) => ({ const: i }))
    const items = Array.from({ length: 100_000 }, () => 4_999)
    expect(isUnchecked({ items: { anyOf } }, items)).toBe(true)
    expect(isUnchecked({ items: { anyOf }, minProperties: 0 }, items)).toBe(true)
    const properties = Object.fromEntries(anyOf.map((_, i) => [`p${i}`, true]))
    expect(
      isUnchecked(
        { items: { properties } },
        items.map(() => ({}))
      )
    ).toBe(true)
  })

  it("are left unchecked when they are too long to compare each with each", () => {
    const numbers = Array.from({ length: 100_000 }, (_, i) => i)
    expect(isUnchecked({ uniqueItems: true }, numbers)).toBe(true)
    expect(fromJsonSchema({ uniqueItems: true }).validate(numbers.slice(0, 4_000)).ok).toBe(true)
  })

  it("are judged at once by patterns that would hang", () => {
    const hostile = `${"a".repeat(50_000)}!`
    for (const more of [{}, { minProperties: 0 }]) {
      const { validate } = fromJsonSchema({ pattern: "^(a+)+$", ...more })
      expect(cost(() => expect(validate(hostile).ok).toBe(false))).toBeLessThan(2_000)
      expect(validate("a".repeat(20_000)).ok).toBe(true)
    }
    const many = Array.from({ length: 100_000 }, () => `${"a".repeat(100)}!`)
    expect(isUnchecked({ items: { pattern: "^a*a*a*!$" } }, many)).toBe(true)
    expect(isUnchecked({ patternProperties: { "^(a+)+$": false } }, { [hostile]: 1 })).toBe(true)
    expect(fromJsonSchema({ patternProperties: { "^x-": { type: "string" } } }).validate({ "x-a": 1 }).ok).toBe(false)
  })

  it("that are large and plain are checked", () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => ({ id: i, name: `n${i}`, on: true }))
    const row = {
      type: "object",
      properties: { id: { type: "integer" }, name: { type: "string" }, on: { type: "boolean" } },
      required: ["id", "name"],
      additionalProperties: false
    }
    expect(fromJsonSchema({ type: "array", items: row }).validate(rows).ok).toBe(true)
    const thorough = { type: "array", items: { $ref: "#/$defs/row" }, $defs: { row } }
    expect(fromJsonSchema(thorough).validate(rows).ok).toBe(true)
  })
})
