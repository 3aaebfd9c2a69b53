/** A client's session is written down and read back whole; what does not read as one is refused. */
import { describe, expect, it } from "vitest"
import { clientMachine } from "../../src/client/index.js"
import type { JsonObject } from "../../src/json.js"
import { v2024_11_05 } from "../../src/revisions/index.js"
import { agreed, ask, called, define, everything, messages, note, offered, opened, result, session } from "./by-hand.js"

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

  it("may be at any moment", () => {
    const by = session(definition)
    by.move()
    expect(by.state().phase).toEqual({ _tag: "Unopened" })
    by.tell({ _tag: "Open" })
    by.move()
    expect(by.state().phase).toEqual({ _tag: "Opening", id: 1, asked: "2025-11-25", retried: false })
    expect(by.hear(agreed("2025-11-25"))).toMatchObject([{}, {}, { _tag: "Opened" }, {}])
    by.tell({ _tag: "PeerClosed", detail: "gone" })
    by.move()
    expect(by.state().phase).toEqual({ _tag: "Closed", why: "gone" })
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
  const [asked] = sound["asked"] as ReadonlyArray<JsonObject>
  const peer = (sound["phase"] as JsonObject)["peer"] as JsonObject
  const idle = { sent: [], asked: [], batches: [] }

  it.each([null, [], 7, {}, { digest: 7 }])("%j is malformed", (json) =>
    expect(by.machine.decode(json)).toEqual({ ok: false, error: "malformed" })
  )

  it.each<[JsonObject]>([
    [{ phase: null }],
    [{ phase: { _tag: "Elsewhere" } }],
    [{ ...idle, phase: { _tag: "Opening", id: 1.5, asked: "2025-11-25", retried: false } }],
    [{ ...idle, phase: { _tag: "Opening", id: 1, asked: "nope", retried: false } }],
    [{ ...idle, phase: { _tag: "Opening", id: 1, asked: "2025-11-25", retried: 0 } }],
    [{ phase: { _tag: "Open" } }],
    [{ phase: { _tag: "Open", peer: { ...peer, revision: "nope" } } }],
    [{ phase: { _tag: "Open", peer: { ...peer, capabilities: 7 } } }],
    [{ phase: { _tag: "Open", peer: { ...peer, info: 7 } } }],
    [{ ...idle, phase: { _tag: "Closed" } }],
    [{ phase: { _tag: "Unopened" } }],
    [{ sent: [], phase: { _tag: "Closed", why: "" } }],
    [{ asked: [], phase: { _tag: "Closed", why: "" } }],
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
    [{ last: 1.5 }],
    [{ next: "1" }],
    [{ batches: null }],
    [{ asked: null }],
    [{ asked: [null] }],
    [{ asked: [{ ...asked, id: null }] }],
    [{ asked: [{ ...asked, ask: "1" }] }],
    [{ asked: [{ ...asked, method: 7 }] }],
    [{ asked: [{ ...asked, method: "elicitation/create" }] }],
    [{ asked: [{ ...asked, via: 7 }] }],
    [{ asked: [{ ...asked, batch: "1" }] }],
    [{ asked: [{ ...asked, token: {} }] }],
    [{ asked: [{ ...asked, told: "1" }] }],
    [{ asked: [{ ...asked, ms: "1" }] }]
  ])("with %j is malformed", (change) => {
    expect(by.machine.decode(sound)).toMatchObject({ ok: true })
    expect(by.machine.decode({ ...sound, ...change })).toEqual({ ok: false, error: "malformed" })
  })
})
