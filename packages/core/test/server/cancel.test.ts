/** A withdrawn request is interrupted and never answered. */
import { describe, expect, it } from "vitest"
import { ask, call, cancelled, define, initialize, messages, note, peer, ready, revisionNames } from "./by-hand.js"

const tools = define({ tools: {} })

describe.each(revisionNames)("a cancellation on %s", (revision) => {
  it("interrupts the handler, and its late result finds nothing", () => {
    const by = ready(revision, tools)
    by.hear(call("x"), "here")
    expect(by.hear(cancelled("x", "no longer needed"))).toEqual([
      { _tag: "Interrupt", call: 1, reason: "no longer needed" },
      {
        _tag: "Report",
        report: {
          _tag: "Cancelled",
          id: "x",
          method: "tools/call",
          reason: "no longer needed",
          peer: peer(revision)
        }
      }
    ])
    expect(by.state().inFlight.size).toBe(0)
    for (const input of [
      { _tag: "Succeeded", call: 1, id: "x", result: { content: [] } },
      { _tag: "Failed", call: 1, id: "x", failure: { _tag: "Crashed" } },
      { _tag: "ArgumentsRefused", call: 1, id: "x", why: "" },
      { _tag: "Progressed", call: 1, id: "x", progress: 1 }
    ] as const)
      expect(messages(by.tell(input))).toEqual([])
  })

  it("frees the id, and a late result of the first does not settle the second", () => {
    const by = ready(revision, tools)
    by.hear(call("x"))
    by.hear(cancelled("x"))
    expect(by.hear(call("x"))).toMatchObject([{ _tag: "Invoke", call: 2 }])
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: "x", result: { content: [] } }))).toEqual([])
    expect(messages(by.tell({ _tag: "Succeeded", call: 2, id: "x", result: { content: [] } }))).toHaveLength(1)
  })

  it("of what is not under way is ignored", () => {
    const by = ready(revision, tools)
    by.hear(call(1))
    for (const id of ["1", 2, "init"])
      expect(by.hear(cancelled(id))).toEqual([
        {
          _tag: "Report",
          report: { _tag: "Ignored", method: "notifications/cancelled", id, why: "no such request is in flight" }
        }
      ])
    expect(by.hear(cancelled(1))).toMatchObject([{ _tag: "Interrupt", call: 1, reason: undefined }, {}])
  })

  it("that is malformed cancels nothing and is not answered", () => {
    const by = ready(revision, tools)
    by.hear(call(1))
    for (const params of [{ requestId: null }, { requestId: 1.5 }, { requestId: 1, reason: 7 }, []])
      expect(by.hear(note("notifications/cancelled", params))).toMatchObject([
        { _tag: "Report", report: { _tag: "Ignored" } }
      ])
    expect(by.state().inFlight.size).toBe(1)
  })

  it("does not reach an initialize that was answered", () => {
    const by = ready(revision, tools)
    expect(messages(by.hear(cancelled("init")))).toEqual([])
    expect(messages(by.hear(ask(1, "tools/list")))).toHaveLength(1)
    expect(messages(by.hear(initialize(revision)))).toMatchObject([{ error: { code: -32600 } }])
  })
})
