/** What a server announces and speaks, and when it is ready. */
import * as Schema from "effect/Schema"
import { handshakeRevisions } from "@parley/core/revisions"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { defineServer, tool } from "../src/index.js"
import { talk, talking } from "./talk.js"

const info = { name: "defined", version: "1.0.0" }
const hello = tool("hello", {}, () => "Hello!")

describe("what a server announces", () => {
  it.each([
    ["nothing, when it has nothing", [], {}, {}],
    ["tools, when it has some", [hello], {}, { tools: {} }],
    ["tools, when it declares them without having any", [], { tools: {} }, { tools: {} }],
    [
      "that it tells of changes, when it promises so",
      [hello],
      { tools: { listChanged: true } },
      { tools: { listChanged: true } }
    ],
    ["what is experimental", [], { experimental: { "example.com/x": {} } }, { experimental: { "example.com/x": {} } }]
  ])("is %s", async (_, items, declare, capabilities) => {
    const server = defineServer(info, items, { declare })
    expect(server.definition.capabilities).toEqual(capabilities)
    expect((await talk(server).open()).capabilities).toEqual(capabilities)
  })

  it("is what it serves: without tools there are no tool methods", async () => {
    const { ask } = await talking(defineServer(info, []))
    expect(await ask("tools/list")).toMatchObject({ error: { code: -32601 } })
    expect(await ask("tools/call", { name: "hello" })).toMatchObject({ error: { code: -32601 } })
  })

  it("has its instructions and its whole identity, as far as the revision knows them", async () => {
    const whole = { ...info, title: "Defined", websiteUrl: "https://example.com" }
    const server = defineServer(whole, [], { instructions: "Be brief." })
    expect(await talk(server).open()).toMatchObject({ serverInfo: whole, instructions: "Be brief." })
    expect((await talk(server).open("2024-11-05")).serverInfo).toEqual(info)
  })
})

describe("the versions a server speaks", () => {
  const two = handshakeRevisions.filter(({ name }) => name < "2025-06-18")

  it("are those it names; another is offered the newest of them", async () => {
    const server = defineServer(info, [], { revisions: two })
    expect((await talk(server).open("2025-11-25")).protocolVersion).toBe("2025-03-26")
    expect((await talk(server).open("2024-11-05")).protocolVersion).toBe("2024-11-05")
  })

  it("are told to a client that asks for another, when it refuses those", async () => {
    const { ask, open } = talk(defineServer(info, [], { revisions: two, unsupported: "refuse" }))
    const reply = await ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "hand", version: "1" }
    })
    expect(reply.error).toMatchObject({
      code: -32602,
      data: { supported: ["2025-03-26", "2024-11-05"], requested: "2025-11-25" }
    })
    expect((await open("2025-03-26")).protocolVersion).toBe("2025-03-26")
  })

  it("are asked before notifications/initialized, unless early requests are refused", async () => {
    for (const [early, answer] of [
      ["answer", { result: {} }],
      ["refuse", { error: { code: -32600 } }]
    ] as const) {
      const { ask } = talk(defineServer(info, [hello], { early }))
      await ask("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "hand", version: "1" }
      })
      expect(await ask("tools/list")).toMatchObject(answer)
      expect(await ask("ping")).toMatchObject({ result: {} })
    }
  })
})

describe("pages", () => {
  it("are as long as asked, and together are the whole list in order", async () => {
    const tools = Array.from({ length: 7 }, (_, i) => tool(`t${i}`, {}, () => "x"))
    const { ask } = await talking(defineServer(info, tools, { pageSize: 3 }))
    const names: Array<Array<string>> = []
    let cursor: string | undefined
    do {
      const { result } = await ask("tools/list", cursor === undefined ? {} : { cursor })
      names.push(result.tools.map(({ name }: { name: string }) => name))
      cursor = result.nextCursor
    } while (cursor !== undefined)
    expect(names).toEqual([["t0", "t1", "t2"], ["t3", "t4", "t5"], ["t6"]])
  })
})

describe("a declaration that can not be meant", () => {
  it("is refused when two tools have one name", () => {
    expect(() => defineServer(info, [hello, hello])).toThrow("Two tools are named hello")
  })

  it("is refused without a name or a version", () => {
    expect(() => defineServer({ name: "x" } as never, [])).toThrow("serverInfo.version: expected a string")
    expect(() => defineServer(undefined as never, [])).toThrow("serverInfo: expected an object")
  })
})

describe("a server with effect Schemas", () => {
  beforeEach(() => vi.resetModules())
  const input = Schema.Struct({ text: Schema.String })

  it("is ready when effect is loaded, and says what to do before", async () => {
    const { defineServer, tool } = await import("../src/index.js")
    const server = defineServer(info, [tool("echo", { input }, ({ text }) => text)])
    expect(() => server.definition).toThrow("await server.ready first")
    expect(() => server.tools).toThrow('import "@parley/json-schema/effect"')
    await server.ready
    expect(server.definition.tools).toMatchObject([{ name: "echo", inputSchema: { required: ["text"] } }])
    expect(server.tools.get("echo")?.name).toBe("echo")
  })

  it("is ready at once where @parley/json-schema/effect was imported", async () => {
    await import("@parley/json-schema/effect")
    const { defineServer, tool } = await import("../src/index.js")
    const server = defineServer(info, [tool("echo", { input }, ({ text }) => text)])
    expect(server.definition.tools).toHaveLength(1)
  })

  it("may be served before it is ready", async () => {
    const { defineServer, serve, tool } = await import("../src/index.js")
    const server = defineServer(info, [tool("echo", { input }, ({ text }) => text)])
    const { open, call } = talk(server, {}, serve)
    await open()
    expect(await call("echo", { text: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] })
    expect(await call("echo", { text: 1 })).toMatchObject({ isError: true })
  })

  it("hands handlers what the schema decodes to", async () => {
    const { defineServer, serve, tool } = await import("../src/index.js")
    const when = tool("when", { input: Schema.Struct({ at: Schema.Date }) }, ({ at }) => String(at.getTime()))
    const { open, call } = talk(defineServer(info, [when]), {}, serve)
    await open()
    expect(await call("when", { at: "1970-01-01T00:00:01Z" })).toEqual({ content: [{ type: "text", text: "1000" }] })
  })
})
