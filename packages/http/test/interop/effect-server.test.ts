/** Our client and a server made with Effect's own modules, in both eras, over real sockets. */
import type { Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import type { Report } from "@parley/core"
import { handshakeRevisions, perRequestRevisions } from "@parley/core/revisions"
import { afterEach, describe, expect, it } from "vitest"
import { http } from "../../src/client/index.js"
import type { Peer } from "../client/interop/peers.js"
import { effects } from "../client/interop/peers.js"
import { wordsOf } from "./everything-site.js"
import type { Tapped } from "./tapped.js"
import { tapped } from "./tapped.js"

let client: Client | undefined
let one: Peer
let tap: Tapped
let reports: Array<Report>
afterEach(async () => {
  await client?.close()
  client = undefined
  await one.close()
})

async function meet(eras: Parameters<typeof effects>[0], options: Partial<ConnectOptions> = {}): Promise<Client> {
  one = await effects(eras)
  tap = tapped()
  reports = []
  client = await connect(http(one.url, { fetch: tap.fetch }), {
    clientInfo: { name: "parley", version: "1.0.0" },
    report: (report) => reports.push(report),
    ...options
  })
  return client
}

const methods = (): ReadonlyArray<string> => tap.said("client").map(({ method }) => method)

describe("a server made with Effect", () => {
  it.each([
    ["legacy", "2025-11-25", {}],
    ["legacy", "2025-06-18", { prefer: "2025-06-18" }],
    ["dual", "2025-11-25", { revisions: handshakeRevisions }],
    ["dual", "2025-06-18", { prefer: "2025-06-18" }],
    ["dual", "2026-07-28", {}],
    ["modern", "2026-07-28", {}],
    ["modern", "2026-07-28", { prefer: "oldest" }]
  ] as const)("that is %s speaks %s with who wants %j", async (eras, revision, options) => {
    const connected = await meet(eras, options)
    expect(connected.peer).toMatchObject({ revision, info: { name: "effect" } })
    expect((await connected.listTools()).map(({ name }) => name)).toEqual(expect.arrayContaining(["add", "book"]))
    const sums = await Promise.all([1, 2, 3].map((a) => connected.callTool("add", { a, b: 1 })))
    expect(sums.map(wordsOf)).toEqual([2, 3, 4].map((sum) => expect.stringContaining(String(sum)) as unknown))
    await expect(connected.request("tools/call", { name: "nothing", arguments: {} })).rejects.toMatchObject({
      reason: { _tag: "Answered" }
    })
    await connected.ping()
    expect(reports.filter(({ _tag }) => _tag === "Ignored")).toEqual([])
  })

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
    expect(wordsOf(await connected.callTool("add", { a: 2, b: 3 }))).toContain("5")
    expect(methods()).not.toContain("server/discover")
  })
})
