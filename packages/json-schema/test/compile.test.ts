/** The one door, with effect's Schema and the library not loaded until they are needed. */
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import {
  compile,
  effectLoaded,
  fromJsonSchema,
  fromPeer,
  isDeferred,
  libraryLoaded,
  SchemaRefused
} from "@parley/json-schema"
import type { JsonSchema, SyncValidator } from "@parley/json-schema"

const Sum = Schema.Struct({ a: Schema.Finite })

it("puts off an effect schema until effect is there, and refuses then", async () => {
  expect(effectLoaded()).toBe(false)
  const deferred = compile(Sum, "input")
  const bad = compile(Schema.Union([Sum, Schema.Struct({ b: Schema.Finite })]), "input")
  expect(isDeferred(deferred) && isDeferred(bad)).toBe(true)
  if (!isDeferred(deferred) || !isDeferred(bad)) return
  const [sum, refused] = await Promise.allSettled([deferred.ready, bad.ready])
  expect(refused).toMatchObject({ status: "rejected", reason: { reason: "root" } })
  expect(sum.status === "fulfilled" && sum.value.validate({ a: 1 })).toEqual({
    ok: true,
    value: { a: 1 }
  })
  expect(effectLoaded()).toBe(true)
  expect(isDeferred(compile(Sum, "input"))).toBe(false)
})

it("takes a simple JSON Schema at once, and explains what it refuses by itself", () => {
  const compiled = compile({ type: "object", required: ["a"] }, "input")
  expect(!isDeferred(compiled) && compiled.validate({})).toEqual({
    ok: false,
    issues: [{ path: "a", message: "missing" }]
  })
  expect(fromPeer({ type: "string" })).not.toBeInstanceOf(Promise)
  expect(libraryLoaded()).toBe(false)
})

it("refuses at once a dialect it does not know, and a common keyword that is wrong", () => {
  expect(() => compile({ allOf: [{ type: "object" }] }, "input")).toThrow(/union has none/)
  expect(() => compile({ type: "object", $schema: "https://example.com/mine" }, "input")).toThrow(SchemaRefused)
  const wrong: ReadonlyArray<readonly [object, string]> = [
    [{ type: "text" }, '"type" must be a type name or an array of them (at /properties/a~1b/type)'],
    [{ type: [] }, '"type" must be a type name or an array of them (at /properties/a~1b/type)'],
    [{ enum: "a" }, '"enum" must be an array (at /properties/a~1b/enum)'],
    [{ minimum: "1" }, '"minimum" must be a number (at /properties/a~1b/minimum)'],
    [{ exclusiveMaximum: true }, '"exclusiveMaximum" must be a number (at /properties/a~1b/exclusiveMaximum)'],
    [{ minLength: -1 }, '"minLength" must be an integer from 0 (at /properties/a~1b/minLength)'],
    [{ maxItems: 1.5 }, '"maxItems" must be an integer from 0 (at /properties/a~1b/maxItems)'],
    [{ items: 1 }, "Expected a schema: an object, true or false (at /properties/a~1b/items)"],
    [{ anyOf: {} }, '"anyOf" must be an array (at /properties/a~1b/anyOf)'],
    [{ oneOf: [true, 1] }, "Expected a schema: an object, true or false (at /properties/a~1b/oneOf/1)"],
    [{ properties: [] }, '"properties" must be an object of schemas (at /properties/a~1b/properties)'],
    [{ required: true }, '"required" must be an array of strings (at /properties/a~1b/required)'],
    [
      { additionalProperties: 0 },
      "Expected a schema: an object, true or false (at /properties/a~1b/additionalProperties)"
    ]
  ]
  for (const [schema, message] of wrong)
    expect(() => compile({ type: "object", properties: { "a/b": schema } }, "input")).toThrow(message)
  expect(libraryLoaded()).toBe(false)
})

it("puts off a JSON Schema that is not simple until the library is there, and refuses then", async () => {
  const later = (schema: JsonSchema): Promise<SyncValidator> => {
    const made = fromJsonSchema(schema)
    if (!isDeferred(made)) throw new Error("was not deferred")
    return made.ready
  }
  const dated = compile({ type: "object", properties: { day: { pattern: "^\\d+$" } } }, "input")
  const old = later({ $schema: "http://json-schema.org/draft-04/schema#", minimum: 1, exclusiveMinimum: true })
  const refused = Promise.allSettled([
    later({ type: "object", not: { $ref: "#/$defs/a" } }),
    later({ $ref: "#" }),
    later({ not: 1 }),
    later({ properties: { a: { pattern: "(" } } }),
    later(Array.from({ length: 65 }).reduce<JsonSchema>((items) => ({ items }), {})),
    later({ items: { $schema: "http://json-schema.org/draft-07/schema#" } })
  ])
  const peers = Promise.all([fromPeer({ not: {} }), fromPeer({ $ref: "a.json" })])
  if (!isDeferred(dated)) throw new Error("was not deferred")
  expect((await refused).map((one) => one.status === "rejected" && (one.reason as SchemaRefused).reason)).toEqual([
    "reference",
    "endless",
    "broken",
    "broken",
    "size",
    "dialect"
  ])
  expect((await old).validate(1).ok).toBe(false)
  expect((await dated.ready).validate({ day: "x" })).toEqual({
    ok: false,
    issues: [{ path: "day", message: "must match /^\\d+$/" }]
  })
  expect((await peers).map((peer) => peer._tag)).toEqual(["Checkable", "Uncheckable"])
  expect(libraryLoaded()).toBe(true)
  expect(isDeferred(fromJsonSchema({ not: {} }))).toBe(false)
  expect(fromPeer({ not: {} })).not.toBeInstanceOf(Promise)
})

it("refuses what is no schema, and an input that is no object, with a way out", () => {
  expect(() => compile(1 as never, "input")).toThrow(SchemaRefused)
  expect(() => compile(undefined as never, "input")).toThrow(/JSON Schema object, a Standard Schema/)
  expect(() => compile({ properties: {} }, "input")).toThrow('type: "object"')
  expect(() => compile({ type: "array" }, "output")).not.toThrow()
})
