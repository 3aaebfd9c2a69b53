/** What JSON can not say harms its own call and nothing else. */
import { describe, expect, it } from "vitest"
import { defineServer, prompt, resource, sample, structured, tool } from "../src/index.js"
import { unsayable } from "../src/sayable.js"
import { talking } from "./talk.js"

const info = { name: "odd", version: "1.0.0" }
const round: { self?: unknown } = {}
round.self = [round]
let deep: unknown = 1
for (let i = 0; i < 100_000; i++) deep = [deep]
const hostile = {
  toJSON: () => {
    throw new Error("no")
  }
}

describe.each([
  ["a bigint", 5n],
  ["a circle", round],
  ["a depth without end", deep],
  ["what refuses to be said", hostile]
])("%s", (_, odd) => {
  it("is found wherever it is", () => {
    expect(unsayable({ a: [{ b: odd }] })).toEqual(expect.any(String))
  })

  it("is no result, and the session lives on", async () => {
    const whole = { content: [], _meta: { odd } } as never
    const items = [
      tool("tool", {}, () => whole),
      tool("later", {}, () => Promise.resolve(whole)),
      tool("beside", { output: { type: "object" } }, () => structured({ odd } as never, "x")),
      tool("asks", { asks: { model: sample() } }, async (_, call) => {
        return (await call.ask("model", { messages: [], maxTokens: 1, metadata: { odd } })).model
      }),
      prompt("prompt", {}, () => ({ messages: [], _meta: { odd } })),
      resource("a:b", { name: "a" }, () => ({ uri: "a:b", text: "x", _meta: { odd } }) as never)
    ]
    const talk = await talking(defineServer(info, items), {}, undefined, { sampling: {} })
    for (const name of ["tool", "later", "beside", "asks"])
      expect(await talk.call(name)).toEqual({
        content: [{ type: "text", text: `The tool ${name} failed.` }],
        isError: true
      })
    expect((await talk.ask("prompts/get", { name: "prompt" })).error.code).toBe(-32603)
    expect((await talk.ask("resources/read", { uri: "a:b" })).error.code).toBe(-32603)
    expect(talk.crashes).toHaveLength(6)
    expect((await talk.ask("ping")).result).toEqual({})
  })

  it("is refused where it is declared", () => {
    const tools = [tool("x", { _meta: { odd } as never }, () => "x")]
    expect(() => defineServer(info, tools)).toThrow("can not be written as JSON")
  })
})

it.each([
  [5n, "a bigint"],
  [{ a: [{ b: 5n }] }, "a[0].b: a bigint"],
  [[5n], "[0]: a bigint"],
  [hostile, "Error: no"]
])("says where it is, and what: %#", (value, why) => {
  expect(unsayable(value)).toBe(why)
})

it("leaves alone what JSON can say", () => {
  expect(unsayable({ a: [1, "x", null, true, undefined, new Date(0)], f: () => 1 })).toBeUndefined()
  expect(unsayable(undefined)).toBeUndefined()
})
