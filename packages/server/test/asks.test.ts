/** Questions to the client: the handler is run again with the answers, and does nothing twice. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import "@parley/json-schema/effect"
import { describe, expect, it, vi } from "vitest"
import type { Tool } from "../src/index.js"
import {
  AskDeclined,
  AskFailed,
  defineServer,
  form,
  page,
  prompt,
  resource,
  resourceTemplate,
  roots,
  sample,
  tool
} from "../src/index.js"
import { talking } from "./talk.js"

const info = { name: "asking", version: "1.0.0" }
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const day = form({ type: "object", properties: { day: { type: "string" } }, required: ["day"] })
// oxlint-disable-next-line typescript/no-explicit-any -- one handler for calls of several kinds
type AnyCall = any

const able = { elicitation: {}, sampling: {}, roots: {} }
const accepted = (content: object) => ({ action: "accept", content })
const text = (said: string) => ({ content: [{ type: "text", text: said }] })
const revisions = ["2025-06-18", "2025-11-25"]

const asking = (tool: unknown, capabilities: object = able, revision?: string) =>
  talking(defineServer(info, [tool as Tool]), {}, revision, capabilities)

describe.each(revisions)("a question in %s", (revision) => {
  it("is asked on behalf of the call, and its answer has the form's type", async () => {
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      const answer = await call.ask("guests", { message: "How many?" })
      return `for ${answer.guests + 0}`
    })
    const talk = await asking(book, able, revision)
    const called = talk.call("book")
    const question = await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect(question.params).toEqual({
      message: "How many?",
      requestedSchema: { type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] }
    })
    expect(await called).toEqual(text("for 3"))
    expect(talk.crashes).toEqual([])
  })

  it("may follow another one, and what was answered stays answered", async () => {
    const runs = vi.fn<() => void>()
    const book = tool("book", { asks: { guests, day } }, async (_, call) => {
      runs()
      const one = await call.ask("guests", { message: "How many?" })
      const two = await call.ask("day", { message: "When?" })
      return `${one.guests} on ${two.day}`
    })
    const talk = await asking(book, able, revision)
    const called = talk.call("book")
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    await talk.answer("elicitation/create", accepted({ day: "Monday" }))
    expect(await called).toEqual(text("3 on Monday"))
    expect(runs).toHaveBeenCalledTimes(3)
  })

  it("is asked together with others by askAll", async () => {
    const runs = vi.fn<() => void>()
    const book = tool("book", { asks: { guests, roots: roots() } }, async (_, call) => {
      runs()
      const both = await call.askAll({ guests: { message: "How many?" }, roots: undefined })
      return `${both.guests.guests} in ${both.roots[0]!.uri}`
    })
    const talk = await asking(book, able, revision)
    const called = talk.call("book")
    await talk.answer("roots/list", { roots: [{ uri: "file:///x" }] })
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect(await called).toEqual(text("3 in file:///x"))
    expect(runs).toHaveBeenCalledTimes(2)
  })
})

describe("a handler that asks", () => {
  const once = () => vi.fn<(call: number) => void>()

  it.each([
    ["an async function", async (call: AnyCall) => `${(await call.ask("guests", { message: "?" })).guests}`],
    [
      "a plain function",
      (call: AnyCall) => call.ask("guests", { message: "?" }).then((one: AnyCall) => `${one.guests}`)
    ],
    [
      "an Effect",
      (call: AnyCall) =>
        Effect.map(
          Effect.promise(() => call.ask("guests", { message: "?" })),
          (one: AnyCall) => `${one.guests}`
        )
    ],
    [
      "an Effect that may fail",
      (call: AnyCall) =>
        Effect.map(
          Effect.tryPromise(() => call.ask("guests", { message: "?" })),
          (one: AnyCall) => `${one.guests}`
        )
    ]
  ])("may be %s", async (_, handler) => {
    const talk = await asking(tool("book", { asks: { guests } }, (_, call) => handler(call)))
    const called = talk.call("book")
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect(await called).toEqual(text("3"))
    expect(talk.crashes).toEqual([])
  })

  it("may catch that for ever and ask again, and holds up nobody", async () => {
    const stubborn = tool("stubborn", { asks: { guests } }, async (_, call) => {
      for (;;)
        try {
          return String((await call.ask("guests", { message: "How many?" })).guests)
        } catch {
          // Again.
        }
    })
    const talk = await asking(stubborn)
    const called = talk.call("stubborn")
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect(await called).toEqual(text("3"))
  })

  it("may catch that it was suspended, and what it then says is dropped", async () => {
    const signals: Array<AbortSignal> = []
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      signals.push(call.signal)
      try {
        return `${(await call.ask("guests", { message: "?" })).guests}`
      } catch {
        return "no answer"
      }
    })
    const talk = await asking(book)
    const called = talk.call("book")
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect(await called).toEqual(text("3"))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })

  it("need not wait for the answer: then the question is not asked, and nothing is left behind", async () => {
    const book = tool("book", { asks: { guests } }, (_, call) => {
      void call.ask("guests", { message: "?" })
      return "never mind"
    })
    const talk = await asking(book)
    expect(await talk.call("book")).toEqual(text("never mind"))
    await talk.ask("ping")
    expect(talk.heard.some(({ method }) => method === "elicitation/create")).toBe(false)
  })

  it("does once what it wants done once", async () => {
    const reserve = once()
    const book = tool("book", { asks: { guests, day } }, async (_, call) => {
      const held = await call.once("hold", () => {
        reserve(1)
        return Promise.resolve({ at: "desk" })
      })
      const nothing = await call.once("nothing", () => reserve(2))
      const effect = await call.once("effect", () => Effect.sync(() => (reserve(3), 7)))
      await call.ask("guests", { message: "?" })
      await call.ask("day", { message: "?" })
      return JSON.stringify([held, nothing ?? "nothing", effect])
    })
    const talk = await asking(book)
    const called = talk.call("book")
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    await talk.answer("elicitation/create", accepted({ day: "x" }))
    expect(await called).toEqual(text('[{"at":"desk"},"nothing",7]'))
    expect(reserve.mock.calls).toEqual([[1], [2], [3]])
  })

  it("waits for what is being done once before it is suspended", async () => {
    const reserve = once()
    let finish!: () => void
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      const slow = call.once("slow", async () => {
        reserve(1)
        await new Promise<void>((resolve) => (finish = resolve))
        return "slow"
      })
      const { guests } = await call.ask("guests", { message: "?" })
      return `${await slow} ${guests}`
    })
    const talk = await asking(book)
    const called = talk.call("book")
    await talk.ask("ping")
    expect(talk.heard.some(({ method }) => method === "elicitation/create")).toBe(false)
    finish()
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect(await called).toEqual(text("slow 3"))
    expect(reserve).toHaveBeenCalledTimes(1)
  })

  it("does again what failed, and one key at a time", async () => {
    const reserve = once()
    let broken = true
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      const both = await Promise.all([call.once("a", () => (reserve(1), 1)), call.once("a", () => (reserve(2), 2))])
      await call
        .once("b", () => {
          reserve(3)
          if (broken) throw new Error("not now")
        })
        .catch(() => undefined)
      broken = false
      await call.ask("guests", { message: "?" })
      return both.join()
    })
    const talk = await asking(book)
    const called = talk.call("book")
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect(await called).toEqual(text("1,1"))
    expect(reserve.mock.calls).toEqual([[1], [3], [3]])
  })

  it("begins nothing once it is suspended", async () => {
    const reserve = once()
    let open!: () => void
    const opened = new Promise<void>((resolve) => (open = resolve))
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      const later = opened.then(() => call.once("x", () => reserve(1)))
      later.catch(() => undefined)
      await call.ask("guests", { message: "?" })
      await later
      return "done"
    })
    const talk = await asking(book)
    const called = talk.call("book")
    await talk.until(({ method }) => method === "elicitation/create")
    open()
    await talk.ask("ping")
    expect(reserve).not.toHaveBeenCalled()
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect(await called).toEqual(text("done"))
    expect(reserve).toHaveBeenCalledTimes(1)
  })

  it("may ask the same key again", async () => {
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      let sum = 0
      for (let more = 1; more !== 0; sum += more) more = (await call.ask("guests", { message: `${sum}` })).guests
      return `${sum}`
    })
    const talk = await asking(book)
    const called = talk.call("book")
    for (const guests of [2, 3, 0]) await talk.answer("elicitation/create", accepted({ guests }))
    expect(await called).toEqual(text("5"))
  })
})

describe("a question without a good answer", () => {
  it.each([
    ["declined", { action: "decline" }, "The user declined to answer: guests"],
    ["cancelled", { action: "cancel" }, "The user did not answer: guests"],
    ["refused", { code: -1, message: "no" }, "The client could not answer: guests: no"],
    ["answered otherwise", accepted({ guests: 1.5 }), /^The client's answer does not fit: guests: guests: /],
    ["answered without content", { action: "accept" }, /^The client's answer does not fit: guests: /],
    ["answered by nonsense", { action: "maybe" }, /^The client could not answer: guests: the answer is not valid/]
  ])("is an isError result when it was %s", async (_, answer, said) => {
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      await call.ask("guests", { message: "?" })
      return "x"
    })
    const talk = await asking(book)
    const called = talk.call("book")
    await talk.answer("elicitation/create", answer)
    const result = await called
    expect(result).toMatchObject({ isError: true })
    expect(result.content[0].text).toMatch(said)
    expect(talk.crashes).toEqual([])
  })

  it("can be caught", async () => {
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      try {
        await call.ask("guests", { message: "?" })
      } catch (error) {
        if (error instanceof AskDeclined) return error.action
        if (error instanceof AskFailed) return error.answer._tag
      }
      return "x"
    })
    const talk = await asking(book)
    const [one, two] = [talk.call("book"), talk.call("book")]
    await talk.answer("elicitation/create", { action: "decline" })
    await talk.answer("elicitation/create", { code: 1, message: "x" })
    expect([await one, await two]).toEqual([text("decline"), text("Refused")])
  })

  it("is one that was not answered in time", async () => {
    const book = tool(
      "book",
      { asks: { guests } },
      async (_, call) => `${(await call.ask("guests", { message: "?" })).guests}`
    )
    const talk = await talking(defineServer(info, [book]), { askMs: 1 }, undefined, able)
    expect(await talk.call("book")).toEqual({
      content: [{ type: "text", text: "The client did not answer in time: guests" }],
      isError: true
    })
    const question = await talk.until(({ method }) => method === "elicitation/create")
    expect(await talk.until(({ method }) => method === "notifications/cancelled")).toMatchObject({
      params: { requestId: question.id }
    })
  })

  it("is withdrawn with its call", async () => {
    const runs = vi.fn<() => void>()
    const book = tool("book", { asks: { guests } }, async (_, call) => {
      runs()
      return `${(await call.ask("guests", { message: "?" })).guests}`
    })
    const talk = await asking(book)
    talk.send({ jsonrpc: "2.0", id: "it", method: "tools/call", params: { name: "book" } })
    const question = await talk.until(({ method }) => method === "elicitation/create")
    talk.tell("notifications/cancelled", { requestId: "it" })
    expect(await talk.until(({ method }) => method === "notifications/cancelled")).toMatchObject({
      params: { requestId: question.id }
    })
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    await talk.ask("ping")
    expect(talk.heard.some(({ id }) => id === "it")).toBe(false)
    expect(runs).toHaveBeenCalledTimes(1)
  })

  it("is one that was never declared", async () => {
    const book = tool("book", {}, async (_, call) => (call as AnyCall).ask("constructor"))
    const talk = await asking(book)
    expect(await talk.call("book")).toMatchObject({ isError: true })
    expect(String(talk.crashes[0]![1])).toContain("constructor is not among what was declared")
  })
})

describe("whether a client can be asked", () => {
  const several = form({
    type: "object",
    properties: { kinds: { type: "array", items: { type: "string", enum: ["a", "b"] } } }
  })
  const can = tool(
    "can",
    { asks: { guests, several, page: page(), sample: sample(), tooled: sample({ tools: true }), roots: roots() } },
    (_, call) =>
      (["guests", "several", "page", "sample", "tooled", "roots"] as const).filter((key) => call.can(key)).join()
  )

  it.each([
    ["2025-11-25", {}, ""],
    ["2025-11-25", { elicitation: {} }, "guests,several"],
    ["2025-11-25", { elicitation: { form: {} } }, "guests,several"],
    ["2025-11-25", { elicitation: { url: {} } }, "page"],
    ["2025-11-25", { elicitation: { form: {}, url: {} }, roots: {} }, "guests,several,page,roots"],
    ["2025-11-25", { sampling: {} }, "sample"],
    ["2025-11-25", { sampling: { tools: {} } }, "sample,tooled"],
    ["2025-06-18", { elicitation: {}, sampling: {}, roots: {} }, "guests,sample,roots"],
    ["2025-06-18", { elicitation: { url: {} } }, "guests"],
    ["2025-03-26", { elicitation: {}, sampling: {}, roots: {} }, "sample,roots"],
    ["2024-11-05", { elicitation: {}, sampling: {}, roots: {} }, "sample,roots"]
  ])("depends on the revision and on what it declared: %s %j", async (revision, capabilities, keys) => {
    const talk = await asking(can, capabilities, revision)
    expect((await talk.call("can")).content[0].text).toBe(keys)
  })

  it("is told when it is asked all the same", async () => {
    const book = tool(
      "book",
      { asks: { guests } },
      async (_, call) => `${(await call.ask("guests", { message: "?" })).guests}`
    )
    const talk = await asking(book, {})
    expect(await talk.call("book")).toEqual({
      content: [{ type: "text", text: "The client can not be asked: guests: the client did not declare elicitation" }],
      isError: true
    })
  })

  it("is decided before the handler runs, for what it can not do without", async () => {
    const run = vi.fn<() => string>(() => "x")
    const book = tool("book", { asks: { guests, page: page() }, requires: ["guests", "page"] }, run)
    const poor = await asking(book, { elicitation: {} })
    expect(await poor.call("book")).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("elicitation.url") }]
    })
    expect(run).not.toHaveBeenCalled()
    const rich = await asking(book, { elicitation: { form: {}, url: {} } })
    expect(await rich.call("book")).toEqual(text("x"))
  })

  it("is nothing to require what is not asked", () => {
    expect(() => tool("x", { asks: { guests }, requires: ["other" as never] }, () => "x")).toThrow("requires other")
    expect(() => tool("x", { asks: { "a#2": guests } }, () => "x")).toThrow("have no # in them")
  })
})

describe("prompts and resources", () => {
  it("ask as tools do", async () => {
    const items = [
      prompt(
        "plan",
        { asks: { guests } },
        async (_, call) => `for ${(await call.ask("guests", { message: "?" })).guests}`
      ),
      resource(
        "note://a",
        { name: "a", asks: { guests } },
        async (uri, call) => `${uri} ${(await call.ask("guests", { message: "?" })).guests}`
      ),
      resourceTemplate(
        "note://t/{id}",
        { name: "t", asks: { day } },
        async ({ id }, call) => `${id} ${call.uri} ${(await call.ask("day", { message: "?" })).day}`
      )
    ]
    const talk = await talking(defineServer(info, items), {}, undefined, able)
    const got = talk.ask("prompts/get", { name: "plan" })
    await talk.answer("elicitation/create", accepted({ guests: 3 }))
    expect((await got).result.messages).toEqual([{ role: "user", content: { type: "text", text: "for 3" } }])
    const read = talk.ask("resources/read", { uri: "note://a" })
    await talk.answer("elicitation/create", accepted({ guests: 4 }))
    expect((await read).result.contents).toEqual([{ uri: "note://a", text: "note://a 4" }])
    const made = talk.ask("resources/read", { uri: "note://t/x" })
    await talk.answer("elicitation/create", accepted({ day: "Monday" }))
    expect((await made).result.contents).toEqual([{ uri: "note://t/x", text: "x note://t/x Monday" }])
    for (const [method, list] of [
      ["prompts/list", "prompts"],
      ["resources/list", "resources"],
      ["resources/templates/list", "resourceTemplates"]
    ] as const)
      expect((await talk.ask(method)).result[list].every((one: object) => !("asks" in one))).toBe(true)
  })

  it("fail with the reason when the user declines", async () => {
    const plan = prompt(
      "plan",
      { asks: { guests } },
      async (_, call) => `${(await call.ask("guests", { message: "?" })).guests}`
    )
    const talk = await talking(defineServer(info, [plan]), {}, undefined, able)
    const got = talk.ask("prompts/get", { name: "plan" })
    await talk.answer("elicitation/create", { action: "decline" })
    expect((await got).error).toEqual({ code: -32603, message: "The user declined to answer: guests" })
  })
})

describe("the client's model", () => {
  const think = tool("think", { asks: { model: sample({ tools: true }) } }, async (_, call) => {
    const answer = await call.ask("model", {
      maxTokens: 10,
      messages: [
        { role: "user", content: { type: "text", text: "2 + 3?" } },
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "add", input: {} }] },
        { role: "user", content: [{ type: "tool_result", toolUseId: "1", content: [{ type: "text", text: "5" }] }] }
      ],
      tools: [{ name: "add", inputSchema: { type: "object" } }]
    })
    return `${answer.model} says ${answer.stopReason}`
  })

  it("is asked with tools where it has them", async () => {
    const talk = await asking(think, { sampling: { tools: {} } })
    const called = talk.call("think")
    const question = await talk.answer("sampling/createMessage", {
      role: "assistant",
      content: { type: "text", text: "5" },
      model: "m",
      stopReason: "endTurn"
    })
    expect(question.params.tools).toHaveLength(1)
    expect(await called).toEqual(text("m says endTurn"))
  })

  it("is not asked with tools where it has none", async () => {
    const talk = await asking(think, { sampling: {} })
    expect((await talk.call("think")).content[0].text).toContain("the client did not declare sampling.tools")
  })

  it("is not asked what is out of balance", async () => {
    const odd = tool("odd", { asks: { model: sample({ tools: true }) } }, async (_, call) => {
      const answer = await call.ask("model", {
        maxTokens: 10,
        messages: [{ role: "assistant", content: [{ type: "tool_use", id: "1", name: "add", input: {} }] }]
      })
      return answer.model
    })
    const talk = await asking(odd, { sampling: { tools: {} } })
    expect((await talk.call("odd")).content[0].text).toContain("expected results for the tools")
  })
})

describe("a form by an effect Schema", () => {
  it("is asked as clients can show it, and answered as the schema has it", async () => {
    const Guests = Schema.Struct({
      guests: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
      kind: Schema.Literals(["a", "b"]),
      when: Schema.optionalKey(Schema.String)
    })
    const book = tool("book", { asks: { guests: form(Guests) } }, async (_, call) => {
      const { guests, kind } = await call.ask("guests", { message: "?" })
      return `${guests} ${kind}`
    })
    const talk = await asking(book)
    const called = talk.call("book")
    const question = await talk.answer("elicitation/create", accepted({ guests: 3, kind: "a" }))
    expect(question.params.requestedSchema).toEqual({
      type: "object",
      properties: {
        guests: { type: "integer", minimum: 1, maximum: 9007199254740991 },
        kind: { type: "string", enum: ["a", "b"] },
        when: { type: "string" }
      },
      required: ["guests", "kind"]
    })
    expect(await called).toEqual(text("3 a"))
  })
})
