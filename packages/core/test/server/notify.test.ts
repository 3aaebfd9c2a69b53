/** Notifications of the user's own: sent where whoever must declared it, and dropped with a word elsewhere. */
import { describe, expect, it } from "vitest"
import { define, everything, initialize, ready, send, session } from "./by-hand.js"

const page = { _tag: "Notified", method: "notifications/elicitation/complete", params: { elicitationId: "e" } } as const
const task = { taskId: "t", status: "working", createdAt: "1", lastUpdatedAt: "1", ttl: null }
const status = { _tag: "Notified", method: "notifications/tasks/status", params: task } as const
const asks = { elicitation: { url: {} } }
const ignored = (method: string, why: string) => [
  { _tag: "Report", report: { _tag: "Ignored", method, id: undefined, why } }
]

describe("a notification of the user's own", () => {
  it("is sent on the session's own stream", () => {
    const by = ready("2025-11-25", define(everything), {}, asks)
    for (const { method, params } of [page, status])
      expect(by.tell({ _tag: "Notified", method, params })).toEqual([
        { ...send({ jsonrpc: "2.0", method, params }, undefined, false), via: undefined }
      ])
  })

  it("needs no declaration when its row needs none", () => {
    const params = { progressToken: "t", progress: 1 }
    expect(
      ready("2025-11-25", define({})).tell({ _tag: "Notified", method: "notifications/progress", params })
    ).toMatchObject([{ _tag: "Send", message: { method: "notifications/progress", params } }])
  })

  it("is dropped where the client or the server did not declare what it needs", () => {
    expect(ready("2025-11-25", define(everything), {}, { elicitation: {} }).tell(page)).toEqual(
      ignored(page.method, "elicitation.url was not declared")
    )
    expect(ready("2025-11-25", define({ tools: {} }), {}, asks).tell(status)).toEqual(
      ignored(status.method, "tasks was not declared")
    )
  })

  it("is dropped where the revision has none of that name, or has a request", () => {
    expect(ready("2025-06-18", define(everything), {}, asks).tell(page)).toEqual(
      ignored(page.method, "is not a notification of 2025-06-18")
    )
    for (const method of ["roots/list", "constructor", "notifications/nope"])
      expect(ready("2025-11-25", define(everything)).tell({ _tag: "Notified", method, params: {} })).toEqual(
        ignored(method, "is not a notification of 2025-11-25")
      )
  })

  it("of a wrong shape is not sent", () => {
    const by = ready("2025-11-25", define(everything), {}, asks)
    expect(by.tell({ _tag: "Notified", method: page.method, params: { elicitationId: 7 } })).toEqual([
      {
        _tag: "Report",
        report: { _tag: "Unsendable", method: page.method, why: "elicitationId: expected a string" }
      }
    ])
  })

  it("waits for nobody: before the client is ready it is dropped", () => {
    const by = session(define(everything))
    expect(by.tell(page)).toEqual([])
    by.hear(initialize("2025-11-25", asks))
    expect(by.tell(page)).toEqual([])
  })

  it("to the log keeps to the client's level", () => {
    const by = ready("2025-11-25", define(everything))
    const log = (level: string) =>
      by.tell({ _tag: "Notified", method: "notifications/message", params: { level, data: 1 } })
    expect([log("debug").length, log("info").length]).toEqual([0, 1])
  })
})
