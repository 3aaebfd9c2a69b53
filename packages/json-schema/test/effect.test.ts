/** effect's Schema: decoded for input, encoded for output, and announced as MCP can read it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Getter from "effect/SchemaGetter"
import { expect, it } from "vitest"
import "@parley/json-schema/effect"
import { compile, effectLoaded, isDeferred, isObjectSchema, SchemaRefused } from "@parley/json-schema"
import type { EffectSchema, Validator } from "@parley/json-schema"
import { fromJsonSchema } from "@parley/json-schema/library"

const now = (schema: EffectSchema, use: "input" | "output"): Validator => {
  const compiled = compile(schema as never, use) as Validator
  if (isDeferred(compiled)) throw new Error("was deferred")
  return compiled
}

it("is there at once when imported", () => {
  expect(effectLoaded()).toBe(true)
})

it("decodes input and names what is wrong", () => {
  const input = now(Schema.Struct({ a: Schema.Finite, tags: Schema.Array(Schema.Int) }), "input")
  expect(input.validate({ a: 1, tags: [1] })).toEqual({ ok: true, value: { a: 1, tags: [1] } })
  expect(input.validate({ a: "1", tags: [1, 1.5] })).toEqual({
    ok: false,
    issues: [
      { path: "a", message: "expected number" },
      { path: "tags[1]", message: "expected an integer" }
    ]
  })
  expect(input.validate({ tags: [] })).toEqual({
    ok: false,
    issues: [{ path: "a", message: "missing" }]
  })
})

it("encodes output", () => {
  const Event = Schema.Struct({ at: Schema.Date, count: Schema.FiniteFromString })
  const output = now(Event, "output")
  expect(output.validate({ at: new Date(0), count: 2 })).toEqual({
    ok: true,
    value: { at: "1970-01-01T00:00:00.000Z", count: "2" }
  })
  expect(output.validate({ at: new Date(0), count: "2" })).toMatchObject({
    ok: false,
    issues: [{ path: "count" }]
  })
  const sent = output.validate({ at: new Date(0), count: 2 })
  expect(!(sent instanceof Promise) && sent.ok && fromJsonSchema(output.jsonSchema).validate(sent.value).ok).toBe(true)
})

it("takes in what it announces", () => {
  const input = now(Schema.Struct({ at: Schema.Date }), "input")
  expect(input.jsonSchema).toMatchObject({ type: "object", properties: { at: { type: "string" } } })
  expect(input.validate({ at: "1970-01-01T00:00:00.000Z" })).toEqual({
    ok: true,
    value: { at: new Date(0) }
  })
})

it("prints an object without fields as an object, wherever it stands", () => {
  expect(now(Schema.Struct({}), "input").jsonSchema).toEqual({ type: "object" })
  expect(now(Schema.Struct({ a: Schema.Struct({}) }), "input").jsonSchema).toMatchObject({
    properties: { a: { type: "object" } }
  })
  expect(now(Schema.Struct({ not: Schema.Null }), "input").jsonSchema).toMatchObject({
    properties: { not: { type: "null" } }
  })
})

it("prints named schemas and classes with their root in place", () => {
  const Named = Schema.Struct({ a: Schema.Int }).annotate({ identifier: "Named" })
  const { jsonSchema } = now(Named, "input")
  expect(isObjectSchema(jsonSchema)).toBe(true)
  expect(jsonSchema).not.toHaveProperty("$defs")
  const odd = Schema.Struct({ a: Named }).annotate({ identifier: "Ein/Ö d~d" })
  expect(now(odd, "input").jsonSchema).toMatchObject({ type: "object", $defs: { Named: {} } })

  class Tree extends Schema.Class<Tree>("Tree")({
    name: Schema.String,
    kids: Schema.Array(Schema.suspend((): Schema.Codec<Tree, unknown> => Tree as never))
  }) {}
  const tree = now(Tree, "input")
  expect(isObjectSchema(tree.jsonSchema)).toBe(true)
  const { validate } = fromJsonSchema(tree.jsonSchema)
  expect(validate({ name: "a", kids: [{ name: "b", kids: [] }] }).ok).toBe(true)
  expect(validate({ name: "a", kids: [{ name: 1, kids: [] }] }).ok).toBe(false)
  const decoded = tree.validate({ name: "a", kids: [] })
  expect(!(decoded instanceof Promise) && decoded.ok && decoded.value).toBeInstanceOf(Tree)
})

it("refuses a union for input and keeps it for output", () => {
  const union = Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.String })])
  expect(() => now(union, "input")).toThrow(SchemaRefused)
  expect(() => now(union, "input")).toThrow(/alternatives one member of an object/)
  expect(isObjectSchema(now(union, "output").jsonSchema)).toBe(false)
})

it("waits for steps that are asynchronous, and passes on a step that fails", async () => {
  const later = Getter.checkEffect<string>(() => Effect.promise(() => Promise.resolve(true as const)) as never)
  const Slow = Schema.Struct({
    a: Schema.String.pipe(Schema.decodeTo(Schema.String, { decode: later, encode: later }))
  })
  const input = now(Slow, "input")
  for (let i = 0; i < 2; i++) {
    expect(await input.validate({ a: "x" })).toEqual({ ok: true, value: { a: "x" } })
    expect(await input.validate({ a: 1 })).toEqual({
      ok: false,
      issues: [{ path: "a", message: "expected string" }]
    })
  }
  const Broken = Schema.Struct({
    a: Schema.String.check(
      Schema.makeFilter(() => {
        throw new Error("a bug of the user's")
      })
    )
  })
  expect(() => now(Broken, "input").validate({ a: "x" })).toThrow("a bug of the user's")
  const bug = Getter.checkEffect<string>(() => Effect.promise(() => Promise.reject(new Error("a later bug"))) as never)
  const Later = Schema.Struct({
    a: Schema.String.pipe(Schema.decodeTo(Schema.String, { decode: bug, encode: bug }))
  })
  await expect(now(Later, "input").validate({ a: "x" })).rejects.toThrow("a later bug")
})
