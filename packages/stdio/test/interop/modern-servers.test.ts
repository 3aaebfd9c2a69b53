/** Our client and other people's servers that speak 2026-07-28, handshakes, or both, over real pipes. */
import type { Answers, Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import type { Report } from "@parley/core"
import { handshakeRevisions, perRequestRevisions } from "@parley/core/revisions"
import { tap } from "@parley/driver"
import { afterEach, describe, expect, it } from "vitest"
import { command } from "../../src/command.js"
import { fixture } from "../pairs.js"
import { envelopeOf, versionOf } from "./modern-wire.js"
import { textOf } from "./peer.js"
import type { Recording } from "./recorded.js"
import { exchange, recorded } from "./recorded.js"

let client: Client | undefined
let recording: Recording
let reports: Array<Report>
afterEach(async () => {
  await client?.close()
  client = undefined
  recording.remove()
})

async function meet(
  program: "sdk-2.mjs" | "effect.mjs",
  eras: "legacy" | "modern" | "dual",
  options: Partial<ConnectOptions> = {}
): Promise<Client> {
  recording = recorded(fixture(program))
  reports = []
  const server = command(process.execPath, recording.args, { env: { ERAS: eras }, stderr: "pipe", graceMs: 1_000 })
  client = await connect(tap(server, {}), {
    clientInfo: { name: "parley", version: "1.0.0" },
    // Nobody waits for it: these servers answer.
    probeMs: 60_000,
    report: (report) => reports.push(report),
    ...options
  })
  return client
}

const methods = (): ReadonlyArray<string> => recording.said("client").map(({ method }) => method)
const guests = (asked: Array<string>): Answers => ({
  elicit: ({ message }) => {
    asked.push(message)
    return { action: "accept", content: { guests: 4 } }
  }
})

describe.each(["sdk-2.mjs", "effect.mjs"] as const)("%s", (program) => {
  it.each([
    ["legacy", "2025-11-25"],
    ["modern", "2026-07-28"],
    ["dual", "2026-07-28"]
  ] as const)("that is %s lists, calls, reads and gets prompts at %s", async (eras, revision) => {
    await meet(program, eras)
    expect(client!.peer).toMatchObject({ revision, info: { name: program === "sdk-2.mjs" ? "sdk-2" : "effect" } })
    expect((await client!.listTools()).map(({ name }) => name)).toEqual(expect.arrayContaining(["add", "book"]))
    expect(textOf(await client!.callTool("add", { a: 2, b: 3 }))).toContain("5")
    expect((await client!.listResources()).map(({ uri }) => uri)).toEqual(["note://one"])
    expect((await client!.readResource("note://one")).contents).toMatchObject([{ uri: "note://one" }])
    expect((await client!.listPrompts()).map(({ name }) => name)).toEqual(["greet"])
    expect((await client!.getPrompt("greet")).messages).toHaveLength(1)
    await client!.ping()
    expect(methods()[0]).toBe("server/discover")
    expect(methods().includes("initialize")).toBe(eras === "legacy")
    const requests = recording.said("client").filter(({ id }) => id !== undefined)
    const versions = new Set(requests.slice(1).map(versionOf))
    expect(versions).toEqual(new Set([eras === "legacy" ? undefined : "2026-07-28"]))
    expect(reports.filter(({ _tag }) => _tag === "Ignored")).toEqual([])
  })

  it("that is both is opened by a handshake by a client that knows nothing else, or prefers it", async () => {
    await meet(program, "dual", { revisions: handshakeRevisions })
    expect(client!.peer.revision).toBe("2025-11-25")
    expect(textOf(await client!.callTool("add", { a: 2, b: 3 }))).toContain("5")
    expect(methods()).not.toContain("server/discover")
    await client!.close()
    recording.remove()
    await meet(program, "dual", { prefer: "2025-06-18" })
    expect(client!.peer.revision).toBe("2025-06-18")
  })

  it("that is of one kind is not to be had for a client of the other, which says why", async () => {
    await expect(meet(program, "legacy", { revisions: perRequestRevisions })).rejects.toThrow("2026-07-28")
    expect(methods()).toEqual(["server/discover"])
    recording.remove()
    await expect(meet(program, "modern", { revisions: handshakeRevisions })).rejects.toThrow()
    expect(exchange(recording, "initialize").reply.error).toMatchObject({ code: -32022 })
    expect(methods()).toEqual(["initialize"])
  })

  it("that refuses a handshake is asked what it is by a client that prefers the oldest", async () => {
    await meet(program, "modern", { prefer: "oldest" })
    expect(client!.peer.revision).toBe("2026-07-28")
    expect(textOf(await client!.callTool("add", { a: 2, b: 3 }))).toContain("5")
  })

  it("that is remembered is not asked again", async () => {
    const { prior } = await meet(program, "modern")
    await client!.close()
    recording.remove()
    await meet(program, "modern", { prior })
    expect(textOf(await client!.callTool("add", { a: 2, b: 3 }))).toContain("5")
    expect(methods()).not.toContain("server/discover")
  })

  it("is told what is wrong with a call", async () => {
    await meet(program, "modern")
    await expect(client!.request("tools/call", { name: "nothing", arguments: {} })).rejects.toMatchObject({
      code: -32602
    })
    await expect(client!.readResource("note://none")).rejects.toMatchObject({ code: -32602 })
  })
})

describe("sdk-2.mjs", () => {
  it.each(["legacy", "modern", "dual"] as const)(
    "that is %s asks, and is answered by the same function",
    async (eras) => {
      const asked: Array<string> = []
      await meet("sdk-2.mjs", eras, { answer: guests(asked) })
      expect(textOf(await client!.callTool("book", {}))).toBe("4 guests")
      expect(asked).toEqual(["How many guests?"])
      const rounds = recording.said("client").filter(({ method }) => method === "tools/call")
      if (eras === "legacy") return expect(rounds).toHaveLength(1)
      expect(rounds).toHaveLength(2)
      expect(rounds[1].params).toMatchObject({
        name: "book",
        requestState: "mine",
        inputResponses: { guests: { action: "accept", content: { guests: 4 } } }
      })
      expect(envelopeOf(rounds[1])).toMatchObject(envelopeOf(rounds[0]))
      expect(rounds[1].id).not.toBe(rounds[0].id)
    }
  )

  it.each(["legacy", "modern"] as const)("that is %s tells of changed lists and resources", async (eras) => {
    const heard: Array<string> = []
    let grown = (): void => undefined
    const changed = new Promise<void>((resolve) => (grown = resolve))
    await meet("sdk-2.mjs", eras, {
      on: {
        "notifications/tools/list_changed": () => {
          heard.push("tools")
          grown()
        }
      }
    })
    const subscription = client!.subscribe("note://one")
    const updates = subscription[Symbol.asyncIterator]()
    const first = updates.next()
    await subscription.ready
    await client!.callTool("touch", {})
    expect((await first).value).toMatchObject({ uri: "note://one" })
    await client!.callTool("grow", {})
    await changed
    expect((await client!.listTools()).map(({ name }) => name)).toContain("grown")
    await updates.return?.(undefined)
    expect(heard).toEqual(["tools"])
  })

  it.each(["legacy", "modern"] as const)(
    "that is %s writes to the log at the level that was asked for",
    async (eras) => {
      const logged: Array<unknown> = []
      await meet("sdk-2.mjs", eras, { on: { "notifications/message": ({ data }) => void logged.push(data) } })
      await client!.setLogLevel("info")
      await client!.callTool("say", {})
      await client!.ping()
      expect(logged).toEqual(["said at info", "said at warning"])
    }
  )

  it.each(["legacy", "modern"] as const)("that is %s hears that a call is withdrawn", async (eras) => {
    await meet("sdk-2.mjs", eras)
    const controller = new AbortController()
    const waiting = client!.callTool(
      "wait",
      {},
      { signal: controller.signal, onProgress: () => controller.abort("enough") }
    )
    await expect(waiting).rejects.toMatchObject({ reason: { _tag: "Abandoned" } })
    await client!.ping()
    const [call] = recording.said("client").filter(({ params }) => params?.name === "wait")
    const cancelled = recording.said("client").find(({ method }) => method === "notifications/cancelled")
    expect(cancelled.params).toEqual({ requestId: call.id, reason: "enough" })
  })
})
