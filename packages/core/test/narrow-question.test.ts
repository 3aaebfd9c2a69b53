/** Questions for older clients say as much as those can show; answers come back as the revision has them. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../src/json.js"
import { narrowedQuestion } from "../src/narrow-question.js"
import { narrowedResult } from "../src/narrow.js"
import type { Peer } from "../src/peer.js"
import type { Revision } from "../src/revision.js"
import { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 } from "../src/revisions/index.js"

const peerOf = (revision: Revision, capabilities: JsonObject): Peer => ({
  revision: revision.name,
  capabilities,
  info: {}
})
const asked = (revision: Revision, method: string, params?: JsonObject, capabilities: JsonObject = {}) =>
  narrowedQuestion(revision, peerOf(revision, capabilities), method, params)

describe("a form", () => {
  const fields: JsonObject = {
    free: { type: "string", title: "Free", default: "x", minLength: 1 },
    count: { type: "integer", default: 2 },
    sure: { type: "boolean", default: true },
    one: { type: "string", enum: ["a", "b"], default: "a" },
    titled: { type: "string", oneOf: [{ const: "a", title: "A" }, 7, { const: "b", title: "B" }] },
    odd: 7
  }
  const form = (properties: JsonObject): JsonObject => ({
    mode: "form",
    message: "m",
    requestedSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties,
      required: []
    }
  })

  it("is handed on whole where there are all kinds of fields", () => {
    const params = form(fields)
    expect(asked(v2025_11_25, "elicitation/create", params)).toBe(params)
  })

  it("has single choices without titles of their own and defaults for booleans only before", () => {
    expect(asked(v2025_06_18, "elicitation/create", form(fields))).toEqual({
      message: "m",
      requestedSchema: {
        type: "object",
        properties: {
          free: { type: "string", title: "Free", minLength: 1 },
          count: { type: "integer" },
          sure: { type: "boolean", default: true },
          one: { type: "string", enum: ["a", "b"] },
          titled: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
          odd: 7
        },
        required: []
      }
    })
  })

  it("with choices of several can not be said before: the row's check refuses it", () => {
    const several = form({ many: { type: "array", items: { type: "string", enum: ["a"] } } })
    const row = v2025_06_18.server["elicitation/create"]!
    expect(row.params(asked(v2025_06_18, "elicitation/create", several)!)).toBeDefined()
    expect(v2025_11_25.server["elicitation/create"]!.params(several)).toBeUndefined()
  })

  it("without fields is left for the row's check", () => {
    for (const requestedSchema of [7, null, {}, { properties: 7 }])
      expect(asked(v2025_06_18, "elicitation/create", { message: "m", requestedSchema })).toEqual({
        message: "m",
        requestedSchema
      })
  })
})

describe("a question to the client's model", () => {
  const tools = [{ name: "t", inputSchema: { type: "object" } }]
  const params = { messages: [], maxTokens: 1, tools, toolChoice: {}, includeContext: "thisServer" }

  it("has tools and context only where the client declared them", () => {
    expect(asked(v2025_11_25, "sampling/createMessage", params, { sampling: {} })).toEqual({
      messages: [],
      maxTokens: 1
    })
    expect(asked(v2025_11_25, "sampling/createMessage", params, { sampling: { tools: {} } })).toEqual({
      messages: [],
      maxTokens: 1,
      tools,
      toolChoice: {}
    })
    expect(asked(v2025_11_25, "sampling/createMessage", params, { sampling: { context: {} } })).toEqual({
      messages: [],
      maxTokens: 1,
      includeContext: "thisServer"
    })
    const none = { messages: [], maxTokens: 1, includeContext: "none" }
    expect(asked(v2025_11_25, "sampling/createMessage", none, { sampling: {} })).toEqual(none)
  })

  it("has context as before, and no tools whatever was declared, on older revisions", () => {
    for (const revision of [v2024_11_05, v2025_03_26, v2025_06_18])
      expect(asked(revision, "sampling/createMessage", params, { sampling: { tools: {} } })).toEqual({
        messages: [],
        maxTokens: 1,
        includeContext: "thisServer"
      })
  })

  it("has one block in each message on older revisions", () => {
    const messages = [
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "audio", data: "", mimeType: "audio/wav" }
        ]
      },
      { role: "assistant", content: { type: "text", text: "b" } },
      { role: "user", content: [] },
      { role: "assistant", content: [{ type: "tool_use", id: "u", name: "look", input: { at: 1 } }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            toolUseId: "u",
            content: [
              { type: "text", text: "seen" },
              { type: "audio", data: "", mimeType: "audio/wav" },
              { type: "image", data: "", mimeType: "image/png" },
              { type: "resource", resource: { uri: "file:///a", blob: "" } },
              7
            ]
          },
          { type: "tool_result", toolUseId: "u", content: 7 }
        ],
        _meta: {}
      }
    ]
    const question = { messages, maxTokens: 1 }
    expect(asked(v2025_11_25, "sampling/createMessage", question)).toEqual(question)
    const audio = "[audio, audio/wav: this protocol version has no audio content]"
    const image = "[image, image/png]"
    const other = "[resource: this protocol version has no such content]"
    expect(asked(v2024_11_05, "sampling/createMessage", question)).toEqual({
      messages: [
        { role: "user", content: { type: "text", text: "a" } },
        { role: "user", content: { type: "text", text: audio } },
        { role: "assistant", content: { type: "text", text: "b" } },
        { role: "assistant", content: { type: "text", text: "[the tool look was called]" } },
        { role: "user", content: { type: "text", text: `[the tool's result: seen\n${audio}\n${image}\n${other}]` } },
        { role: "user", content: { type: "text", text: "[the tool's result: ]" } }
      ],
      maxTokens: 1
    })
    for (const wrong of [7, [7], [null]])
      expect(asked(v2024_11_05, "sampling/createMessage", { messages: wrong })).toEqual({ messages: wrong })
  })
})

describe("what a tool came to, told to an older client's model", () => {
  it.each<[JsonObject, string]>([
    [{ type: "text", text: "t" }, "t"],
    [{ type: "resource", resource: { uri: "a:1", text: "a text" } }, "a text"],
    [{ type: "resource", resource: { uri: "a:1", blob: "" } }, "[resource: this protocol version has no such content]"],
    [{ type: "resource", resource: null }, "[resource: this protocol version has no such content]"],
    [{ type: "resource_link", uri: "a:1", name: "n" }, "n: a:1"],
    [{ type: "resource_link", uri: "a:1", name: "n", title: "T" }, "T: a:1"],
    [{ type: "hologram" }, "[hologram: this protocol version has no such content]"]
  ])("has the block %j in words", (block, words) => {
    const messages = [{ role: "user", content: [{ type: "tool_result", toolUseId: "u", content: [block] }] }]
    for (const revision of [v2024_11_05, v2025_03_26, v2025_06_18])
      expect(asked(revision, "sampling/createMessage", { messages })).toEqual({
        messages: [{ role: "user", content: { type: "text", text: `[the tool's result: ${words}]` } }]
      })
  })
})

describe("everything else", () => {
  it("is asked as it is", () => {
    const params = { _meta: { a: 1 } }
    expect(asked(v2024_11_05, "roots/list", params)).toBe(params)
    for (const method of ["roots/list", "elicitation/create", "sampling/createMessage"])
      expect(asked(v2024_11_05, method, undefined)).toBeUndefined()
  })
})

describe("an answer", () => {
  it("has the members that the revision has", () => {
    const roots = { roots: [{ uri: "file:///a", name: "a", _meta: {} }] }
    expect(narrowedResult(v2025_06_18, "roots/list", roots)).toBe(roots)
    expect(narrowedResult(v2025_03_26, "roots/list", roots)).toEqual({ roots: [{ uri: "file:///a", name: "a" }] })
    const sampled = { role: "assistant", model: "m", content: { type: "text", text: "t", _meta: {} } }
    expect(narrowedResult(v2025_03_26, "sampling/createMessage", sampled)).toEqual({
      ...sampled,
      content: { type: "text", text: "t" }
    })
    const elicited = { action: "accept" }
    expect(narrowedResult(v2025_06_18, "elicitation/create", elicited)).toBe(elicited)
    expect(narrowedResult(v2025_06_18, "constructor", elicited)).toBe(elicited)
  })
})

describe("a question inside a result", () => {
  it("is no message of its own: it has no _meta, is no task, and nothing tells when a page is done", () => {
    const extra = { task: {}, _meta: { progressToken: 1 } }
    const page = { mode: "url", message: "m", url: "https://example.com" }
    const asks: ReadonlyArray<readonly [string, JsonObject, JsonObject]> = [
      ["elicitation/create", { ...page, elicitationId: "1", ...extra }, page],
      [
        "sampling/createMessage",
        {
          messages: [],
          maxTokens: 1,
          tools: [{ name: "t", inputSchema: { type: "object" }, execution: {} }],
          ...extra
        },
        { messages: [], maxTokens: 1, tools: [{ name: "t", inputSchema: { type: "object" } }] }
      ]
    ]
    for (const [method, params, kept] of asks) {
      const question = asked(v2026_07_28, method, params, { sampling: { tools: {} } })
      expect(question).toEqual(kept)
      expect(v2026_07_28.questions[method]!.params(question)).toBeUndefined()
    }
  })
})
