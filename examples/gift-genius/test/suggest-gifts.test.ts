import type { Client } from "@parley/client"
import { afterAll, beforeAll, expect, it } from "vitest"
import { asking } from "./asking.js"

let client: Client
let told: ReadonlyArray<unknown>
beforeAll(async () => void ({ client, told } = await asking()))
afterAll(() => client.close())

const raw = (args: object): Promise<object> =>
  client.request("tools/call", { name: "suggest_gifts", arguments: args as { [key: string]: string } })

it("is listed with its arguments", async () => {
  const [tool] = await client.listTools()
  expect(tool).toMatchObject({
    name: "suggest_gifts",
    inputSchema: {
      type: "object",
      properties: { age: { type: "integer" }, relationship: { type: "string" }, budget: { type: "number" } },
      required: ["age", "relationship"]
    },
    outputSchema: { type: "object" }
  })
})

it("answers with structured content, and with the same as text", async () => {
  const { content, structuredContent } = await client.callTool("suggest_gifts", {
    age: 25,
    relationship: "sister",
    budget: 50
  })
  expect(structuredContent).toMatchObject({ recipient: "sibling" })
  expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }])
})

it("finds nothing without that being an error", async () => {
  const result = await client.callTool("suggest_gifts", { age: 3, relationship: "dentist", budget: 0.5 })
  expect(result.isError).toBeUndefined()
  expect(result.structuredContent).toMatchObject({ gifts: [], matches: 0 })
})

it("logs what it understood for those who want to know", async () => {
  const heard = told.length
  await client.callTool("suggest_gifts", { age: 25, relationship: "sister" })
  expect(told.slice(heard)).toEqual([])
  await client.setLogLevel("debug")
  await client.callTool("suggest_gifts", { age: 25, relationship: "sister" })
  expect(told.slice(heard)).toEqual([["debug", { recipient: "sibling", matches: expect.any(Number) }]])
})

it.each([
  [{ age: 200, relationship: "sister" }, "age"],
  [{ age: -1, relationship: "sister" }, "age"],
  [{ age: 25.5, relationship: "sister" }, "age"],
  [{ age: 25, relationship: "sister", budget: -5 }, "budget"],
  [{ age: 25, relationship: "" }, "relationship"],
  [{ age: 25 }, "relationship"],
  [{ relationship: "sister" }, "age"]
])("refuses %j", async (args, at) => {
  const refused = new RegExp(`Invalid arguments for tool suggest_gifts: ${at}: `)
  expect(await raw(args)).toMatchObject({
    content: [{ type: "text", text: expect.stringMatching(refused) }],
    isError: true
  })
})
