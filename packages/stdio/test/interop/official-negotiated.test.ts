/** The second official client in its three ways of agreeing on a version, and our servers of one kind and of both, over real pipes. */
import type { Client, ClientOptions } from "@modelcontextprotocol/client"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"
import { envelopeOf, versionOf, wrongs } from "./modern-wire.js"
import type { Negotiating } from "./official-negotiating.js"
import { auto, legacy, negotiating, pinned, ways } from "./official-negotiating.js"
import type { Recording } from "./recorded.js"
import { exchange } from "./recorded.js"

let server: Bundled
let met: Negotiating
let recording: Recording
beforeAll(async () => void (server = await bundled("../interop/eras.ts")))
afterAll(() => server.remove())
afterEach(async () => {
  await met.client.close()
  recording.remove()
})

async function connect(eras: "legacy" | "modern" | "dual", options: ClientOptions): Promise<Client> {
  met = negotiating(server.path, eras, options)
  recording = met.recording
  await met.agreed
  return met.client
}

describe("@modelcontextprotocol/client 2.4.0 and servers of one kind", () => {
  it("auto falls back to the handshake with a server that knows nothing else", async () => {
    const connected = await connect("legacy", auto)
    expect(connected.getProtocolEra()).toBe("legacy")
    expect(connected.getNegotiatedProtocolVersion()).toBe("2025-11-25")
    expect(await connected.callTool({ name: "add", arguments: { a: 2, b: 3 } })).toMatchObject({
      structuredContent: { sum: 5 }
    })
    const { reply } = exchange(recording, "server/discover", 0)
    expect(reply.error).toMatchObject({ code: -32600 })
    expect(recording.said("client").map(({ method }) => method)).not.toContain("server/discover")
    for (const { result } of recording.said("server")) expect(result ?? {}).not.toHaveProperty("resultType")
  })

  it("pinned fails with a server that knows only handshakes, and sends it no initialize", async () => {
    await expect(connect("legacy", pinned)).rejects.toThrow("2026-07-28")
    for (let start = 0; start < recording.starts(); start++)
      expect(recording.said("client", start).map(({ method }) => method)).toEqual(["server/discover"])
  })

  it("legacy fails with a server that knows none, and can read why", async () => {
    await expect(connect("modern", legacy)).rejects.toThrow("2026-07-28")
    const { error } = exchange(recording, "initialize").reply
    expect(error).toMatchObject({ code: -32602, data: { supported: ["2026-07-28"] } })
    expect(error.message).toContain("2026-07-28")
  })

  it.each(ways)("%s agrees with a server of 2026-07-28 alone", async (_, options) => {
    const connected = await connect("modern", options)
    expect(connected.getProtocolEra()).toBe("modern")
    expect((await connected.listPrompts()).prompts).toMatchObject([{ name: "greet" }])
    expect(wrongs(recording)).toEqual([])
  })

  it("legacy opens a server of both kinds by a handshake, and sees nothing of 2026-07-28", async () => {
    const connected = await connect("dual", legacy)
    expect(connected.getNegotiatedProtocolVersion()).toBe("2025-11-25")
    await connected.ping()
    await connected.setLoggingLevel("warning")
    await connected.subscribeResource({ uri: "note://one" })
    const updated = new Promise<string>((resolve) =>
      connected.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri))
    )
    await connected.callTool({ name: "touch", arguments: { note: "note://one" } })
    expect(await updated).toBe("note://one")
    await connected.listTools()
    await connected.callTool({ name: "say", arguments: { by: "me" } })
    const said = recording.said("server")
    for (const { result } of said)
      for (const member of ["resultType", "ttlMs", "cacheScope"]) expect(result ?? {}).not.toHaveProperty(member)
    expect(JSON.stringify(said)).not.toContain("io.modelcontextprotocol/")
    expect(said.filter(({ method }) => method === "notifications/message")).toMatchObject([
      { params: { level: "warning" } }
    ])
    expect(recording.said("client").filter((request) => versionOf(request) !== undefined)).toEqual([])
    expect(
      recording
        .said("client")
        .map(envelopeOf)
        .filter((meta) => Object.keys(meta).length > 0)
    ).toEqual([])
  })
})
