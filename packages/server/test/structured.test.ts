/** Structured results with words of their own. */
import { describe, expect, it } from "vitest"
import * as Schema from "effect/Schema"
import { defineServer, structured, tool } from "../src/index.js"
import { modern } from "./modern.js"
import { talking } from "./talk.js"

const info = { name: "structured", version: "1.0.0" }
const output = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const
const image = { type: "image", data: "AA==", mimeType: "image/png" } as const

it.each([
  ["text", "five", [{ type: "text", text: "five" }]],
  ["a block", image, [image]],
  ["blocks", [image, { type: "text", text: "x" } as const], [image, { type: "text", text: "x" }]],
  ["nothing", [], []]
])("are sent with %s beside the value", async (_, content, blocks) => {
  const add = tool("add", { output }, () => Promise.resolve(structured({ sum: 5 }, content)))
  const talk = await talking(defineServer(info, [add]))
  expect(await talk.call("add")).toEqual({ content: blocks, structuredContent: { sum: 5 } })
  const old = await talking(defineServer(info, [add]), {}, "2025-03-26")
  expect(await old.call("add")).toEqual({ content: blocks })
})

it("never leave when the value breaks the output schema", async () => {
  const add = tool("add", { output }, () => structured({ sum: "5" } as never, "five"))
  const talk = await talking(defineServer(info, [add]))
  expect(await talk.call("add")).toMatchObject({ isError: true })
  expect(String(talk.crashes[0]![1])).toContain("output schema")
})

describe("an output that is no object", () => {
  const list = tool("list", { output: { type: "array", items: { type: "number" } } as const }, () => [1, 2])
  const count = tool("count", { output: { type: "integer" } as const }, () => structured(3, "three"))
  const nothing = tool("nothing", { output: { type: "null" } as const }, () => null)
  const either = tool("either", { output: Schema.Union([Schema.String, Schema.Finite]) }, () => Promise.resolve("x"))
  const wrong = tool("wrong", { output: { type: "array", items: { type: "number" } } as const }, () => ["1"])
  const server = defineServer(info, [list, count, nothing, either, wrong])

  it.each([
    ["list", [1, 2], "[1,2]"],
    ["count", 3, "three"],
    ["nothing", null, "null"],
    ["either", "x", '"x"']
  ])("is the structured content of %s since 2026-07-28, and before that the text", async (name, value, text) => {
    const content = [{ type: "text", text }]
    expect(await modern(server).tool(name)).toMatchObject({ content, structuredContent: value })
    for (const revision of ["2025-11-25", "2025-06-18", "2024-11-05"])
      expect(await (await talking(server, {}, revision)).call(name)).toEqual({ content })
  })

  it("is announced since 2026-07-28", async () => {
    const schemas = (result: { tools: ReadonlyArray<{ outputSchema?: object }> }) =>
      result.tools.map(({ outputSchema }) => outputSchema)
    const newer = schemas((await modern(server).ask("tools/list")).result)
    expect(newer.slice(0, 3)).toEqual([
      { type: "array", items: { type: "number" } },
      { type: "integer" },
      { type: "null" }
    ])
    expect(newer[3]).toMatchObject({ anyOf: [{ type: "string" }, { type: "number" }] })
    for (const revision of ["2025-11-25", "2025-06-18", "2024-11-05"]) {
      const older = schemas((await (await talking(server, {}, revision)).ask("tools/list")).result)
      expect(older).toEqual([undefined, undefined, undefined, undefined, undefined])
    }
  })

  it("never leaves when it breaks its schema", async () => {
    const talk = modern(server)
    expect(await talk.tool("wrong")).toMatchObject({ isError: true })
    expect(String(talk.crashes[0]![1])).toContain("output schema")
  })
})
