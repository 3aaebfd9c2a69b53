/** Every kind of thing a handler may return, and what of it is sent. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import "@parley/json-schema/effect"
import { describe, expect, it, vi } from "vitest"
import { defineServer, failed, tool } from "../src/index.js"
import { talking } from "./talk.js"
import { thenable } from "./thenable.js"

const info = { name: "kinds", version: "1.0.0" }
const block = (text: string) => ({ type: "text", text }) as const

const ways: ReadonlyArray<readonly [string, (value: never) => never]> = [
  ["at once", (value) => value],
  ["as a promise", (value) => Promise.resolve(value) as never],
  ["as a thenable", (value) => thenable((resolve: (value: never) => void) => resolve(value)) as never],
  ["as an Effect", (value) => Effect.succeed(value) as never]
]

describe.each(ways)("what a handler returns %s", (_, given) => {
  it.each([
    ["text", "hi", { content: [block("hi")] }],
    ["empty text", "", { content: [block("")] }],
    ["one block", block("hi"), { content: [block("hi")] }],
    ["several blocks", [block("a"), block("b")], { content: [block("a"), block("b")] }],
    ["no blocks", [], { content: [] }],
    ["a whole result", { content: [block("x")], isError: true }, { content: [block("x")], isError: true }],
    ["nothing", undefined, { content: [] }],
    ["a failure for the model", failed("no such city"), { content: [block("no such city")], isError: true }]
  ])("is sent when it is %s", async (_, returned, sent) => {
    const { call, crashes } = await talking(defineServer(info, [tool("it", {}, () => given(returned as never))]))
    expect(await call("it")).toEqual(sent)
    expect(crashes).toEqual([])
  })

  it.each([
    ["an effect Schema", Schema.Struct({ sum: Schema.Finite })],
    ["a JSON Schema", { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const]
  ])("is sent as structuredContent and as text where there is %s for it", async (_, output) => {
    const add = tool("add", { output }, () => given({ sum: 5 } as never))
    const { call } = await talking(defineServer(info, [add]))
    expect(await call("add")).toEqual({ content: [block('{"sum":5}')], structuredContent: { sum: 5 } })
  })

  it.each([["as wrong"], [{ sum: "5" }], [undefined], [null]])(
    "never leaves when it breaks the output schema: %j",
    async (wrong) => {
      const add = tool("add", { output: Schema.Struct({ sum: Schema.Finite }) }, () => given(wrong as never))
      const { call, crashes } = await talking(defineServer(info, [add]))
      expect(await call("add")).toEqual({ content: [block("The tool add failed.")], isError: true })
      expect(crashes).toEqual([["add", expect.any(TypeError)]])
      expect(String(crashes[0]![1])).toContain("output schema")
    }
  )

  it("is a failure for the model also where there is an output schema", async () => {
    const add = tool("add", { output: Schema.Struct({ sum: Schema.Finite }) }, () =>
      given(failed("too large") as never)
    )
    const { call, crashes } = await talking(defineServer(info, [add]))
    expect(await call("add")).toEqual({ content: [block("too large")], isError: true })
    expect(crashes).toEqual([])
  })

  it.each([[7], [true], [{ foo: 1 }], [{ content: "text" }], [[{ type: "text" }]], [null], [Symbol("x")], [() => "x"]])(
    "is not sent when it is nothing that a result can be",
    async (wrong) => {
      const reports: Array<unknown> = []
      const { call } = await talking(defineServer(info, [tool("it", {}, () => given(wrong as never))]), {
        report: (report) => reports.push(report)
      })
      expect(await call("it")).toMatchObject({ code: -32603 })
      expect(reports).toContainEqual({
        _tag: "Unsendable",
        method: "tools/call",
        why: expect.any(String),
        peer: expect.objectContaining({ revision: "2025-11-25" })
      })
    }
  )
})

describe("a result that could not be sent", () => {
  it("is told on the console when nobody listens to reports", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {})
    const { call } = await talking(defineServer(info, [tool("it", {}, () => ({ foo: 1 }) as never)]))
    await call("it")
    expect(told).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("tools/call was not sent: content"))
    told.mockRestore()
  })

  it("is a failure of the handler when it can not be written as JSON", async () => {
    const round: { self?: unknown } = {}
    round.self = round
    const it = tool("it", { output: { type: "object" } }, () => round as never)
    const { call, crashes } = await talking(defineServer(info, [it]))
    expect(await call("it")).toMatchObject({ isError: true })
    expect(crashes).toHaveLength(1)
  })

  it("sends the encoded side of an effect Schema", async () => {
    const output = Schema.Struct({ at: Schema.Date })
    const it = tool("it", { output }, () => ({ at: new Date(0) }))
    const { call } = await talking(defineServer(info, [it]))
    expect((await call("it")).structuredContent).toEqual({ at: "1970-01-01T00:00:00.000Z" })
  })
})
