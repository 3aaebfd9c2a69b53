/** An annotation counts where properties alone lead, and nowhere else: at every place where a schema may stand, and in data. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { annotations, valueAt } from "../src/index.js"

const text = (name: unknown): object => ({ type: "string", "x-mcp-header": name })

/** JSON Schema 2020-12 and draft-07: what holds one schema or a list of them, what holds them by name, and what holds data. */
const single = [
  ..."items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties".split(
    " "
  ),
  ..."propertyNames contentSchema allOf anyOf oneOf not if then else".split(" ")
]
const named = ["patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"]
const data = ["default", "const", "enum", "examples", "title", "x-mine"]

/** The names of properties down to a place. */
const path = fc.array(fc.constantFrom("a", "b", "properties", "default"), { maxLength: 3 })
const inside = (names: ReadonlyArray<string>, schema: object): object =>
  names.reduceRight<object>((inner, name) => ({ type: "object", properties: { [name]: inner } }), schema)
const said = (names: ReadonlyArray<string>): string => names.map((name) => `${name}.`).join("")

describe("an annotation", () => {
  it("is found at any depth, beside whatever holds none", () => {
    fc.assert(
      fc.property(path, fc.constantFrom(...data), (names, keyword) => {
        const look = { b: { c: text("Data"), properties: { d: text("Data") } } }
        const schema = inside([...names, "last"], { ...text("Here"), [keyword]: look, required: ["x"] })
        expect(annotations(schema)).toEqual({
          ok: true,
          value: [{ header: "Mcp-Param-Here", path: [...names, "last"], type: "string" }]
        })
      })
    )
  })

  it("is refused in every other schema, which is named", () => {
    for (const [keyword, at, held] of [
      ...single.map((name) => [name, name, text("Region")] as const),
      ...single.map((name) => [name, `${name}.1`, [{}, text("Region")]] as const),
      ...named.map((name) => [name, `${name}.x`, { x: text("Region") }] as const),
      ...named.map((name) => [name, `${name}.x.y`, { x: inside(["y"], text("Region")) }] as const)
    ]) {
      fc.assert(
        fc.property(path, (names) => {
          expect(annotations(inside(names, { [keyword]: held }))).toEqual({
            ok: false,
            error: `x-mcp-header is only for properties of properties, and stands at ${said(names)}${at}`
          })
        }),
        { numRuns: 5 }
      )
    }
  })

  it("is refused at the top", () => {
    expect(annotations(text("Region"))).toEqual({
      ok: false,
      error: "x-mcp-header is only for properties of properties, and stands at the top"
    })
  })

  it("is refused with words for whatever stands there instead of a name or a type", () => {
    for (const [wrong, words] of [
      [undefined, "nothing"],
      [null, "null"],
      [["a"], "an array"],
      [{}, "an object"],
      [7, "7"],
      ["no name", '"no name"'],
      ["x".repeat(81) + "!", `"${"x".repeat(80)}"`]
    ] as const) {
      const schema = { properties: { a: { type: wrong, "x-mcp-header": "Region" } } }
      expect(annotations(schema)).toEqual({
        ok: false,
        error: `x-mcp-header at a is only for a string, an integer or a boolean, not for ${words}`
      })
    }
    expect(annotations({ properties: { a: { type: "string", "x-mcp-header": undefined } } })).toEqual({
      ok: false,
      error: "x-mcp-header at a is no name for a header: nothing"
    })
  })
})

it("a keyword that holds something else instead of schemas holds none", () => {
  for (const keyword of [...single, ...named, "properties"])
    for (const value of [null, true, 1, "text", [null, 1]])
      expect(annotations({ properties: { a: { properties: {}, [keyword]: value }, b: text("B") } })).toEqual({
        ok: true,
        value: [{ header: "Mcp-Param-B", path: ["b"], type: "string" }]
      })
})

it("a value is what a header can say, and nothing else", () => {
  const says = (value: unknown) => valueAt({ a: value }, { header: "H", path: ["a"], type: "string" })
  expect(["x", "", true, false, 0, -5, 2 ** 53 - 1].map(says)).toEqual([
    "x",
    "",
    "true",
    "false",
    "0",
    "-5",
    `${2 ** 53 - 1}`
  ])
  for (const value of [null, undefined, {}, [], ["x"], 1.5, 2 ** 53, Number.NaN]) expect(says(value)).toBeUndefined()
})
