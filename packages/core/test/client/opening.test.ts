/** The opening, seen from the client: what is proposed, what is accepted, and how it fails. */
import { describe, expect, it } from "vitest"
import { v2024_11_05, v2025_03_26 } from "../../src/revisions/index.js"
import {
  agreed,
  called,
  define,
  error,
  everything,
  failed,
  messages,
  offered,
  opened,
  result,
  revisionNames,
  send,
  session,
  startTimer,
  stopTimer
} from "./by-hand.js"

const open = { _tag: "Open" } as const
const old = define({}, { revisions: [v2025_03_26, v2024_11_05] })
const proposal = (id: number, protocolVersion: string, capabilities: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities, clientInfo: { name: "by-hand", version: "1.0.0" } }
})

describe("the proposal", () => {
  it("is our newest revision, and has a time limit", () => {
    expect(session(define(), { openingMs: 50 }).tell(open)).toEqual([
      startTimer("opening", 0, 50),
      send(proposal(1, "2025-11-25"))
    ])
    expect(session(old).tell(open)).toEqual([startTimer("opening", 0, 60_000), send(proposal(1, "2025-03-26"))])
  })

  it("is made once", () => {
    const by = session()
    by.tell(open)
    expect(by.tell(open)).toEqual([])
    by.hear(agreed("2025-11-25"))
    expect(by.tell(open)).toEqual([])
  })

  it("announces what the revision has", () => {
    const info = { name: "n", version: "v", title: "t", icons: [] }
    const proposed = (definition: ReturnType<typeof define>) =>
      (messages(session(definition).tell(open))[0] as { params: { capabilities: object; clientInfo: object } }).params
    expect(proposed(define(everything, { info })).capabilities).toEqual(everything)
    expect(proposed(define(everything, { info })).clientInfo).toEqual(info)
    const older = proposed(define(everything, { info, revisions: [v2025_03_26] }))
    expect(Object.keys(older.capabilities)).toEqual(["roots", "sampling"])
    expect(older.clientInfo).toEqual({ name: "n", version: "v" })
  })
})

describe("the server's answer", () => {
  it.each(revisionNames)("of %s opens the session, and initialized is sent", (revision) => {
    const by = session()
    by.tell(open)
    const peer = { revision, capabilities: { tools: {} }, info: { name: "server", version: "1" } }
    expect(by.hear(agreed(revision, { tools: {}, hologram: {} }, { instructions: "Be brief." }))).toEqual([
      stopTimer("opening", 0),
      send({ jsonrpc: "2.0", method: "notifications/initialized" }),
      { _tag: "Opened", asked: "2025-11-25", peer, instructions: "Be brief.", prior: { _tag: "Handshake" } },
      { _tag: "Report", report: { _tag: "Agreed", asked: "2025-11-25", peer, wrong: [] } }
    ])
    expect(by.state().phase).toEqual({ _tag: "Open", peer })
  })

  it("is acknowledged by a notification without params", () => {
    const by = session()
    by.tell(open)
    expect(by.said(agreed("2025-11-25"))).toStrictEqual([{ jsonrpc: "2.0", method: "notifications/initialized" }])
  })

  it("with capabilities of a wrong type opens all the same, without them", () => {
    const by = session()
    by.tell(open)
    const outputs = by.hear(
      agreed("2025-11-25", { tools: true, prompts: null, resources: { subscribe: "yes", listChanged: true } })
    )
    expect(outputs[2]).toMatchObject({
      _tag: "Opened",
      peer: { capabilities: { resources: { listChanged: true } } },
      instructions: undefined
    })
    expect(outputs[3]).toMatchObject({ report: { wrong: ["tools", "prompts", "resources.subscribe"] } })
  })

  it.each(["2026-07-28", "1999-01-01"])("of %s, which is not spoken, closes and says so", (version) => {
    const by = session(old)
    by.tell(open)
    const failure = {
      _tag: "VersionUnsupported",
      asked: "2025-03-26",
      offered: [version],
      spoken: ["2025-03-26", "2024-11-05"]
    }
    const reason = `the opening failed: The server offered version ${version} when asked for 2025-03-26; this client speaks 2025-03-26, 2024-11-05`
    expect(by.hear(agreed(version))).toEqual([
      stopTimer("opening", 0),
      { _tag: "OpenFailed", failure },
      { _tag: "Close", reason }
    ])
    expect(by.state().phase).toEqual({ _tag: "Closed", why: reason })
  })

  it("of a wrong shape closes and names the member", () => {
    const by = session()
    by.tell(open)
    expect(by.hear(result(1, { protocolVersion: "2025-11-25", capabilities: {} }))).toMatchObject([
      stopTimer("opening", 0),
      {
        _tag: "OpenFailed",
        failure: { _tag: "ResultInvalid", method: "initialize", problem: { at: "serverInfo", expected: "an object" } }
      },
      { _tag: "Close" }
    ])
  })

  it("under another id, or another type of id, is not the answer", () => {
    const by = session()
    by.tell(open)
    for (const id of [2, "1"]) expect(messages(by.hear(agreed("2025-11-25", {}, {}, id)))).toEqual([])
    expect(messages(by.hear(error("1", -32602)))).toEqual([])
    expect(by.state().phase._tag).toBe("Opening")
    expect(by.said(agreed("2025-11-25"))).toHaveLength(1)
    expect(by.said(agreed("2025-06-18"))).toEqual([])
  })

  it("is not read as one of a revision without a handshake, whatever else it says", () => {
    const by = session()
    by.tell(open)
    const other = { "io.modelcontextprotocol/serverInfo": { name: "other", version: "2" } }
    const rest = { resultType: "input_required", supportedVersions: ["2026-07-28"], _meta: other }
    expect(by.hear(agreed("2025-11-25", {}, rest))).toMatchObject([
      {},
      {},
      { _tag: "Opened", peer: { revision: "2025-11-25", info: { name: "server", version: "1" } } },
      {}
    ])
  })

  it("before the proposal is none", () => {
    const by = session()
    expect(messages(by.hear(agreed("2025-11-25")))).toEqual([])
    expect(by.state().phase._tag).toBe("Unopened")
  })
})

describe("a refusal", () => {
  const refusal = (id: number, supported: unknown) =>
    error(id, -32602, "Unsupported protocol version", { supported, requested: "x" })

  it("that names versions gets one more proposal, the newest that both speak, under a new id", () => {
    const by = session()
    by.tell(open)
    expect(by.hear(refusal(1, ["1999-01-01", "2024-11-05", "2025-03-26"]))).toEqual([send(proposal(2, "2025-03-26"))])
    expect(by.hear(agreed("2025-03-26", {}, {}, 2))).toMatchObject([
      {},
      {},
      { _tag: "Opened", asked: "2025-03-26" },
      {}
    ])
  })

  it("the second time closes", () => {
    const by = session()
    by.tell(open)
    by.hear(refusal(1, ["2025-03-26"]))
    expect(by.hear(refusal(2, ["2024-11-05"]))).toMatchObject([
      stopTimer("opening", 0),
      { _tag: "OpenFailed", failure: { _tag: "Answered" } },
      { _tag: "Close" }
    ])
  })

  it.each([[undefined], ["2025-03-26"], [[]], [["2025-11-25"]], [[7]]])(
    "that names none we could try (%j) closes with what the server said",
    (supported) => {
      const by = session()
      by.tell(open)
      const failure = { _tag: "Answered", method: "initialize", error: refusal(1, supported).error }
      expect(by.hear(refusal(1, supported))).toEqual([
        stopTimer("opening", 0),
        { _tag: "OpenFailed", failure },
        {
          _tag: "Close",
          reason: "the opening failed: initialize was answered with error -32602: Unsupported protocol version"
        }
      ])
    }
  )

  it("that names versions of which we speak none closes with both lists", () => {
    const by = session()
    by.tell(open)
    const { error: answered } = refusal(1, ["2026-07-28", 7, "2099-01-01"])
    const failure = {
      _tag: "VersionUnsupported",
      asked: "2025-11-25",
      offered: ["2026-07-28", "2099-01-01"],
      spoken: revisionNames,
      error: answered
    }
    expect(by.hear(refusal(1, ["2026-07-28", 7, "2099-01-01"]))).toEqual([
      stopTimer("opening", 0),
      { _tag: "OpenFailed", failure },
      {
        _tag: "Close",
        reason: `the opening failed: The server offered versions 2026-07-28, 2099-01-01 when asked for 2025-11-25; this client speaks ${revisionNames.join(", ")} (error -32602: Unsupported protocol version)`
      }
    ])
  })

  it("without data closes too", () => {
    const by = session()
    by.tell(open)
    expect(by.hear(error(1, -32603))).toMatchObject([{}, { _tag: "OpenFailed" }, { _tag: "Close" }])
  })
})

describe("an opening that does not end", () => {
  it("is closed, not cancelled, when the time is up", () => {
    const by = session(define(), { openingMs: 50 })
    by.tell(open)
    const failure = { _tag: "TimedOut", method: "initialize", ms: 50, total: true }
    expect(by.tell({ _tag: "TimerFired", timer: { of: "opening", call: 0 } })).toEqual([
      stopTimer("opening", 0),
      { _tag: "OpenFailed", failure },
      { _tag: "Close", reason: "the opening failed: initialize was not answered within 50 ms in all" }
    ])
  })

  it("has a timer that is a no-op once the session is open, or before it opens", () => {
    const fired = { _tag: "TimerFired", timer: { of: "opening", call: 0 } } as const
    expect(opened().tell(fired)).toEqual([])
    expect(session().tell(fired)).toEqual([])
  })

  it("can not be abandoned", () => {
    const by = session()
    by.tell(open)
    expect(by.tell({ _tag: "Abandoned", call: 1 })).toEqual([])
  })

  it.each([
    [{ _tag: "PeerClosed", detail: "the server exited with code 1" } as const, "the server exited with code 1"],
    [{ _tag: "Stopping" } as const, "the client closed it"]
  ])("fails when either side goes: %j", (input, why) => {
    const by = session()
    by.tell(open)
    expect(by.tell(input)).toEqual([
      stopTimer("opening", 0),
      { _tag: "OpenFailed", failure: { _tag: "Closed", method: "initialize", why } },
      { _tag: "Close", reason: `the opening failed: initialize was not answered: ${why}` }
    ])
  })
})

describe("calls before and after the session", () => {
  it("are settled at once", () => {
    const by = session()
    expect(by.tell(called(2, "ping"))).toEqual([
      failed(2, { _tag: "NotOpen", method: "ping", why: "the session is not open yet" })
    ])
    by.tell(open)
    expect(by.tell(called(2, "ping"))).toEqual([
      failed(2, { _tag: "NotOpen", method: "ping", why: "the session is not open yet" })
    ])
    const over = opened("2025-11-25", offered)
    over.tell({ _tag: "PeerClosed", detail: "gone" })
    expect(over.tell(called(2, "ping"))).toEqual([failed(2, { _tag: "NotOpen", method: "ping", why: "gone" })])
  })
})
