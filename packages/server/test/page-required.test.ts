/** Pages that the user visits: asked for, required before anything else, and complete. */
import { describe, expect, it } from "vitest"
import { defineServer, live, page, pageRequired, prompt, tool } from "../src/index.js"
import { talking } from "./talk.js"

const info = { name: "pages", version: "1.0.0" }
const visit = { message: "Allow access", url: "https://example.com/allow", elicitationId: "v1" }
const able = { elicitation: { url: {} } }
const required = tool("files", {}, () => {
  throw pageRequired(visit)
})
const asks = tool("pay", { asks: { pay: page() } }, async (_, call) => `${await call.ask("pay", visit)}`)
const completions = ({ heard }: Awaited<ReturnType<typeof talking>>) =>
  heard.filter(({ method }) => method === "notifications/elicitation/complete").map(({ params }) => params)

describe("a page that is required", () => {
  it("is an error that names it", async () => {
    const talk = await talking(defineServer(info, [required]), {}, undefined, able)
    expect(await talk.call("files")).toEqual({
      code: -32042,
      message: "The user has to visit a page first",
      data: { elicitations: [{ mode: "url", ...visit }] }
    })
    expect(talk.crashes).toEqual([])
  })

  it.each([
    ["2025-11-25", {}],
    ["2025-11-25", { elicitation: {} }],
    ["2025-06-18", { elicitation: {} }],
    ["2024-11-05", {}]
  ])("is told in words to a client that can not go there: %s %j", async (revision, capabilities) => {
    const talk = await talking(defineServer(info, [required]), {}, revision, capabilities)
    const result = await talk.call("files")
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toContain("Allow access")
    expect(result.content[0].text).not.toContain("example.com")
  })

  it("may be required by a prompt", async () => {
    const plan = prompt("plan", {}, async () => {
      throw pageRequired(visit)
    })
    const talk = await talking(defineServer(info, [plan]), {}, undefined, able)
    expect((await talk.ask("prompts/get", { name: "plan" })).error.code).toBe(-32042)
  })
})

describe("a visit that is complete", () => {
  it("is told once, to the client that was asked", async () => {
    const server = live(defineServer(info, [asks], { declare: { tools: { listChanged: true } } }))
    const [one, two] = [await talking(server, {}, undefined, able), await talking(server, {}, undefined, able)]
    server.completed("v1")
    const called = one.call("pay")
    const question = await one.answer("elicitation/create", { action: "accept" })
    expect(question.params).toEqual({ mode: "url", ...visit })
    expect(await called).toEqual({ content: [{ type: "text", text: "true" }] })
    server.completed("v1")
    server.completed("v1")
    await Promise.all([one.ask("ping"), two.ask("ping")])
    expect([completions(one), completions(two)]).toEqual([[{ elicitationId: "v1" }], []])
  })

  it("is told also where the page was required, by what serve returned", async () => {
    const talk = await talking(defineServer(info, [required]), {}, undefined, able)
    await talk.call("files")
    talk.serving.completed("v1")
    talk.serving.completed("v2")
    await talk.ask("ping")
    expect(completions(talk)).toEqual([{ elicitationId: "v1" }])
  })

  it("is not told to a client that could not be asked", async () => {
    const talk = await talking(defineServer(info, [required]))
    await talk.call("files")
    talk.serving.completed("v1")
    await talk.ask("ping")
    expect(completions(talk)).toEqual([])
  })
})
