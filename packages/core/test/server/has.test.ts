/** What a server has beside tools: resources, templates and prompts listed and asked for, and tools that need more of a client. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { ask, call, codes, define, everything, messages, ready, revisionNames, tool } from "./by-hand.js"

const icons = [{ src: "https://example.com/i.png" }]
const whole: JsonObject = { title: "T", description: "D", _meta: { a: 1 }, icons }
const server = define(everything, {
  pageSize: 2,
  resources: [1, 2, 3].map((n) => ({
    uri: `a:${n}`,
    name: `r${n}`,
    mimeType: "text/plain",
    size: 5,
    annotations: { priority: 1, lastModified: "2025-01-01T00:00:00Z" },
    ...whole
  })),
  templates: [{ uriTemplate: "a:{n}", name: "t", mimeType: "text/plain", ...whole }],
  prompts: [
    { name: "p", arguments: [{ name: "day", title: "Day", required: true }, { name: "guests" }], ...whole },
    { name: "q" },
    { name: "toString" }
  ]
})
type Listed = { readonly result: JsonObject }
const listed = (revision: (typeof revisionNames)[number], method: string, cursor?: string) =>
  (ready(revision, server).said(ask(1, method, cursor === undefined ? {} : { cursor }))[0] as Listed).result

describe("resources", () => {
  it("are listed page by page", () => {
    const first = listed("2025-11-25", "resources/list")
    expect((first["resources"] as ReadonlyArray<JsonObject>).map(({ uri }) => uri)).toEqual(["a:1", "a:2"])
    const second = listed("2025-11-25", "resources/list", first["nextCursor"] as string)
    expect((second["resources"] as ReadonlyArray<JsonObject>).map(({ uri }) => uri)).toEqual(["a:3"])
    expect(second).not.toHaveProperty("nextCursor")
  })

  it.each([
    ["2025-11-25", ["uri", "name", "mimeType", "size", "annotations", "title", "description", "_meta", "icons"]],
    ["2025-06-18", ["uri", "name", "mimeType", "size", "annotations", "title", "description", "_meta"]],
    ["2025-03-26", ["uri", "name", "mimeType", "size", "annotations", "description"]],
    ["2024-11-05", ["uri", "name", "mimeType", "size", "annotations", "description"]]
  ] as const)("have the members that %s has", (revision, members) => {
    const [one] = listed(revision, "resources/list")["resources"] as ReadonlyArray<JsonObject>
    expect(Object.keys(one!)).toEqual(members)
    expect(Object.keys(one!["annotations"] as object)).toHaveLength(revision < "2025-06-18" ? 1 : 2)
    const [template] = listed(revision, "resources/templates/list")["resourceTemplates"] as ReadonlyArray<JsonObject>
    expect(Object.keys(template!)).toEqual([
      "uriTemplate",
      ...members.filter((key) => key !== "uri" && key !== "size" && key !== "annotations")
    ])
  })

  it("have cursors of their own", () => {
    for (const method of ["resources/list", "resources/templates/list", "prompts/list"])
      expect(codes(ready("2025-11-25", server).said(ask(1, method, { cursor: "after:echo" })))).toEqual([-32602])
  })

  it.each(revisionNames)("that are not there are -32002 with their URI on %s", (revision) => {
    const by = ready(revision, server)
    by.hear(ask(1, "resources/read", { uri: "a:9" }))
    expect(
      messages(by.tell({ _tag: "Failed", call: 1, id: 1, failure: { _tag: "ResourceUnknown", uri: "a:9" } }))
    ).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32002, message: "Resource not found: a:9", data: { uri: "a:9" } } }
    ])
  })

  it.each(revisionNames)("that can not be read are an internal error on %s", (revision) => {
    const by = ready(revision, server)
    by.hear(ask(1, "resources/read", { uri: "a:1" }))
    expect(codes(messages(by.tell({ _tag: "Failed", call: 1, id: 1, failure: { _tag: "Crashed" } })))).toEqual([-32603])
  })

  it.each(revisionNames)("that are read are told apart by text and blob on %s", (revision) => {
    const by = ready(revision, server)
    by.hear(ask(1, "resources/read", { uri: "a:1" }))
    const contents = [
      { uri: "a:1", text: "t", mimeType: "text/plain" },
      { uri: "a:2", blob: "AA==" }
    ]
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: { contents } }))).toEqual([
      { jsonrpc: "2.0", id: 1, result: { contents } }
    ])
    by.hear(ask(2, "resources/read", { uri: "a:1" }))
    const neither = { contents: [{ uri: "a:1" }] }
    expect(codes(messages(by.tell({ _tag: "Succeeded", call: 2, id: 2, result: neither })))).toEqual([-32603])
  })
})

describe("prompts", () => {
  it.each([
    ["2025-11-25", ["name", "arguments", "title", "description", "_meta", "icons"], ["name", "title", "required"]],
    ["2025-06-18", ["name", "arguments", "title", "description", "_meta"], ["name", "title", "required"]],
    ["2025-03-26", ["name", "arguments", "description"], ["name", "required"]],
    ["2024-11-05", ["name", "arguments", "description"], ["name", "required"]]
  ] as const)("have the members that %s has", (revision, members, argument) => {
    const [one] = listed(revision, "prompts/list")["prompts"] as ReadonlyArray<JsonObject>
    expect(Object.keys(one!)).toEqual(members)
    expect(Object.keys((one!["arguments"] as ReadonlyArray<object>)[0]!)).toEqual(argument)
  })

  it("reach their handler with their arguments", () => {
    const by = ready("2025-11-25", server)
    for (const given of [{ day: "x" }, { day: "", guests: "2", more: "y" }])
      expect(by.hear(ask(JSON.stringify(given), "prompts/get", { name: "p", arguments: given }))).toMatchObject([
        { _tag: "Invoke", target: { _tag: "Prompt", name: "p", arguments: given } }
      ])
    expect(by.hear(ask("q", "prompts/get", { name: "q" }))).toMatchObject([{ target: { name: "q", arguments: {} } }])
    expect(by.hear(ask("t", "prompts/get", { name: "toString" }))).toMatchObject([{ _tag: "Invoke" }])
  })

  it.each(revisionNames)("that are not there, or lack an argument, are -32602 on %s", (revision) => {
    const by = ready(revision, server)
    for (const name of ["nope", "constructor", ""])
      expect(by.said(ask(1, "prompts/get", { name }))).toEqual([
        { jsonrpc: "2.0", id: 1, error: { code: -32602, message: `Unknown prompt: ${name}` } }
      ])
    for (const given of [{}, { guests: "2" }, undefined])
      expect(by.said(ask(1, "prompts/get", { name: "p", arguments: given }))).toMatchObject([
        { error: { code: -32602, message: expect.stringContaining("arguments.day: expected a string") as unknown } }
      ])
    expect(codes(by.said(ask(1, "prompts/get", { name: "p", arguments: { day: 7 } })))).toEqual([-32602])
    expect(by.state().inFlight.size).toBe(0)
  })

  it("have content that older peers lack in words", () => {
    const by = ready("2024-11-05", server)
    by.hear(ask(1, "prompts/get", { name: "q" }))
    const content = { type: "audio", data: "", mimeType: "audio/wav" }
    const result = { messages: [{ role: "user", content }], description: "d" }
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result }))).toMatchObject([
      { result: { description: "d", messages: [{ role: "user", content: { type: "text" } }] } }
    ])
  })
})

describe("a tool that needs more of its client", () => {
  const needy = define(
    { tools: {} },
    {
      tools: [tool("book"), tool("plain"), tool("constructor")],
      requires: { book: ["roots", "elicitation"], plain: [] }
    }
  )
  it("is not called where that was not declared, and says what is missing", () => {
    for (const [capabilities, need] of [
      [{}, "roots, elicitation"],
      [{ roots: {} }, "elicitation"],
      [{ roots: {}, elicitation: { url: {} } }, "elicitation.form"]
    ] as const) {
      const by = ready("2025-11-25", needy, {}, capabilities)
      const text = `The tool book needs what the client did not declare: ${need}`
      expect(by.hear(call(1, "book"))).toMatchObject([
        { _tag: "Send", message: { id: 1, result: { isError: true, content: [{ type: "text", text }] } }, last: true }
      ])
    }
  })
  it("does not stand for a prompt or a resource of its name", () => {
    const names = { prompts: [{ name: "book" }], requires: { book: ["roots"], undefined: ["roots"] } }
    const by = ready("2025-11-25", define(everything, names))
    expect(by.hear(ask(1, "prompts/get", { name: "book" }))).toMatchObject([{ _tag: "Invoke" }])
    expect(by.hear(ask(2, "resources/read", { uri: "book" }))).toMatchObject([{ _tag: "Invoke" }])
  })

  it("is called where it was, and others always", () => {
    const by = ready("2025-11-25", needy, {}, { roots: {}, elicitation: {} })
    for (const name of ["book", "plain", "constructor"])
      expect(by.hear(call(name, name))).toMatchObject([{ _tag: "Invoke", target: { name } }])
    expect(ready("2025-11-25", needy).hear(call(1, "plain"))).toMatchObject([{ _tag: "Invoke" }])
  })
})
