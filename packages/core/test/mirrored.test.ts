/** Which arguments are said in headers, and which tools can not be had over HTTP. */
import { describe, expect, it } from "vitest"
import { annotations, valueAt } from "../src/index.js"

const text = (name: unknown): object => ({ type: "string", "x-mcp-header": name })
const schema = (properties: object, rest: object = {}): object => ({ type: "object", properties, ...rest })

describe("annotations", () => {
  it("are found wherever properties alone lead, in order", () => {
    const deep = schema({ b: { type: ["integer", "null"], "x-mcp-header": "Deep" } })
    const found = annotations(
      schema({
        a: text("Region"),
        "x-mcp-header": { type: "string" },
        c: deep,
        d: { type: "boolean", "x-mcp-header": "!#$%&'*+-.^_`|~9" }
      })
    )
    expect(found).toEqual({
      ok: true,
      value: [
        { header: "Mcp-Param-Region", path: ["a"], type: "string" },
        { header: "Mcp-Param-Deep", path: ["c", "b"], type: "integer" },
        { header: "Mcp-Param-!#$%&'*+-.^_`|~9", path: ["d"], type: "boolean" }
      ]
    })
  })

  it.each([
    ["nothing", undefined],
    ["no object", true],
    ["no properties", { type: "object" }],
    [
      "what only looks like one, in data",
      schema({ a: { default: text("A"), const: text("A"), examples: [text("A")], enum: [text("A")] } })
    ],
    ["what only looks like one, in what is unknown", { "x-mine": text("A") }]
  ])("are none in %s", (_, of) => {
    expect(annotations(of)).toEqual({ ok: true, value: [] })
  })

  it.each([
    ["", 'is no name for a header: ""'],
    [null, "is no name for a header: null"],
    [7, "is no name for a header: 7"],
    [{}, "is no name for a header: an object"],
    [["A"], "is no name for a header: an array"],
    ["a b", 'is no name for a header: "a b"'],
    ["a:b", "is no name for a header"],
    ["é", "is no name for a header"],
    ["a\r\nb", "is no name for a header"],
    ["a\n", "is no name for a header"]
  ])("named %j are invalid", (name, why) => {
    expect(annotations(schema({ a: text(name) }))).toEqual({
      ok: false,
      error: expect.stringContaining(`x-mcp-header at a ${why}`) as string
    })
  })

  it.each(["number", "object", "array", "null", undefined, ["string", "integer"], ["null"], []])(
    "for the type %j are invalid",
    (type) => {
      expect(annotations(schema({ a: { type, "x-mcp-header": "A" } })).ok).toBe(false)
    }
  )

  it("are invalid when two have the same name, in whatever case", () => {
    expect(annotations(schema({ a: text("A"), b: schema({ c: text("a") }) }))).toEqual({
      ok: false,
      error: 'x-mcp-header at b.c is there twice: "a"'
    })
  })

  it.each([
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "contentSchema",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else"
  ])("under %s are invalid, and so are those below", (key) => {
    for (const inside of [text("A"), [text("A")], schema({ b: text("A") }), [{}, { items: text("A") }]]) {
      expect(annotations({ [key]: inside }).ok).toBe(false)
      expect(annotations(schema({ a: { [key]: inside } })).ok).toBe(false)
    }
  })

  it.each(["patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"])(
    "under %s are invalid",
    (key) => {
      expect(annotations({ [key]: { a: text("A") } })).toEqual({
        ok: false,
        error: `x-mcp-header is only for properties of properties, and stands at ${key}.a`
      })
      expect(annotations({ [key]: { a: ["b"] } }).ok).toBe(true)
    }
  )

  it("at the top are invalid", () => {
    expect(annotations(text("A")).ok).toBe(false)
  })

  it("are looked for however deep a schema is", () => {
    let deep: object = text("A")
    for (let depth = 0; depth < 100_000; depth++) deep = { not: deep }
    expect(annotations(deep).ok).toBe(false)
  })
})

describe("the value of an argument", () => {
  const at = (...path: Array<string>) => ({ header: "Mcp-Param-A", path, type: "string" }) as const
  it.each([
    ["a", "a"],
    ["", ""],
    [" é\n", " é\n"],
    [-7, "-7"],
    [42.0, "42"],
    [true, "true"],
    [false, "false"],
    [null, undefined],
    [undefined, undefined],
    [1.5, undefined],
    [2 ** 53, undefined],
    [{}, undefined],
    [["a"], undefined]
  ])("%j is said as %j", (value, said) => {
    expect(valueAt({ a: value }, at("a"))).toBe(said)
    expect(valueAt({ a: { b: value } }, at("a", "b"))).toBe(said)
  })

  it("is none where nothing is, whatever its name", () => {
    expect(valueAt(undefined, at("a"))).toBeUndefined()
    expect(valueAt({ a: "b" }, at("a", "length"))).toBeUndefined()
    expect(valueAt({}, at("constructor", "name"))).toBeUndefined()
  })
})
