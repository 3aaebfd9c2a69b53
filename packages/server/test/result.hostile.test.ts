/** Results that are no JSON: one reply each, whatever they are, and the session goes on. */
import { describe, expect, it } from "vitest"
import { defineServer, tool } from "../src/index.js"
import { noJson } from "./hostile.js"
import { talking } from "./talk.js"

const info = { name: "hostile", version: "1.0.0" }
const echo = tool("echo", {}, () => "echoed")
const failed = { content: [{ type: "text", text: "The tool it failed." }], isError: true }

const ways: ReadonlyArray<readonly [string, (value: unknown) => never]> = [
  ["at once", (value) => value as never],
  ["as a promise", (value) => Promise.resolve(value) as never]
]

const places: ReadonlyArray<readonly [string, object, (value: unknown) => unknown]> = [
  ["the result itself", {}, (value) => value],
  ["in a block", {}, (value) => [{ type: "text", text: "x", _meta: { value } }]],
  ["in structuredContent", {}, (value) => ({ content: [], structuredContent: { value } })],
  ["where an output schema judges it", { output: { type: "object" } }, (value) => ({ value })]
]

describe.each(ways)("a result that is given %s", (_, given) => {
  describe.each(places)("and is no JSON, %s", (_, options, placed) => {
    it.each(noJson)("gets one reply when it is %s", async (_, value) => {
      const it = tool("it", options as {}, () => given(placed(value)))
      const { ask, call, crashes, heard } = await talking(defineServer(info, [it, echo]))
      const reply = await ask("tools/call", { name: "it" }, "odd")
      expect(reply.result ?? reply.error).toEqual(failed)
      expect(crashes).toHaveLength(1)
      expect(await call("echo")).toMatchObject({ content: [{ text: "echoed" }] })
      expect(heard.filter(({ id }) => id === "odd")).toHaveLength(1)
    })
  })

  it.each(noJson)("does not keep back the rest of a batch when it is %s", async (_, value) => {
    const it = tool("it", {}, () => given({ content: [], structuredContent: { value } }))
    const { send, until, heard, call } = await talking(defineServer(info, [it, echo]), {}, "2025-03-26")
    const asking = (id: string, name: string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } })
    send([asking("a", "echo"), asking("b", "it"), { jsonrpc: "2.0", id: "c", method: "ping" }])
    const replies = (await until(Array.isArray)) as Array<{ id: string }>
    expect(replies.toSorted((a, b) => a.id.localeCompare(b.id))).toMatchObject([
      { id: "a", result: { content: [{ text: "echoed" }] } },
      { id: "b", result: failed },
      { id: "c", result: {} }
    ])
    await call("echo")
    expect(heard.filter(Array.isArray)).toHaveLength(1)
  })
})

describe("structuredContent", () => {
  const told = async (output: object, value: unknown) => {
    const it = tool("it", { output } as never, () => value as never)
    const { call, crashes } = await talking(defineServer(info, [it]))
    return { result: await call("it"), crashes }
  }

  it.each([
    ["a date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["a toJSON", { n: { toJSON: () => 7 } }, { n: 7 }],
    ["undefined members", { a: undefined, b: 1 }, { b: 1 }],
    ["a function", { a: () => 1, b: 1 }, { b: 1 }],
    ["numbers that JSON lacks", { n: Number.NaN }, { n: null }]
  ])("is what the text says where the value holds %s", async (_, value, json) => {
    const { result, crashes } = await told({ type: "object" }, value)
    expect(result).toEqual({ content: [{ type: "text", text: JSON.stringify(json) }], structuredContent: json })
    expect(crashes).toEqual([])
  })

  it.each([
    ["a required member is a function", { sum: () => 1 }, { required: ["sum"] }],
    ["a required member is undefined", { sum: undefined }, { required: ["sum"] }],
    ["a number becomes null", { sum: Number.NaN }, { properties: { sum: { type: "number" } } }],
    ["an object becomes something else", { toJSON: () => 7 }, {}]
  ])("is judged as it is sent: refused when %s", async (_, value, schema) => {
    const { result, crashes } = await told({ type: "object", ...schema }, value)
    expect(result).toEqual(failed)
    expect(String(crashes[0]![1])).toContain("output schema")
  })
})
