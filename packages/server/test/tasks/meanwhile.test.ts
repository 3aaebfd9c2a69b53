/** What the model may be told while a task runs. */
import * as Schema from "effect/Schema"
import "@parley/json-schema/effect"
import { describe, expect, it } from "vitest"
import type { Tool } from "../../src/index.js"
import { defineServer, tool } from "../../src/index.js"
import { talking } from "../talk.js"

const key = "io.modelcontextprotocol/model-immediate-response"
const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const

const called = async (one: unknown, params: object, revision?: string) => {
  const talk = await talking(defineServer({ name: "tasked", version: "1.0.0" }, [one as Tool]), {}, revision)
  const { result } = await talk.ask("tools/call", { name: "plan", ...params })
  return { ...talk, result }
}

describe("a tool that says something meanwhile", () => {
  it("says it with the task", async () => {
    const plan = tool("plan", { task: "optional", meanwhile: "It takes an hour." }, () => "planned")
    const { result } = await called(plan, { task: {} })
    expect(result).toMatchObject({ task: { status: "working" }, _meta: { [key]: "It takes an hour." } })
  })

  it("makes it of its arguments, as its schema has them", async () => {
    const plan = tool(
      "plan",
      {
        task: "required",
        input: Schema.Struct({ days: Schema.NumberFromString }),
        meanwhile: ({ days }) => `${days + 1}`
      },
      () => "planned"
    )
    const { result } = await called(plan, { task: {}, arguments: { days: "2" } })
    expect(result._meta).toEqual({ [key]: "3" })
  })

  it("says nothing where no task was asked for, nor where there are none", async () => {
    const plan = tool("plan", { task: "optional", meanwhile: "It takes an hour." }, () => "planned")
    const plain = { content: [{ type: "text", text: "planned" }] }
    expect((await called(plan, {})).result).toEqual(plain)
    for (const revision of ["2025-06-18", "2025-03-26", "2024-11-05"]) {
      const { result, ask } = await called(plan, { task: {} }, revision)
      expect(result).toEqual(plain)
      expect(JSON.stringify(await ask("tools/list"))).not.toContain("hour")
    }
  })

  it("says nothing of arguments that do not fit", async () => {
    const plan = tool("plan", { task: "optional", input: city, meanwhile: ({ city }) => city.toUpperCase() }, () => "x")
    const { result, crashes } = await called(plan, { task: {}, arguments: { city: 5 } })
    expect(result).toMatchObject({ task: { status: "working" } })
    expect(result).not.toHaveProperty("_meta")
    expect(crashes).toEqual([])
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("secret")
      },
      new Error("secret")
    ],
    ["makes no text", () => 5 as never, new TypeError("what it says meanwhile is not text")]
  ])("is a task all the same when that %s", async (_, meanwhile: () => string, error) => {
    const plan = tool("plan", { task: "optional", meanwhile }, () => "planned")
    const { result, crashes, ask } = await called(plan, { task: {} })
    expect(result).not.toHaveProperty("_meta")
    expect(crashes).toEqual([["plan", error]])
    expect((await ask("tasks/result", { taskId: result.task.taskId })).result.content).toEqual([
      { type: "text", text: "planned" }
    ])
  })
})
