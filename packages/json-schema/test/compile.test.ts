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

it("refuses at once what it can of a schema that is not simple", () => {
  expect(() => compile({ allOf: [{ type: "object" }] }, "input")).toThrow(/union has none/)
  expect(() => compile({ type: "object", not: 1 }, "input")).toThrow(SchemaRefused)
  expect(() => compile({ type: "object", properties: { a: { pattern: "(" } } }, "input")).toThrow(
    "Not a regular expression"
  )
  expect(libraryLoaded()).toBe(false)
})

it("puts off a JSON Schema that is not simple until the library is there, and refuses then", async () => {
  const dated = compile({ type: "object", properties: { day: { pattern: "^\\d+$" } } }, "input")
  const lost = compile({ type: "object", not: { $ref: "#/$defs/a" } }, "input")
  const round = fromJsonSchema({ $ref: "#" })
  const peers = Promise.all([fromPeer({ not: {} }), fromPeer({ $ref: "a.json" })])
  if (!isDeferred(dated) || !isDeferred(lost) || !isDeferred(round)) throw new Error("was not deferred")
  await expect(lost.ready).rejects.toMatchObject({ name: "SchemaRefused", reason: "reference" })
  await expect(round.ready).rejects.toMatchObject({ reason: "endless" })
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
