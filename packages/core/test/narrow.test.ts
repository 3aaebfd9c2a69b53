/** What an older peer gets otherwise, and that everything else is handed on as it is. */
import { describe, expect, it } from "vitest"
import {
  narrowClientCapabilities,
  narrowImplementation,
  narrowServerCapabilities,
  narrowTool,
  narrowToolResult,
  only
} from "../src/narrow.js"
import { handshakeRevisions, v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25 } from "../src/revisions/index.js"

const text = { type: "text", text: "hi" }

describe("an object with only some members", () => {
  it("is the same object when it has no others", () => {
    const value = { a: 1 }
    expect(only(value, ["a", "b"])).toBe(value)
    expect(only({ a: 1, c: 2 }, ["a", "b"])).toEqual({ a: 1 })
  })
})

describe("what the newest revision says", () => {
  it("is handed on as it is", () => {
    const result = { content: [text], structuredContent: {}, _meta: {} }
    expect(narrowToolResult(result, v2025_11_25.features)).toBe(result)
    expect(narrowToolResult({ content: 7 }, v2025_11_25.features)).toEqual({ content: 7 })
  })
})

describe("a tool result", () => {
  const narrowed = (content: ReadonlyArray<object>, revision = v2024_11_05) =>
    (narrowToolResult({ content } as never, revision.features) as { content: unknown }).content

  it("leaves other blocks as they are, and the caller's array alone", () => {
    const content = [text, { type: "audio", data: "", mimeType: "audio/wav" }, text]
    const after = narrowed(content) as ReadonlyArray<unknown>
    expect(after[0]).toBe(text)
    expect(after[1]).toEqual({ type: "text", text: "[audio, audio/wav: this protocol version has no audio content]" })
    expect(content[1]).toMatchObject({ type: "audio" })
  })

  it("says what a block was that no revision knows", () => {
    for (const revision of handshakeRevisions)
      expect(narrowed([{ type: "hologram" }], revision)).toEqual([
        { type: "text", text: "[hologram: this protocol version has no such content]" }
      ])
    expect(narrowed([{ type: "resource_link", uri: "u", name: "n" }])).toEqual([{ type: "text", text: "n: u" }])
  })

  it("leaves what is no block for the check to find", () => {
    expect(narrowed([7 as never, null as never])).toEqual([7, null])
  })

  it("has annotations with the members there are, and none of a wrong type", () => {
    const annotated = { ...text, annotations: { audience: ["user"], priority: 1, lastModified: "d" } }
    expect(narrowed([annotated], v2025_06_18)).toEqual([annotated])
    expect(narrowed([annotated], v2025_03_26)).toEqual([{ ...text, annotations: { audience: ["user"], priority: 1 } }])
    expect(narrowed([{ ...text, annotations: 7 }])).toEqual([{ ...text, annotations: 7 }])
  })

  it("loses _meta inside and outside of a resource", () => {
    const block = (inner: object, outer: object) => ({
      type: "resource",
      resource: { uri: "u", text: "", ...inner },
      ...outer
    })
    expect(narrowed([block({ _meta: {} }, { _meta: {} })])).toEqual([block({}, {})])
    expect(narrowed([block({ _meta: {} }, {})])).toEqual([block({}, {})])
    expect(narrowed([block({}, { _meta: {} })])).toEqual([block({}, {})])
    expect(narrowed([block({ _meta: {} }, { _meta: {} })], v2025_06_18)).toEqual([block({ _meta: {} }, { _meta: {} })])
  })
})

describe("a tool", () => {
  const tool = { name: "t", inputSchema: {}, outputSchema: { type: "object" } }
  it("keeps an output schema of an object, and loses any other", () => {
    expect(narrowTool(tool, v2025_11_25.features)).toBe(tool)
    expect(narrowTool({ ...tool, outputSchema: { type: "string" } }, v2025_11_25.features)).toEqual({
      name: "t",
      inputSchema: {}
    })
    expect(narrowTool(tool, v2025_03_26.features)).toEqual({ name: "t", inputSchema: {} })
    expect(narrowTool({ name: "t", inputSchema: {} }, v2025_11_25.features)).toEqual({ name: "t", inputSchema: {} })
  })
})

describe("names and capabilities", () => {
  it("lose the members that the revision has not", () => {
    expect(narrowImplementation({ name: "n", version: "v", title: "t", icons: [] }, v2025_06_18.features)).toEqual({
      name: "n",
      version: "v",
      title: "t"
    })
    expect(narrowServerCapabilities({ tools: {}, completions: {}, tasks: {} }, v2024_11_05.features)).toEqual({
      tools: {}
    })
    expect(narrowClientCapabilities({ roots: {}, elicitation: {}, tasks: {} }, v2025_06_18.features)).toEqual({
      roots: {},
      elicitation: {}
    })
  })
})
