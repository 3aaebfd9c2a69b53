/** Structured results with words of their own. */
import { expect, it } from "vitest"
import { defineServer, structured, tool } from "../src/index.js"
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
