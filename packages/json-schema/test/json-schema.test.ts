/** JSON Schema by example: what is accepted, what is said of the rest, and what is refused when declared. */
import { describe, expect, it } from "vitest"
import { isObjectSchema, SchemaRefused } from "@parley/json-schema"
import { fromJsonSchema, fromPeer } from "@parley/json-schema/library"
import type { JsonSchema } from "@parley/json-schema"

const issues = (schema: JsonSchema, value: unknown) => {
  const result = fromJsonSchema(schema).validate(value)
  return result.ok ? [] : result.issues
}
const accepts = (schema: JsonSchema, value: unknown) => fromJsonSchema(schema).validate(value).ok
const refusal = (schema: unknown): SchemaRefused => {
  const read = fromPeer(schema)
  if (read._tag === "Checkable") throw new Error("was not refused")
  return read.refused
}

const profile: JsonSchema = {
  type: "object",
  properties: {
    profile: {
      type: "object",
      properties: {
        age: { type: "integer", minimum: 0 },
        tags: { type: "array", items: { type: "string" } }
      },
      required: ["age"]
    }
  },
  required: ["profile"],
  additionalProperties: false
}

describe("what is said of a value that does not fit", () => {
  it("names the member and what was expected", () => {
    expect(issues(profile, { profile: { age: "25" } })).toEqual([
      { path: "profile.age", message: "expected an integer" }
    ])
    expect(issues(profile, {})).toEqual([{ path: "profile", message: "missing" }])
    expect(issues(profile, { profile: {} })).toEqual([{ path: "profile.age", message: "missing" }])
    expect(issues(profile, { profile: { age: -1, tags: ["a", 2] } })).toEqual([
      { path: "profile.age", message: "must be at least 0" },
      { path: "profile.tags[1]", message: "expected a string" }
    ])
    expect(issues(profile, { profile: { age: 1 }, "odd name": 1 })).toEqual([
      { path: '["odd name"]', message: "not expected" }
    ])
    expect(issues(profile, [])).toEqual([{ path: "", message: "expected an object" }])
  })

  it.each<[JsonSchema, unknown, string]>([
    [{ type: ["string", "null"] }, 1, "expected a string or null"],
    [{ enum: ["a", 1, null] }, "b", 'expected one of "a", 1, null'],
    [{ const: { a: 1 } }, {}, 'expected {"a":1}'],
    [{ pattern: "^a/b$" }, "c", "must match /^a/b$/"],
    [{ anyOf: [{ type: "string" }, { type: "integer" }] }, null, "expected a string or an integer"],
    [{ anyOf: [{ minimum: 3 }, { type: "string" }] }, 1, "matches none of the alternatives"],
    [
      { oneOf: [{ type: "number" }, { type: "integer" }] },
      1,
      "matches more than one alternative where exactly one is allowed"
    ],
    [{ uniqueItems: true }, [1, 1], "must not have the same item twice"],
    [{ multipleOf: 2 }, 3, "must be a multiple of 2"],
    [{ not: { type: "string" } }, "a", "matches what is excluded"],
    [{ minLength: 2 }, "a", "must have at least 2 characters"],
    [{ maxItems: 1 }, [1, 2], "must have at most 1 items"],
    [{ $ref: "#/$defs/a", $defs: { a: { maximum: 1 } } }, 2, "must be at most 1"]
  ])("%j and %j", (schema, value, message) => {
    expect(issues(schema, value)).toEqual([{ path: "", message }])
  })

  it("tells sixteen things at most", () => {
    const value = Array.from({ length: 100 }, () => "a")
    expect(issues({ items: { type: "integer" } }, value)).toHaveLength(16)
  })

  it("finds its way through escaped names", () => {
    const schema = { properties: { "a/b~c %#é": { properties: { "": { type: "string" } } } } }
    expect(issues(schema, { "a/b~c %#é": { "": 1 } })).toEqual([
      { path: '["a/b~c %#é"][""]', message: "expected a string" }
    ])
  })

  it("says what is missing beside what", () => {
    const schema = { dependentRequired: { card: ["address"] } }
    expect(issues(schema, { card: 1 })).toEqual([{ path: "address", message: "missing beside card" }])
  })
})

describe("values", () => {
  it("takes 1.0 for an integer, and never NaN or an infinity for a number", () => {
    expect(accepts({ type: "integer" }, 1.0)).toBe(true)
    expect(accepts({ type: "integer" }, 1.5)).toBe(false)
    for (const number of [NaN, Infinity, -Infinity])
      for (const type of ["number", "integer"]) {
        expect(accepts({ type }, number)).toBe(false)
        expect(accepts({ type, multipleOf: 1 }, number)).toBe(false)
      }
  })

  it("sees own members only, whatever their names", () => {
    const names = ["constructor", "toString", "__proto__", "hasOwnProperty"]
    for (const name of names) {
      expect(issues({ required: [name] }, {})).toEqual([{ path: name, message: "missing" }])
      const value: unknown = JSON.parse(`{${JSON.stringify(name)}: 1}`)
      expect(accepts({ required: [name] }, value)).toBe(true)
      expect(accepts({ additionalProperties: false }, value)).toBe(false)
      const schema = JSON.parse(`{"properties":{${JSON.stringify(name)}:{"type":"string"}}}`) as JsonSchema
      expect(accepts(schema, {})).toBe(true)
      expect(issues(schema, value)).toEqual([{ path: name, message: "expected a string" }])
      expect(accepts({ ...schema, minProperties: 0 }, value)).toBe(false)
      expect(accepts({ ...schema, additionalProperties: false, minProperties: 0 }, value)).toBe(false)
    }
  })

  it("takes an undefined member for an absent one", () => {
    for (const more of [{}, { minProperties: 0 }]) {
      const schema = { required: ["a"], properties: { a: { type: "string" } }, ...more }
      expect(issues(schema, { a: undefined })).toEqual([{ path: "a", message: "missing" }])
      expect(accepts({ ...schema, required: [] }, { a: undefined })).toBe(true)
      expect(accepts({ additionalProperties: false, ...more }, { a: undefined })).toBe(true)
    }
  })

  it("hands on the very value it was given", () => {
    const value = { profile: { age: 1 } }
    expect(fromJsonSchema(profile).validate(value)).toEqual({ ok: true, value })
    const result = fromJsonSchema(profile).validate(value)
    expect(result.ok && result.value).toBe(value)
  })

  it("refuses what is not JSON", () => {
    expect(accepts({ type: "object" }, undefined)).toBe(false)
    expect(issues({ type: "object", minProperties: 0 }, { a: [1n] })).toEqual([
      { path: "a[0]", message: "expected a JSON value, not bigint" }
    ])
  })

  it("counts characters, not their halves", () => {
    expect(accepts({ maxLength: 1 }, "🎁")).toBe(true)
    expect(accepts({ minLength: 2 }, "🎁")).toBe(false)
    expect(accepts({ minLength: 2, maxLength: 2 }, "🎁🎁")).toBe(true)
  })

  it("compares literals deeply", () => {
    expect(accepts({ enum: [{ a: [1] }] }, { a: [1] })).toBe(true)
    expect(accepts({ enum: [{ a: [1] }] }, { a: [2] })).toBe(false)
  })

  it("takes format for an annotation", () => {
    expect(accepts({ type: "string", format: "email" }, "not an address")).toBe(true)
    expect(accepts({ type: "string", format: "uuid", not: { const: 1 } }, "no")).toBe(true)
  })

  it("never changes the schema, frozen or not", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/a", pattern: "a" } },
      $defs: { a: { type: "string" } }
    }
    const before = JSON.stringify(schema)
    const frozen = Object.freeze({ ...schema, $defs: Object.freeze(schema.$defs) })
    expect(accepts(frozen, { a: "a" })).toBe(true)
    expect(accepts(frozen, { a: "b" })).toBe(false)
    expect(JSON.stringify(schema)).toBe(before)
    expect(Reflect.ownKeys(schema.properties.a)).toEqual(["$ref", "pattern"])
  })

  it("survives names that are not well-formed", () => {
    const result = fromJsonSchema({
      additionalProperties: { type: "string" },
      minProperties: 0
    }).validate({ "\ud800": 1 })
    expect(result.ok).toBe(false)
  })
})

describe("dialects", () => {
  const modern = { prefixItems: [{ type: "string" }], items: false }
  it("is 2020-12 when nothing is said", () => {
    expect(accepts(modern, ["a"])).toBe(true)
    expect(accepts(modern, ["a", 1])).toBe(false)
    expect(accepts({ unevaluatedProperties: false, allOf: [{ properties: { a: true } }] }, { b: 1 })).toBe(false)
  })

  it.each([
    ["https://json-schema.org/draft/2020-12/schema"],
    ["https://json-schema.org/draft/2019-09/schema"],
    ["http://json-schema.org/draft-07/schema#"],
    ["http://json-schema.org/draft-07/schema"],
    ["https://json-schema.org/draft-07/schema#"],
    ["http://json-schema.org/draft-04/schema#"]
  ])("honours %s", ($schema) => {
    expect(accepts({ $schema, type: "integer" }, 1)).toBe(true)
    expect(accepts({ $schema, type: "integer" }, "1")).toBe(false)
  })

  it("reads each by its own rules", () => {
    const four = {
      $schema: "http://json-schema.org/draft-04/schema#",
      minimum: 1,
      exclusiveMinimum: true
    }
    expect(accepts(four, 1)).toBe(false)
    expect(accepts(four, 2)).toBe(true)
    const seven = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#/definitions/a", type: "string" } },
      definitions: { a: { type: "integer" } }
    }
    expect(accepts(seven, { a: 1 })).toBe(true)
    expect(accepts({ ...seven, $schema: "https://json-schema.org/draft/2020-12/schema" }, { a: 1 })).toBe(false)
  })

  it("says which dialect it does not know", () => {
    const refused = refusal({ $schema: "https://example.com/mine", type: "object" })
    expect(refused.reason).toBe("dialect")
    expect(refused.message).toContain('"https://example.com/mine"')
    expect(refused).toBeInstanceOf(TypeError)
    expect(() => fromJsonSchema({ $schema: 7 })).toThrow(SchemaRefused)
  })
})

describe("what is refused when declared", () => {
  it.each<[string, unknown, string, string]>([
    [
      "a reference to the network",
      { properties: { a: { $ref: "https://example.com/a.json" } } },
      "reference",
      "/properties/a"
    ],
    ["a relative reference", { $ref: "other.json" }, "reference", ""],
    ["a reference that leads nowhere", { $ref: "#/$defs/b", $defs: { a: {} } }, "reference", ""],
    ["a dynamic reference", { $dynamicRef: "#a" }, "keyword", "/$dynamicRef"],
    ["an unknown type", { properties: { a: { type: "int" } } }, "broken", "/properties/a/type"],
    ["required as a boolean", { properties: { a: { required: true } } }, "broken", "/properties/a/required"],
    ["an exclusive limit that is a boolean", { exclusiveMinimum: true }, "broken", "/exclusiveMinimum"],
    ["a broken pattern", { pattern: "(" }, "broken", "/pattern"],
    ["properties that are an array", { properties: [] }, "broken", "/properties"],
    ["a schema that is a string", { items: "string" }, "broken", "/items"],
    ["null", null, "broken", ""],
    ["a boolean", true, "broken", ""],
    ["a reference to itself", { $ref: "#" }, "endless", ""],
    [
      "a circle of alternatives",
      { $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } },
      "endless",
      "/$defs/a"
    ]
  ])("%s", (_, schema, reason, at) => {
    const refused = refusal(schema)
    expect([refused.reason, refused.at]).toEqual([reason, at])
  })

  it("reads references by anchor, by identifier and under unknown keywords", () => {
    const byAnchor = { $ref: "#a", $defs: { a: { $anchor: "a", type: "string" } } }
    const byId = {
      $id: "https://example.com/root",
      $ref: "a",
      $defs: { a: { $id: "a", type: "string" } }
    }
    const elsewhere = {
      $ref: "#/components/schemas/a",
      components: { schemas: { a: { type: "string" } } }
    }
    for (const schema of [byAnchor, byId, elsewhere]) {
      expect(accepts(schema, "a")).toBe(true)
      expect(accepts(schema, 1)).toBe(false)
    }
    const broken = { $ref: "#/components/a", components: { a: { type: "text" } } }
    expect(refusal(broken).reason).toBe("broken")
  })

  it("reads identifiers as the dialect spells them", () => {
    const kid = { type: "string" }
    const four = {
      $schema: "http://json-schema.org/draft-04/schema#",
      id: "https://example.com/root",
      items: { $ref: "kid" },
      definitions: { kid: { id: "kid", ...kid } }
    }
    expect(accepts(four, ["a"])).toBe(true)
    expect(accepts(four, [1])).toBe(false)
    expect(accepts({ id: 7, weigh: {}, not: { type: "string" } }, 1)).toBe(true)
    const beside = {
      $schema: "http://json-schema.org/draft-07/schema#",
      items: { $id: "https://example.com/", $ref: "#/definitions/kid" },
      definitions: { kid }
    }
    expect(accepts(beside, ["a"])).toBe(true)
    expect(accepts(beside, [1])).toBe(false)
    const dynamic = { items: { $ref: "#kid" }, $defs: { kid: { $dynamicAnchor: "kid", ...kid } } }
    expect(accepts(dynamic, [1])).toBe(false)
  })

  it("accepts a schema that refers to itself by way of the value", () => {
    const tree = {
      type: "object",
      properties: { kids: { type: "array", items: { $ref: "#" } } },
      additionalProperties: false
    }
    expect(accepts(tree, { kids: [{ kids: [] }] })).toBe(true)
    expect(issues(tree, { kids: [{ kids: 1 }] })).toEqual([{ path: "kids[0].kids", message: "expected an array" }])
  })
})

it("knows an object schema by its root", () => {
  expect(isObjectSchema({ type: "object" })).toBe(true)
  expect(isObjectSchema({ type: ["object"] })).toBe(false)
  expect(isObjectSchema({})).toBe(false)
  expect(isObjectSchema({ anyOf: [] })).toBe(false)
})
