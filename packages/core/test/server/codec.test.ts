/** A session is written down and read back whole; what does not read as one is refused. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { v2024_11_05 } from "../../src/revisions/index.js"
import { serverMachine } from "../../src/server/index.js"
import { ask, call, define, everything, initialize, messages, ready, session, tool } from "./by-hand.js"

const definition = define(everything, {
  tools: [tool("slow"), tool("echo", { annotations: { idempotentHint: true } })]
})
const busy = () => {
  const by = ready("2025-03-26", definition, {}, { roots: { listChanged: true } })
  by.hear(call(1, "echo", { _meta: { progressToken: 7 } }), "x")
  by.tell({ _tag: "Progressed", call: 1, id: 1, progress: 0.5 })
  by.hear([ask("p", "ping"), call("b")], "y")
  by.hear(call("1"))
  return by
}

describe("a session that was written down", () => {
  it("goes on where it was", () => {
    const by = busy()
    by.move()
    expect(messages(by.tell({ _tag: "Progressed", call: 1, id: 1, progress: 0.5 }))).toEqual([])
    expect(by.tell({ _tag: "Progressed", call: 1, id: 1, progress: 1 })).toMatchObject([{ via: "x" }])
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: { content: [] } }))).toHaveLength(1)
    expect(by.tell({ _tag: "Succeeded", call: 3, id: "b", result: { content: [] } })).toMatchObject([
      { via: "y", message: [{ id: "p" }, { id: "b" }] }
    ])
    expect(by.hear(call("new"))).toMatchObject([{ _tag: "Invoke", call: 5 }])
  })

  it("is the same text when it is written down again", () => {
    const by = busy()
    const before = JSON.stringify(by.machine.encode(by.state()))
    by.move()
    expect(JSON.parse(JSON.stringify(by.machine.encode(by.state())))).toEqual(JSON.parse(before))
  })

  it("may be at any moment", () => {
    const unopened = session(definition)
    unopened.move()
    expect(unopened.state().phase).toEqual({ _tag: "Unopened" })
    unopened.hear(initialize("2025-11-25"))
    unopened.tell({ _tag: "Changed", families: ["tools"] })
    unopened.move()
    expect(unopened.state().phase).toMatchObject({ _tag: "Opened", changed: ["tools"] })
    unopened.tell({ _tag: "PeerClosed" })
    unopened.move()
    expect(unopened.state().phase).toEqual({ _tag: "Closed" })
    expect(unopened.tell({ _tag: "Stopping" })).toEqual([])
  })

  it("is stale under another announcement", () => {
    const by = busy()
    const written: unknown = JSON.parse(JSON.stringify(by.machine.encode(by.state())))
    for (const other of [
      define({ tools: {} }),
      { ...definition, instructions: "New." },
      { ...definition, info: { name: "other", version: "1" } },
      { ...definition, revisions: [v2024_11_05] }
    ])
      expect(serverMachine(other).decode(written)).toEqual({ ok: false, error: "stale" })
    expect(serverMachine({ ...definition, tools: [], pageSize: 1 }).decode(written)).toMatchObject({ ok: true })
  })
})

describe("what does not read as a session", () => {
  const by = busy()
  const sound = JSON.parse(JSON.stringify(by.machine.encode(by.state()))) as JsonObject
  const malformed = { ok: false, error: "malformed" }
  const [entry] = sound["inFlight"] as ReadonlyArray<JsonObject>
  const [batch] = sound["batches"] as ReadonlyArray<JsonObject>
  const peer = (sound["phase"] as JsonObject)["peer"] as JsonObject

  it.each([null, 7, "text", [], {}, { digest: 7 }])("%j is malformed", (json) =>
    expect(by.machine.decode(json)).toEqual(malformed)
  )

  it.each<[JsonObject]>([
    [{ phase: null }],
    [{ phase: { _tag: "Elsewhere" } }],
    [{ phase: { _tag: "Ready" } }],
    [{ phase: { _tag: "Ready", peer: { ...peer, revision: "2026-07-28" } } }],
    [{ phase: { _tag: "Ready", peer: { ...peer, capabilities: true } } }],
    [{ phase: { _tag: "Ready", peer: { ...peer, info: null } } }],
    [{ phase: { _tag: "Opened", peer } }],
    [{ phase: { _tag: "Opened", peer, changed: ["roots"] } }],
    [{ phase: { _tag: "Opened", peer: null, changed: [] } }],
    [{ inFlight: {} }],
    [{ inFlight: [null] }],
    [{ inFlight: [{ ...entry, id: 1.5 }] }],
    [{ inFlight: [{ ...entry, call: "1" }] }],
    [{ inFlight: [{ ...entry, via: 1 }] }],
    [{ inFlight: [{ ...entry, method: "nope" }] }],
    [{ inFlight: [{ ...entry, method: "notifications/initialized" }] }],
    [{ inFlight: [{ ...entry, method: 7 }] }],
    [{ inFlight: [{ ...entry, revision: "nope" }] }],
    [{ inFlight: [{ ...entry, tool: 7 }] }],
    [{ inFlight: [{ ...entry, batch: "1" }] }],
    [{ inFlight: [{ ...entry, token: 1.5 }] }],
    [{ inFlight: [{ ...entry, progress: "1" }] }],
    [{ inFlight: [{ ...entry, again: 7 }] }],
    [{ batches: null }],
    [{ batches: [null] }],
    [{ batches: [{ ...batch, number: "1" }] }],
    [{ batches: [{ ...batch, via: 1 }] }],
    [{ batches: [{ ...batch, waiting: null }] }],
    [{ batches: [{ ...batch, replies: null }] }],
    [{ next: 1.5 }],
    [{ stopping: 0 }]
  ])("with %j is malformed", (change) => {
    expect(by.machine.decode(sound)).toMatchObject({ ok: true })
    expect(by.machine.decode({ ...sound, ...change })).toEqual(malformed)
  })
})
