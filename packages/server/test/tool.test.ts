/** What a tool is listed as, and which declarations are refused. */
import { describe, expect, it } from "vitest"
import { defineServer, tool } from "../src/index.js"
import { talking } from "./talk.js"

describe("a tool", () => {
  it("is listed with all that was said of it", async () => {
    const whole = tool(
      "whole",
      {
        title: "Whole",
        description: "All there is",
        input: { type: "object", properties: { a: { type: "number" } } },
        output: { type: "object", properties: { b: { type: "number" } } },
        annotations: { readOnlyHint: true },
        icons: [{ src: "https://example.com/i.png" }],
        _meta: { "example.com/x": 1 }
      },
      ({ a }) => ({ b: a ?? 0 })
    )
    const { ask } = await talking(defineServer({ name: "x", version: "1" }, [whole]))
    expect((await ask("tools/list")).result.tools).toEqual([
      {
        name: "whole",
        title: "Whole",
        description: "All there is",
        inputSchema: { type: "object", properties: { a: { type: "number" } } },
        outputSchema: { type: "object", properties: { b: { type: "number" } } },
        annotations: { readOnlyHint: true },
        icons: [{ src: "https://example.com/i.png" }],
        _meta: { "example.com/x": 1 }
      }
    ])
  })

  it("is listed to an older client as far as its revision goes", async () => {
    const whole = tool("whole", { title: "Whole", output: { type: "object" } }, () => ({}))
    const { ask } = await talking(defineServer({ name: "x", version: "1" }, [whole]), {}, "2024-11-05")
    expect((await ask("tools/list")).result.tools).toEqual([{ name: "whole", inputSchema: { type: "object" } }])
  })

  it.each([
    ["a name", () => tool("", {}, () => "x"), "A tool needs a name"],
    ["a handler", () => tool("x", {}, undefined as never), "The tool x needs a handler"],
    [
      "an input that is an object's",
      () => tool("x", { input: { type: "string" } }, () => "x"),
      "The input schema of tool x can not be used: An input schema must have type"
    ],
    [
      "a dialect that is known",
      () => tool("x", { output: { $schema: "https://example.com/mine" } }, () => ({})),
      "The output schema of tool x can not be used: "
    ],
    [
      "schemas that are schemas",
      () => tool("x", { input: "text" as never }, () => "x"),
      "The input schema of tool x can not be used: A schema is a JSON Schema object"
    ]
  ])("needs %s", (_, declare, why) => {
    expect(declare).toThrow(TypeError)
    expect(declare).toThrow(why)
  })

  it("says where in its schema the mistake is, once", () => {
    const declare = () => tool("x", { input: { type: "object", properties: { a: { type: "strange" } } } }, () => "x")
    expect(declare).toThrow(expect.objectContaining({ at: "/properties/a/type", reason: "broken" }))
    try {
      declare()
    } catch (error) {
      expect((error as Error).message.match(/\(at/g)).toHaveLength(1)
    }
  })
})

describe("x-mcp-header in an input schema", () => {
  const region = { type: "string", "x-mcp-header": "Region" } as const
  const declare = (properties: object) =>
    tool("query", { input: { type: "object", properties } as never, output: { type: "object" } }, () => ({}))

  const serving = (properties: object) => defineServer({ name: "x", version: "1" }, [declare(properties)])

  it("is told to clients as it is", async () => {
    const server = serving({ region })
    await server.ready
    expect(server.definition.tools[0]!["inputSchema"]).toMatchObject({ properties: { region } })
  })

  // Each of the constraints of 2026-07-28 basic/transports/streamable-http, Schema Extension.
  it.each([
    [{ a: { ...region, "x-mcp-header": "" } }, "at a"],
    [{ a: { ...region, "x-mcp-header": "a b" } }, "at a"],
    [{ a: { ...region, "x-mcp-header": "a\r\nb" } }, "at a"],
    [{ a: { ...region, type: "number" } }, "at a"],
    [{ a: { ...region, type: "object" } }, "at a"],
    [{ a: region, b: { ...region, "x-mcp-header": "REGION" } }, "at b"],
    [{ list: { type: "array", items: region } }, "list.items"],
    [{ either: { anyOf: [region] } }, "either.anyOf.0"]
  ])("is refused by the server that the tool is declared for: %j", async (properties, where) => {
    const error: unknown = await serving(properties).ready.catch((error: unknown) => error)
    expect(error).toBeInstanceOf(TypeError)
    const { message } = error as TypeError
    expect(message).toContain("The input schema of tool query can not be used: x-mcp-header")
    expect(message).toContain(where)
  })

  it("is nothing special in an output schema", () => {
    const output = { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } } as const
    expect(() => tool("out", { output }, () => ({ a: 1 }))).not.toThrow()
  })
})

describe("what a program without types may write", () => {
  const loose = { tool, defineServer } as unknown as {
    tool: (name: string, options: object, handler: () => string) => unknown
    defineServer: (info: object, items?: unknown, options?: object) => unknown
  }
  const info = { name: "loose", version: "1.0.0" }

  it.each([
    [
      { inputSchema: { type: "object" } },
      "The tool odd has an unknown option inputSchema; there are description, title, input, output, annotations, icons, _meta, asks, requires, task, meanwhile"
    ],
    [{ description: 5 }, "The tool odd can not be announced: description: expected a string"],
    [
      { meanwhile: "Soon." },
      'The tool odd has something to say meanwhile, but is never a task: give it task: "optional"'
    ],
    [{ title: {} }, "The tool odd can not be announced: title: expected a string"]
  ])("is refused where it is declared: %j", (options, message) => {
    expect(() => loose.tool("odd", options, () => "")).toThrow(new TypeError(message))
  })

  it("is refused when there are no items, or revisions are named instead of given", () => {
    expect(() => loose.defineServer(info)).toThrow(
      new TypeError("A server needs its items: defineServer(info, [tool, ...])")
    )
    expect(() => loose.defineServer(info, [], { revisions: ["2025-06-18"] })).toThrow(
      'revisions needs a list of at least one, each a value such as v2025_06_18 of "@parley/core/revisions", not 2025-06-18'
    )
  })

  it("may name every option that there is", () => {
    const all = {
      description: "d",
      title: "t",
      input: { type: "object" },
      output: { type: "object" },
      annotations: {},
      icons: [],
      _meta: {},
      asks: {},
      requires: [],
      task: "optional",
      meanwhile: "Soon."
    }
    expect(() => loose.tool("all", all, () => "")).not.toThrow()
  })
})
