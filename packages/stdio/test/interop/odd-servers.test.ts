/** Our client and servers that are odd about being asked what they are, over real pipes: it finds a way in, or says why not. */
import type { Client, ConnectOptions } from "@parley/client"
import { CallError, connect } from "@parley/client"
import type { Report } from "@parley/core"
import { perRequestRevisions } from "@parley/core/revisions"
import { afterEach, describe, expect, it } from "vitest"
import { command } from "../../src/command.js"
import { fixture } from "../pairs.js"
import { versionOf } from "./modern-wire.js"
import type { Recording } from "./recorded.js"
import { recorded } from "./recorded.js"

let client: Client | undefined
let recording: Recording
let reports: Array<Report>
afterEach(async () => {
  await client?.close()
  client = undefined
  recording.remove()
})

const start = () => command(process.execPath, recording.args, { stderr: "pipe" })

/** A bound that nobody waits for where something is said, and a short one where nothing is. */
async function meet(way: string, options: Partial<ConnectOptions> = {}, again = false): Promise<Client> {
  recording = recorded(fixture("odd.mjs"), way)
  reports = []
  const wishes = {
    clientInfo: { name: "parley", version: "1.0.0" },
    probeMs: 60_000,
    answer: { roots: [{ uri: "file:///here" }] },
    report: (report: Report) => void reports.push(report),
    ...options
  }
  return (client = await connect(again ? start : start(), wishes))
}

const sent = (start?: number): ReadonlyArray<string> => recording.said("client", start).map(({ method }) => method)
const refusal = (opening: Promise<Client>): Promise<unknown> =>
  opening.then(
    () => undefined,
    (error: unknown) => error
  )

const legacy = ["server/discover", "initialize", "notifications/initialized", "tools/call"]

async function called(): Promise<void> {
  expect((await client!.callTool("any", {})).content).toEqual([{ type: "text", text: "called" }])
}

describe("a server that does not know the question", () => {
  it.each(["empty", "careless", "garbage", "nothing", "almost", "older"])(
    "is opened by a handshake when its answer is: %s",
    async (way) => {
      await meet(way)
      expect(client!.peer.revision).toBe("2025-06-18")
      await client!.callTool("any", {}).catch(() => undefined)
      expect(sent().filter((method) => method !== "tools/list")).toEqual(legacy)
      expect(
        recording
          .said("client")
          .slice(1)
          .filter((one) => versionOf(one) !== undefined)
      ).toEqual([])
    }
  )

  it("is opened by a handshake when it does not answer, once the bound is over", async () => {
    await meet("silent", { probeMs: 1 })
    expect(client!.peer.revision).toBe("2025-06-18")
    await called()
    expect(sent()).not.toContain("notifications/cancelled")
    expect(sent().slice(0, 3)).toEqual(legacy.slice(0, 3))
  })

  it("is started again when it ends of it, and never asked again where that is remembered", async () => {
    const { prior } = await meet("dies", {}, true)
    await called()
    expect(recording.starts()).toBe(2)
    expect(sent(0)).toEqual(["server/discover"])
    expect(sent(1).slice(0, 2)).toEqual(["initialize", "notifications/initialized"])
    await client!.close()
    recording.remove()
    await meet("dies", { prior }, true)
    await called()
    expect(recording.starts()).toBe(1)
    expect(sent()).not.toContain("server/discover")
  })

  it("that ends of it and can not be started again is told of, with what to do", async () => {
    const error = await refusal(meet("dies"))
    expect(error).toBeInstanceOf(CallError)
    expect((error as CallError).message).toContain("prefer")
    expect(recording.starts()).toBe(1)
  })

  it.each([
    ["empty", "server/discover"],
    ["careless", "2026-07-28"],
    ["older", "2025-06-18"],
    ["garbage", "2026-07-28"]
  ])("is never sent anything else by a client of 2026-07-28 alone: %s", async (way, named) => {
    const error = await refusal(meet(way, { revisions: perRequestRevisions }))
    expect(error).toBeInstanceOf(CallError)
    expect((error as CallError).message).toContain(named)
    expect(sent()).toEqual(["server/discover"])
  })

  it("is given up by a client of 2026-07-28 alone when it is silent", async () => {
    const error = await refusal(meet("silent", { revisions: perRequestRevisions, probeMs: 1 }))
    expect(error).toMatchObject({ reason: { _tag: "TimedOut", method: "server/discover" } })
    expect(sent()).toEqual(["server/discover"])
  })
})

describe("a server that knows the question", () => {
  it("is asked once more when it refuses the very version that it names", async () => {
    await meet("same")
    expect(client!.peer.revision).toBe("2026-07-28")
    await called()
    expect(sent().slice(0, 2)).toEqual(["server/discover", "server/discover"])
    expect(sent()).not.toContain("initialize")
  })

  it("is given up when it does so again", async () => {
    const error = await refusal(meet("stubborn"))
    expect(error).toMatchObject({ reason: { _tag: "VersionUnsupported", error: { code: -32022 } } })
    expect(sent()).toEqual(["server/discover", "server/discover"])
  })

  it("is given up when it speaks nothing of ours, and both lists are named", async () => {
    const error = await refusal(meet("newer"))
    expect(error).toMatchObject({ reason: { _tag: "VersionUnsupported", offered: ["2099-01-01"] } })
    for (const version of ["2099-01-01", "2026-07-28", "2024-11-05"])
      expect((error as CallError).message).toContain(version)
    expect(sent()).toEqual(["server/discover"])
  })

  it("is given up with an error that only 2026-07-28 has", async () => {
    expect(await refusal(meet("header"))).toMatchObject({ code: -32020 })
    expect(sent()).toEqual(["server/discover"])
  })

  it("wins when it is slower than the bound, and its refusal of the handshake is nothing then", async () => {
    await meet("late", { probeMs: 1 })
    expect(client!.peer.revision).toBe("2026-07-28")
    await called()
    expect(sent().slice(0, 2)).toEqual(["server/discover", "initialize"])
    expect(sent()).not.toContain("notifications/initialized")
  })

  it("may say who it is in the result itself, or not at all", async () => {
    await meet("body")
    expect(client!.peer.revision).toBe("2026-07-28")
    await called()
  })

  it("is believed the first time when it answers twice", async () => {
    await meet("twice")
    expect(client!.peer.capabilities).toEqual({ tools: {} })
    await called()
    expect(reports).toContainEqual(expect.objectContaining({ _tag: "Ignored" }))
  })

  it("is not answered when it asks on its own", async () => {
    await meet("asks")
    await called()
    expect(recording.said("client").filter(({ method }) => method === undefined)).toEqual([])
    expect(reports.filter(({ _tag }) => _tag === "Ignored").length).toBeGreaterThanOrEqual(2)
  })
})
