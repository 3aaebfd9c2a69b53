/** What handlers receive and may return, for each kind of schema. */
import * as Schema from "effect/Schema"
import { expectTypeOf, it } from "vitest"
import { compile } from "@parley/json-schema"
import type { Decoded, Encodable, Input, JsonSchema, StandardSchemaWithJson } from "@parley/json-schema"

it("gives effect's decoded side both ways", () => {
  const At = Schema.Struct({ at: Schema.Date, n: Schema.optionalKey(Schema.Finite) })
  expectTypeOf<Decoded<typeof At>>().toEqualTypeOf<{ readonly at: Date; readonly n?: number }>()
  expectTypeOf<Encodable<typeof At>>().toEqualTypeOf<{ readonly at: Date; readonly n?: number }>()
  expectTypeOf(At).toExtend<Input>()
  class Named extends Schema.Class<Named>("Named")({ a: Schema.String }) {}
  expectTypeOf<Decoded<typeof Named>>().toEqualTypeOf<Named>()
})

it("gives a Standard Schema's output to handlers and takes its input from them", () => {
  type Counted = StandardSchemaWithJson<{ n: string }, { n: number }>
  expectTypeOf<Decoded<Counted>>().toEqualTypeOf<{ n: number }>()
  expectTypeOf<Encodable<Counted>>().toEqualTypeOf<{ n: string }>()
})

it("reads a constant JSON Schema one step deep", () => {
  const person = {
    type: "object",
    properties: {
      name: { type: "string" },
      age: { type: "integer" },
      kind: { enum: ["a", "b"] },
      tags: { type: "array", items: { type: "string" } }
    },
    required: ["name", "kind"]
  } as const
  type Person = Decoded<typeof person>
  expectTypeOf<Person["name"]>().toEqualTypeOf<string>()
  expectTypeOf<Person["age"]>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Person["kind"]>().toEqualTypeOf<"a" | "b">()
  // @ts-expect-error no such property
  type _ = Person["size"]
})

it("reads a constant root that is no object", () => {
  expectTypeOf<Encodable<{ readonly type: "integer" }>>().toEqualTypeOf<number>()
  expectTypeOf<Encodable<{ readonly type: "null" }>>().toEqualTypeOf<null>()
  expectTypeOf<Encodable<{ readonly enum: readonly ["a", 1] }>>().toEqualTypeOf<"a" | 1>()
  expectTypeOf<Encodable<{ readonly const: true }>>().toEqualTypeOf<true>()
  expectTypeOf<Decoded<{ readonly type: "string" }>>().toEqualTypeOf<string>()
  expectTypeOf<readonly [number]>().toExtend<Encodable<{ readonly type: "array" }>>()
  expectTypeOf<string>().not.toExtend<Encodable<{ readonly type: "array" }>>()
  expectTypeOf<string>().not.toExtend<Encodable<{ readonly type: "object" }>>()
})

it("takes anything for a root that does not say what it describes", () => {
  expectTypeOf<Encodable<JsonSchema>>().toBeAny()
  expectTypeOf<Encodable<{ readonly anyOf: readonly [] }>>().toBeAny()
  expectTypeOf<Encodable<{ readonly type: readonly ["string", "null"] }>>().toBeAny()
})

it("knows nothing of a JSON Schema that is not constant", () => {
  expectTypeOf<Decoded<JsonSchema>["anything"]>().toBeAny()
  // oxlint-disable-next-line typescript/no-explicit-any -- it is what is tested
  expectTypeOf<Decoded<{ type: "object" }>>().toEqualTypeOf<{ readonly [key: string]: any }>()
})

it("refuses what is no schema", () => {
  // @ts-expect-error a string is no schema
  compile("object", "input")
  type Needy = Schema.Codec<string, string, { readonly service: 1 }>
  // @ts-expect-error a schema that needs services can not be run here
  const needy: Input = Schema.String as Schema.Top as Needy
  void needy
})
