/** A session is written down and read back whole; what does not read as one is refused. */
import { describe, expect, it } from "vitest"
import type { Json, JsonObject } from "../../src/json.js"
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
    const families = ["tools", "resources", "prompts"] as const
    const held = families.map((family) => ({ method: `notifications/${family}/list_changed` }))
    unopened.tell({ _tag: "Changed", families })
    unopened.hear(ask(1, "tasks/list"))
    unopened.move()
    expect(unopened.state()).toMatchObject({ phase: { _tag: "Opened", held }, inFlight: { size: 1 } })
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

describe("a session with open questions that was written down", () => {
  const asking = () => {
    const by = ready("2025-11-25", definition, { askMs: 500 }, { roots: {} })
    by.hear(call("c"), "here")
    by.tell({
      _tag: "NeedsInput",
      call: 1,
      id: "c",
      questions: ["a", "b"].map((key) => ({ key, method: "roots/list", params: undefined })),
      once: { paid: 7 }
    })
    by.hear({ jsonrpc: "2.0", id: 3, result: { roots: [] } })
    return by
  }

  it("is answered in a machine that never asked: the handler runs once more, with answers and what was done once", () => {
    const elsewhere = serverMachine(definition, { askMs: 900 })
    const by = asking()
    const written: unknown = JSON.parse(JSON.stringify(by.machine.encode(by.state())))
    const moved = elsewhere.decode(written)
    if (!moved.ok) throw new Error(moved.error)
    const [resumed, timers] = elsewhere.step(moved.value, { _tag: "Resumed" })
    expect(timers).toEqual([{ _tag: "StartTimer", timer: { of: "ask", call: 2 }, ms: 900 }])
    const json = { jsonrpc: "2.0", id: 2, result: { roots: [{ uri: "file:///a" }] } }
    const [answered, outputs] = elsewhere.step(resumed, { _tag: "Received", json, via: "there" })
    expect(outputs).toMatchObject([
      { _tag: "StopTimer" },
      {
        _tag: "Invoke",
        call: 4,
        id: "c",
        target: { _tag: "Tool", name: "slow", arguments: {} },
        answers: {
          a: { _tag: "Answered", result: { roots: [{ uri: "file:///a" }] } },
          b: { _tag: "Answered", result: { roots: [] } }
        },
        once: { paid: 7 }
      }
    ])
    const [, replies] = elsewhere.step(answered, { _tag: "Succeeded", call: 4, id: "c", result: { content: [] } })
    expect(replies).toMatchObject([{ _tag: "Send", message: { id: "c" }, via: "here" }])
  })

  it("keeps the client's level, its subscriptions and its refusals", () => {
    const by = asking()
    by.hear(ask(1, "logging/setLevel", { level: "error" }))
    by.hear({ jsonrpc: "2.0", id: 2, error: { code: -1, message: "no", data: [1] } })
    by.move()
    expect(by.tell({ _tag: "Logged", level: "warning", data: 1 })).toEqual([])
    expect(by.tell({ _tag: "Logged", level: "error", data: 1 })).toHaveLength(1)
    expect(by.state()).toMatchObject({ level: "error", asked: { size: 0 } })
    by.tell({
      _tag: "NeedsInput",
      call: 4,
      id: "c",
      questions: [{ key: "c", method: "roots/list", params: undefined }],
      once: {}
    })
    by.move()
    expect(by.tell({ _tag: "TimerFired", timer: { of: "ask", call: 5 } })).toMatchObject([
      { _tag: "Send" },
      { _tag: "StopTimer" },
      {
        _tag: "Invoke",
        answers: { a: { _tag: "Refused", error: { code: -1, message: "no", data: [1] } }, c: { _tag: "TimedOut" } },
        once: {}
      }
    ])
    by.move()
    expect(by.state().inFlight.size).toBe(1)
  })

  const sound = JSON.parse(JSON.stringify(asking().machine.encode(asking().state()))) as JsonObject
  const [entry] = sound["inFlight"] as ReadonlyArray<JsonObject>
  const waiting = entry!["asking"] as JsonObject
  const [question] = waiting["open"] as ReadonlyArray<JsonObject>
  const open = (questions: Json) => ({ inFlight: [{ ...entry, asking: { ...waiting, open: questions } }] })

  it.each<[JsonObject]>([
    [open(null)],
    [open([null])],
    [open([{ ...question, ask: 1.5 }])],
    [open([{ ...question, key: 7 }])],
    [open([{ ...question, method: 7 }])],
    [open([{ ...question, method: "nope" }])],
    [open([{ ...question, method: "constructor" }])],
    [open([{ ...question, method: "notifications/message" }])],
    [open([{ ...question, held: 7 }])],
    [{ inFlight: [{ ...entry, logged: "1" }] }],
    [{ inFlight: [{ ...entry, passed: null }] }],
    [{ inFlight: [{ ...entry, asking: null }] }],
    [{ inFlight: [{ ...entry, asking: { ...waiting, once: 7 } }] }],
    [{ inFlight: [{ ...entry, asking: { ...waiting, answers: [] } }] }],
    [{ inFlight: [{ ...entry, asking: { ...waiting, answers: { a: 7 } } }] }],
    [{ inFlight: [{ ...entry, asking: { ...waiting, answers: { a: { _tag: "Guessed" } } } }] }],
    [{ inFlight: [{ ...entry, asking: { ...waiting, answers: { a: { _tag: "Answered", result: 7 } } } }] }],
    [{ inFlight: [{ ...entry, asking: { ...waiting, answers: { a: { _tag: "Refused", error: "x" } } } }] }],
    [{ level: "loud" }],
    [{ level: 7 }],
    [{ subscriptions: {} }],
    [{ subscriptions: [7] }]
  ])("with %j is malformed", (change) => {
    const { machine } = asking()
    expect(machine.decode(sound)).toMatchObject({ ok: true })
    expect(machine.decode(JSON.parse(JSON.stringify({ ...sound, ...change })))).toEqual({
      ok: false,
      error: "malformed"
    })
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
    [{ phase: { _tag: "Opened", peer, held: [{ method: 7 }] } }],
    [{ phase: { _tag: "Opened", peer, held: [{ method: "a", uri: 7 }] } }],
    [{ phase: { _tag: "Opened", peer: null, held: [] } }],
    [{ inFlight: {} }],
    [{ inFlight: [null] }],
    [{ inFlight: [{ ...entry, id: 1.5 }] }],
    [{ inFlight: [{ ...entry, call: "1" }] }],
    [{ inFlight: [{ ...entry, via: 1 }] }],
    [{ inFlight: [{ ...entry, method: "nope" }] }],
    [{ inFlight: [{ ...entry, method: "notifications/initialized" }] }],
    [{ inFlight: [{ ...entry, method: 7 }] }],
    [{ inFlight: [{ ...entry, peer: { revision: "nope", capabilities: {} } }] }],
    [{ inFlight: [{ ...entry, level: "loud" }] }],
    [{ phase: { _tag: "Ready", peer: { revision: "2026-07-28", capabilities: {} } } }],
    [{ inFlight: [{ ...entry, params: { name: 7 } }] }],
    [{ inFlight: [{ ...entry, batch: "1" }] }],
    [{ inFlight: [{ ...entry, params: { name: "echo", _meta: { progressToken: 1.5 } } }] }],
    [{ inFlight: [{ ...entry, task: 7 }] }],
    [{ inFlight: [{ ...entry, progress: "1" }] }],
    [{ inFlight: [{ ...entry, params: 7 }] }],
    [{ batches: null }],
    [{ batches: [null] }],
    [{ batches: [{ ...batch, number: "1" }] }],
    [{ batches: [{ ...batch, via: 1 }] }],
    [{ batches: [{ ...batch, waiting: null }] }],
    [{ batches: [{ ...batch, replies: null }] }],
    [{ batches: [{ ...batch, held: null }] }],
    [{ next: 1.5 }],
    [{ stopping: 0 }],
    [{ silent: 0 }]
  ])("with %j is malformed", (change) => {
    expect(by.machine.decode(sound)).toMatchObject({ ok: true })
    expect(by.machine.decode({ ...sound, ...change })).toEqual(malformed)
  })
})
