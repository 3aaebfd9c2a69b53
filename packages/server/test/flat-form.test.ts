/** Forms are flat, and only what clients can show of them is asked. */
import { describe, expect, it } from "vitest"
import { flatForm } from "../src/flat-form.js"
import { form } from "../src/index.js"

const fieldOf = (field: unknown) => flatForm({ type: "object", properties: { x: field } })["properties"]

describe("a field", () => {
  it.each([
    [
      { type: "boolean", default: true, title: "X" },
      { type: "boolean", default: true, title: "X" }
    ],
    [
      { type: "number", minimum: 1, exclusiveMaximum: 3, description: "d" },
      { type: "number", minimum: 1, description: "d" }
    ],
    [
      { type: "string", minLength: 1, pattern: "a", format: "email" },
      { type: "string", minLength: 1, format: "email" }
    ],
    [{ type: "string", format: "uuid" }, { type: "string" }],
    [{ enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
    [{ const: "a" }, { type: "string", enum: ["a"] }],
    [
      { type: "string", enum: ["a"], enumNames: ["A"], default: "a" },
      { type: "string", enum: ["a"], enumNames: ["A"], default: "a" }
    ],
    [
      { oneOf: [{ const: "a", title: "A" }, { const: "b" }] },
      {
        type: "string",
        oneOf: [
          { const: "a", title: "A" },
          { const: "b", title: "b" }
        ]
      }
    ],
    [{ anyOf: [{ const: "a", title: "A" }] }, { type: "string", oneOf: [{ const: "a", title: "A" }] }],
    [
      { type: "array", items: { type: "string", enum: ["a"] }, minItems: 1, uniqueItems: true },
      { type: "array", items: { type: "string", enum: ["a"] }, minItems: 1 }
    ],
    [
      { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
      { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }
    ]
  ])("%j is asked as %j", (field, asked) => {
    expect(fieldOf(field)).toEqual({ x: asked })
  })

  it.each([
    [{ type: "object", properties: {} }],
    [{ type: "array", items: { type: "string" } }],
    [{ type: ["string", "null"] }],
    [{ enum: [1, 2] }],
    [{ enum: [] }],
    [{ type: "string", enum: [] }],
    [{ type: "array", items: { enum: [] } }],
    [{ type: "integer", enum: [1, 2] }],
    [{ type: "number", const: 1 }],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }],
    [{}],
    [true]
  ])("%j is refused where the form is made", (field) => {
    expect(() => form({ type: "object", properties: { x: field } } as never)).toThrow("The form's field x must be")
  })
})

describe("a default", () => {
  const made = (field: object) => form({ type: "object", properties: { x: field } } as never)

  it.each<readonly [object, unknown]>([
    [{ type: "boolean" }, "true"],
    [{ type: "integer" }, 1.5],
    [{ type: "integer", minimum: 1 }, 0],
    [{ type: "number" }, "1"],
    [{ type: "number", maximum: 1 }, 2],
    [{ type: "string" }, 5],
    [{ type: "string", minLength: 2 }, "\u{1f381}"],
    [{ type: "string", maxLength: 1 }, "ab"],
    [{ enum: ["a", "b"] }, "c"],
    [{ oneOf: [{ const: "a", title: "A" }] }, "A"],
    [{ type: "array", items: { enum: ["a"] } }, "a"],
    [{ type: "array", items: { enum: ["a"] } }, ["b"]],
    [{ type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, ["A"]],
    [{ type: "array", items: { enum: ["a"] }, minItems: 1 }, []]
  ])("of %j that is no answer to it is refused: %j", (field, value) => {
    expect(() => made({ ...field, default: value })).toThrow("The form's field x has a default that does not fit it")
  })

  it.each<readonly [object, unknown]>([
    [{ type: "boolean" }, false],
    [{ type: "integer", minimum: 0, maximum: 0 }, 0],
    [{ type: "number" }, 1.5],
    [{ type: "string", maxLength: 1 }, "\u{1f381}"],
    [{ enum: ["a", "b"] }, "b"],
    [{ oneOf: [{ const: "a", title: "A" }] }, "a"],
    [{ type: "array", items: { enum: ["a", "b"] }, maxItems: 2 }, ["b", "a"]],
    [{ type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, ["a"]]
  ])("of %j may be %j", (field, value) => {
    expect(() => made({ ...field, default: value })).not.toThrow()
  })
})

it("requires only what can be answered", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a", "toString"] } as const
  expect(() => form(schema as never)).toThrow(new TypeError("The form requires toString, which is none of its fields"))
})

it("has nothing but fields", () => {
  expect(flatForm({ type: "object", properties: {}, required: [], additionalProperties: false })).toEqual({
    type: "object",
    properties: {}
  })
  expect(() => flatForm({ type: "object" })).toThrow("A form needs an object schema with properties")
})
