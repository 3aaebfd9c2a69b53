/** A schema as the check of what crosses the wire. */
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as z from "zod"
import type { StandardSchemaWithJson } from "@parley/json-schema"
import { check } from "@parley/json-schema"

const job = { type: "object", properties: { jobId: { type: "string" } }, required: ["jobId"] } as const

describe("a check", () => {
  it("names the first member that is wrong, and what was expected", () => {
    expect(check(job)({ jobId: "a" })).toBeUndefined()
    expect(check(job)({ jobId: 1 })).toEqual({ at: "jobId", expected: "a string" })
    expect(check(job)({})).toEqual({ at: "jobId", expected: "a value, but it is missing" })
    expect(check(job)(7)).toEqual({ at: "", expected: "an object" })
  })

  it("takes what other libraries say into its words", () => {
    const { at, expected } = check(z.object({ n: z.number() }))({ n: "1" })!
    expect(at).toBe("n")
    expect(expected).toMatch(/^a value that fits: .*number/)
  })

  it("does not hold against a closed schema what every message may say beside", () => {
    const closed = check({ ...job, additionalProperties: false })
    const beside = { _meta: {}, resultType: "job", ttlMs: 0, cacheScope: "private" }
    expect(closed({ jobId: "a", ...beside })).toBeUndefined()
    expect(closed({ jobId: "a", more: 1 })).toMatchObject({ at: "more" })
    expect(closed.validate({ jobId: "a", ...beside })).toEqual({ ok: true, value: { jobId: "a" } })
  })

  it("looks at such a member where the schema names it", () => {
    const own = check({ type: "object", properties: { ttlMs: { type: "integer" } }, required: ["ttlMs"] })
    expect(own({ ttlMs: 1 })).toBeUndefined()
    expect(own({ ttlMs: "1" })).toEqual({ at: "ttlMs", expected: "an integer" })
  })

  it("refuses everything until its schema is loaded, and says when that is", async () => {
    const loading = check(Schema.Struct({ at: Schema.FiniteFromString }))
    if (loading.ready !== undefined) expect(loading({ at: "1" })).toMatchObject({ at: "" })
    await loading.ready
    expect(loading({ at: "1" })).toBeUndefined()
    expect(loading({ at: "x" })).toMatchObject({ at: "at" })
    expect(loading.validate({ at: "1" })).toEqual({ ok: true, value: { at: 1 } })
    expect(loading.encode({ at: 1 })).toEqual({ ok: true, value: { at: "1" } })
    expect(loading.encode({ at: "1" })).toMatchObject({ ok: false })
    expect(loading.jsonSchema()).toMatchObject({ type: "object", required: ["at"] })
    await expect(check({ type: "object", $ref: "#/nowhere" }).ready).rejects.toThrow("nowhere")
  })

  it("never throws, and refuses nothing that it can not judge at once", async () => {
    const standard = (validate: () => never | Promise<never>): StandardSchemaWithJson => ({
      "~standard": {
        version: 1,
        vendor: "hand",
        validate,
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) }
      }
    })
    const throwing = standard(() => {
      throw new Error("odd")
    })
    expect(check(throwing)({})?.expected).toContain("odd")
    const later = check(standard(() => Promise.reject(new Error("later"))))
    expect(later({})).toBeUndefined()
    await expect(later.validate({})).rejects.toThrow("later")
  })
})
