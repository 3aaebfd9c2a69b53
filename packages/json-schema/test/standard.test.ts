/** Standard Schema, by hand-made schemas that keep its protocol. */
import { expect, it } from "vitest"
import { compile, fromStandard, isDeferred, SchemaRefused } from "@parley/json-schema"
import type { StandardResult, StandardSchemaWithJson } from "@parley/json-schema"

type Standard<I, O> = StandardSchemaWithJson<I, O>["~standard"]

function schema<I, O>(
  validate: (value: unknown) => StandardResult<O> | Promise<StandardResult<O>>,
  more: Partial<Standard<I, O>> = {}
): StandardSchemaWithJson<I, O> {
  const jsonSchema = {
    input: () => ({ type: "object", properties: { n: { type: "string" } } }),
    output: () => ({ type: "object", properties: { n: { type: "number" } } })
  }
  return { "~standard": { version: 1, vendor: "hand", validate, jsonSchema, ...more } }
}

const counted = schema<{ n: string }, { n: number }>((value) => {
  const n = Number((value as { n?: unknown }).n)
  return Number.isNaN(n) ? { issues: [{ message: "not a number", path: ["n"] }] } : { value: { n } }
})

it("hands on what the schema makes of the value", () => {
  expect(fromStandard(counted).validate({ n: "1" })).toEqual({ ok: true, value: { n: 1 } })
})

it("announces the input side for input and the output side for output", () => {
  expect(fromStandard(counted, "input").jsonSchema).toEqual({
    type: "object",
    properties: { n: { type: "string" } }
  })
  expect(fromStandard(counted, "output").jsonSchema).toEqual({
    type: "object",
    properties: { n: { type: "number" } }
  })
})

it("tells the schema's issues, with paths of keys and of segments", () => {
  const nested = schema(() => ({
    issues: [{ message: "odd", path: [{ key: "a" }, 0, { key: "b c" }] }, { message: "bad" }]
  }))
  expect(fromStandard(nested).validate({})).toEqual({
    ok: false,
    issues: [
      { path: 'a[0]["b c"]', message: "odd" },
      { path: "", message: "bad" }
    ]
  })
})

it("waits only for schemas that make it wait", async () => {
  expect(fromStandard(counted).validate({ n: "1" })).not.toBeInstanceOf(Promise)
  const slow = schema(async (value) => ({ value }))
  const result = fromStandard(slow).validate({ n: "1" })
  expect(result).toBeInstanceOf(Promise)
  expect(await result).toEqual({ ok: true, value: { n: "1" } })
})

it("takes schemas that are functions", () => {
  const callable = Object.assign(() => 1, counted)
  const compiled = compile(callable, "input")
  expect(isDeferred(compiled)).toBe(false)
  expect(!isDeferred(compiled) && compiled.validate({ n: "2" })).toEqual({
    ok: true,
    value: { n: 2 }
  })
})

it("refuses a schema that can not print JSON Schema, and says what would", () => {
  const bare = schema((value) => ({ value }), { jsonSchema: undefined as never, vendor: "valibot" })
  expect(() => fromStandard(bare)).toThrow(/valibot.*toStandardJsonSchema/)
  const unable = schema((value) => ({ value }), {
    jsonSchema: {
      input: () => {
        throw new Error("a bigint can not be represented")
      },
      output: () => ({})
    }
  })
  expect(() => fromStandard(unable)).toThrow("a bigint can not be represented")
  expect(() => fromStandard(unable)).toThrow(SchemaRefused)
})

it("refuses an input that is not an object, and leaves outputs to the revision", () => {
  const union = schema((value) => ({ value }), {
    jsonSchema: { input: () => ({ anyOf: [] }), output: () => ({ anyOf: [] }) }
  })
  expect(() => compile(union, "input")).toThrow(/union/)
  expect(() => compile(union, "output")).not.toThrow()
})
