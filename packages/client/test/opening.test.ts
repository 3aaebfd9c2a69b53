/** How the two sides agree on a revision, whatever each of them speaks, and what is remembered of it. */
import { handshakeRevisions, revisions, v2026_07_28 } from "@parley/core/revisions"
import type { Channel } from "@parley/driver"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import type { ConnectOptions } from "../src/index.js"
import { connect } from "../src/index.js"
import type { Hand } from "./hand.js"
import { discovered, hand, serverInfo } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }
const methods = ({ heard }: Hand) => heard.map(({ method }) => method)
const modern = () => hand({ revision: "2026-07-28" })
/** Speaks revisions with a handshake only, and says so. */
const older = () =>
  hand({ answers: { "server/discover": () => ({ error: { code: -32600, message: "Not initialized" } }) } })
/** Ends on whatever comes before initialize. */
const dying = (): Hand => {
  const server = hand({ answers: { "server/discover": () => void server.leave() } })
  return server
}

describe("by default", () => {
  it("the server is asked what it speaks, and every request then says who asks", async () => {
    const server = modern()
    const client = await connect(server.channel, { clientInfo })
    await client.callTool("it")
    expect(methods(server)).toEqual(["server/discover", "tools/list", "tools/call"])
    for (const { params } of server.heard)
      expect(params._meta).toEqual({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": clientInfo
      })
    expect(client.peer).toEqual({ revision: "2026-07-28", capabilities: { tools: {} }, info: serverInfo })
  })

  it("one that does not understand the question is opened by initialize", async () => {
    const server = older()
    const client = await connect(server.channel, { clientInfo })
    await client.ping()
    expect(methods(server)).toEqual(["server/discover", "initialize", "notifications/initialized", "ping"])
    expect(client.peer.revision).toBe("2025-11-25")
  })

  it("one that does not answer it is opened by initialize when probeMs are over", async () => {
    const clock = simulated()
    const server = hand()
    const opening = connect(server.channel, { clientInfo, clock, probeMs: 50 })
    await server.until(({ method }) => method === "server/discover")
    clock.advance(49)
    await new Promise(setImmediate)
    expect(methods(server)).toEqual(["server/discover"])
    clock.advance(1)
    expect((await opening).peer.revision).toBe("2025-11-25")
    expect(clock.holding()).toBe(0)
  })

  it("3,000 ms are waited for an answer", async () => {
    const clock = simulated()
    const server = hand()
    const opening = connect(server.channel, { clientInfo, clock })
    await server.until(({ method }) => method === "server/discover")
    clock.advance(2_999)
    await new Promise(setImmediate)
    expect(methods(server)).toEqual(["server/discover"])
    clock.advance(1)
    await opening
  })
})

describe("what is preferred", () => {
  it("is the oldest: initialize comes first, and who refuses it is asked what it speaks", async () => {
    const both = hand({ answers: { "server/discover": () => discovered({ tools: {} }) } })
    const client = await connect(both.channel, { clientInfo, prefer: "oldest" })
    expect(both.heard[0].params.protocolVersion).toBe("2024-11-05")
    expect(client.peer.revision).toBe("2024-11-05")
    const server = hand({
      revision: "2026-07-28",
      answers: { initialize: () => ({ error: { code: -32602, message: "no", data: { supported: ["2026-07-28"] } } }) }
    })
    expect((await connect(server.channel, { clientInfo, prefer: "oldest" })).peer.revision).toBe("2026-07-28")
  })

  it.each(revisions.map(({ name }) => name))("is %s and no other", async (prefer) => {
    const both = hand({ answers: { "server/discover": () => discovered({ tools: {} }) } })
    expect((await connect(both.channel, { clientInfo, prefer })).peer.revision).toBe(prefer)
    const other = prefer === "2026-07-28" ? older() : hand({ revision: "2024-10-07" })
    await expect(connect(other.channel, { clientInfo, prefer })).rejects.toMatchObject({
      reason: { _tag: "VersionUnsupported", spoken: [prefer] }
    })
    expect(methods(other)).toEqual([prefer === "2026-07-28" ? "server/discover" : "initialize"])
  })

  it.each([
    [{ prefer: "2023-01-01" }],
    [{ prefer: "latest" }],
    [{ prefer: "2026-07-28", revisions: handshakeRevisions }]
  ])("is one that is spoken, not %j", async (options) => {
    const server = hand()
    const asking = connect(server.channel, { clientInfo, ...options } as ConnectOptions)
    await expect(asking).rejects.toThrow(TypeError)
    await expect(asking).rejects.toThrow(
      'connect needs "newest", "oldest" or the name of a revision that is spoken for prefer, not'
    )
    expect(server.heard).toEqual([])
  })
})

describe("when nothing fits, both lists are named", () => {
  it("by a client that speaks nothing older", async () => {
    const server = hand({
      answers: {
        "server/discover": () => ({
          error: { code: -32600, message: "no", data: { supported: ["2025-11-25", "2025-06-18"] } }
        })
      }
    })
    await expect(connect(server.channel, { clientInfo, revisions: [v2026_07_28] })).rejects.toThrow(
      /2025-11-25, 2025-06-18 .*this client speaks 2026-07-28/
    )
    await server.gone
    expect(methods(server)).toEqual(["server/discover"])
  })

  it("by a client that speaks nothing newer", async () => {
    const refusal = { code: -32602, message: "no", data: { supported: ["2026-07-28"] } }
    const server = hand({ answers: { initialize: () => ({ error: refusal }) } })
    await expect(connect(server.channel, { clientInfo, revisions: handshakeRevisions })).rejects.toThrow(
      /2026-07-28 .*this client speaks 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05/
    )
    await server.gone
    expect(methods(server)).toEqual(["initialize"])
  })
})

describe("what is remembered", () => {
  it("of a server without a handshake spares the question, and survives being kept as JSON", async () => {
    const first = await connect(modern().channel, { clientInfo })
    const prior = JSON.parse(JSON.stringify(first.prior))
    const server = modern()
    const client = await connect(server.channel, { clientInfo, prior })
    expect(client.peer).toEqual(first.peer)
    expect(client.prior).toEqual(first.prior)
    await client.callTool("it")
    expect(methods(server)).toEqual(["tools/list", "tools/call"])
  })

  it("of a server with one is that it is opened by initialize", async () => {
    const { prior } = await connect(older().channel, { clientInfo })
    expect(prior).toEqual({ _tag: "Handshake" })
    const server = older()
    expect((await connect(server.channel, { clientInfo, prior })).peer.revision).toBe("2025-11-25")
    expect(methods(server)).toEqual(["initialize", "notifications/initialized"])
  })

  it.each([
    [true, "connect needs what client.prior was for prior, not true"],
    ["legacy", 'connect needs what client.prior was for prior, not "legacy"'],
    [{}, "connect needs what client.prior was for prior, not an object"],
    [{ _tag: "Discovered" }, "connect needs what client.prior was for prior, not an object"],
    [{ _tag: "Legacy" }, 'connect needs "Handshake" or "Discovered" for prior._tag, not "Legacy"'],
    [{ _tag: "Discovered", result: 7 }, "connect needs an object for prior.result, not 7"],
    [{ _tag: "Handshake", era: "old" }, "connect has no option prior.era; there are _tag, result"]
  ])("is not %j", async (prior, words) => {
    const server = hand()
    const opening = connect(server.channel, { clientInfo, prior } as unknown as ConnectOptions)
    await expect(opening).rejects.toThrow(new TypeError(words))
    expect(server.heard).toEqual([])
  })

  it("is doubted when the server is silent: it is asked once more, and the error says so", async () => {
    const { prior } = await connect(modern().channel, { clientInfo })
    const clock = simulated()
    const silent = hand({ answers: { "tools/list": () => undefined, "server/discover": () => undefined } })
    const client = await connect(silent.channel, { clientInfo, prior, clock })
    const listing = client.listTools({ timeoutMs: 50 })
    await silent.until(({ method }) => method === "tools/list")
    clock.advance(50)
    await expect(listing).rejects.toThrow(/not answered within 50 ms; the server was opened by .*`prior`/)
    await silent.until(({ method }) => method === "server/discover")
    silent.send({ jsonrpc: "2.0", id: silent.asked("server/discover")[0].id, error: { code: -32601, message: "no" } })
    await client.closed
    await expect(client.ping()).rejects.toThrow(/prior/)
  })

  it("is doubted when the server ends before it has said anything", async () => {
    const { prior } = await connect(modern().channel, { clientInfo })
    const server = hand({ answers: { "tools/list": () => void server.leave() } })
    const client = await connect(server.channel, { clientInfo, prior })
    await expect(client.listTools()).rejects.toThrow(
      "tools/list was not answered: the server was opened by what was remembered of it (`prior`), which may hold no longer: connect again without it; the other side of the link was closed"
    )
  })
})

describe("a server that ends when it is asked what it speaks", () => {
  const several = (...servers: ReadonlyArray<Hand>) => {
    const made: Array<Hand> = []
    const make = (): Channel => {
      made.push(servers[made.length]!)
      return made.at(-1)!.channel
    }
    return { made, make }
  }

  it("is started once more, opened by initialize, and remembered as one that is", async () => {
    const { made, make } = several(dying(), hand())
    const client = await connect(make, { clientInfo })
    await client.callTool("it")
    expect(made.map(methods)).toEqual([
      ["server/discover"],
      ["initialize", "notifications/initialized", "tools/list", "tools/call"]
    ])
    expect(client.prior).toEqual({ _tag: "Handshake" })
    await client.close()
    expect(await client.closed).toEqual({ _tag: "Closed" })
  })

  it("is not started a third time", async () => {
    const second = hand({ answers: { initialize: () => void second.leave() } })
    const { made, make } = several(dying(), second)
    await expect(connect(make, { clientInfo })).rejects.toMatchObject({
      reason: { _tag: "Closed", method: "initialize" }
    })
    expect(made).toHaveLength(2)
  })

  it("is asked what it speaks after all when what was remembered makes it end", async () => {
    const prior = { _tag: "Handshake" } as const
    const ending = () => {
      const server = hand({ answers: { initialize: () => void server.leave() } })
      return server
    }
    const { made, make } = several(ending(), modern())
    const client = await connect(make, { clientInfo, prior })
    expect(client.peer.revision).toBe("2026-07-28")
    expect(made.map(methods)).toEqual([["initialize"], ["server/discover"]])
    await expect(connect(ending().channel, { clientInfo, prior })).rejects.toThrow(
      /^initialize was not answered: .*`prior`.*; the other side of the link was closed$/
    )
    await expect(connect(ending().channel, { clientInfo, prior, revisions: handshakeRevisions })).rejects.toThrow(
      "initialize was not answered: the other side of the link was closed"
    )
    const hopeless = several(ending(), dying())
    await expect(connect(hopeless.make, { clientInfo, prior })).rejects.toMatchObject({
      reason: { _tag: "Closed", method: "server/discover" }
    })
    expect(hopeless.made).toHaveLength(2)
  })

  it("is not started once more by a client that speaks nothing older", async () => {
    const only = several(dying())
    await expect(connect(only.make, { clientInfo, revisions: [v2026_07_28] })).rejects.toThrow(
      /^server\/discover was not answered: the other side of the link was closed$/
    )
    const pinned = several(dying())
    await expect(connect(pinned.make, { clientInfo, prefer: "2026-07-28" })).rejects.toMatchObject({
      reason: { _tag: "Closed", method: "server/discover" }
    })
  })

  it("is a failure that says what to do when its channel can not be made again", async () => {
    await expect(connect(dying().channel, { clientInfo })).rejects.toThrow(
      'server/discover was not answered: the other side of the link was closed. There are servers of older revisions that end on this question: for one of those give connect a function that makes the channel, such as () => command("..."), or prefer: "2025-11-25"'
    )
  })

  it("is not started once more for any other failure", async () => {
    const refusing = hand({
      answers: {
        "server/discover": () => ({ error: { code: -32600, message: "no" } }),
        initialize: () => ({ error: { code: -32000, message: "no room" } })
      }
    })
    await expect(connect(several(refusing).make, { clientInfo })).rejects.toThrow("no room")
    const newer = hand({
      answers: { "server/discover": () => ({ error: { code: -32020, message: "Header mismatch" } }) }
    })
    await expect(connect(several(newer).make, { clientInfo })).rejects.toMatchObject({ code: -32020 })
  })
})
