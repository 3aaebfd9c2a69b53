/** Arguments that are drawn from a schema are mostly such as it takes. */
import type { JsonObject } from "@parley/core"
import { fromJsonSchema } from "@parley/json-schema"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { drawnFrom } from "../src/arguments.js"
import { tape } from "../src/chance.js"

const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...rest
})

it.each<[string, JsonObject]>([
  ["texts", object({ a: { type: "string" }, b: { type: "string", minLength: 3, maxLength: 5 } })],
  ["whole numbers", object({ a: { type: "integer" }, b: { type: "integer", minimum: 3, exclusiveMaximum: 5 } })],
  ["numbers", object({ a: { type: "number", maximum: -2 }, b: { type: "number", minimum: 0.25, maximum: 0.75 } })],
  ["multiples", object({ a: { type: "integer", multipleOf: 7, minimum: 5 } })],
  ["choices", object({ a: { enum: ["x", 7, null] }, b: { const: { deep: [1] } }, c: { type: "boolean" } })],
  ["nothing", object({ a: { type: "null" }, b: {}, c: true })],
  ["lists", object({ a: { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 3 }, b: { items: {} } })],
  [
    "alternatives",
    object({ a: { anyOf: [{ type: "string" }, { type: "integer" }] }, b: { type: ["string", "null"] } })
  ],
  ["parts", object({ a: { allOf: [{ type: "integer" }, { minimum: 5 }] } })],
  ["what may be missing", object({ a: { type: "integer" } }, { required: [] })],
  ["formats", object({ a: { type: "string", format: "date" }, b: { type: "string", format: "uri" } })],
  [
    "references, even to itself",
    object(
      { a: { $ref: "#/$defs/tree" } },
      {
        $defs: {
          tree: {
            type: "object",
            properties: { n: { type: "integer" }, of: { $ref: "#/$defs/tree" } },
            required: ["n"]
          }
        }
      }
    )
  ]
])("draws %s", async (_, schema) => {
  const made = fromJsonSchema(schema)
  const validator = "ready" in made ? await made.ready : made
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { maxLength: 30 }), (numbers) => {
      const drawn = drawnFrom(schema, tape(numbers))
      const judged = validator.validate(drawn)
      expect(judged.ok, JSON.stringify(drawn)).toBe(true)
    }),
    { numRuns: 60 }
  )
})

it("draws something where a reference leads nowhere", () => {
  expect(drawnFrom({ $ref: "#/$defs/nope" }, tape([]))).toBeDefined()
})
