/** A client's session is written down and read back whole; what does not read as one is refused. */
import { describe, expect, it } from "vitest"
import { clientMachine } from "../../src/client/index.js"
import type { JsonObject } from "../../src/json.js"
import { v2024_11_05 } from "../../src/revisions/index.js"
import { values } from "../../src/trie.js"
import {
  agreed,
  ask,
  both,
  called,
  define,
  discovered,
  discovery,
  error,
  everything,
  fired,
  messages,
  note,
  offered,
  opened,
  result,
  session
} from "./by-hand.js"

const definition = define(everything)
const busy = () => {
  const by = opened("2025-03-26", offered, definition)
  by.tell(called(5, "tools/list", undefined, { totalMs: 9, progress: true }))
  by.hear(note("notifications/progress", { progressToken: 5, progress: 2 }))
  by.hear(ask("q", "roots/list"), "x")
  by.hear([ask(1, "ping"), ask(2, "roots/list")], "y")
  return by
}

describe("a session that was written down", () => {
  it("goes on where it was", () => {
    const by = busy()
    by.move()
    expect(by.hear(note("notifications/progress", { progressToken: 5, progress: 2 }))).toMatchObject([
      { _tag: "Report" }
    ])
    expect(by.hear(note("notifications/progress", { progressToken: 5, progress: 3 }))).toMatchObject([
      { _tag: "StartTimer" },
      { _tag: "Progress" }
    ])
    expect(by.hear(result(5, { tools: [] }))).toMatchObject([
      { _tag: "StopTimer" },
      { _tag: "StopTimer" },
      { _tag: "Settle", call: 5 }
    ])
    expect(by.tell(called(5, "ping"))).toMatchObject([{ _tag: "Settle" }])
    expect(messages(by.tell({ _tag: "Answered", ask: 3, id: 2, result: { roots: [] } }))).toEqual([
      [result(1), result(2, { roots: [] })]
    ])
    expect(by.tell({ _tag: "Answered", ask: 1, id: "q", result: { roots: [] } })).toMatchObject([{ via: "x" }])
  })

  it.each([
    [Infinity, undefined],
    [5, Infinity],
    [Infinity, 9],
    [Infinity, Infinity]
  ])("waits as long as before: %s ms, and %s ms in all", (timeoutMs, totalMs) => {
    const by = opened("2025-11-25", offered, definition, { askMs: totalMs ?? timeoutMs })
    by.tell(called(5, "ping", undefined, { timeoutMs, totalMs, progress: true, resetOnProgress: true }))
    by.hear(ask("q", "roots/list", { _meta: { progressToken: "t" } }))
    const waits = () => [
      ...values(by.state().sent).map(({ timeoutMs, totalMs }) => [timeoutMs, totalMs]),
      ...values(by.state().asks).map(({ ms }) => ms)
    ]
    const before = waits()
    expect(before).toEqual([[timeoutMs, totalMs], totalMs ?? timeoutMs])
    by.move()
    expect(waits()).toEqual(before)
  })

  it("may be at any moment", () => {
    const by = session(definition)
    by.move()
    expect(by.state().phase).toEqual({ _tag: "Unopened" })
    by.tell({ _tag: "Open" })
    by.move()
    const proposal = { id: 1, asked: "2025-11-25", retried: false, open: true }
    expect(by.state().phase).toEqual({ _tag: "Opening", proposal, timing: false })
    expect(by.hear(agreed("2025-11-25"))).toMatchObject([{}, {}, { _tag: "Opened" }, {}])
    by.tell({ _tag: "PeerClosed", detail: "gone" })
    by.move()
    expect(by.state().phase).toEqual({ _tag: "Closed", why: "gone" })
  })

  it("may be at any moment of an opening by either way", () => {
    const by = session(both(everything))
    by.tell({ _tag: "Open" })
    by.move()
    by.tell(fired("probe"))
    by.move()
    by.hear(error(2, -32602, "no", { supported: ["2026-07-28"] }))
    by.move()
    by.tell(fired("probe"))
    by.move()
    by.hear(discovery(3))
    by.move()
    expect(by.state().phase).toMatchObject({ _tag: "Open", peer: { revision: "2026-07-28" } })
    const refused = session(both(everything, { prefer: "oldest" }))
    refused.tell({ _tag: "Open" })
    refused.hear(error(1, -32602, "no", { supported: ["2099-01-01"] }))
    refused.move()
    expect(refused.hear(error(2, -32601))).toMatchObject([{}, {}, { failure: { _tag: "VersionUnsupported" } }, {}])
  })

  it("may be where a server did not say who it is", () => {
    const by = session(both())
    by.tell({ _tag: "Open" })
    by.hear(discovery(1, undefined, { _meta: undefined }))
    by.move()
    expect(by.state().phase).toMatchObject({ _tag: "Open" })
  })

  it("may say that a proposal was refused, and not which: nothing is made of it", () => {
    const by = session(both(everything))
    by.tell({ _tag: "Open" })
    const written = by.machine.encode(by.state()) as { phase: JsonObject }
    const refusal = { code: -1, message: "", data: { supported: ["2099-01-01"] } }
    const read = by.machine.decode({ ...written, phase: { ...written.phase, proposal: undefined, refusal } })
    if (!read.ok) throw new Error(read.error)
    const failure = { _tag: "TimedOut", method: "server/discover", total: true }
    expect(by.machine.step(read.value, fired("opening"))[1]).toMatchObject([{}, {}, { failure }, {}])
  })

  it("keeps no params that are not sent again", () => {
    const by = opened()
    by.tell(called(2, "tools/call", { name: "secret" }))
    expect(JSON.stringify(by.machine.encode(by.state()))).not.toContain("secret")
  })

  it("is stale under another announcement", () => {
    const by = busy()
    const written: unknown = JSON.parse(JSON.stringify(by.machine.encode(by.state())))
    for (const other of [
      define({}),
      { ...definition, info: { name: "other", version: "1" } },
      { ...definition, revisions: [v2024_11_05] }
    ])
      expect(clientMachine(other).decode(written)).toEqual({ ok: false, error: "stale" })
  })
})

describe("what does not read as a session", () => {
  const by = busy()
  const sound = JSON.parse(JSON.stringify(by.machine.encode(by.state()))) as JsonObject
  const [sent] = sound["sent"] as ReadonlyArray<JsonObject>
  const [asked] = sound["asks"] as ReadonlyArray<JsonObject>
  const peer = (sound["phase"] as JsonObject)["peer"] as JsonObject
  const idle = { sent: [], asks: [], batches: [] }
  const attempt = { id: 1, asked: "2025-11-25", retried: false, open: true }
  const opening = { _tag: "Opening", proposal: attempt, timing: true }
  const refusal = { _tag: "Answered", method: "initialize", error: { code: -1, message: "" } }
  const versions = { _tag: "VersionUnsupported", asked: "a", offered: ["b"], spoken: ["c"], error: refusal.error }

  it.each([null, [], 7, {}, { digest: 7 }])("%j is malformed", (json) =>
    expect(by.machine.decode(json)).toEqual({ ok: false, error: "malformed" })
  )

  it.each<[JsonObject]>([
    [{ phase: null }],
    [{ phase: { _tag: "Elsewhere" } }],
    [{ ...idle, phase: { ...opening, proposal: { ...attempt, id: 1.5 } } }],
    [{ ...idle, phase: { ...opening, proposal: { ...attempt, asked: "nope" } } }],
    [{ ...idle, phase: { ...opening, proposal: { ...attempt, retried: 0 } } }],
    [{ ...idle, phase: { ...opening, proposal: { ...attempt, open: 0 } } }],
    [{ ...idle, phase: { ...opening, proposal: null } }],
    [{ ...idle, phase: { ...opening, probe: attempt } }],
    [{ ...idle, phase: { ...opening, timing: 0 } }],
    [{ ...idle, phase: { ...opening, refusal: { _tag: "Closed", method: "", why: "" } } }],
    [{ ...idle, phase: { ...opening, refusal: { ...refusal, method: 7 } } }],
    [{ ...idle, phase: { ...opening, refusal: { ...refusal, error: {} } } }],
    [{ ...idle, phase: { ...opening, refusal: { ...refusal, error: { code: 1 } } } }],
    [{ ...idle, phase: { ...opening, refusal: { ...refusal, error: { message: "" } } } }],
    [{ ...idle, phase: { ...opening, refusal: { ...refusal, error: null } } }],
    [{ ...idle, phase: { ...opening, refusal: { ...versions, offered: "b" } } }],
    [{ ...idle, phase: { ...opening, refusal: { ...versions, spoken: [7] } } }],
    [{ phase: opening }],
    [{ phase: opening, sent: [] }],
    [{ phase: opening, asks: [] }],
    [{ phase: { _tag: "Open", peer, proof: "wanted" } }],
    [{ phase: { _tag: "Open", peer, proof: 1.5 } }],
    [{ phase: { _tag: "Open" } }],
    [{ phase: { _tag: "Open", peer: { ...peer, revision: "nope" } } }],
    [{ phase: { _tag: "Open", peer: { ...peer, capabilities: 7 } } }],
    [{ phase: { _tag: "Open", peer: { ...peer, info: 7 } } }],
    [{ ...idle, phase: { _tag: "Closed" } }],
    [{ phase: { _tag: "Unopened" } }],
    [{ sent: [], phase: { _tag: "Closed", why: "" } }],
    [{ asks: [], phase: { _tag: "Closed", why: "" } }],
    [{ sent: null }],
    [{ sent: [null] }],
    [{ sent: [{ ...sent, call: "5" }] }],
    [{ sent: [{ ...sent, method: 7 }] }],
    [{ sent: [{ ...sent, method: "nope" }] }],
    [{ sent: [{ ...sent, method: "notifications/initialized" }] }],
    [{ sent: [{ ...sent, timeoutMs: "1" }] }],
    [{ sent: [{ ...sent, totalMs: "1" }] }],
    [{ sent: [{ ...sent, progress: 1 }] }],
    [{ sent: [{ ...sent, heard: "1" }] }],
    [{ sent: [{ ...sent, id: "5" }] }],
    [{ sent: [{ ...sent, level: 7 }] }],
    [{ sent: [{ ...sent, params: [] }] }],
    [{ sent: [{ ...sent, rounds: "1" }] }],
    [{ sent: [{ ...sent, retried: 0 }] }],
    [{ sent: [{ ...sent, stage: {} }] }],
    [{ sent: [{ ...sent, stage: { _tag: "Listening" } }] }],
    [{ sent: [{ ...sent, stage: { _tag: "Pausing" } }] }],
    [{ last: 1.5 }],
    [{ next: "1" }],
    [{ batches: null }],
    [{ asks: null }],
    [{ asks: [null] }],
    [{ asks: [{ ...asked, _tag: "Elsewhere" }] }],
    [{ asks: [{ ...asked, task: 1 }] }],
    [{ asks: [{ ...asked, task: true }] }],
    [{ asks: [{ ...asked, id: null }] }],
    [{ asks: [{ ...asked, ask: "1" }] }],
    [{ asks: [{ ...asked, method: 7 }] }],
    [{ asks: [{ ...asked, method: "elicitation/create" }] }],
    [{ asks: [{ ...asked, via: 7 }] }],
    [{ asks: [{ ...asked, batch: "1" }] }],
    [{ asks: [{ ...asked, token: {} }] }],
    [{ asks: [{ ...asked, told: "1" }] }],
    [{ asks: [{ ...asked, ms: "1" }] }]
  ])("with %j is malformed", (change) => {
    expect(by.machine.decode(sound)).toMatchObject({ ok: true })
    expect(by.machine.decode({ ...sound, ...change })).toEqual({ ok: false, error: "malformed" })
  })
})

describe("a session of 2026-07-28", () => {
  const roots = { method: "roots/list" }
  const asking = () => {
    const by = discovered(offered, both(everything), { askMs: 70 })
    by.tell(called(2, "tools/call", { name: "t" }, { totalMs: 9, logLevel: "info" }))
    by.tell(called(3, "prompts/get", { name: "p" }))
    by.tell(called(4, "subscriptions/listen", { notifications: { toolsListChanged: true } }))
    by.hear(
      result(2, { resultType: "input_required", inputRequests: { a: roots, b: roots, c: roots }, requestState: "s" })
    )
    by.tell({ _tag: "Answered", ask: 1, id: undefined, result: { roots: [] } })
    by.hear(result(3, { resultType: "input_required", requestState: "later" }))
    by.tell(fired("retry", 3))
    return by
  }

  it("goes on where it was", () => {
    const by = asking()
    const still = asking()
    for (const input of [
      { _tag: "Answered", ask: 2, id: undefined, result: { roots: [] } },
      { _tag: "Answered", ask: 3, id: undefined, result: { roots: [] } },
      fired("ask", 2),
      fired("total", 2),
      { _tag: "Abandoned", call: 3 },
      { _tag: "Received", json: result(5, { messages: [] }), via: "a" },
      { _tag: "Stopping" }
    ] as const) {
      by.move()
      const expected = still.machine.step(still.state(), input)[1]
      expect(by.machine.step(by.state(), input)[1]).toEqual(expected)
      expect(expected).not.toEqual([])
    }
  })

  const by = asking()
  const sound = JSON.parse(JSON.stringify(by.machine.encode(by.state()))) as JsonObject
  const all = sound["sent"] as ReadonlyArray<JsonObject>
  const of = (method: string) => all.find((one) => one["method"] === method)!
  const [asks, gets, listens] = [of("tools/call"), of("prompts/get"), of("subscriptions/listen")]
  const questions = sound["asks"] as ReadonlyArray<JsonObject>
  const first = questions.find((one) => one["key"] === "b")!
  const second = questions.find((one) => one["key"] === "c")!
  const stage = (change: object) => [{ ...asks, stage: { ...(asks["stage"] as object), ...change } }, gets, listens]

  it.each<[JsonObject]>([
    [{ sent: [gets, listens] }],
    [{ asks: [first, second, { ...second, ask: 9, about: 5 }] }],
    [{ asks: [first, { ...second, about: 5 }] }],
    [{ asks: [first, second].map((one) => ({ ...one, about: 5 })) }],
    [{ asks: [first, { ...second, about: "2" }] }],
    [{ asks: [first, { ...second, ask: "3" }] }],
    [{ asks: [first, { ...second, key: 7 }] }],
    [{ asks: [first, { ...second, ms: "70" }] }],
    [{ asks: [first, { ...second, method: "nope" }] }],
    [{ asks: [first, { ...second, method: 7 }] }],
    [{ asks: [] }],
    [{ sent: stage({ answers: 7 }) }],
    [{ sent: stage({ state: 7 }) }],
    [{ sent: [asks, gets, { ...listens, stage: { _tag: "Waiting" } }] }],
    [{ sent: [asks, gets, { ...listens, stage: { _tag: "Listening", honoured: 7 } }] }],
    [{ sent: [asks, { ...gets, stage: { _tag: "Pausing", state: 7 } }, listens] }],
    [{ sent: [asks, { ...gets, stage: { _tag: "Listening" } }, listens] }],
    [{ phase: { _tag: "Closed", why: "" }, sent: [], asks: [first] }]
  ])("with %j is malformed", (change) => {
    expect(by.machine.decode(sound)).toMatchObject({ ok: true })
    expect(by.machine.decode({ ...sound, ...change })).toEqual({ ok: false, error: "malformed" })
  })
})
