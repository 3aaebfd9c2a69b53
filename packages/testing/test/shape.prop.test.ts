/** The closed shapes accept what their schemas mean, and nothing beside. */
import { schemas } from "@parley/core/schemas"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { tape } from "../src/chance.js"
import { misfit } from "../src/shape.js"
import { valueOf } from "../src/value.js"

const numbers = fc.array(fc.nat(0xffff), { maxLength: 40 })

describe.each(Object.keys(schemas) as ReadonlyArray<keyof typeof schemas>)("the shapes of %s", (revision) => {
  it("accept what is drawn from them", () => {
    for (const [name, schema] of Object.entries(schemas[revision] as Record<string, unknown>))
      fc.assert(
        fc.property(numbers, (drawn) => {
          expect(misfit(schema, valueOf(schema, tape(drawn))), name).toBeUndefined()
        }),
        { numRuns: 20 }
      )
  })
})

describe("a value that does not fit", () => {
  const shapes = schemas["2025-06-18"]
  it.each([
    [{ name: "t", inputSchema: { type: "object" }, icons: [] }, "/icons"],
    [{ name: 7, inputSchema: { type: "object" } }, "/name"],
    [{ inputSchema: { type: "object" } }, "/name"],
    [{ name: "t", inputSchema: { type: "array" } }, "/inputSchema/type"],
    [{ name: "t", inputSchema: { type: "object" }, annotations: { readOnlyHint: "yes" } }, "/annotations/readOnlyHint"],
    [7, ""],
    [[], ""]
  ])("%j is wrong at %j", (value, at) => expect(misfit(shapes.Tool, value)).toBe(at))

  it("of a union is wrong where the closest alternative is", () => {
    const result = (block: object) => misfit(shapes.CallToolResult, { content: [block] })
    expect(result({ type: "text", text: 7 })).toMatch(/^\/content\/0\//)
    expect(result({ type: "text", text: "a", annotations: { priority: 2 } })).toBe("/content/0/annotations/priority")
    expect(result({ type: "text", text: "a", _meta: { any: [1] } })).toBeUndefined()
    expect(misfit(shapes.CallToolResult, { content: {} })).toBe("/content")
  })

  it("is a number of the wrong kind", () => {
    const progress = (value: unknown) => misfit(shapes.ProgressParams, { progressToken: "t", progress: value })
    expect(progress(1.5)).toBeUndefined()
    for (const value of [Number.NaN, Infinity, "1"]) expect(progress(value)).toBe("/progress")
    expect(misfit(shapes.CancelledParams, { requestId: 1.5 })).toBe("/requestId")
  })
})
