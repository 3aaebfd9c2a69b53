/** A question while it is open: progress for those who asked for it, and an end when it takes too long. */
import { describe, expect, it } from "vitest"
import type { RevisionName } from "../../src/revision.js"
import { ask, define, everything, ignored, note, offered, opened, result, revisionNames, send } from "./by-hand.js"

const asked = (params?: object, revision: RevisionName = "2025-11-25", askMs?: number) => {
  const by = opened(revision, offered, define(everything), askMs === undefined ? {} : { askMs })
  return { by, outputs: by.hear(ask("q", "roots/list", params), "here") }
}

const further = (progress: number, rest: { total?: number; message?: string } = {}) =>
  ({ _tag: "AskProgressed", ask: 1, id: "q", progress, total: rest.total, message: rest.message }) as const

const told = (params: object) => ({ ...send(note("notifications/progress", params), "here"), last: false })

describe("progress of an answer", () => {
  it.each(["t", 7])("is told by the token that the server gave, as long as it increases: %j", (progressToken) => {
    const { by } = asked({ _meta: { progressToken } })
    expect(by.tell(further(1, { total: 3, message: "reading" }))).toEqual([
      told({ progressToken, progress: 1, total: 3, message: "reading" })
    ])
    expect(by.tell(further(1))).toEqual([])
    expect(by.tell(further(0.5))).toEqual([])
    by.move()
    expect(by.tell(further(1))).toEqual([])
    expect(by.tell(further(1.5))).toEqual([told({ progressToken, progress: 1.5 })])
  })

  it("is told to nobody who gave no token", () => {
    for (const params of [undefined, {}, { _meta: {} }]) expect(asked(params).by.tell(further(1))).toEqual([])
  })

  it("is not told after the answer, nor of another question", () => {
    const { by } = asked({ _meta: { progressToken: 1 } })
    const late = ignored("an answer came after its question had been withdrawn", undefined, "q")
    expect(by.tell({ ...further(1), ask: 2 })).toEqual([late])
    by.tell({ _tag: "Answered", ask: 1, id: "q", result: { roots: [] } })
    expect(by.tell(further(1))).toEqual([late])
  })

  it.each(revisionNames)("has a message only where there is one: %s", (revision) => {
    const { by } = asked({ _meta: { progressToken: 1 } }, revision)
    const message = revision === "2024-11-05" ? {} : { message: "reading" }
    expect(by.tell(further(1, { message: "reading" }))).toEqual([told({ progressToken: 1, progress: 1, ...message })])
  })

  it("that is no number is not sent", () => {
    const { by } = asked({ _meta: { progressToken: 1 } })
    expect(by.tell(further(Number.NaN))).toMatchObject([
      { _tag: "Report", report: { _tag: "Unsendable", method: "notifications/progress" } }
    ])
    expect(by.tell(further(1))).toHaveLength(1)
  })
})

describe("a question with a limit", () => {
  const timer = { of: "ask", call: 1 } as const

  it("starts its timer before it is put, and stops it with the answer", () => {
    const { by, outputs } = asked(undefined, "2025-11-25", 50)
    expect(outputs).toMatchObject([
      { _tag: "StartTimer", timer, ms: 50 },
      { _tag: "Ask", ask: 1 }
    ])
    expect(by.tell({ _tag: "Answered", ask: 1, id: "q", result: { roots: [] } })).toEqual([
      { _tag: "StopTimer", timer },
      send(result("q", { roots: [] }), "here")
    ])
    expect(by.tell({ _tag: "TimerFired", timer })).toEqual([])
  })

  it("stops its timer when it is withdrawn, and at the end of the session", () => {
    const { by } = asked(undefined, "2025-11-25", 50)
    expect(by.hear(note("notifications/cancelled", { requestId: "q" }))).toEqual([
      { _tag: "WithdrawAsk", ask: 1, reason: undefined },
      { _tag: "StopTimer", timer }
    ])
    by.hear(ask("r", "roots/list"))
    by.move()
    expect(by.tell({ _tag: "Stopping" })).toEqual([
      { _tag: "StopTimer", timer: { of: "ask", call: 2 } },
      { _tag: "WithdrawAsk", ask: 2, reason: "the client closed it" },
      { _tag: "Close", reason: "the client closed it" }
    ])
  })

  it.each([false, true])("is taken back and refused when its time is over (moved: %j)", (moved) => {
    const { by } = asked(undefined, "2025-11-25", 50)
    if (moved) by.move()
    expect(by.tell({ _tag: "TimerFired", timer: { of: "ask", call: 9 } })).toEqual([])
    expect(by.tell({ _tag: "TimerFired", timer })).toEqual([
      { _tag: "WithdrawAsk", ask: 1, reason: "not answered within 50 ms" },
      { _tag: "StopTimer", timer },
      send(
        { jsonrpc: "2.0", id: "q", error: { code: -32603, message: "Internal error: not answered within 50 ms" } },
        "here"
      ),
      { _tag: "Report", report: { _tag: "Unsendable", method: "roots/list", why: "not answered within 50 ms" } }
    ])
    expect(by.tell({ _tag: "TimerFired", timer })).toEqual([])
    expect(by.tell({ _tag: "Answered", ask: 1, id: "q", result: { roots: [] } })).toMatchObject([{ _tag: "Report" }])
  })
})
