/** What the server tells: by method, typed, to whoever listens. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import { describe, expect, it, vi } from "vitest"
import { connect } from "../src/index.js"
import { hand } from "./hand.js"

const clientInfo = { name: "client", version: "1.0.0" }
const capabilities = { logging: {}, tools: { listChanged: true } }

describe("a listener", () => {
  it("hears its notifications, from the opening on, until it listens no longer", async () => {
    const server = hand({ capabilities })
    type Listener = (params: { readonly data: unknown }) => void
    const [first, later] = [vi.fn<Listener>(), vi.fn<Listener>()]
    const all = vi.fn<(method: string) => void>()
    server.answers["initialize"] = (params: { protocolVersion: string }, id) => {
      const serverInfo = { name: "hand", version: "1" }
      server.send({ jsonrpc: "2.0", id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } })
      server.tell("notifications/message", { level: "info", data: "early" })
    }
    const client = await connect(server.channel, {
      clientInfo,
      revisions,
      on: { "notifications/message": first },
      onNotification: all
    })
    const stop = [client.on("notifications/message", later), client.on("notifications/message", later)]
    server.tell("notifications/message", { level: "info", data: 1 })
    server.tell("notifications/tools/list_changed")
    await client.ping()
    stop[0]?.()
    stop[0]?.()
    server.tell("notifications/message", { level: "info", data: 2 })
    await client.ping()
    expect(first.mock.calls.map(([{ data }]) => data)).toEqual(["early", 1, 2])
    expect(later.mock.calls.map(([{ data }]) => data)).toEqual([1, 1, 2])
    expect(all.mock.calls.map(([method]) => method)).toEqual([
      "notifications/message",
      "notifications/message",
      "notifications/tools/list_changed",
      "notifications/message"
    ])
  })

  it("that throws keeps nothing from the others", async () => {
    const server = hand({ capabilities })
    const heard = vi.fn<() => void>()
    const client = await connect(server.channel, { clientInfo, revisions })
    client.on("notifications/message", () => {
      throw new Error("a bug in the client")
    })
    client.on("notifications/message", heard)
    const told = vi.spyOn(console, "error").mockImplementation(() => undefined)
    server.tell("notifications/message", { level: "info", data: 1 })
    await client.ping()
    expect(heard).toHaveBeenCalledTimes(1)
    expect(told.mock.calls).toEqual([["A listener failed:", new Error("a bug in the client")]])
    told.mockRestore()
  })

  it("hears nothing more when another one stopped it, and one that comes meanwhile hears the next", async () => {
    const server = hand({ capabilities })
    const client = await connect(server.channel, { clientInfo, revisions })
    const [stopped, added] = [vi.fn<() => void>(), vi.fn<() => void>()]
    let stop = (): void => {}
    client.on("notifications/message", () => {
      stop()
      client.on("notifications/message", added)
    })
    stop = client.on("notifications/message", stopped)
    server.tell("notifications/message", { level: "info", data: 1 })
    await client.ping()
    expect([stopped, added].map((listener) => listener.mock.calls.length)).toEqual([0, 0])
    server.tell("notifications/message", { level: "info", data: 2 })
    await client.ping()
    expect(added).toHaveBeenCalledTimes(1)
  })

  it("hears nothing that was not declared, or is malformed", async () => {
    const server = hand({ capabilities: { tools: {} } })
    const heard = vi.fn<() => void>()
    const client = await connect(server.channel, { clientInfo, revisions, onNotification: heard })
    server.tell("notifications/message", { level: "info", data: 1 })
    server.tell("notifications/tools/list_changed")
    server.tell("notifications/elicitation/complete", { elicitationId: "e" })
    server.tell("notifications/nonsense")
    await client.ping()
    expect(heard).not.toHaveBeenCalled()
  })
})
