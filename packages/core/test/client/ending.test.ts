/** How a call ends without its reply: time, its caller, the end of the session; and progress on the way. */
import { describe, expect, it } from "vitest"
import {
  called,
  define,
  failed,
  ignored,
  messages,
  note,
  offered,
  opened,
  result,
  send,
  session,
  startTimer,
  stopTimer,
  succeeded
} from "./by-hand.js"

const cancelled = (requestId: number, reason?: string) =>
  send(note("notifications/cancelled", reason === undefined ? { requestId } : { requestId, reason }))

describe("time", () => {
  it("runs out for a call, the server is told, and a late reply finds nothing", () => {
    const by = opened()
    by.tell(called(2, "ping"))
    expect(by.tell({ _tag: "TimerFired", timer: { of: "request", call: 2 } })).toEqual([
      cancelled(2, "timed out"),
      stopTimer("request", 2),
      failed(2, { _tag: "TimedOut", method: "ping", ms: 1000, total: false })
    ])
    expect(by.tell({ _tag: "TimerFired", timer: { of: "request", call: 2 } })).toEqual([])
    expect(by.hear(result(2))).toMatchObject([{ _tag: "Report" }])
  })

  it("starts again with progress where there is a limit in all", () => {
    const by = opened()
    expect(by.tell(called(2, "ping", undefined, { totalMs: 5000 }))).toEqual([
      send({ jsonrpc: "2.0", id: 2, method: "ping", params: { _meta: { progressToken: 2 } } }),
      startTimer("request", 2, 1000),
      startTimer("total", 2, 5000)
    ])
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 1 }))).toEqual([
      startTimer("request", 2, 1000)
    ])
    expect(by.tell({ _tag: "TimerFired", timer: { of: "total", call: 2 } })).toEqual([
      cancelled(2, "timed out"),
      stopTimer("request", 2),
      stopTimer("total", 2),
      failed(2, { _tag: "TimedOut", method: "ping", ms: 5000, total: true })
    ])
  })

  it("does not start again without one", () => {
    const by = opened()
    by.tell(called(2, "ping", undefined, { progress: true }))
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 1 }))).toMatchObject([
      { _tag: "Progress" }
    ])
  })

  it("stops with the reply, both limits of it", () => {
    const by = opened()
    by.tell(called(2, "ping", undefined, { totalMs: 5000 }))
    expect(by.hear(result(2))).toEqual([stopTimer("request", 2), stopTimer("total", 2), succeeded(2)])
  })
})

describe("progress", () => {
  it("is handed out with the token we chose, beside what else was in _meta", () => {
    const by = opened()
    expect(
      messages(
        by.tell(called(2, "tools/call", { name: "a", _meta: { a: 1, progressToken: "mine" } }, { progress: true }))
      )
    ).toEqual([
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "a", _meta: { a: 1, progressToken: 2 } } }
    ])
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 1, total: 4, message: "m" }))).toEqual([
      { _tag: "Progress", call: 2, progress: 1, total: 4, message: "m" }
    ])
  })

  it("must increase, and has a message only if that is a text", () => {
    const by = opened("2024-11-05")
    by.tell(called(2, "ping", undefined, { progress: true }))
    const told = (progress: number, message?: unknown) =>
      by.hear(note("notifications/progress", { progressToken: 2, progress, message }))
    expect(told(1, { text: "m" })).toEqual([
      { _tag: "Progress", call: 2, progress: 1, total: undefined, message: undefined }
    ])
    for (const value of [1, 0.5])
      expect(told(value)).toEqual([ignored("progress that does not increase", undefined, 2)])
    expect(told(2)).toHaveLength(1)
  })

  it("is not handed out to whoever did not ask, nor for what is over", () => {
    const by = opened("2025-11-25", {})
    by.tell(called(2, "ping"))
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 1 }))).toEqual([])
    expect(by.hear(note("notifications/progress", { progressToken: "2", progress: 1 }))).toEqual([
      ignored("progress for no request of ours that is in flight")
    ])
    by.hear(result(2))
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 2 }))).toMatchObject([
      { _tag: "Report" }
    ])
    expect(by.hear(note("notifications/progress", { progressToken: 2 }))).toMatchObject([{ _tag: "Report" }])
  })

  it("keeps what is named like a prototype where it was", () => {
    const params = JSON.parse('{"_meta":{"__proto__":{"a":1}}}') as {}
    const [message] = messages(opened().tell(called(2, "ping", params, { progress: true })))
    expect(JSON.stringify(message)).toBe(
      '{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":{"__proto__":{"a":1},"progressToken":2}}}'
    )
  })
})

describe("a caller that loses interest", () => {
  it("tells the server, with the reason when there is one", () => {
    const by = opened()
    by.tell(called(2, "ping"))
    by.tell(called(3, "ping"))
    expect(by.tell({ _tag: "Abandoned", call: 2, reason: "no longer needed" })).toEqual([
      cancelled(2, "no longer needed"),
      stopTimer("request", 2),
      failed(2, { _tag: "Abandoned", method: "ping", reason: "no longer needed" })
    ])
    expect(by.tell({ _tag: "Abandoned", call: 3 })).toStrictEqual([
      cancelled(3),
      stopTimer("request", 3),
      failed(3, { _tag: "Abandoned", method: "ping", reason: undefined })
    ])
    expect(by.tell({ _tag: "Abandoned", call: 2 })).toEqual([])
    expect(by.hear(result(2))).toMatchObject([{ _tag: "Report" }])
  })

  it("closes the exchange where that is how it is told", () => {
    const by = opened("2025-11-25", {}, define(), { cancels: "exchange" })
    by.tell(called(2, "ping"))
    // Up to 2025-11-25 a connection that closes cancels nothing: the server is told, and then nobody waits there any more.
    expect(by.tell({ _tag: "Abandoned", call: 2 }).slice(0, 2)).toEqual([cancelled(2), { _tag: "Abort", id: 2 }])
  })
})

describe("a request that could not be written", () => {
  const problem = { at: "", expected: "JSON: a bigint" }
  const stray = (id: number) => [ignored("expected JSON: a bigint", undefined, id)]

  it("is settled, and the server, which knows nothing of it, is not told", () => {
    for (const cancels of ["message", "exchange"] as const) {
      const by = opened("2025-11-25", {}, define(), { cancels })
      by.tell(called(2, "ping", undefined, { totalMs: 50 }))
      expect(by.tell({ _tag: "Unsent", call: 2, why: "a bigint" })).toEqual([
        stopTimer("request", 2),
        stopTimer("total", 2),
        failed(2, { _tag: "ParamsInvalid", method: "ping", problem })
      ])
      for (const call of [2, 3, 1]) expect(by.tell({ _tag: "Unsent", call, why: "a bigint" })).toEqual(stray(call))
    }
  })

  it("ends the opening when it was the proposal", () => {
    const by = session()
    expect(by.tell({ _tag: "Unsent", call: 1, why: "a bigint" })).toEqual(stray(1))
    by.tell({ _tag: "Open" })
    expect(by.tell({ _tag: "Unsent", call: 2, why: "a bigint" })).toEqual(stray(2))
    expect(by.tell({ _tag: "Unsent", call: 1, why: "a bigint" })).toEqual([
      stopTimer("opening", 0),
      { _tag: "OpenFailed", failure: { _tag: "ParamsInvalid", method: "initialize", problem } },
      { _tag: "Close", reason: expect.stringContaining("a bigint") }
    ])
  })
})

describe("the end", () => {
  it.each([
    [{ _tag: "PeerClosed", detail: "the server exited with code 1" } as const, "the server exited with code 1"],
    [{ _tag: "Stopping" } as const, "the client closed it"]
  ])("settles everything once, oldest first: %j", (input, why) => {
    const by = opened("2025-11-25", offered, define({ roots: {} }))
    by.tell(called(2, "ping", undefined, { totalMs: 5000 }))
    by.tell(called(3, "tools/list"))
    by.hear({ jsonrpc: "2.0", id: "b", method: "roots/list" })
    by.hear({ jsonrpc: "2.0", id: "a", method: "roots/list" })
    expect(by.tell(input)).toEqual([
      stopTimer("request", 2),
      stopTimer("total", 2),
      failed(2, { _tag: "Closed", method: "ping", why }),
      stopTimer("request", 3),
      failed(3, { _tag: "Closed", method: "tools/list", why }),
      { _tag: "WithdrawAsk", ask: 1, reason: why },
      { _tag: "WithdrawAsk", ask: 2, reason: why },
      { _tag: "Close", reason: why }
    ])
    for (const late of [
      { _tag: "Received", json: result(2), via: "a" },
      { _tag: "Answered", ask: 1, id: "b", result: { roots: [] } },
      { _tag: "TimerFired", timer: { of: "request", call: 2 } },
      { _tag: "Abandoned", call: 2 },
      { _tag: "Unsent", call: 2, why: "a bigint" },
      { _tag: "Open" },
      input
    ] as const)
      expect(by.tell(late)).toEqual([])
  })
})

describe("what is not JSON", () => {
  it("is reported and never answered", () => {
    const by = opened()
    expect(by.tell({ _tag: "Garbled", why: "json", via: "a", detail: "Listening on 3000" })).toEqual([
      ignored("something that is not JSON (json): Listening on 3000")
    ])
    expect(by.tell({ _tag: "Garbled", why: "utf8", via: "a" })).toEqual([ignored("something that is not JSON (utf8)")])
  })
})
