/** Calls that wait for answers while what is registered changes, here and in another process. */
import { describe, expect, it } from "vitest"
import type { Item } from "../src/index.js"
import {
  defineServer,
  form,
  live,
  page,
  prompt,
  resource,
  resourceTemplate,
  roots,
  sample,
  tool
} from "../src/index.js"
import { waiting } from "../src/waiting.js"
import { talk as talkTo, talking } from "./talk.js"

const info = { name: "changing", version: "1.0.0" }
const able = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const accepted = { action: "accept", content: { guests: 3 } }
const promises = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true }
} as const
const declare = { declare: promises }
const text = (said: string) => ({ content: [{ type: "text", text: said }] })

const asking = (said: string) =>
  tool(
    "book",
    { asks: { guests } },
    async (_, call) => `${said} ${(await call.ask("guests", { message: "?" })).guests}`
  )
const visiting = tool("book", { asks: { guests: page() } }, async (_, call) => {
  await call.ask("guests", { message: "Pay", url: "https://example.com", elicitationId: "1" })
  return "paid"
})
const isQuestion = ({ method }: { method?: string }) => method === "elicitation/create"

describe("a call that waits for an answer", () => {
  it.each<[string, ReadonlyArray<Item>]>([
    ["is removed", []],
    ["is replaced", [asking("new")]],
    ["asks another kind of question by that name", [visiting]],
    ["asks nothing any more", [tool("book", {}, () => "new")]]
  ])("goes on with the handler that it began with when its tool %s", async (_, items) => {
    const changing = live(defineServer(info, [asking("old")], declare))
    const talk = await talking(changing, {}, undefined, able)
    const called = talk.call("book")
    await talk.until(isQuestion)
    await changing.set(items)
    await talk.answer("elicitation/create", accepted)
    expect(await called).toEqual(text("old 3"))
    expect(talk.crashes).toEqual([])
    if (items.length === 0) expect((await talk.call("book")).code).toBe(-32602)
  })

  it("does so through several questions, and leaves the next call to what is there then", async () => {
    const twice = (said: string) =>
      tool("book", { asks: { guests } }, async (_, call) => {
        const one = await call.ask("guests", { message: "1" })
        const two = await call.ask("guests", { message: "2" })
        return `${said} ${one.guests + two.guests}`
      })
    const changing = live(defineServer(info, [twice("old")], declare))
    const talk = await talking(changing, {}, undefined, able)
    const called = talk.ask("tools/call", { name: "book" }, "same")
    await talk.until(isQuestion)
    await changing.set([twice("new")])
    await talk.answer("elicitation/create", accepted)
    await talk.answer("elicitation/create", accepted)
    expect((await called).result).toEqual(text("old 6"))
    // A withdrawn call leaves nothing to the next one of its id.
    const again = async () => {
      const before = talk.heard.filter(isQuestion).length
      talk.send({ jsonrpc: "2.0", id: "same", method: "tools/call", params: { name: "book" } })
      await talk.until(() => talk.heard.filter(isQuestion).length > before)
      return talk.heard.filter(isQuestion).at(-1)
    }
    await again()
    await changing.set([asking("newest")])
    talk.tell("notifications/cancelled", { requestId: "same" })
    const question = await again()
    talk.send({ jsonrpc: "2.0", id: question.id, result: accepted })
    expect(await talk.until(({ result }) => result?.content?.[0].text === "newest 3")).toMatchObject({ id: "same" })
  })

  it("may be for a prompt or a resource", async () => {
    const items = (said: string) => [
      prompt(
        "plan",
        { asks: { guests } },
        async (_, call) => `${said} ${(await call.ask("guests", { message: "?" })).guests}`
      ),
      resource(
        "note://a",
        { name: "a", asks: { guests } },
        async (_, call) => `${said} ${(await call.ask("guests", { message: "?" })).guests}`
      ),
      resourceTemplate(
        "gift://{id}",
        { name: "gift", asks: { guests } },
        async ({ id }, call) => `${said} ${id} ${(await call.ask("guests", { message: "?" })).guests}`
      )
    ]
    const changing = live(defineServer(info, items("old"), declare))
    const talk = await talking(changing, {}, undefined, able)
    const all = [
      talk.ask("prompts/get", { name: "plan" }),
      talk.ask("resources/read", { uri: "note://a" }),
      talk.ask("resources/read", { uri: "gift://7" })
    ]
    await talk.until((message) => isQuestion(message) && talk.heard.filter(isQuestion).length === 3)
    await changing.set([])
    for (let i = 0; i < 3; i++) await talk.answer("elicitation/create", accepted)
    const replies = await Promise.all(all)
    expect(replies[0].result.messages[0].content.text).toBe("old 3")
    expect(replies[1].result.contents[0].text).toBe("old 3")
    expect(replies[2].result.contents[0].text).toBe("old 7 3")
    expect(talk.crashes).toEqual([])
  })
})

describe("a call that waits while its process is replaced by one with other items", () => {
  /** What came of the call in the other process. */
  async function resumed(before: ReadonlyArray<Item>, after: ReadonlyArray<Item>, method: string, params: object) {
    let state: unknown
    const keep = (kept: unknown): void => void (state = JSON.parse(JSON.stringify(kept)))
    const first = await talking(defineServer(info, before, declare), { session: { keep } }, undefined, able)
    first.send({ jsonrpc: "2.0", id: "it", method, params })
    const question = await first.until(({ method, id }) => method !== undefined && id !== undefined)
    const second = talkTo(defineServer(info, after, declare), { session: { state, keep } })
    second.send({ jsonrpc: "2.0", id: question.id, result: accepted })
    return { reply: await second.until(({ id }) => id === "it"), crashes: second.crashes }
  }

  it("goes on with the tool of that name", async () => {
    const { reply } = await resumed([asking("old")], [asking("new")], "tools/call", { name: "book" })
    expect(reply.result).toEqual(text("new 3"))
  })

  it.each<[string, ReadonlyArray<Item>, string]>([
    ["is gone", [], "The tool book is not there any more"],
    ["has no such question", [tool("book", {}, () => "done")], "The tool book does not ask guests any more"],
    ["asks another kind of question by that name", [visiting], "The tool book does not ask guests any more"]
  ])("is answered with an error that says so when the tool %s", async (_, after, said) => {
    const { reply, crashes } = await resumed([asking("old")], after, "tools/call", { name: "book" })
    expect(reply.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(said) }] })
    expect(crashes).toEqual([["book", expect.objectContaining({ message: expect.stringContaining(said) })]])
  })

  const reads = { asks: { guests }, name: "a" }
  const pays = { asks: { guests: page() }, name: "a" }
  const ask = async (call: unknown) => {
    const { guests } = await (call as { ask: (...args: Array<unknown>) => Promise<{ guests: number }> }).ask("guests", {
      message: "?",
      url: "https://example.com",
      elicitationId: "1"
    })
    return `${guests}`
  }
  const ofPrompt = (options: object) => prompt("plan", options, (_, call) => ask(call))
  const ofResource = (options: object) => resource("a:1", options as never, (_, call) => ask(call))
  const ofTemplate = (options: object) => resourceTemplate("a:{id}", options as never, (_, call) => ask(call))

  it.each<[string, Item, ReadonlyArray<Item>, string, object]>([
    ["the prompt is gone", ofPrompt({ asks: { guests } }), [], "prompts/get", { name: "plan" }],
    [
      "the prompt asks else",
      ofPrompt({ asks: { guests } }),
      [ofPrompt({ asks: { guests: page() } })],
      "prompts/get",
      { name: "plan" }
    ],
    ["the resource is gone", ofResource(reads), [], "resources/read", { uri: "a:1" }],
    ["the resource asks else", ofResource(reads), [ofResource(pays)], "resources/read", { uri: "a:1" }],
    ["the template is gone", ofTemplate(reads), [], "resources/read", { uri: "a:1" }],
    ["the template asks else", ofTemplate(reads), [ofTemplate(pays)], "resources/read", { uri: "a:1" }]
  ])("is answered with an error that says so when %s", async (_, before, after, method, params) => {
    const { reply, crashes } = await resumed([before], after, method, params)
    expect(reply.error).toMatchObject({ code: -32603, message: expect.stringContaining("any more") })
    expect(crashes).toEqual([[expect.any(String), expect.objectContaining({ message: reply.error.message })]])
  })

  it("is read by what comes first there, when that needs no answer", async () => {
    const after = [resource("a:1", { name: "a" }, () => "plain"), ofTemplate(reads)]
    const { reply } = await resumed([ofTemplate(reads)], after, "resources/read", { uri: "a:1" })
    expect(reply.result.contents[0].text).toBe("plain")
  })

  it("takes no answer to another kind of question, also where another reader asks the right one", async () => {
    const after = [ofResource(pays), ofTemplate(reads)]
    const { reply, crashes } = await resumed([ofTemplate(reads)], after, "resources/read", { uri: "a:1" })
    expect(reply.error.code).toBe(-32603)
    expect(String(crashes[0]![1])).toContain("guests was asked as another kind of question before")
  })
})

it("answers a handler that fails by another call's question", async () => {
  let question: Promise<unknown> | undefined
  const asks = tool("asks", { asks: { guests } }, async (_, call) => {
    question ??= call.ask("guests", { message: "?" })
    await question
    return "asked"
  })
  const borrows = tool("borrows", {}, async () => {
    await question
    return "borrowed"
  })
  const talk = await talking(defineServer(info, [asks, borrows]), {}, undefined, able)
  void talk.call("asks")
  await talk.until(isQuestion)
  expect(await talk.call("borrows")).toMatchObject({ isError: true })
  expect(talk.crashes.map(([what]) => what)).toEqual(["borrows"])
})

it("tells every kind of question from every other", () => {
  expect(new Set([guests, page(), sample(), roots()].map(({ kind }) => kind)).size).toBe(4)
})

it("keeps no more than there may be, and gives each back once", () => {
  const calls = waiting()
  const begun = { registry: {} as never, once: undefined }
  const invoke = (id: number) => ({ id, answers: {}, peer: { revision: "2025-11-25" } }) as never
  for (let id = 0; id < 20_000; id++) calls.keep(id, begun)
  expect(calls.back(invoke(0))).toBeUndefined()
  expect(calls.back(invoke(19_999))).toBe(begun)
  expect(calls.back(invoke(19_999))).toBeUndefined()
})
