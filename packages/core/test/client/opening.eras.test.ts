/** The opening of a client that speaks both kinds of revision: what each answer to its first question leads to. */
import { describe, expect, it } from "vitest"
import type { Output } from "../../src/client/index.js"
import { handshakeRevisions, v2025_06_18, v2025_11_25, v2026_07_28 } from "../../src/revisions/index.js"
import type { Session } from "./by-hand.js"
import {
  agreed,
  both,
  called,
  discovery,
  error,
  fired,
  messages,
  modern,
  note,
  probe,
  proposal,
  result,
  revisionNames,
  send,
  session,
  startTimer,
  stopTimer
} from "./by-hand.js"

const open = { _tag: "Open" } as const
const all = ["2026-07-28", ...revisionNames]
const begun = (definition = both(), options = {}): Session => {
  const by = session(definition, options)
  by.tell(open)
  return by
}
const begins = [startTimer("opening", 0, 60_000), startTimer("probe", 0, 3_000)]
const ends = [stopTimer("opening", 0), stopTimer("probe", 0)]
const failure = (outputs: ReadonlyArray<Output>) =>
  outputs.flatMap((output) => (output._tag === "OpenFailed" ? [output.failure] : []))[0]
const openedWith = (outputs: ReadonlyArray<Output>) =>
  outputs.flatMap((output) => (output._tag === "Opened" ? [output.peer.revision] : []))[0]

describe("a client of both kinds", () => {
  it("asks first, with all that it says of itself, and sets a limit to the silence", () => {
    expect(session(both({ roots: { listChanged: true }, tasks: {} })).tell(open)).toEqual([
      ...begins,
      send(probe(1, { roots: {} }))
    ])
    expect(session(both(), { probeMs: 5, openingMs: 50 }).tell(open)).toEqual([
      startTimer("opening", 0, 50),
      startTimer("probe", 0, 5),
      send(probe(1))
    ])
  })

  it("is open when the server says that it speaks it, and sends nothing more", () => {
    const by = begun()
    const told = discovery(1, ["2026-07-28"], { capabilities: { tools: {}, prompts: 7 }, instructions: "Be brief." })
    const peer = {
      revision: "2026-07-28",
      capabilities: { tools: {} },
      info: { name: "server", version: "1" }
    }
    expect(by.hear(told)).toEqual([
      ...ends,
      {
        _tag: "Opened",
        asked: "2026-07-28",
        peer,
        instructions: "Be brief.",
        prior: { _tag: "Discovered", result: told.result }
      },
      { _tag: "Report", report: { _tag: "Agreed", asked: "2026-07-28", peer, wrong: ["prompts"] } }
    ])
    expect(by.hear(told)).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored" } }])
  })

  it("takes the server's name from beside the rest, and does without one", () => {
    const aside = begun().hear(discovery(1, undefined, { _meta: undefined, serverInfo: { name: "s", version: "2" } }))
    expect(aside[2]).toMatchObject({ peer: { info: { name: "s", version: "2" } } })
    for (const info of [undefined, "s", null])
      expect(begun().hear(discovery(1, undefined, { _meta: {}, serverInfo: info }))[2]).toHaveProperty(
        "peer.info",
        undefined
      )
  })

  it.each([
    ["an error of no meaning", error(1, -32601)],
    ["an error of before the opening", error(1, -32600, "not initialized", { supported: ["2025-11-25"] })],
    ["an error about params", error(1, -32602)],
    ["an error of its own", error(1, -32000)],
    ["an error under the code of a draft", error(1, -32004, "unsupported", { supported: ["2026-07-28"] })],
    ["an error one past the known ones", error(1, -32023, "unsupported", { supported: ["2026-07-28"] })],
    ["an error one short of the known ones", error(1, -32019)],
    ["an empty result", result(1)],
    ["a result of another kind", result(1, { tools: [] })],
    ["a result with versions of a wrong type", discovery(1, "2026-07-28", { resultType: undefined })],
    ["an unsupported version without data", error(1, -32022)],
    ["an unsupported version with garbage", error(1, -32022, "no", { supported: [7, null] })],
    ["an unsupported version with a text", error(1, -32022, "no", { supported: "2026-07-28" })],
    ["only versions with a handshake", error(1, -32022, "no", { supported: ["2025-11-25", "1999-01-01"] })],
    ["a discovery of versions with a handshake", discovery(1, ["2025-11-25"])],
    ["a reply that can not be read", { jsonrpc: "2.0", id: 1, result: 7 }]
  ])("opens by initialize on %s, once", (_, answer) => {
    const by = begun()
    expect(by.hear(answer)).toEqual([stopTimer("probe", 0), send(proposal(2))])
    expect(by.hear(agreed("2025-11-25", {}, {}, 2))).toMatchObject([
      stopTimer("opening", 0),
      send(note("notifications/initialized")),
      { _tag: "Opened", asked: "2025-11-25", prior: { _tag: "Handshake" } },
      { _tag: "Report", report: { _tag: "Agreed" } }
    ])
    expect(by.tell(fired("probe"))).toEqual([])
  })

  it.each([
    ["of a type that is not known", { resultType: "task" }, 'resultType: expected "complete", not "task"'],
    ["that asks", { resultType: "input_required" }, 'resultType: expected "complete", not "input_required"'],
    ["of a type that is none", { resultType: null }, 'resultType: expected "complete", not what is no text'],
    ["without versions", { supportedVersions: undefined }, "supportedVersions: expected an array"]
  ])("fails on a result that says its type, which no older server does, %s", (_, rest, why) => {
    const failure = { _tag: "ResultInvalid", method: "server/discover" }
    const outputs = begun().hear(discovery(1, undefined, rest))
    expect(outputs).toMatchObject([stopTimer("opening", 0), stopTimer("probe", 0), { failure }, { _tag: "Close" }])
    expect(outputs.at(-1)).toHaveProperty("reason", expect.stringContaining(why))
  })

  it("proposes the version with a handshake that the server named", () => {
    expect(begun().said(error(1, -32022, "no", { supported: ["2024-11-05", "2025-06-18"] }))).toEqual([
      proposal(2, "2025-06-18")
    ])
    expect(begun().said(discovery(1, ["2025-03-26", "2099-01-01"]))).toEqual([proposal(2, "2025-03-26")])
  })

  it("asks once more when the server names a version that both speak, even the one it was asked for", () => {
    const by = begun()
    const refusal = (id: number) => error(id, -32022, "no", { supported: ["2025-11-25", "2026-07-28"] })
    expect(by.hear(refusal(1))).toEqual([startTimer("probe", 0, 3_000), send(probe(2))])
    const outputs = by.hear(refusal(2))
    expect(failure(outputs)).toEqual({
      _tag: "VersionUnsupported",
      asked: "2026-07-28",
      offered: ["2025-11-25", "2026-07-28"],
      spoken: all,
      error: refusal(2).error
    })
    expect(outputs.slice(0, 2)).toEqual(ends)
    expect(outputs.at(-1)).toMatchObject({ _tag: "Close" })
    const twice = begun()
    twice.hear(refusal(1))
    expect(openedWith(twice.hear(discovery(2)))).toBe("2026-07-28")
  })

  it.each([
    ["an error", error(1, -32022, "no", { supported: ["2099-01-01", "2098-01-01"] })],
    ["a discovery", discovery(1, ["2099-01-01", "2098-01-01"])]
  ])("fails with both lists when %s names none that both speak", (_, answer) => {
    const outputs = begun().hear(answer)
    expect(failure(outputs)).toMatchObject({
      _tag: "VersionUnsupported",
      asked: "2026-07-28",
      offered: ["2099-01-01", "2098-01-01"],
      spoken: all
    })
    expect(messages(outputs)).toEqual([])
    expect(outputs.at(-1)).toMatchObject({
      reason: expect.stringContaining(
        `The server offered versions 2099-01-01, 2098-01-01 when asked for 2026-07-28; this client speaks ${all.join(", ")}`
      ) as string
    })
  })

  it.each([-32020, -32021])("fails with error %i, which only newer servers have", (code) => {
    const outputs = begun().hear(error(1, code))
    expect(failure(outputs)).toMatchObject({ _tag: "Answered", method: "server/discover", error: { code } })
    expect(messages(outputs)).toEqual([])
  })

  it("answers a ping of a server that may be older, and nothing else, while it waits", () => {
    const by = begun()
    expect(by.said({ jsonrpc: "2.0", id: "p", method: "ping" })).toEqual([result("p")])
    expect(by.said({ jsonrpc: "2.0", id: "r", method: "roots/list" })).toMatchObject([{ error: { code: -32601 } }])
    expect(by.tell(called(5, "tools/list"))).toMatchObject([
      { _tag: "Settle", outcome: { error: { _tag: "NotOpen" } } }
    ])
  })

  it("fails by what it was waiting for when the channel closes", () => {
    const closed = { _tag: "PeerClosed", detail: "gone" } as const
    const of = (by: Session) => failure(by.tell(closed))
    expect(of(begun())).toEqual({ _tag: "Closed", method: "server/discover", why: "gone" })
    const silent = begun()
    silent.tell(fired("probe"))
    expect(of(silent)).toEqual({ _tag: "Closed", method: "server/discover", why: "gone" })
    const older = begun()
    older.hear(error(1, -32601))
    expect(of(older)).toEqual({ _tag: "Closed", method: "initialize", why: "gone" })
    const unwritable = begun()
    expect(unwritable.tell({ _tag: "Unsent", call: 1, why: "a BigInt" })).toEqual([
      stopTimer("probe", 0),
      send(proposal(2))
    ])
    expect(failure(unwritable.tell({ _tag: "Unsent", call: 2, why: "a BigInt" }))).toMatchObject({
      _tag: "ParamsInvalid",
      method: "initialize"
    })
  })

  it("fails when the whole opening takes too long", () => {
    const by = begun()
    expect(failure(by.tell(fired("opening")))).toEqual({
      _tag: "TimedOut",
      method: "server/discover",
      ms: 60_000,
      total: true
    })
    const older = begun()
    older.hear(error(1, -32601))
    const outputs = older.tell(fired("opening"))
    expect(failure(outputs)).toMatchObject({ _tag: "TimedOut", method: "initialize" })
    expect(outputs[0]).toEqual(stopTimer("opening", 0))
    expect(outputs[1]).toMatchObject({ _tag: "OpenFailed" })
  })
})

describe("silence", () => {
  const silent = (): Session => {
    const by = begun()
    expect(by.tell(fired("probe"))).toEqual([stopTimer("probe", 0), send(proposal(2))])
    return by
  }

  it("leads to initialize, whose answer opens; the late error to the first question is nothing", () => {
    for (const late of [error(1, -32601), error(1, -32020), error(1, -32022, "no", { supported: ["2099-01-01"] })]) {
      const by = silent()
      expect(by.hear(late)).toEqual([])
      expect(openedWith(by.hear(agreed("2025-06-18", {}, {}, 2)))).toBe("2025-06-18")
      expect(by.hear(late)).toMatchObject([{ report: { _tag: "Ignored" } }])
    }
  })

  it("ends well when the answer to the first question comes late: initialize is then left unanswered", () => {
    const by = silent()
    const outputs = by.hear(discovery(1))
    expect(openedWith(outputs)).toBe("2026-07-28")
    expect(outputs[0]).toEqual(stopTimer("opening", 0))
    expect(messages(outputs)).toEqual([])
    expect(by.hear(error(2, -32602, "no", { supported: ["2026-07-28"] }))).toMatchObject([
      { report: { _tag: "Ignored" } }
    ])
    const other = silent()
    other.hear(discovery(1))
    expect(other.hear(agreed("2025-11-25", {}, {}, 2))).toMatchObject([{ report: { _tag: "Ignored" } }])
  })

  it("is broken when initialize is refused by a server that names what it speaks: it is asked again, once", () => {
    const refusal = (id: number) => error(id, -32602, "no", { supported: ["2026-07-28"] })
    const by = silent()
    expect(by.hear(refusal(2))).toEqual([startTimer("probe", 0, 3_000)])
    expect(by.tell(fired("probe"))).toEqual([stopTimer("probe", 0), startTimer("probe", 0, 3_000), send(probe(3))])
    expect(openedWith(by.hear(discovery(3)))).toBe("2026-07-28")
    const other = silent()
    other.hear(refusal(2))
    other.tell(fired("probe"))
    expect(failure(other.hear(error(3, -32601)))).toMatchObject({ _tag: "Answered", method: "initialize" })
    const quiet = silent()
    quiet.hear(refusal(2))
    quiet.tell(fired("probe"))
    const outputs = quiet.tell(fired("probe"))
    expect(failure(outputs)).toMatchObject({ _tag: "Answered", method: "initialize" })
    expect(outputs.slice(0, 2)).toEqual([stopTimer("probe", 0), stopTimer("opening", 0)])
  })

  it("ends well when initialize is refused at once and the answer to the first question is later still", () => {
    for (const refusal of [
      error(2, -32601),
      error(2, -32602, "no", { supported: ["2026-07-28"] }),
      error(2, -32022, "no", { supported: ["2026-07-28"], requested: "2025-11-25" })
    ]) {
      const by = silent()
      expect(by.hear(refusal)).toEqual([startTimer("probe", 0, 3_000)])
      const outputs = by.hear(discovery(1))
      expect(openedWith(outputs)).toBe("2026-07-28")
      expect(outputs.slice(0, 2)).toEqual([stopTimer("opening", 0), stopTimer("probe", 0)])
    }
  })

  it("is an end when initialize is refused otherwise, and nothing comes of the first question", () => {
    for (const end of [fired("probe"), fired("opening")]) {
      const by = silent()
      expect(by.hear(error(2, -32603))).toEqual([startTimer("probe", 0, 3_000)])
      expect(failure(by.tell(end))).toMatchObject({ _tag: "Answered", method: "initialize" })
    }
    const older = silent()
    older.hear(error(2, -32603))
    expect(failure(older.hear(error(1, -32601)))).toMatchObject({ _tag: "Answered", method: "initialize" })
    const named = silent()
    expect(named.said(error(2, -32602, "no", { supported: ["2025-03-26"] }))).toEqual([proposal(3, "2025-03-26")])
    const none = silent()
    expect(failure(none.hear(error(2, -32602, "no", { supported: ["2099-01-01"] })))).toMatchObject({
      _tag: "VersionUnsupported",
      asked: "2025-11-25",
      offered: ["2099-01-01"],
      spoken: all
    })
  })

  it("is over when it was heard once", () => {
    const by = silent()
    expect(by.tell(fired("probe"))).toEqual([])
  })

  it("after another question is no reason for a third", () => {
    const by = silent()
    by.hear(error(1, -32022, "no", { supported: ["2026-07-28"] }))
    expect(by.hear(error(2, -32602, "no", { supported: ["2026-07-28"] }))).toEqual([startTimer("probe", 0, 3_000)])
    expect(failure(by.tell(fired("probe")))).toMatchObject({ _tag: "Answered", method: "initialize" })
  })

  it("after another question is no more than silence", () => {
    const by = silent()
    by.hear(error(1, -32022, "no", { supported: ["2026-07-28"] }))
    expect(by.state().phase).toMatchObject({ proposal: { open: true }, probe: { retried: true, open: true } })
    expect(openedWith(by.hear(agreed("2025-11-25", {}, {}, 2)))).toBe("2025-11-25")
  })
})

describe("a client of 2026-07-28 only", () => {
  it("fails at silence, and proposes nothing", () => {
    const outputs = begun(modern()).tell(fired("probe"))
    expect(failure(outputs)).toEqual({ _tag: "TimedOut", method: "server/discover", ms: 3_000, total: false })
    expect(messages(outputs)).toEqual([])
  })

  it.each([
    ["names none", error(1, -32601, "nope"), []],
    ["names its own", error(1, -32600, "nope", { supported: ["2025-11-25"] }), ["2025-11-25"]],
    ["refuses with them", error(1, -32022, "nope", { supported: ["2025-11-25"] }), ["2025-11-25"]]
  ])("fails with both lists at a server with a handshake that %s", (_, answer, offered) => {
    const outputs = begun(modern()).hear(answer)
    expect(failure(outputs)).toMatchObject({
      _tag: "VersionUnsupported",
      asked: "2026-07-28",
      offered,
      spoken: ["2026-07-28"],
      error: { message: "nope" }
    })
    expect(messages(outputs)).toEqual([])
  })

  it("says what was wrong with a result that is no answer", () => {
    expect(failure(begun(modern()).hear(result(1)))).toMatchObject({
      _tag: "ResultInvalid",
      method: "server/discover",
      problem: { at: "supportedVersions" }
    })
  })

  it("never answers, whatever it is asked before it is open", () => {
    const by = begun(modern())
    expect(by.said({ jsonrpc: "2.0", id: 1, method: "ping" })).toEqual([])
    expect(by.said({ jsonrpc: "2.0", id: "x", method: 7 })).toEqual([])
  })
})

describe("the preferred revision", () => {
  it("when it is the oldest is proposed first, and the newer servers are asked when that is refused", () => {
    const by = session(both({}, { prefer: "oldest" }))
    expect(by.tell(open)).toEqual([...begins, send(proposal(1, "2024-11-05"))])
    expect(by.hear(error(1, -32602, "no", { supported: ["2026-07-28"] }))).toEqual([
      startTimer("probe", 0, 3_000),
      send(probe(2))
    ])
    expect(openedWith(by.hear(discovery(2)))).toBe("2026-07-28")
  })

  it("when it is the oldest gives way to silence too", () => {
    const by = session(both({}, { prefer: "oldest" }))
    by.tell(open)
    expect(by.tell(fired("probe"))).toEqual([stopTimer("probe", 0), send(probe(2))])
    expect(by.hear(error(2, -32601))).toEqual([])
    const outputs = by.hear(agreed("2024-11-05"))
    expect(openedWith(outputs)).toBe("2024-11-05")
    expect(outputs[0]).toEqual(stopTimer("opening", 0))
    expect(outputs[1]).toMatchObject({ _tag: "Send" })
  })

  it("when it is the oldest is still a choice of the server's among those named", () => {
    const by = session(both({}, { prefer: "oldest" }))
    by.tell(open)
    expect(by.said(error(1, -32602, "no", { supported: ["2025-11-25", "2025-06-18"] }))).toEqual([
      proposal(2, "2025-06-18")
    ])
  })

  it("when it is named is the only one", () => {
    const older = session(both({}, { prefer: "2025-06-18" }))
    expect(older.tell(open)).toEqual([startTimer("opening", 0, 60_000), send(proposal(1, "2025-06-18"))])
    expect(failure(older.hear(agreed("2025-03-26")))).toMatchObject({ offered: ["2025-03-26"], spoken: ["2025-06-18"] })
    const newer = session(both({}, { prefer: "2026-07-28" }))
    newer.tell(open)
    expect(failure(newer.hear(error(1, -32601)))).toMatchObject({ _tag: "VersionUnsupported", spoken: ["2026-07-28"] })
  })

  it("has to be spoken", () => {
    expect(() => session(both({}, { revisions: [v2025_11_25, v2025_06_18], prefer: "2026-07-28" }))).toThrow(
      "The client is to prefer 2026-07-28, and speaks 2025-11-25, 2025-06-18 only"
    )
    expect(() => session(both({}, { revisions: [] }))).toThrow("A client must speak at least one revision")
  })

  it("is never negotiated by initialize when it has none", () => {
    const by = begun()
    by.hear(error(1, -32601))
    expect(failure(by.hear(agreed("2026-07-28", {}, {}, 2)))).toMatchObject({
      _tag: "VersionUnsupported",
      asked: "2025-11-25",
      offered: ["2026-07-28"]
    })
  })
})

describe("what does not open", () => {
  it("is an answer under another id, or of another type", () => {
    const by = begun()
    for (const id of ["1", 2, null])
      expect(by.hear(discovery(id))[0]).toMatchObject({ _tag: "Report", report: { _tag: "Ignored" } })
    for (const id of ["1", 2, null, undefined])
      expect(by.hear(error(id, -32601))[0]).toMatchObject({ _tag: "Report", report: { _tag: "Ignored" } })
    expect(openedWith(by.hear(discovery(1)))).toBe("2026-07-28")
  })

  it("is an answer to a question that was refused before", () => {
    const by = begun(both({}, { revisions: [v2026_07_28, ...handshakeRevisions] }))
    by.hear(error(1, -32601))
    expect(by.hear(discovery(1))).toMatchObject([{ report: { _tag: "Ignored" } }])
    expect(by.hear(error(1, -32601))).toMatchObject([{ report: { _tag: "Ignored" } }])
  })
})
