/** Replies that can not be read are answers all the same: whoever waits learns of it at once. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { describe, expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import { connect } from "../src/index.js"
import { broken } from "./broken.js"
import { hand } from "./hand.js"
import { waiting } from "./waiting.js"

const clientInfo = { name: "client", version: "1.0.0" }

describe("a reply that is broken", () => {
  it.each(broken)("settles its call at once when it %s, and no other", async (_, reply) => {
    const { clock, server, ping } = await waiting()
    const [first, other] = [await ping(), await ping()]
    server.send({ ...reply, id: first.id })
    expect(await first.reply).toMatch("The server's result for ping is not valid: expected a reply of JSON-RPC 2.0: ")
    expect(other.settled()).toBeUndefined()
    server.send({ jsonrpc: "2.0", id: other.id, result: {} })
    expect(await other.reply).toBe("answered")
    expect(clock.holding()).toBe(0)
  })

  it("is nobody's when its id is nobody's", async () => {
    const { server, ping, heard } = await waiting()
    const { id, reply, settled } = await ping()
    for (const stray of [id + 1, String(id), null, undefined])
      server.send({ jsonrpc: "2.0", id: stray, result: "done" })
    await heard()
    expect(settled()).toBeUndefined()
    server.send({ jsonrpc: "2.0", id, result: {} })
    expect(await reply).toBe("answered")
  })
})

describe("the opening", () => {
  it.each(broken)("rejects at once when the server's answer %s", async (_, reply) => {
    const server = hand({ answers: { initialize: () => undefined } })
    const opening = connect(server.channel, { clientInfo, revisions, clock: simulated() })
    const { id } = await server.until(({ method }) => method === "initialize")
    server.send({ ...reply, id })
    await expect(opening).rejects.toMatchObject({
      name: "CallError",
      reason: { _tag: "ResultInvalid", method: "initialize" }
    })
    await server.gone
  })

  it("rejects at once when what we say of ourselves is no JSON", async () => {
    const server = hand()
    const odd = { name: "client", version: "1.0.0", more: 1n } as never
    const opening = connect(server.channel, { clientInfo: odd, revisions, clock: simulated() })
    await expect(opening).rejects.toMatchObject({ reason: { _tag: "ParamsInvalid", method: "initialize" } })
    await server.gone
    expect(server.heard).toEqual([])
  })
})
