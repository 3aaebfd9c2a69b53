/** What the server did not declare is never sent, and what we did not is never answered. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import { connect } from "../src/index.js"
import { hand } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }

describe("what the server did not declare", () => {
  it.each([
    [
      { logging: {}, prompts: {} },
      "tools/list needs the capability tools, and the server declared only logging, prompts; nothing was sent"
    ],
    [{}, "tools/list needs the capability tools, and the server declared no capabilities at all; nothing was sent"]
  ])("is never sent, and the message says what was declared: %j", async (capabilities, message) => {
    const server = hand({ capabilities })
    const client = await connect(server.channel, { clientInfo, revisions })
    await expect(client.listTools()).rejects.toThrow(message)
    await expect(client.callTool("it")).rejects.toThrow(message)
    await client.ping()
    expect(server.heard.map(({ method }) => method)).toEqual(["initialize", "notifications/initialized", "ping"])
  })

  it.each([
    ["resources/list", "MethodUndeclared"],
    ["resources/subscribe", "MethodUndeclared"],
    ["completion/complete", "MethodUndeclared"],
    ["initialize", "MethodUnknown"],
    ["nonsense", "MethodUnknown"],
    ["constructor", "MethodUnknown"],
    ["__proto__", "MethodUnknown"],
    ["notifications/initialized", "MethodUnknown"],
    ["sampling/createMessage", "MethodUnknown"]
  ])("is not sent by request either: %s", async (method, _tag) => {
    const server = hand()
    const client = await connect(server.channel, { clientInfo, revisions })
    await expect(client.request(method, {})).rejects.toMatchObject({ reason: { _tag } })
    await client.ping()
    expect(server.asked(method).length).toBe(method === "initialize" || method === "notifications/initialized" ? 1 : 0)
  })

  it("is not sent where only a part of it was declared", async () => {
    const server = hand({ capabilities: { resources: {} } })
    const client = await connect(server.channel, { clientInfo, revisions })
    await expect(client.request("resources/subscribe", { uri: "a:b" })).rejects.toThrow(
      "resources/subscribe needs the capability resources.subscribe"
    )
  })

  it("is not answered when the server asks for it", async () => {
    const server = hand()
    await connect(server.channel, { clientInfo, revisions })
    server.send({ jsonrpc: "2.0", id: "s", method: "roots/list" })
    expect(await server.until(({ id }) => id === "s")).toMatchObject({ error: { code: -32601 } })
    server.send({ jsonrpc: "2.0", id: "p", method: "ping" })
    expect(await server.until(({ id }) => id === "p")).toMatchObject({ result: {} })
  })
})
