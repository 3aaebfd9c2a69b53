/** What a peer of another revision gets otherwise, and that everything else is handed on as it is. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../src/json.js"
import { hasMember } from "../src/has-member.js"
import { hasName, merged, narrowed, narrowedItem, narrowedResult } from "../src/narrow.js"
import {
  handshakeRevisions,
  revisions,
  v2024_11_05,
  v2025_03_26,
  v2025_06_18,
  v2025_11_25,
  v2026_07_28
} from "../src/revisions/index.js"

const text = { type: "text", text: "hi" }

describe("what the revision has", () => {
  it("is handed on as it is, the same object", () => {
    const result = { content: [text], structuredContent: {}, _meta: {} }
    expect(narrowedResult(v2025_11_25, "tools/call", result)).toBe(result)
    expect(narrowedResult(v2025_06_18, "tools/call", result)).toBe(result)
    const plain = { content: [text], isError: true, _meta: {} }
    for (const revision of handshakeRevisions) expect(narrowedResult(revision, "tools/call", plain)).toBe(plain)
  })

  it("is left alone where it has no shape at all: the check will find it", () => {
    for (const revision of revisions)
      for (const content of [7, null, "x", [7, null, []]])
        expect(narrowedResult(revision, "tools/call", { content })).toEqual({ content })
  })
})

describe("a tool result", () => {
  const content = (blocks: ReadonlyArray<object>, revision = v2024_11_05) =>
    (narrowedResult(revision, "tools/call", { content: blocks } as never) as { content: unknown }).content

  it("leaves other blocks as they are, and the caller's array alone", () => {
    const blocks = [text, { type: "audio", data: "", mimeType: "audio/wav" }, text]
    const after = content(blocks) as ReadonlyArray<unknown>
    expect(after[0]).toBe(text)
    expect(after[1]).toEqual({ type: "text", text: "[audio, audio/wav: this protocol version has no audio content]" })
    expect(blocks[1]).toMatchObject({ type: "audio" })
    expect(content(blocks, v2025_03_26)).toBe(blocks)
  })

  it("has links by their title, or by their name", () => {
    const link = { type: "resource_link", uri: "u", name: "n" }
    expect(content([link])).toEqual([{ type: "text", text: "n: u" }])
    expect(content([{ ...link, title: "T" }], v2025_03_26)).toEqual([{ type: "text", text: "T: u" }])
    expect(content([{ ...link, icons: [] }], v2025_06_18)).toEqual([link])
  })

  it("leaves kinds that no revision knows for the check to find", () => {
    for (const revision of handshakeRevisions)
      expect(content([{ type: "hologram" }, { type: "constructor" }, { type: ["audio"] }], revision)).toEqual([
        { type: "hologram" },
        { type: "constructor" },
        { type: ["audio"] }
      ])
  })

  it("has annotations with the members there are, and leaves those of a wrong type", () => {
    const annotated = { ...text, annotations: { audience: ["user"], priority: 1, lastModified: "d" } }
    expect(content([annotated], v2025_06_18)).toEqual([annotated])
    expect(content([annotated], v2025_03_26)).toEqual([{ ...text, annotations: { audience: ["user"], priority: 1 } }])
    expect(content([{ ...text, annotations: 7 }])).toEqual([{ ...text, annotations: 7 }])
  })

  it("loses _meta inside and outside of a resource", () => {
    const block = (inner: object, outer: object) => ({
      type: "resource",
      resource: { uri: "u", text: "", ...inner },
      ...outer
    })
    expect(content([block({ _meta: {} }, { _meta: {} })])).toEqual([block({}, {})])
    expect(content([block({ _meta: {} }, {})])).toEqual([block({}, {})])
    expect(content([block({}, { _meta: {} })])).toEqual([block({}, {})])
    expect(content([block({ _meta: {} }, { _meta: {} })], v2025_06_18)).toEqual([block({ _meta: {} }, { _meta: {} })])
  })

  it("has structured content where the revision has it, and only when it is an object where there are only those", () => {
    for (const structuredContent of [[1], "x", 1, null]) {
      const result = { content: [], structuredContent }
      for (const revision of handshakeRevisions)
        expect(narrowedResult(revision, "tools/call", result)).toEqual({ content: [] })
      expect(narrowedResult(v2026_07_28, "tools/call", result)).toBe(result)
    }
    const both = { content: [], structuredContent: { a: 1 } }
    expect(narrowedResult(v2025_06_18, "tools/call", both)).toEqual(both)
    expect(narrowedResult(v2025_03_26, "tools/call", both)).toEqual({ content: [] })
  })

  it("says its type only where results have one", () => {
    const result = { content: [text], resultType: "complete" }
    expect(narrowedResult(v2025_11_25, "tools/call", result)).toEqual({ content: [text] })
    expect(narrowedResult(v2026_07_28, "tools/call", result)).toBe(result)
  })
})

describe("the result of a request", () => {
  const link = { type: "resource_link", uri: "u", name: "n" }
  it("is narrowed by its method's shape", () => {
    const prompt = { messages: [{ role: "user", content: link }] }
    expect(narrowedResult(v2025_03_26, "prompts/get", prompt)).toEqual({
      messages: [{ role: "user", content: { type: "text", text: "n: u" } }]
    })
    const read = { contents: [{ uri: "u", text: "", _meta: {} }] }
    expect(narrowedResult(v2025_03_26, "resources/read", read)).toEqual({ contents: [{ uri: "u", text: "" }] })
    expect(narrowedResult(v2025_06_18, "resources/read", read)).toBe(read)
    expect(narrowedResult(v2025_03_26, "tools/call", { content: [link], structuredContent: {} })).toEqual({
      content: [{ type: "text", text: "n: u" }]
    })
  })
  it("says how long it may be kept only where that is known", () => {
    const read = { contents: [{ uri: "u", text: "" }], ttlMs: 1, cacheScope: "public", resultType: "complete" }
    expect(narrowedResult(v2025_11_25, "resources/read", read)).toEqual({ contents: read.contents })
    expect(narrowedResult(v2026_07_28, "resources/read", read)).toBe(read)
    const complete = { completion: { values: [] }, resultType: "complete" }
    expect(narrowedResult(v2025_11_25, "completion/complete", complete)).toEqual({ completion: { values: [] } })
    expect(narrowedResult(v2026_07_28, "completion/complete", complete)).toBe(complete)
  })
  it("loses what the revision has no longer", () => {
    const answer = { action: "decline", _meta: {} }
    expect(narrowedResult(v2025_11_25, "elicitation/create", answer)).toBe(answer)
    expect(narrowedResult(v2026_07_28, "elicitation/create", answer)).toEqual({ action: "decline" })
    const roots = { roots: [{ uri: "u", _meta: {} }], _meta: {} }
    expect(narrowedResult(v2026_07_28, "roots/list", roots)).toEqual({ roots: roots.roots })
    expect(narrowedResult(v2025_06_18, "roots/list", roots)).toBe(roots)
    expect(narrowedResult(v2025_03_26, "roots/list", roots)).toEqual({ roots: [{ uri: "u" }], _meta: {} })
  })
  it("is handed on where there is nothing to narrow", () => {
    const result = { completion: { values: [] } }
    for (const method of ["completion/complete", "constructor"])
      expect(narrowedResult(v2024_11_05, method, result)).toBe(result)
  })
})

describe("what is no tool's", () => {
  const said: JsonObject = { name: "n", outputSchema: { type: "array" }, structuredContent: 7 }

  it.each(revisions.flatMap((revision) => Object.keys(revision.client).map((method) => [revision, method] as const)))(
    "keeps what is only called like a tool's: %o %s",
    (revision, method) => {
      if (method !== "tools/list") expect(narrowedItem(revision, method, said)).toMatchObject(said)
      if (method !== "tools/call") expect(narrowedResult(revision, method, said)).toMatchObject(said)
    }
  )
})

describe("a listed tool", () => {
  const tool = { name: "t", inputSchema: {}, outputSchema: { type: "object" } }
  it("keeps an output schema of an object, and loses any other", () => {
    expect(narrowedItem(v2025_11_25, "tools/list", tool)).toBe(tool)
    expect(narrowedItem(v2025_11_25, "tools/list", { ...tool, outputSchema: { type: "string" } })).toEqual({
      name: "t",
      inputSchema: {}
    })
    expect(narrowedItem(v2025_03_26, "tools/list", tool)).toEqual({ name: "t", inputSchema: {} })
    expect(narrowedItem(v2025_11_25, "tools/list", { name: "t", inputSchema: {} })).toEqual({
      name: "t",
      inputSchema: {}
    })
  })
  it("keeps any output schema where there are such, and loses what is gone", () => {
    const any = { ...tool, outputSchema: { anyOf: [] }, icons: [] }
    expect(narrowedItem(v2026_07_28, "tools/list", any)).toEqual(any)
    expect(narrowedItem(v2026_07_28, "tools/list", { ...any, execution: { taskSupport: "optional" } })).toEqual(any)
    const run = { ...tool, execution: { taskSupport: "optional" } }
    expect(narrowedItem(v2025_11_25, "tools/list", run)).toBe(run)
    expect(narrowedItem(v2025_06_18, "tools/list", run)).toEqual(tool)
  })
  it("has a schema that is not looked into", () => {
    const schema = { type: "object", properties: { title: {}, _meta: {}, icons: {} }, title: "T", icons: [] }
    expect(narrowedItem(v2024_11_05, "tools/list", { name: "t", inputSchema: schema, title: "T" })).toEqual({
      name: "t",
      inputSchema: schema
    })
  })
})

describe("names and capabilities", () => {
  it("lose the members that the revision has not", () => {
    const info = { name: "n", version: "v", title: "t", icons: [], description: "d", websiteUrl: "w" }
    expect(narrowed(v2025_06_18, v2025_06_18.info, info)).toEqual({ name: "n", version: "v", title: "t" })
    expect(narrowed(v2025_11_25, v2025_11_25.info, info)).toBe(info)
    expect(narrowed(v2024_11_05, v2024_11_05.capabilities.server, { tools: {}, completions: {}, tasks: {} })).toEqual({
      tools: {}
    })
    expect(
      narrowed(v2025_06_18, v2025_06_18.capabilities.client, {
        roots: {},
        elicitation: { form: {}, url: {} },
        tasks: {}
      })
    ).toEqual({ roots: {}, elicitation: {} })
    expect(narrowed(v2024_11_05, v2024_11_05.capabilities.client, { sampling: { tools: {}, context: {} } })).toEqual({
      sampling: {}
    })
  })

  it("lose the members that the revision has no longer", () => {
    const capabilities = { roots: { listChanged: true }, tasks: {}, extensions: { "a.b/c": {} } }
    expect(narrowed(v2026_07_28, v2026_07_28.capabilities.client, capabilities)).toEqual({
      roots: {},
      extensions: { "a.b/c": {} }
    })
    expect(narrowed(v2025_11_25, v2025_11_25.capabilities.client, capabilities)).toEqual({
      roots: { listChanged: true },
      tasks: {}
    })
    const served = { tools: { listChanged: true }, tasks: {}, extensions: { "a.b/c": {} } }
    expect(narrowed(v2026_07_28, v2026_07_28.capabilities.server, served)).toEqual({
      tools: { listChanged: true },
      extensions: { "a.b/c": {} }
    })
  })

  it("have their names since their revision, and until it is gone", () => {
    const named = (revision: typeof v2024_11_05) =>
      ["completions", "extensions", "tasks", "tools"].filter((name) => hasName(revision, "server", name))
    expect(named(v2026_07_28)).toEqual(["completions", "extensions", "tools"])
    expect(hasName(v2026_07_28, "client", "tasks")).toBe(false)
    for (const name of ["roots", "sampling", "elicitation", "extensions", "experimental"])
      expect(hasName(v2026_07_28, "client", name)).toBe(true)
    expect(named(v2024_11_05)).toEqual(["tools"])
    expect(named(v2025_03_26)).toEqual(["completions", "tools"])
    expect(named(v2025_11_25)).toEqual(["completions", "tasks", "tools"])
    expect(hasName(v2025_03_26, "client", "elicitation")).toBe(false)
    expect(hasName(v2025_06_18, "client", "elicitation")).toBe(true)
    expect(hasName(v2025_06_18, "client", "tools")).toBe(false)
    expect(hasName(v2025_06_18, "server", "experimental")).toBe(true)
    expect(hasName(v2025_06_18, "server", "too")).toBe(false)
  })

  it("tell which members a shape has", () => {
    expect(hasMember(v2025_06_18, "ElicitParams", "mode")).toBe(false)
    expect(hasMember(v2025_11_25, "ElicitParams", "mode")).toBe(true)
    expect(hasMember(v2025_11_25, "ElicitParams", "elicitationId")).toBe(true)
    expect(hasMember(v2026_07_28, "ElicitParams", "elicitationId")).toBe(false)
    expect(hasMember(v2024_11_05, "ElicitParams", "message")).toBe(false)
    expect(hasMember(v2025_06_18, "ElicitParams", "requestedSchema")).toBe(true)
  })
})

it("copies no member that would become a prototype", () => {
  const hostile = JSON.parse('{"resultType":"complete","__proto__":{"completion":1},"completion":{}}') as JsonObject
  const kept = narrowedResult(v2025_11_25, "completion/complete", Object.freeze(hostile))
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
  expect(kept).toEqual({ completion: {} })
})

it("merges own members, later ones in place of earlier ones", () => {
  const inherits = Object.assign(Object.create({ a: 1 }) as object, { b: 2, c: 3 })
  expect(merged(inherits, undefined, { c: 4, d: undefined })).toStrictEqual({ b: 2, c: 4, d: undefined })
})
