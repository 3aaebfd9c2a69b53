/** Sessions seen from the client: how they open, what is never sent, how they end. */
import { handshakeRevisions } from "@parley/core/revisions"
import { link } from "@parley/driver"
import type { Report } from "@parley/core"
import { describe, expect, it, vi } from "vitest"
import { defineServer, serve, tool as declare } from "@parley/server"
import { simulated } from "../../driver/test/simulated.js"
import { CallError, connect } from "../src/index.js"
import { hand } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }

describe("the opening", () => {
  it("proposes the newest revision, says who we are, and then says that it is done", async () => {
    const server = hand()
    server.answers["initialize"] = () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "hand", version: "1.0.0" },
      instructions: "Be brief."
    })
    const client = await connect(server.channel, { clientInfo, revisions: handshakeRevisions })
    await server.until(({ method }) => method === "notifications/initialized")
    expect(server.heard).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
      },
      { jsonrpc: "2.0", method: "notifications/initialized" }
    ])
    expect(client.asked).toBe("2025-11-25")
    expect(client.instructions).toBe("Be brief.")
    expect(client.peer).toEqual({
      revision: "2025-11-25",
      capabilities: { tools: {} },
      info: { name: "hand", version: "1.0.0" }
    })
  })

  it.each(handshakeRevisions.map(({ name }) => name))("takes %s when the server offers it", async (revision) => {
    const client = await connect(hand({ revision }).channel, { clientInfo, revisions: handshakeRevisions })
    expect(client.asked).toBe("2025-11-25")
    expect(client.peer.revision).toBe(revision)
    await client.ping()
  })

  it("tries once more with a version that the server names", async () => {
    const server = hand()
    server.answers["initialize"] = (params: { protocolVersion: string }) =>
      params.protocolVersion === "2025-03-26"
        ? { protocolVersion: "2025-03-26", capabilities: {}, serverInfo: { name: "hand", version: "1" } }
        : {
            error: {
              code: -32602,
              message: "Unsupported protocol version",
              data: { supported: ["1.0", "2025-03-26"], requested: params.protocolVersion }
            }
          }
    const client = await connect(server.channel, { clientInfo, revisions: handshakeRevisions })
    expect(client.peer.revision).toBe("2025-03-26")
    expect(server.asked("initialize").map(({ params }) => params.protocolVersion)).toEqual(["2025-11-25", "2025-03-26"])
  })

  it.each([
    [
      "offers a version that we do not speak",
      { protocolVersion: "2099-01-01", capabilities: {}, serverInfo: { name: "h", version: "1" } },
      "The server offered version 2099-01-01 when asked for 2025-11-25; this client speaks 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"
    ],
    [
      "answers with an error",
      { error: { code: -32000, message: "no room" } },
      "initialize was answered with error -32000: no room"
    ],
    [
      "answers without a serverInfo",
      { protocolVersion: "2025-11-25", capabilities: {} },
      "The server's result for initialize is not valid: serverInfo: expected"
    ]
  ])("rejects readably when the server %s, with the channel closed", async (_, answer, message) => {
    const server = hand({ answers: { initialize: () => answer } })
    const opening = connect(server.channel, { clientInfo, revisions: handshakeRevisions })
    await expect(opening).rejects.toThrow(CallError)
    await expect(opening).rejects.toThrow(message)
    await server.gone
    expect(server.asked("notifications/initialized")).toEqual([])
  })

  it("rejects when the server goes before it answers", async () => {
    const server = hand({ answers: { initialize: () => undefined } })
    const opening = connect(server.channel, { clientInfo, revisions: handshakeRevisions })
    await server.until(({ method }) => method === "initialize")
    await server.leave()
    await expect(opening).rejects.toMatchObject({
      reason: { _tag: "Closed", method: "initialize", why: "the other side of the link was closed" }
    })
  })

  it("rejects only once the channel is closed", async () => {
    const server = hand({ answers: { initialize: () => ({ error: { code: -32000, message: "no room" } }) } })
    let closed = false
    const close = async () => {
      await new Promise(setImmediate)
      await server.channel.close()
      closed = true
    }
    await expect(connect({ ...server.channel, close }, { clientInfo, revisions: handshakeRevisions })).rejects.toThrow(
      "no room"
    )
    expect(closed).toBe(true)
  })

  it("takes openingMs at most, and is never cancelled", async () => {
    const clock = simulated()
    const server = hand({ answers: { initialize: () => undefined } })
    const opening = connect(server.channel, { clientInfo, revisions: handshakeRevisions, clock, openingMs: 100 })
    opening.catch(() => undefined)
    await server.until(({ method }) => method === "initialize")
    clock.advance(99)
    expect(clock.pending()).toBe(1)
    clock.advance(1)
    await expect(opening).rejects.toThrow("initialize was not answered within 100 ms in all")
    await server.gone
    expect(server.heard).toHaveLength(1)
    expect(clock.pending()).toBe(0)
  })

  it("lives with a capability of the wrong type, and reports it", async () => {
    const reports: Array<Report> = []
    const server = hand({ capabilities: { tools: true, prompts: {}, unheardOf: 1 } })
    const client = await connect(server.channel, {
      clientInfo,
      revisions: handshakeRevisions,
      report: (report) => reports.push(report)
    })
    expect(client.peer.capabilities).toEqual({ prompts: {} })
    expect(reports).toMatchObject([{ _tag: "Agreed", wrong: ["tools"] }])
  })

  it("does not stumble over a list_changed that comes together with the result", async () => {
    const server = hand({ capabilities: { tools: { listChanged: true } } })
    server.answers["initialize"] = (params: { protocolVersion: string }, id) => {
      server.send({
        jsonrpc: "2.0",
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: "hand", version: "1" }
        }
      })
      server.tell("notifications/tools/list_changed")
    }
    const heard = vi.fn<(method: string, params: unknown) => void>()
    const client = await connect(server.channel, { clientInfo, revisions: handshakeRevisions, onNotification: heard })
    expect(await client.listTools()).toHaveLength(1)
    expect(heard).toHaveBeenCalledExactlyOnceWith("notifications/tools/list_changed", undefined)
  })
})

describe("close", () => {
  it("rejects what is pending, once, tells the server, and may be called again", async () => {
    const server = hand({ answers: { "tools/call": () => undefined } })
    const client = await connect(server.channel, { clientInfo, revisions: handshakeRevisions })
    const settled = vi.fn<() => void>()
    const calls = [client.callTool("it"), client.callTool("it")]
    for (const call of calls) call.then(settled, settled)
    await server.until(() => server.asked("tools/call").length === 2)
    await Promise.all([client.close(), client.close()])
    await client.close()
    await server.gone
    for (const call of calls) await expect(call).rejects.toThrow("tools/call was not answered: the client closed it")
    expect(settled).toHaveBeenCalledTimes(2)
    expect(await client.closed).toEqual({ _tag: "Closed" })
    await expect(client.ping()).rejects.toThrow("ping can not be sent: the client closed it")
    await expect(client.callTool("it")).rejects.toMatchObject({ reason: { _tag: "NotOpen" } })
  })

  it("leaves no timer behind", async () => {
    const clock = simulated()
    const server = hand({ answers: { "tools/call": () => undefined } })
    const client = await connect(server.channel, { clientInfo, revisions: handshakeRevisions, clock })
    const call = client.callTool("it")
    await server.until(() => server.asked("tools/call").length === 1)
    expect(clock.pending()).toBe(1)
    await client.close()
    await expect(call).rejects.toThrow(CallError)
    expect(clock.pending()).toBe(0)
  })
})

describe("a server that goes", () => {
  it("in the middle of a call rejects it with what is known", async () => {
    const server = hand({ answers: { "tools/call": () => undefined } })
    const client = await connect(server.channel, { clientInfo, revisions: handshakeRevisions })
    const call = client.callTool("it")
    await server.until(() => server.asked("tools/call").length === 1)
    await server.leave()
    await expect(call).rejects.toThrow("tools/call was not answered: the other side of the link was closed")
    expect(await client.closed).toEqual({ _tag: "Gone", detail: "the other side of the link was closed" })
    await expect(client.ping()).rejects.toThrow("the other side of the link was closed")
  })

  it("answers nothing that it sends as garbage", async () => {
    const reports: Array<Report> = []
    const server = hand()
    const client = await connect(server.channel, {
      clientInfo,
      revisions: handshakeRevisions,
      report: (report) => reports.push(report)
    })
    for (const garbage of [7, null, [], {}, { jsonrpc: "2.0", id: 99, result: {} }, { jsonrpc: "2.0", result: {} }])
      server.send(garbage as object)
    await client.ping()
    expect(server.heard.map(({ method }) => method)).toEqual(["initialize", "notifications/initialized", "ping"])
    expect(reports.filter(({ _tag }) => _tag === "Ignored")).toHaveLength(6)
  })
})

it("talks to our own server at every revision", async () => {
  const add = declare(
    "add",
    {
      input: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"]
      } as const,
      output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const
    },
    ({ a, b }) => ({ sum: a + b })
  )
  for (const revision of handshakeRevisions) {
    const [near, far] = link()
    const serving = serve(defineServer({ name: "adder", version: "1.0.0" }, [add]), far)
    const client = await connect(near, { clientInfo, revisions: [revision] })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["add"])
    const { content, structuredContent } = await client.callTool("add", { a: 1, b: 2 })
    expect(content).toEqual([{ type: "text", text: '{"sum":3}' }])
    expect(structuredContent).toEqual(revision.place >= 2 ? { sum: 3 } : undefined)
    await client.close()
    await serving.closed
  }
})
