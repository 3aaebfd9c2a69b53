/** zod, arktype and valibot as they come: their types reach handlers, their own code validates, and what they print is JSON Schema. */
import { toStandardJsonSchema } from "@valibot/to-json-schema"
import { type } from "arktype"
import * as v from "valibot"
import { describe, expect, expectTypeOf, it } from "vitest"
import { z } from "zod"
import { compile, isDeferred, SchemaRefused } from "@parley/json-schema"
import type { Decoded, Deferred, Encodable, Input, Validator } from "@parley/json-schema"
import { fromJsonSchema } from "@parley/json-schema/library"

const now = (schema: Input): Validator => {
  const compiled: Validator | Deferred = compile(schema, "input")
  if (isDeferred(compiled)) throw new Error("was deferred")
  return compiled
}

const byZod = z.object({ name: z.string().min(1), age: z.int(), tags: z.array(z.string()).optional() })
const byArk = type({ name: "string >= 1", age: "number.integer", "tags?": "string[]" })
const byValibot = toStandardJsonSchema(
  v.object({
    name: v.pipe(v.string(), v.minLength(1)),
    age: v.pipe(v.number(), v.integer()),
    tags: v.optional(v.array(v.string()))
  })
)

describe.each([
  ["zod", byZod],
  ["arktype", byArk],
  ["valibot", byValibot]
] satisfies ReadonlyArray<readonly [string, Input]>)("%s", (_, schema) => {
  const right = [
    { name: "Ada", age: 36 },
    { name: "Ada", age: 36, tags: ["x"] }
  ]
  const wrong: ReadonlyArray<readonly [path: string, value: unknown]> = [
    ["name", { name: "", age: 36 }],
    ["age", { name: "Ada", age: 36.5 }],
    ["age", { name: "Ada" }],
    ["tags[1]", { name: "Ada", age: 36, tags: ["x", 1] }]
  ]

  it("validates by its own code and says where", () => {
    const { validate } = now(schema)
    for (const value of right) expect(validate(value)).toEqual({ ok: true, value })
    for (const [path, value] of wrong) expect(validate(value)).toMatchObject({ ok: false, issues: [{ path }] })
    expect(validate(null)).toMatchObject({ ok: false, issues: [{ path: "" }] })
  })

  it("prints a JSON Schema that judges alike", () => {
    const { jsonSchema } = now(schema)
    expect(jsonSchema).toMatchObject({
      type: "object",
      properties: { name: { type: "string", minLength: 1 }, age: { type: "integer" } }
    })
    const printed = fromJsonSchema(jsonSchema)
    for (const value of right) expect(printed.validate(value).ok).toBe(true)
    for (const [, value] of wrong) expect(printed.validate(value).ok).toBe(false)
  })
})

describe("defaults and transformations", () => {
  const zod = z.object({ n: z.string().transform(Number), mood: z.string().default("good") })
  const ark = type({ n: "string.numeric.parse", mood: "string = 'good'" })
  const valibot = toStandardJsonSchema(
    v.object({ n: v.pipe(v.string(), v.transform(Number)), mood: v.optional(v.string(), "good") })
  )

  it.each([
    ["zod", zod],
    ["arktype", ark]
  ] satisfies ReadonlyArray<readonly [string, Input]>)(
    "are what the handler receives, and %s announces what goes in",
    (_, schema) => {
      const { jsonSchema, validate } = now(schema)
      expect(validate({ n: "1" })).toEqual({ ok: true, value: { n: 1, mood: "good" } })
      expect(jsonSchema).toMatchObject({ properties: { n: { type: "string" } }, required: ["n"] })
    }
  )

  it("have their types on both sides", () => {
    interface In {
      n: string
      mood?: string | undefined
    }
    interface Out {
      n: number
      mood: string
    }
    expectTypeOf<Decoded<typeof zod>>().toEqualTypeOf<Out>()
    expectTypeOf<Encodable<typeof zod>>().toEqualTypeOf<In>()
    expectTypeOf<Decoded<typeof ark>>().toExtend<Out>()
    expectTypeOf<Encodable<typeof ark>>().toExtend<In>()
    expectTypeOf<Decoded<typeof valibot>>().toEqualTypeOf<Out>()
    expectTypeOf<Encodable<typeof valibot>>().toEqualTypeOf<In>()
    expectTypeOf<typeof zod>().toExtend<Input>()
    expectTypeOf<typeof ark>().toExtend<Input>()
    expectTypeOf<typeof valibot>().toExtend<Input>()
  })

  it("wait where the library waits", async () => {
    const { validate } = now(z.object({ a: z.string().refine(async (a) => a !== "b") }))
    expect(await validate({ a: "a" })).toEqual({ ok: true, value: { a: "a" } })
    expect(await validate({ a: "b" })).toMatchObject({ ok: false, issues: [{ path: "a" }] })
  })
})

describe("what can not be announced is refused", () => {
  it.each([
    ["a zod schema of a bigint", z.object({ a: z.bigint() }), "zod"],
    ["a zod union", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), "object"]
  ] satisfies ReadonlyArray<readonly [string, Input, string]>)("%s", (_, schema, why) => {
    expect(() => now(schema)).toThrow(SchemaRefused)
    expect(() => now(schema)).toThrow(why)
  })

  it("a valibot schema without its converter, with the way out", () => {
    const bare = v.object({ a: v.string() })
    // @ts-expect-error -- it has no JSON Schema
    expect(() => compile(bare, "input")).toThrow("toStandardJsonSchema")
  })
})
