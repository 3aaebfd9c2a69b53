/** The compatibility matrix of 2026-07-28 basic/versioning, cell by cell, with both sides ours: in memory and between processes. */
import type { Client, ConnectOptions } from "@parley/client"
import { CallError, connect } from "@parley/client"
import { handshakeRevisions, perRequestRevisions, revisions } from "@parley/core/revisions"
import type { Channel } from "@parley/driver"
import { link, tap } from "@parley/driver"
import { defineServer, serve, tool } from "@parley/server"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { command } from "../../src/command.js"
import type { Bundled } from "../bundle.js"
import { bundled } from "../bundle.js"
import { versionOf, wrongs } from "./modern-wire.js"
import type { Wire } from "./recorded.js"
import { recorded } from "./recorded.js"

const kinds = { legacy: handshakeRevisions, modern: perRequestRevisions, dual: revisions }
type Kind = keyof typeof kinds

/** A server that can be connected to, and all that went over the wire since. */
interface Place {
  readonly channel: Channel
  readonly said: (from: "client" | "server") => ReadonlyArray<Wire>
  readonly isClosed: () => boolean
  readonly release: () => void
}

let program: Bundled
beforeAll(async () => void (program = await bundled("../interop/eras.ts")))
afterAll(() => program.remove())

function inMemory(kind: Kind): Place {
  const [near, far] = link()
  const add = tool(
    "add",
    { input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] } },
    ({ a, b }) => String(a + b)
  )
  serve(defineServer({ name: "eras", version: "1.0.0" }, [add], { revisions: kinds[kind] }), far)
  const [sent, received]: [Array<Wire>, Array<Wire>] = [[], []]
  const watched = tap(near, {
    sent: (message) => sent.push(message),
    received: (frame) => frame._tag === "Text" && received.push(JSON.parse(frame.text))
  })
  return { ...closing(watched), said: (from) => (from === "client" ? sent : received), release: () => undefined }
}

function between(kind: Kind): Place {
  const recording = recorded(program.path)
  const channel = command(process.execPath, recording.args, { env: { ERAS: kind }, stderr: "pipe" })
  return { ...closing(channel), said: (from) => recording.said(from), release: () => recording.remove() }
}

/** The same channel, and whether whoever opened it has closed it. */
function closing(channel: Channel): { readonly channel: Channel; readonly isClosed: () => boolean } {
  let closed = false
  const close: Channel["close"] = (why) => {
    closed = true
    return channel.close(why)
  }
  return { channel: { ...channel, close }, isClosed: () => closed }
}

const me = { clientInfo: { name: "parley", version: "1.0.0" } }

describe.each<[string, (kind: Kind) => Place]>([
  ["in memory", inMemory],
  ["between processes", between]
])("%s", (_, place) => {
  let there: Place
  let client: Client | undefined
  afterEach(async () => {
    await client?.close()
    client = undefined
    there.release()
  })

  /** What our client is like when it speaks these. */
  async function meet(ours: Kind, theirs: Kind, options: Partial<ConnectOptions> = {}): Promise<Client> {
    there = place(theirs)
    return (client = await connect(there.channel, { ...me, revisions: kinds[ours], ...options }))
  }
  const methods = (): ReadonlyArray<string> => there.said("client").map(({ method }) => method)

  async function works(revision: string): Promise<void> {
    expect(client!.peer).toMatchObject({ revision, info: { name: "eras", version: "1.0.0" } })
    expect((await client!.listTools()).map(({ name }) => name)).toContain("add")
    expect((await client!.callTool("add", { a: 2, b: 3 })).content).toMatchObject([
      { type: "text", text: expect.stringContaining("5") }
    ])
    await client!.ping()
  }

  /** Nothing of 2026-07-28 in either direction. */
  function isLegacy(): void {
    expect(methods().slice(0, 2)).toEqual(["initialize", "notifications/initialized"])
    expect(methods()).not.toContain("server/discover")
    noStamps()
  }
  function noStamps(): void {
    expect(there.said("server").flatMap(({ result }) => Object.keys(result ?? {}))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(resultType|ttlMs|cacheScope)$/)])
    )
    expect(JSON.stringify(there.said("server"))).not.toContain("io.modelcontextprotocol/")
  }

  /** Nothing of a handshake in either direction, and an envelope on each request. */
  function isModern(): void {
    expect(methods()[0]).toBe("server/discover")
    expect(methods()).not.toContain("initialize")
    expect(methods()).not.toContain("notifications/initialized")
    expect(new Set(there.said("client").map(versionOf))).toEqual(new Set(["2026-07-28"]))
    expect(wrongs({ args: [], starts: () => 1, said: there.said, remove: () => undefined })).toEqual([])
  }

  async function fails(opening: Promise<Client>, ...words: ReadonlyArray<string>): Promise<CallError> {
    const error: unknown = await opening.then(
      () => undefined,
      (error: unknown) => error
    )
    expect(error).toBeInstanceOf(CallError)
    for (const word of words) expect((error as CallError).message).toContain(word)
    expect(there.isClosed()).toBe(true)
    return error as CallError
  }

  it("legacy and legacy work by a handshake", async () => {
    await meet("legacy", "legacy")
    await works("2025-11-25")
    isLegacy()
    expect(there.said("client").filter((one) => versionOf(one) !== undefined)).toEqual([])
  })

  it("legacy and modern fail, and both say what they speak", async () => {
    const error = await fails(meet("legacy", "modern"), "2026-07-28", "2025-11-25")
    expect(error).toMatchObject({ reason: { _tag: "VersionUnsupported", offered: ["2026-07-28"] } })
    expect(there.said("server")).toMatchObject([{ error: { code: -32602, data: { supported: ["2026-07-28"] } } }])
    expect(there.said("server")[0].error.message).toContain("2026-07-28")
    expect(methods()).toEqual(["initialize"])
  })

  it("legacy and dual work by a handshake, and nothing newer is seen", async () => {
    await meet("legacy", "dual")
    await works("2025-11-25")
    isLegacy()
  })

  it("modern and legacy fail, nothing is called, and both versions are named", async () => {
    await fails(meet("modern", "legacy", { probeMs: 60_000 }), "2026-07-28", "2025-11-25")
    expect(methods()).toEqual(["server/discover"])
    expect(there.said("server")).toMatchObject([{ error: { code: -32600 } }])
    expect(there.said("server")[0].error.data.supported).toContain("2025-11-25")
  })

  it("modern and modern work, and every request says who asks", async () => {
    await meet("modern", "modern")
    await works("2026-07-28")
    isModern()
  })

  it("modern and dual work, and nothing older is seen", async () => {
    await meet("modern", "dual")
    await works("2026-07-28")
    isModern()
  })

  it("dual and legacy work by a handshake, after one question that is not repeated where it is remembered", async () => {
    const first = await meet("dual", "legacy")
    await works("2025-11-25")
    expect(methods().slice(0, 3)).toEqual(["server/discover", "initialize", "notifications/initialized"])
    noStamps()
    const { prior } = first
    expect(prior).toEqual({ _tag: "Handshake" })
    await first.close()
    there.release()
    await meet("dual", "legacy", { prior: JSON.parse(JSON.stringify(prior)) })
    await works("2025-11-25")
    isLegacy()
  })

  it("dual and modern work, and need not ask where it is remembered", async () => {
    const first = await meet("dual", "modern")
    await works("2026-07-28")
    isModern()
    const { prior } = first
    await first.close()
    there.release()
    await meet("dual", "modern", { prior: JSON.parse(JSON.stringify(prior)) })
    expect(methods()).toEqual([])
    expect((await client!.callTool("add", { a: 1, b: 1 })).isError).toBeUndefined()
    expect(methods()).not.toContain("initialize")
    expect(new Set(there.said("client").map(versionOf))).toEqual(new Set(["2026-07-28"]))
  })

  it("dual and dual work by the newest, by the oldest where that is preferred, and by any one that is named", async () => {
    await meet("dual", "dual")
    await works("2026-07-28")
    isModern()
    for (const prefer of ["oldest", "2025-06-18", "2026-07-28"] as const) {
      await client!.close()
      there.release()
      await meet("dual", "dual", { prefer })
      await works(prefer === "oldest" ? "2024-11-05" : prefer)
      if (prefer === "2026-07-28") isModern()
      else isLegacy()
    }
  })

  it("dual that prefers the oldest, and modern: refused by initialize, the server is asked what it is", async () => {
    await meet("dual", "modern", { prefer: "oldest" })
    await works("2026-07-28")
    expect(methods().slice(0, 2)).toEqual(["initialize", "server/discover"])
  })

  it.each([
    ["legacy", "2026-07-28"],
    ["modern", "2025-06-18"]
  ] as const)("dual that wants one version fails with a server that is %s and has it not", async (theirs, prefer) => {
    const error = await fails(meet("dual", theirs, { prefer }), prefer)
    expect(error.reason._tag).toBe("VersionUnsupported")
    expect(methods()).toEqual([prefer === "2026-07-28" ? "server/discover" : "initialize"])
  })
})
