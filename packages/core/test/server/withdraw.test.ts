/** Questions of a request that is over are withdrawn; those that the client never heard are not. */
import { describe, expect, it } from "vitest"
import { answer, declared, form, needs, roots, running, sent, server, timer } from "./asking.js"
import { call, initialize, initialized, messages, peer, session } from "./by-hand.js"

describe("a request that asked and ends", () => {
  const withdrawn = (requestId: number, reason: string) =>
    sent({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason } })

  it("because it is cancelled has its open questions withdrawn, and no handler to interrupt", () => {
    const by = running()
    by.tell(needs([roots("a"), roots("b"), roots("c")]))
    by.hear(answer(3))
    expect(by.hear({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } })).toEqual([
      { _tag: "StopTimer", timer: timer(2) },
      withdrawn(2, "the request was cancelled"),
      { _tag: "StopTimer", timer: timer(4) },
      withdrawn(4, "the request was cancelled"),
      {
        _tag: "Report",
        report: {
          _tag: "Cancelled",
          id: "c",
          method: "tools/call",
          reason: undefined,
          peer: peer("2025-11-25", declared)
        }
      }
    ])
    expect(by.state()).toMatchObject({ inFlight: { size: 0 }, asked: { size: 0 } })
  })

  it("leaves the questions of other requests open", () => {
    const by = running()
    by.hear(call(1))
    by.tell(needs([roots()], {}, 2, 1))
    by.tell(needs([roots()]))
    by.hear({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } })
    expect(by.hear(answer(3))[1]).toMatchObject({ _tag: "Invoke", id: 1 })
  })

  it("because the server stops is answered with an error after its questions were withdrawn", () => {
    const by = running()
    by.tell(needs([roots()]))
    by.tell({ _tag: "Stopping" })
    expect(by.tell({ _tag: "TimerFired", timer: { of: "drain", call: 0 } })).toMatchObject([
      { _tag: "StopTimer", timer: timer(2) },
      withdrawn(2, "the request has ended"),
      { _tag: "Send", message: { id: "c", error: { code: -32603 } } },
      { _tag: "Report" },
      { _tag: "StopTimer", timer: { of: "drain" } },
      { _tag: "Close" }
    ])
  })

  it("because the client is gone stops the timers and sends nothing", () => {
    const by = running()
    by.hear(call("d"))
    by.tell(needs([roots("b"), roots("a")]))
    expect(by.tell({ _tag: "PeerClosed" })).toEqual([
      { _tag: "Interrupt", call: 2, reason: "the client is gone" },
      { _tag: "StopTimer", timer: timer(3) },
      { _tag: "StopTimer", timer: timer(4) },
      { _tag: "Close", reason: "the client is gone" }
    ])
  })

  it("when its handler has the answers is interrupted like any other", () => {
    const by = running()
    by.tell(needs([roots()]))
    by.hear(answer(2))
    expect(by.hear({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } })).toMatchObject([
      { _tag: "Interrupt", call: 3 },
      { _tag: "Report" }
    ])
  })
})

describe("a question before the client said that it is ready", () => {
  const early = () => {
    const by = session(server, { askMs: 500 })
    by.hear(initialize("2025-11-25", declared))
    by.hear(call("c"), "here")
    return by
  }

  it("waits until then, and goes by the way of its request", () => {
    const by = early()
    expect(by.tell(needs([roots("a"), form("b")]))).toEqual([
      { _tag: "StartTimer", timer: timer(2), ms: 500 },
      { _tag: "StartTimer", timer: timer(3), ms: 500 }
    ])
    by.move()
    by.tell({ _tag: "Changed", families: ["tools"] })
    expect(by.hear(initialized)).toMatchObject([
      { _tag: "Send", message: { method: "notifications/tools/list_changed" }, via: undefined },
      sent({ jsonrpc: "2.0", id: 2, method: "roots/list" }),
      sent({ jsonrpc: "2.0", id: 3, method: "elicitation/create" })
    ])
    expect(by.hear(answer(2))).toHaveLength(1)
    expect(by.hear(answer(3, { action: "cancel" }))[1]).toMatchObject({ _tag: "Invoke", call: 4 })
  })

  it("can not be answered before it was sent", () => {
    const by = early()
    by.tell(needs([roots()]))
    for (const json of [answer(2), { jsonrpc: "2.0", id: 2, error: { code: 1, message: "" } }])
      expect(by.hear(json)).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored" } }])
    expect(by.state().asked.size).toBe(1)
  })

  it("is not withdrawn from a client that never heard it", () => {
    const late = early()
    late.tell(needs([roots()]))
    expect(late.tell({ _tag: "TimerFired", timer: timer(2) })).toMatchObject([
      { _tag: "StopTimer", timer: timer(2) },
      { _tag: "Invoke", answers: { roots: { _tag: "TimedOut" } } }
    ])
    const gone = early()
    gone.tell(needs([roots()]))
    expect(
      messages(gone.hear({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } }))
    ).toEqual([])
    expect(messages(gone.hear(initialized))).toEqual([])
  })
})
