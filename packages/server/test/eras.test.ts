/** One server for clients of both kinds, on one channel: each is served by its own rules, and hears nothing of the other. */
import { handshakeRevisions, perRequestRevisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import type { AskFailed, Call } from "../src/index.js"
import { defineServer, form, live, page, prompt, resource, roots, sample, tool } from "../src/index.js"
import { accept, answering, asking, logLevel, modern, serverInfo, subscriptionId } from "./modern.js"
import { talk, talking } from "./talk.js"

const info = { name: "both", version: "1.0.0" }
const hello = tool("hello", {}, () => "Hello!")
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })

describe("a server by default", () => {
  it("speaks all five revisions on one channel", async () => {
    const older = talk(defineServer(info, [hello]))
    const newer = asking(older)
    expect((await newer.ask("server/discover")).result).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      _meta: { [serverInfo]: info }
    })
    expect(await newer.tool("hello")).toMatchObject({ resultType: "complete", content: [{ text: "Hello!" }] })
    expect(await older.open("2024-11-05")).toMatchObject({ protocolVersion: "2024-11-05" })
    expect(await older.call("hello")).toEqual({ content: [{ type: "text", text: "Hello!" }] })
    expect(await newer.tool("hello")).toMatchObject({ resultType: "complete" })
  })

  it("names every version to whoever begins with neither", async () => {
    const { error } = await talk(defineServer(info, [hello])).ask("tools/list")
    expect(error.code).toBe(-32600)
    expect(error.data.supported).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
  })
})

describe("a server of per-request revisions only", () => {
  it("refuses initialize, naming what it speaks", async () => {
    const { open, ask, heard } = talk(defineServer(info, [hello], { revisions: perRequestRevisions }))
    await open()
    expect(heard[0].error).toMatchObject({ code: -32602, data: { supported: ["2026-07-28"] } })
    expect((await ask("tools/list")).error).toMatchObject({ code: -32602, data: { supported: ["2026-07-28"] } })
    expect(
      await asking(talk(defineServer(info, [hello], { revisions: perRequestRevisions }))).tool("hello")
    ).toMatchObject({
      content: [{ text: "Hello!" }]
    })
  })
})

describe("a server of handshake revisions only", () => {
  it("knows no server/discover, and takes an envelope for unknown members", async () => {
    const older = talk(defineServer(info, [hello], { revisions: handshakeRevisions }))
    const newer = asking(older)
    expect((await newer.ask("server/discover")).error.code).toBe(-32600)
    await older.open()
    expect((await newer.ask("server/discover")).error.code).toBe(-32601)
    expect(await newer.tool("hello")).toEqual({ content: [{ type: "text", text: "Hello!" }] })
  })
})

describe("what a client can not do", () => {
  const needy = tool("needy", { asks: { guests, where: roots() }, requires: ["guests", "where"] }, () => "done")
  const careful = tool("careful", { asks: { guests, visit: page() } }, (_, call) =>
    [call.can("guests"), call.can("visit")].join()
  )
  const server = defineServer(info, [needy, careful])

  it("is the error that names all that is missing, where a tool requires it", async () => {
    const { tool } = modern(server, { capabilities: { elicitation: { url: {} } } })
    expect(await tool("needy")).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} }, roots: {} } }
    })
    expect(await modern(server, { capabilities: { elicitation: {}, roots: {} } }).tool("needy")).toMatchObject({
      content: [{ text: "done" }]
    })
  })

  it.each([
    [{}, "false,false"],
    [{ elicitation: {} }, "true,false"],
    [{ elicitation: { url: {} } }, "false,true"],
    [{ elicitation: { form: {}, url: {} } }, "true,true"]
  ])("is known to the handler: %j", async (capabilities, able) => {
    expect((await modern(server, { capabilities }).tool("careful")).content[0].text).toBe(able)
  })

  const asks = { guests, visit: page(), model: sample({ tools: true }), where: roots() }
  const params = {
    guests: { message: "?" },
    visit: { message: "?", url: "https://example.com", elicitationId: "v" },
    model: { messages: [], maxTokens: 1 },
    where: undefined
  }
  const needing = Object.entries({
    guests: [{ url: {} }, { elicitation: { form: {} } }, "elicitation.form"],
    visit: [{}, { elicitation: { url: {} } }, "elicitation.url"],
    model: [{}, { sampling: { tools: {} } }, "sampling.tools"],
    where: [{}, { roots: {} }, "roots"]
  } as const)

  it.each(needing)("is an error where %s is asked and the handler does not catch that", async (key, expected) => {
    const [elicitation, requiredCapabilities, name] = expected
    const ask = async (call: Call<typeof asks>): Promise<string> => {
      await call.ask(key as "guests", params[key as "guests"])
      return "asked"
    }
    const asking = [
      tool("throws", { asks }, (_, call) => ask(call)),
      tool("returns", { asks }, (_, call) => ask(call).catch((error: AskFailed) => error)),
      tool("catches", { asks }, (_, call) => ask(call).catch(() => "goes on")),
      prompt("throws", { asks }, (_, call) => ask(call)),
      resource("a:1", { name: "throws", asks }, (_, call) => ask(call))
    ]
    const served = defineServer(info, asking)
    const capabilities = { elicitation, sampling: {} }
    const now = modern(served, { capabilities })
    const refusal = { code: -32021, data: { requiredCapabilities } }
    expect(await now.tool("throws")).toMatchObject(refusal)
    expect(await now.tool("returns")).toMatchObject(refusal)
    expect((await now.ask("prompts/get", { name: "throws" })).error).toMatchObject(refusal)
    expect((await now.ask("resources/read", { uri: "a:1" })).error).toMatchObject(refusal)
    expect(await now.tool("catches")).toMatchObject({ content: [{ text: "goes on" }] })
    // No handshake revision has an error for it.
    const before = await talking(served, {}, "2025-11-25", capabilities)
    const text = `The client can not be asked: ${key}: the client did not declare ${name}`
    for (const one of ["throws", "returns"])
      expect(await before.call(one)).toEqual({ content: [{ type: "text", text }], isError: true })
    expect((await before.ask("prompts/get", { name: "throws" })).error).toEqual({ code: -32603, message: text })
  })

  it("goes by each request, whatever the session declared", async () => {
    const session = await talking(server, {}, undefined, { elicitation: {} })
    expect((await session.call("careful")).content[0].text).toBe("true,false")
    expect((await asking(session).tool("careful")).content[0].text).toBe("false,false")
  })
})

describe("logs", () => {
  const chatty = tool("chatty", {}, (_, call) => {
    call.log("debug", "low")
    call.log("warning", "high")
    return "x"
  })
  const said = ({ heard }: Pick<ReturnType<typeof modern>, "heard">) =>
    heard.filter(({ method }) => method === "notifications/message").map(({ params }) => params.data)

  it.each([
    [undefined, []],
    ["debug", ["low", "high"]],
    ["info", ["high"]],
    ["error", []]
  ])("are those that the request asks for: %s", async (level, expected) => {
    const meta = level === undefined ? {} : { [logLevel]: level }
    const client = modern(defineServer(info, [chatty], { declare: { logging: true } }), { meta })
    await client.tool("chatty")
    expect(said(client)).toEqual(expected)
  })

  it("of a session and of requests have nothing to do with each other", async () => {
    const session = await talking(defineServer(info, [chatty], { declare: { logging: true } }))
    await session.ask("logging/setLevel", { level: "debug" })
    await asking(session).tool("chatty")
    expect(said(session)).toEqual([])
    await asking(session, { meta: { [logLevel]: "error" } }).tool("chatty")
    await session.call("chatty")
    expect(said(session)).toEqual(["low", "high"])
  })
})

describe("a stream that a client listens to", () => {
  it("is told of what changes, apart from the session that subscribed", async () => {
    const declare = { tools: { listChanged: true }, resources: { subscribe: true } } as const
    const changing = live(defineServer(info, [hello], { declare }))
    const session = await talking(changing)
    await session.ask("resources/subscribe", { uri: "note://session" })
    const client = asking(session)
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["note://a"] }
    void client.ask("subscriptions/listen", { notifications }, "listen").catch(() => undefined)
    const ack = await client.until(({ method }) => method === "notifications/subscriptions/acknowledged")
    expect(ack.params).toEqual({
      notifications: { toolsListChanged: true, resourceSubscriptions: ["note://a"] },
      _meta: { [subscriptionId]: "listen" }
    })
    await changing.set([hello, tool("more", {}, () => "x")])
    changing.updated("note://a")
    changing.updated("note://session")
    await session.ask("ping")
    const told = session.heard.slice(session.heard.indexOf(ack) + 1).filter(({ method }) => method !== undefined)
    expect(told).toEqual([
      { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: { _meta: { [subscriptionId]: "listen" } } },
      { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
      {
        jsonrpc: "2.0",
        method: "notifications/resources/updated",
        params: { uri: "note://a", _meta: { [subscriptionId]: "listen" } }
      },
      { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "note://session" } }
    ])
    expect((await client.ask("tools/list")).result.tools).toHaveLength(2)
  })

  it("is answered, and then cancelled, when the server ends", async () => {
    const { ask, until, serving, heard } = modern(defineServer(info, [hello]))
    void ask("subscriptions/listen", { notifications: {} }, "listen").catch(() => undefined)
    await until(({ method }) => method === "notifications/subscriptions/acknowledged")
    await serving.close()
    expect(heard.slice(-2)).toEqual([
      {
        jsonrpc: "2.0",
        id: "listen",
        result: { resultType: "complete", _meta: { [subscriptionId]: "listen", [serverInfo]: info } }
      },
      {
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: "listen", _meta: { [subscriptionId]: "listen" } }
      }
    ])
  })
})

describe("a tool that has to be a task", () => {
  it("is called like any other, and listed without that", async () => {
    const { ask, tool: call } = modern(defineServer(info, [tool("long", { task: "required" }, () => "done")]))
    expect(await call("long")).toMatchObject({ resultType: "complete", content: [{ text: "done" }] })
    expect((await ask("tools/list")).result.tools[0]).not.toHaveProperty("execution")
    expect((await ask("server/discover")).result.capabilities).toEqual({ tools: {} })
    expect((await ask("tasks/list")).error.code).toBe(-32601)
  })
})

it("gives a call of one kind nothing of what one of the other did under the same id", async () => {
  let made = 0
  const book = tool("book", { asks: { guests } }, async (_, call) => {
    const held = await call.once("hold", () => ++made)
    await call.ask("guests", { message: "?" })
    return `held ${held}`
  })
  const session = await talking(defineServer(info, [book]), {}, undefined, { elicitation: {} })
  session.send({ jsonrpc: "2.0", id: "one", method: "tools/call", params: { name: "book", arguments: {} } })
  await session.until(({ method }) => method === "elicitation/create")
  session.tell("notifications/cancelled", { requestId: "one" })
  const client = asking(session, { capabilities: { elicitation: {} } })
  const first = await client.tool("book")
  const retry = answering(first, { guests: accept({ guests: 4 }) })
  const last = await client.ask("tools/call", { name: "book", arguments: {}, ...retry }, "one")
  expect(last.result.content[0].text).toBe("held 2")
})
