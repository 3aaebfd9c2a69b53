/** Whatever a peer calls a schema, reading it ends in an answer, and so does every validation by it. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { SchemaRefused } from "@parley/json-schema"
import { fromPeer } from "@parley/json-schema/library"
import { keywords } from "../src/keyword.js"

const keyword = fc.constantFrom(...keywords.keys(), "id", "$dynamicRef", "x-other", "__proto__", "constructor")
const word = fc.constantFrom(
  "string",
  "object",
  "integer",
  "#",
  "#/$defs/a",
  "#a",
  "#/x-other",
  "#/properties/a",
  "a",
  "",
  "^a",
  "(a+)+$",
  "[",
  "%",
  "https://example.com/a",
  "urn:a",
  "\ud800",
  "http://json-schema.org/draft-07/schema#",
  "http://json-schema.org/draft-04/schema#"
)
const leaf = fc.oneof(word, fc.integer({ min: -2, max: 5 }), fc.boolean(), fc.constant(null), fc.double())
/** Mostly what the keyword wants. */
const suited = (key: string, any: fc.Arbitrary<unknown>, schema: fc.Arbitrary<unknown>) => {
  const map = fc.dictionary(word, schema, { maxKeys: 3 })
  const { kind, fits } = keywords.get(key) ?? { kind: "map" as const }
  if (key === "$ref") return word.filter((one) => one.includes("#") || one.includes(":"))
  if (kind === "schema" || kind === "items") return schema
  if (kind === "schemas") return fc.array(schema, { minLength: 1, maxLength: 3 })
  if (kind === "map" || kind === "dependencies") return map
  return fc.oneof(
    any,
    leaf.filter((one) => fits!(one, false) || key === "required" || key === "enum" || key === "dependentRequired")
  )
}

const json = fc.letrec<{ any: unknown; schema: Record<string, unknown> }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("any"), { maxLength: 3 }),
    tie("schema"),
    fc.dictionary(word, tie("schema"), { maxKeys: 3 })
  ),
  schema: fc
    .array(
      keyword.chain((key) =>
        fc.tuple(
          fc.constant(key),
          fc.oneof(
            { depthSize: "small" },
            { weight: 1, arbitrary: leaf },
            { weight: 8, arbitrary: suited(key, leaf, tie("schema")) },
            { weight: 1, arbitrary: tie("any") }
          )
        )
      ),
      { maxLength: 3, depthIdentifier: "schema" }
    )
    .map(
      (entries) =>
        JSON.parse(
          `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`
        ) as Record<string, unknown>
    )
}))

it("reads any document without an error of its own", () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(json.schema, fc.array(json.any, { minLength: 3, maxLength: 3 }), (schema, values) => {
      const read = fromPeer(schema)
      const what = read._tag === "Checkable" ? "checkable" : read.refused.reason
      seen.set(what, (seen.get(what) ?? 0) + 1)
      if (read._tag === "Uncheckable") {
        expect(read.refused).toBeInstanceOf(SchemaRefused)
        return
      }
      for (const value of values) {
        const result = read.validator.validate(value)
        if (!result.ok) expect(result.issues.length).toBeGreaterThan(0)
      }
    }),
    { numRuns: 5_000 }
  )
  expect(seen.get("checkable") ?? 0).toBeGreaterThan(500)
  for (const reason of ["broken", "reference", "keyword"]) expect(seen.get(reason) ?? 0).toBeGreaterThan(30)
})
