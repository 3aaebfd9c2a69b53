/** Our client and all of a server made with the official SDK 2.4.0, in both eras, over real sockets. */
import type { Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import type { Report } from "@parley/core"
import { handshakeRevisions, perRequestRevisions } from "@parley/core/revisions"
import { afterEach, describe, expect, it, vi } from "vitest"
import { envelopeOf } from "../../../stdio/test/interop/modern-wire.js"
import { exchange } from "../../../stdio/test/interop/recorded.js"
import { http } from "../../src/client/index.js"
import { wordsOf } from "./everything-site.js"
import type { OfficialSite } from "./official-2-site.js"
import { withRequests, withSessions } from "./official-2-site.js"
import type { Tapped } from "./tapped.js"
import { tapped } from "./tapped.js"

const sites = {
  legacy: withSessions,
  modern: () => withRequests("modern"),
  dual: () => withRequests("dual")
} as const
type Eras = keyof typeof sites

let client: Client | undefined
let one: OfficialSite
let tap: Tapped
let reports: Array<Report>
afterEach(async () => {
  await client?.close()
  client = undefined
  await one.close()
})

async function meet(eras: Eras, options: Partial<ConnectOptions> = {}): Promise<Client> {
  one = await sites[eras]()
  tap = tapped()
  reports = []
  client = await connect(http(one.url, { fetch: tap.fetch }), {
    clientInfo: { name: "parley", version: "1.0.0" },
    report: (report) => reports.push(report),
    ...options
  })
  return client
}

const said = () => tap.said("client")
const methods = (): ReadonlyArray<string> => said().map(({ method }) => method)
const until = (so: () => boolean): Promise<void> => vi.waitFor(() => expect(so()).toBe(true), { interval: 5 })

describe("a server of the official SDK 2.4.0", () => {
  it.each([
    ["legacy", "2025-11-25"],
    ["modern", "2026-07-28"],
    ["dual", "2026-07-28"]
  ] as const)("that is %s lists, calls, reads and gets prompts at %s", async (eras, revision) => {
    const connected = await meet(eras)
    expect(connected.peer).toMatchObject({ revision, info: { name: "sdk-2" } })
    expect((await connected.listTools()).map(({ name }) => name)).toEqual(expect.arrayContaining(["add", "book"]))
    expect(wordsOf(await connected.callTool("add", { a: 2, b: 3 }))).toBe("5")
    expect((await connected.listResources()).map(({ uri }) => uri)).toEqual(["note://one"])
    expect((await connected.readResource("note://one")).contents).toMatchObject([{ text: "changed 0 times" }])
    expect((await connected.listPrompts()).map(({ name }) => name)).toEqual(["greet"])
    expect((await connected.getPrompt("greet")).messages).toHaveLength(1)
    await connected.ping()
    expect(methods()[0]).toBe("server/discover")
    expect(methods().includes("initialize")).toBe(eras === "legacy")
    await expect(connected.request("tools/call", { name: "nothing", arguments: {} })).rejects.toMatchObject({
      code: -32602
    })
    await expect(connected.readResource("note://none")).rejects.toMatchObject({ reason: { _tag: "Answered" } })
    expect(reports.filter(({ _tag }) => _tag === "Ignored")).toEqual([])
  })

  it.each(handshakeRevisions.map(({ name }) => name))(
    "that is legacy, or dual without sessions, speaks %s",
    async (name) => {
      for (const eras of ["legacy", "dual"] as const) {
        const connected = await meet(eras, { prefer: name })
        expect(connected.peer.revision).toBe(name)
        expect(wordsOf(await connected.callTool("add", { a: 2, b: 3 }))).toBe("5")
        expect(one.sessions()).toBe(eras === "legacy" ? 1 : 0)
        await connected.close()
        expect(one.sessions()).toBe(0)
        await one.close()
      }
    }
  )

  it("that is of one kind is not to be had for a client of the other, which says why", async () => {
    await expect(meet("legacy", { revisions: perRequestRevisions })).rejects.toThrow("2026-07-28")
    expect(methods()).toEqual(["server/discover"])
    await one.close()
    await expect(meet("modern", { revisions: handshakeRevisions })).rejects.toThrow()
    expect(methods()).toEqual(["initialize"])
  })

  it("that is remembered is not asked again", async () => {
    const { prior } = await meet("modern")
    await client!.close()
    await one.close()
    const connected = await meet("modern", { prior })
    expect(wordsOf(await connected.callTool("add", { a: 2, b: 3 }))).toBe("5")
    expect(methods()).not.toContain("server/discover")
  })

  it.each(["legacy", "modern", "dual"] as const)(
    "that is %s asks, and is answered by the same function",
    async (eras) => {
      const asked: Array<string> = []
      const connected = await meet(eras, {
        answer: {
          elicit: ({ message }) => {
            asked.push(message)
            return { action: "accept", content: { guests: 4 } }
          }
        }
      })
      expect(wordsOf(await connected.callTool("book", {}))).toBe("4 guests")
      expect(asked).toEqual(["How many guests?"])
      const rounds = said().filter(({ method }) => method === "tools/call")
      if (eras === "legacy") return expect(rounds).toHaveLength(1)
      expect(rounds).toHaveLength(2)
      expect(rounds[1].params).toMatchObject({
        requestState: "mine",
        inputResponses: { guests: { action: "accept", content: { guests: 4 } } }
      })
      expect(envelopeOf(rounds[1])).toMatchObject(envelopeOf(rounds[0]))
      expect(rounds[1].id).not.toBe(rounds[0].id)
    }
  )

  it.each(["legacy", "modern"] as const)("that is %s tells of changed lists and resources", async (eras) => {
    let changed = 0
    const connected = await meet(eras, { on: { "notifications/tools/list_changed": () => void changed++ } })
    // What is told while nobody listens is told to nobody.
    if (eras === "legacy") await tap.streaming
    else await until(() => methods().includes("subscriptions/listen"))
    const subscription = connected.subscribe("note://one")
    const updates = subscription[Symbol.asyncIterator]()
    const first = updates.next()
    await subscription.ready
    await connected.callTool("touch", {})
    expect((await first).value).toMatchObject({ uri: "note://one" })
    await connected.callTool("grow", {})
    await until(() => changed > 0)
    expect((await connected.listTools()).map(({ name }) => name)).toContain("grown")
    await updates.return?.(undefined)
    await connected.close()
    await until(() => one.busy() === 0)
  })

  it.each(["legacy", "modern"] as const)(
    "that is %s writes to the log at the level that was asked for",
    async (eras) => {
      const logged: Array<unknown> = []
      const connected = await meet(eras, { on: { "notifications/message": ({ data }) => void logged.push(data) } })
      await connected.setLogLevel("info")
      await connected.callTool("say", {})
      await until(() => logged.length === 2)
      expect(logged).toEqual(["said at info", "said at warning"])
    }
  )

  it.each(["legacy", "modern", "dual"] as const)("that is %s hears that a call is withdrawn", async (eras) => {
    const connected = await meet(eras)
    const controller = new AbortController()
    const onProgress = (): void => controller.abort("enough")
    const waiting = connected.callTool("wait", {}, { signal: controller.signal, onProgress })
    await expect(waiting).rejects.toMatchObject({ reason: { _tag: "Abandoned" } })
    await until(() => one.done.includes("interrupted"))
    // Since 2026-07-28 the exchange is closed, and nothing is said.
    expect(methods().includes("notifications/cancelled")).toBe(eras === "legacy")
  })

  it("that lets go of its stream is come back to for the reply", async () => {
    const connected = await meet("legacy")
    expect(wordsOf(await connected.callTool("cut"))).toBe("resumed")
    expect(one.done).toEqual(["cut"])
    expect(exchange(tap, "tools/call").reply).toMatchObject({ result: { content: [{ text: "resumed" }] } })
  })
})
