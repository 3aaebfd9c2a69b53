/** Pages that the user visits: asked for, required before anything else, and complete. */
import { describe, expect, it } from "vitest"
import { defineServer, live, page, pageRequired, prompt, tool } from "../src/index.js"
import { answering, asking, modern } from "./modern.js"
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

describe("a page that is required since 2026-07-28", () => {
  const client = { capabilities: able }
  const { elicitationId: _, ...shown } = visit
  const went = { action: "accept" }

  /** A tool that needs so many visits, and has something to do once before. */
  function visiting(times: number, asks: object = {}) {
    const done: Array<string> = []
    let visits = 0
    const files = tool("files", { asks: asks as { pay: ReturnType<typeof page> } }, async (_, call) => {
      const looked = [call.once("look", () => done.push("look")), call.once("listen", () => done.push("listen"))]
      expect(await Promise.all(looked)).toEqual([1, 2])
      if (visits++ < times) throw pageRequired(visit)
      return "files"
    })
    return { server: defineServer(info, [files]), done }
  }

  it.each([
    ["that asks nothing else", {}],
    ["that asks", { pay: page() }]
  ])("is asked for, and the handler run again, which knows what it did once, by a tool %s", async (_, asks) => {
    const { server, done } = visiting(1, asks)
    const { tool, crashes } = modern(server, client)
    const first = await tool("files")
    expect(first).toMatchObject({
      resultType: "input_required",
      inputRequests: { "#page1": { method: "elicitation/create", params: { mode: "url", ...shown } } }
    })
    expect(first.inputRequests["#page1"].params).not.toHaveProperty("elicitationId")
    const last = await tool("files", {}, answering(first, { "#page1": went }))
    expect(last).toMatchObject({ resultType: "complete", content: [{ text: "files" }] })
    expect(done).toEqual(["look", "listen"])
    expect(crashes).toEqual([])
  })

  it("waits for what is being done once", async () => {
    let over = (): void => undefined
    const held = new Promise<string>((resolve) => (over = () => resolve("held")))
    let visits = 0
    const files = tool("files", {}, async (_, call) => {
      const hold = call.once("hold", () => held)
      if (visits++ > 0) return hold
      await call.once("begun", () => 1)
      throw pageRequired(visit)
    })
    const { tool: call, ask, heard } = modern(defineServer(info, [files]), client)
    const asked = call("files")
    await ask("server/discover")
    expect(heard).toHaveLength(1)
    over()
    const last = await call("files", {}, answering(await asked, { "#page1": went }))
    expect(last).toMatchObject({ content: [{ text: "held" }] })
  })

  it("is asked for again while the visit is not complete", async () => {
    const { tool } = modern(visiting(2).server, client)
    const first = await tool("files")
    const second = await tool("files", {}, answering(first, { "#page1": went }))
    expect(Object.keys(second.inputRequests)).toEqual(["#page2"])
    expect(await tool("files", {}, answering(second, { "#page2": went }))).toMatchObject({
      content: [{ text: "files" }]
    })
  })

  it.each(["decline", "cancel"])("is not asked for again of a user who says %s", async (action) => {
    const { tool } = modern(visiting(2).server, client)
    const first = await tool("files")
    const last = await tool("files", {}, answering(first, { "#page1": { action } }))
    expect(last).toMatchObject({ isError: true, content: [{ text: "The user did not visit the page" }] })
  })

  it("may be one of several, beside what else a handler asks", async () => {
    let paid = false
    const mixed = tool("mixed", { asks: { pay: page() } }, async (_, call) => {
      await call.ask("pay", visit)
      if (!paid) throw pageRequired(visit, { ...visit, message: "And there" })
      return "done"
    })
    const { tool: call } = modern(defineServer(info, [mixed]), client)
    const first = await call("mixed")
    const second = await call("mixed", {}, answering(first, { pay: went }))
    expect(Object.keys(second.inputRequests)).toEqual(["#page1", "#page2"])
    paid = true
    expect(await call("mixed", {}, answering(second, { "#page1": went, "#page2": went }))).toMatchObject({
      content: [{ text: "done" }]
    })
  })

  it("may be required by a prompt", async () => {
    let visits = 0
    const plan = prompt("plan", {}, () => {
      if (visits++ === 0) throw pageRequired(visit)
      return "planned"
    })
    const { ask } = modern(defineServer(info, [plan]), client)
    const first = (await ask("prompts/get", { name: "plan" })).result
    const last = await ask("prompts/get", { name: "plan", ...answering(first, { "#page1": went }) })
    expect(last.result.messages[0].content.text).toBe("planned")
  })

  it.each([{}, { elicitation: {} }])("is an error for a client that can not go there: %j", async (capabilities) => {
    expect(await modern(defineServer(info, [required]), { capabilities }).tool("files")).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { url: {} } } }
    })
  })

  it("is told in words where the page can not be asked for as it is", async () => {
    const odd = tool("odd", {}, () => {
      throw pageRequired({ ...visit, url: 7 as never })
    })
    const result = await modern(defineServer(info, [odd]), client).tool("odd")
    expect(result).toMatchObject({ resultType: "complete", isError: true })
    expect(result.content[0].text).toContain("Allow access")
  })

  it("is never told to be complete, nor to the session on the same channel", async () => {
    const session = await talking(defineServer(info, [required, asks]), {}, undefined, able)
    const { tool } = asking(session, client)
    const first = await tool("files")
    expect(Object.keys(first.inputRequests)).toEqual(["#page1"])
    expect((await tool("pay")).resultType).toBe("input_required")
    session.serving.completed("v1")
    await session.ask("ping")
    expect(completions(session)).toEqual([])
  })
})
