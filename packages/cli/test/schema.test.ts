/** JSON Schemas, read for a person. */
import { describe, expect, it } from "vitest"
import { fieldsOf, typeOf } from "../src/schema.js"

describe("a type in words", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: "string", format: "date" }, "string (date)"],
    [{ type: "string", minLength: 1, maxLength: 5 }, "string 1..5 chars"],
    [{ type: "integer", minimum: 1 }, "integer ≥ 1"],
    [{ type: "number", minimum: 0, maximum: 1 }, "number 0..1"],
    [{ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, "integer"],
    [{ enum: ["a", "b", 3] }, `"a" | "b" | 3`],
    [{ const: "x" }, "x"],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: { enum: ["a", "b"] }, maxItems: 2 }, `("a" | "b")[] ≤ 2 items`],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    [{ type: "object", additionalProperties: { type: "number" } }, "object of number"],
    [{ properties: {} }, "object"],
    [{}, "any"],
    [true, "any"],
    [false, "nothing"],
    [{ $ref: "https://elsewhere.example/schema" }, "any"],
    [{ enum: Array.from({ length: 10 }, (_, at) => at) }, "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | … 2 more"]
  ])("%j", (schema, words) => {
    expect(typeOf(schema)).toBe(words)
  })
})

describe("fields", () => {
  it("are listed with what is inside them, through references", () => {
    const fields = fieldsOf({
      type: "object",
      properties: {
        who: { $ref: "#/$defs/person", description: "Who comes" },
        tags: { type: "array", items: { type: "object", properties: { key: { type: "string", default: "" } } } }
      },
      required: ["who"],
      $defs: {
        person: {
          type: "object",
          description: "A person",
          properties: { name: { type: "string" } },
          required: ["name"]
        }
      }
    })
    expect(
      fields.map(({ depth, name, type, required, byDefault }) => [depth, name, type, required, byDefault])
    ).toEqual([
      [0, "who", "object", true, undefined],
      [1, "name", "string", true, undefined],
      [0, "tags", "object[]", false, undefined],
      [1, "key", "string", false, '""']
    ])
    expect(fields[0]!.description).toBe("Who comes")
  })

  it("show a schema that contains itself once more, and no further", () => {
    const node = { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/node" } } }
    const fields = fieldsOf({ properties: { first: { $ref: "#/$defs/node" } }, $defs: { node } })
    expect(fields.map(({ depth, name }) => [depth, name])).toEqual([
      [0, "first"],
      [1, "name"],
      [1, "next"]
    ])
  })

  it("end where a schema contains itself, however it does", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, { $ref: "#" }]))
    expect(fieldsOf({ type: "object", properties: many }).length).toBeLessThanOrEqual(200)
    expect(typeOf({ type: "array", items: { $ref: "#" } }, { type: "array", items: { $ref: "#" } })).toBe(
      "any[][][][][]"
    )
    const around = { type: "object", properties: { a: { type: "array", items: { $ref: "#/properties/a" } } } }
    expect(fieldsOf(around)).toHaveLength(1)
    expect(typeOf({ $ref: "#/a" }, { a: { $ref: "#/a" } })).toBe("any")
  })
})
