/** Questions inside a result: the handler is run again with the answers that come back, and does everything once. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { defineServer, page, prompt, resource, roots, tool } from "../src/index.js"
import { able, booking, guests, keys, monday } from "./booking.js"
import { accept, answering, asking, envelope, modern, serverInfo } from "./modern.js"
import { talk } from "./talk.js"

const info = { name: "booking", version: "1.0.0" }

afterEach(() => vi.useRealTimers())

describe("a tool that asks twice", () => {
  it("is run with the answers of each retry, and does everything once", async () => {
    const { server, done } = booking()
    const { tool } = modern(server, able)
    const first = await tool("book", monday)
    expect(first).toEqual({
      resultType: "input_required",
      inputRequests: {
        guests: {
          method: "elicitation/create",
          params: { message: "How many guests?", requestedSchema: expect.objectContaining({ required: ["guests"] }) }
        }
      },
      requestState: expect.stringMatching(/^[\w-]+$/),
      _meta: { [serverInfo]: info }
    })
    const second = await tool("book", monday, answering(first, { guests: accept({ guests: 4 }) }))
    expect(Object.keys(second.inputRequests)).toEqual(["sure"])
    const last = await tool("book", monday, answering(second, { sure: accept({ sure: true }) }))
    expect(last).toMatchObject({ resultType: "complete", content: [{ text: "booked 4 for monday" }] })
    expect(done).toEqual(["run", "run", "hold 4", "run"])
  })

  it("is answered at once by who knows what it asks, does everything once, and asks for the rest", async () => {
    const given = { guests: accept({ guests: 4 }), sure: accept({ sure: true }), "nobody asked": accept({}) }
    const all = booking()
    const done = await modern(all.server, able).tool("book", monday, { inputResponses: given })
    expect(done).toMatchObject({ resultType: "complete", content: [{ text: "booked 4 for monday" }] })
    expect(all.done).toEqual(["run", "run", "hold 4", "run"])

    const some = booking()
    const { tool } = modern(some.server, able)
    const first = await tool("book", monday, { inputResponses: { guests: given.guests } })
    expect(Object.keys(first.inputRequests)).toEqual(["sure"])
    const last = await tool("book", monday, answering(first, { sure: given.sure }))
    expect(last).toMatchObject({ content: [{ text: "booked 4 for monday" }] })
    expect(some.done).toEqual(["run", "run", "hold 4", "run"])
  })

  it("goes on in another process with the same key", async () => {
    const [one, two] = [booking(), booking()]
    const first = await modern(one.server, able, { seal: { keys } }).tool("book", monday)
    const other = modern(two.server, able, { seal: { keys: [new Uint8Array(32), ...keys] } })
    const second = await other.tool("book", monday, answering(first, { guests: accept({ guests: 4 }) }))
    const third = modern(one.server, able, { seal: { keys: [...keys, new Uint8Array(32)] } })
    const last = await third.tool("book", monday, answering(second, { sure: accept({ sure: true }) }))
    expect(last.content[0].text).toBe("booked 4 for monday")
    expect([one.done, two.done]).toEqual([
      ["run", "run"],
      ["run", "hold 4"]
    ])
  })

  it("goes on with all that it may remember, in whatever script", async () => {
    const big = tool("big", { asks: { guests } }, async (_, call) => {
      const text = await call.once("text", () => "\u3042".repeat(60_000))
      await call.ask("guests", { message: "?" })
      return String(text.length)
    })
    const { tool: run } = modern(defineServer(info, [big]), able)
    const first = await run("big")
    const last = await run("big", {}, answering(first, { guests: accept({ guests: 4 }) }))
    expect(last.content[0].text).toBe("60000")
  })

  it("hears of a user who declines", async () => {
    const { tool } = modern(booking().server, able)
    const first = await tool("book", monday)
    const last = await tool("book", monday, answering(first, { guests: { action: "decline" } }))
    expect(last).toMatchObject({ isError: true, content: [{ text: "The user declined to answer: guests" }] })
  })

  it("hears of an answer that does not fit its form", async () => {
    const { tool } = modern(booking().server, able)
    const first = await tool("book", monday)
    const last = await tool("book", monday, answering(first, { guests: accept({ guests: "four" }) }))
    expect(last).toMatchObject({ isError: true })
    expect(last.content[0].text).toContain("does not fit")
  })

  it("begins anew when its state does not come back, and takes the answers that come along", async () => {
    const { server, done } = booking()
    const { tool } = modern(server, able)
    await tool("book", monday)
    const again = await tool("book", monday, { inputResponses: { guests: accept({ guests: 4 }) } })
    expect(Object.keys(again.inputRequests)).toEqual(["sure"])
    expect(done).toEqual(["run", "run", "run", "hold 4"])
  })

  it("is not heard of again once its request was withdrawn", async () => {
    const { server } = booking()
    const { send, tell, ask, heard } = modern(server, able)
    send({
      jsonrpc: "2.0",
      id: "gone",
      method: "tools/call",
      params: { name: "book", arguments: monday, _meta: envelope(able) }
    })
    tell("notifications/cancelled", { requestId: "gone" })
    await ask("server/discover")
    await ask("tools/call", { name: "book", arguments: monday })
    expect(heard.filter(({ id }) => id === "gone")).toEqual([])
  })
})

describe("several questions at once", () => {
  const both = tool("both", { asks: { guests, where: roots() } }, async (_, call) => {
    const answers = await call.askAll({ guests: { message: "?" }, where: undefined })
    return `${answers.guests.guests} of ${answers.where[0]!.uri}`
  })
  const client = { capabilities: { elicitation: {}, roots: {} } }

  it("are asked again where they were not answered, and answers to no question are ignored", async () => {
    const { tool } = modern(defineServer(info, [both]), client)
    const first = await tool("both")
    expect(Object.keys(first.inputRequests)).toEqual(["guests", "where"])
    const second = await tool("both", {}, answering(first, { guests: accept({ guests: 2 }), other: { any: 1 } }))
    expect(Object.keys(second.inputRequests)).toEqual(["where"])
    const last = await tool("both", {}, answering(second, { where: { roots: [{ uri: "file:///a" }] } }))
    expect(last.content[0].text).toBe("2 of file:///a")
  })

  it.each([
    [{}, { elicitation: { form: {}, url: {} }, roots: {} }],
    [{ elicitation: {} }, { elicitation: { form: {}, url: {} }, roots: {} }],
    [{ elicitation: { form: {} }, roots: {} }, { elicitation: { url: {} } }],
    [{ elicitation: { url: {} } }, { elicitation: { form: {} }, roots: {} }]
  ])(
    "are not asked where the client lacks something for one of them, and all that is named: %j",
    async (has, lacks) => {
      const asks = { guests, visit: page(), where: roots() }
      const visit = { message: "!", url: "https://a.example", elicitationId: "v" }
      const all = tool("all", { asks }, async (_, call) => {
        await call.askAll({ guests: { message: "?" }, visit, where: undefined })
        return "asked"
      })
      const required = tool("required", { asks, requires: ["guests", "visit", "where"] }, () => "asked")
      const { tool: call } = modern(defineServer(info, [all, required]), { capabilities: has })
      for (const name of ["all", "required"])
        expect(await call(name)).toMatchObject({ code: -32021, data: { requiredCapabilities: lacks } })
    }
  )

  it("are asked of a client that lacks what was needed for what it answered", async () => {
    const channel = talk(defineServer(info, [both]))
    const first = await asking(channel, client).tool("both")
    const later = asking(channel, { capabilities: { roots: {} } })
    expect(await later.tool("both")).toMatchObject({ data: { requiredCapabilities: { elicitation: {} } } })
    const second = await later.tool("both", {}, answering(first, { guests: accept({ guests: 2 }) }))
    expect(Object.keys(second.inputRequests)).toEqual(["where"])
  })

  it("are refused when an answer is none to its question", async () => {
    const { tool } = modern(defineServer(info, [both]), client)
    const first = await tool("both")
    const error = await tool("both", {}, answering(first, { where: { roots: "file:///a" } }))
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("inputResponses.where.roots") })
  })
})

it.each(["prompts/get", "resources/read"])("may be asked by what serves %s", async (method) => {
  const asks = { guests }
  const items = [
    prompt("plan", { asks }, async (_, call) => `for ${(await call.ask("guests", { message: "?" })).guests}`),
    resource(
      "note://a",
      { name: "a", asks },
      async (_, call) => `for ${(await call.ask("guests", { message: "?" })).guests}`
    )
  ]
  const { ask } = modern(defineServer(info, items), able)
  const params = method === "prompts/get" ? { name: "plan" } : { uri: "note://a" }
  const first = (await ask(method, params)).result
  expect(first.resultType).toBe("input_required")
  const last = await ask(method, { ...params, ...answering(first, { guests: accept({ guests: 4 }) }) })
  expect(JSON.stringify(last.result)).toContain("for 4")
})

it("waits for what is being done once, however long that takes, since the next run may be anywhere", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  let end!: () => void
  const slow = tool("slow", { asks: { guests } }, async (_, call) => {
    const held = call.once("hold", () => new Promise<string>((resolve) => (end = () => resolve("held"))))
    const { guests } = await call.ask("guests", { message: "?" })
    return `${await held} for ${guests}`
  })
  const client = modern(defineServer(info, [slow]), able)
  const asked = client.ask("tools/call", { name: "slow", arguments: {} }, "slow")
  await client.ask("server/discover")
  await vi.advanceTimersByTimeAsync(60_000)
  await client.ask("server/discover")
  expect(client.heard.filter(({ id }) => id === "slow")).toEqual([])
  end()
  const { result } = await asked
  const last = await client.tool("slow", {}, answering(result, { guests: accept({ guests: 4 }) }))
  expect(last.content[0].text).toBe("held for 4")
})
