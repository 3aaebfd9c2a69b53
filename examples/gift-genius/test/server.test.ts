import type { Client } from "@parley/client"
import { connect } from "@parley/client"
import { link } from "@parley/driver"
import { serve } from "@parley/server"
import { afterAll, beforeAll, expect, it } from "vitest"
import { giftGenius } from "../src/server.js"

let client: Client
beforeAll(async () => {
  const [near, far] = link()
  serve(giftGenius, far)
  client = await connect(near, { clientInfo: { name: "test", version: "1.0.0" } })
})
afterAll(() => client.close())

const raw = (args: object): Promise<object> =>
  client.request("tools/call", { name: "suggest_gifts", arguments: args as { [key: string]: string } })

it("says who it is and that it has tools", () => {
  expect(client.peer.info).toEqual({ name: "gift-genius-backend", version: "0.2.0" })
  expect(client.peer.capabilities).toEqual({ tools: {} })
})

it("lists one tool with its arguments", async () => {
  const [tool, ...more] = await client.listTools()
  expect(more).toEqual([])
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
  expect(await raw(args)).toEqual({ content: [{ type: "text", text: expect.stringMatching(refused) }], isError: true })
})
