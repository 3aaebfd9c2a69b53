/** A call that is to be a task: sent where the server runs calls as tasks, answered by the task, and told of long after that. */
import { describe, expect, it } from "vitest"
import { asTask } from "../../src/client/index.js"
import type { JsonObject } from "../../src/json.js"
import { v2025_11_25 } from "../../src/revisions/index.js"
import {
  ask,
  called,
  define,
  everything,
  failed,
  messages,
  note,
  opened,
  result,
  send,
  session,
  startTimer,
  stopTimer,
  succeeded
} from "./by-hand.js"

const params = { name: "a", task: { ttl: 1000 } }
const at = "2026-01-02T00:00:00Z"
const task = { taskId: "t", status: "working", createdAt: at, lastUpdatedAt: at, ttl: 1000 }

describe("a call that is to be a task", () => {
  it("is sent, and settled by the task", () => {
    const by = opened()
    expect(messages(by.tell(called(2, "tools/call", params)))).toEqual([
      { jsonrpc: "2.0", id: 2, method: "tools/call", params }
    ])
    by.move()
    expect(by.hear(result(2, { task }))).toEqual([stopTimer("request", 2), succeeded(2, { task })])
  })

  it.each([
    ["the call's own result", { content: [] }, "task"],
    ["a task of a status that is none", { task: { ...task, status: "paused" } }, "task.status"]
  ])("is not settled by %s", (_, answer, where) => {
    const by = opened()
    by.tell(called(2, "tools/call", params))
    expect(by.hear(result(2, answer))).toMatchObject([
      stopTimer("request", 2),
      { outcome: { error: { _tag: "ResultInvalid", problem: { at: where } } } }
    ])
  })

  it("is not sent to a server that did not declare it", () => {
    for (const declared of [{}, { tasks: {} }, { tasks: { requests: { tools: {} } } }]) {
      const by = opened("2025-11-25", { tools: {}, ...declared })
      expect(by.tell(called(2, "tools/call", params))).toEqual([
        failed(2, {
          _tag: "MethodUndeclared",
          method: "tools/call",
          needs: "tasks.requests.tools.call",
          declared: ["tools", ...Object.keys(declared)]
        })
      ])
    }
  })

  it("is a call like any other where there are no tasks", () => {
    const by = opened("2025-06-18")
    by.tell(called(2, "tools/call", params))
    expect(by.hear(result(2, { content: [] }))).toEqual([stopTimer("request", 2), succeeded(2, { content: [] })])
  })

  it("is not cancelled by a notification when it takes too long or nobody waits", () => {
    const by = opened()
    by.tell(called(2, "tools/call", params))
    expect(by.tell({ _tag: "TimerFired", timer: { of: "request", call: 2 } })).toEqual([
      stopTimer("request", 2),
      failed(2, { _tag: "TimedOut", method: "tools/call", ms: 1000, total: false })
    ])
    by.tell(called(3, "tools/call", params))
    expect(messages(by.tell({ _tag: "Abandoned", call: 3 }))).toEqual([])
  })

  it("is no state when the revision in force has no tasks", () => {
    const by = opened("2025-06-18")
    by.tell(called(2, "tools/call", params))
    const stored = JSON.stringify(by.machine.encode(by.state())).replace('"task":false', '"task":true')
    expect(by.machine.decode(JSON.parse(stored))).toEqual({ ok: false, error: "malformed" })
  })
})

describe("progress of a task", () => {
  const progress = (progressToken: unknown, value: number) =>
    note("notifications/progress", { progressToken, progress: value })

  it("is the call's until the task is there, and then passed on as it came", () => {
    const by = opened()
    expect(by.tell(called(2, "tools/call", params, { progress: true }))[1]).toEqual(startTimer("request", 2, 1000))
    expect(by.hear(progress(2, 1))).toMatchObject([{ _tag: "Progress", call: 2, progress: 1 }])
    by.hear(result(2, { task }))
    expect(by.hear(progress(2, 2))).toEqual([
      { _tag: "Notice", method: "notifications/progress", params: { progressToken: 2, progress: 2 } }
    ])
  })

  it("is passed on only for tokens of ours, and from servers that have tasks", () => {
    const by = opened()
    for (const token of [3, "1", 1.5]) expect(by.hear(progress(token, 1))).toMatchObject([{ _tag: "Report" }])
    expect(opened("2025-11-25", { tools: {} }).hear(progress(1, 1))).toMatchObject([{ _tag: "Report" }])
  })
})

describe("a question that is to be answered by a task", () => {
  const requests = { elicitation: { create: {} } }
  const asking = (capabilities: JsonObject = { elicitation: {}, tasks: { requests } }, revision?: "2025-06-18") =>
    opened(revision, undefined, define(capabilities))
  const form = { message: "?", requestedSchema: { type: "object", properties: {} }, task: {} }
  const answer = (result: object) => ({ _tag: "Answered", ask: 1, id: "q", result }) as const

  it("is answered by the task, and not by what the question alone would be", () => {
    for (const [result, reply] of [
      [{ task }, { result: { task } }],
      [{ action: "decline" }, { error: { code: -32603 } }]
    ] as const) {
      const by = asking()
      by.hear(ask("q", "elicitation/create", form))
      by.move()
      expect(messages(by.tell(answer(result)))).toMatchObject([{ id: "q", ...reply }])
    }
  })

  it("is a question like any other where that was not declared, or is not known", () => {
    for (const by of [asking({ elicitation: {} }), asking({ elicitation: {}, tasks: { requests } }, "2025-06-18")]) {
      by.hear(ask("q", "elicitation/create", form))
      expect(messages(by.tell(answer({ action: "decline" })))).toMatchObject([{ result: { action: "decline" } }])
    }
  })

  it("is none that the revision lacks, nor a notification", () => {
    for (const method of ["nope", "notifications/tasks/status"])
      expect(asTask(v2025_11_25, everything, method, form)).toBe(false)
  })
})

describe("a notification of the client's own", () => {
  const notified = (method: string, params: JsonObject) => ({ _tag: "Notified", method, params }) as const
  const open = (revision?: "2025-06-18") => opened(revision, undefined, define({ tasks: {} }))

  it("is sent where it may be", () => {
    expect(open().tell(notified("notifications/tasks/status", task))).toEqual([
      send({ jsonrpc: "2.0", method: "notifications/tasks/status", params: task })
    ])
  })

  it.each([
    ["is none of the revision's", open("2025-06-18"), "notifications/tasks/status", task],
    ["needs what was not declared", opened(), "notifications/tasks/status", task],
    ["is not well-formed", open(), "notifications/tasks/status", {}],
    ["is a request", open(), "ping", {}],
    ["belongs to the opening", open(), "notifications/initialized", {}]
  ])("is reported, and not sent, when it %s", (_, by, method, params) => {
    expect(by.tell(notified(method, params))).toMatchObject([{ _tag: "Report" }])
  })

  it("is dropped while there is no session", () => {
    expect(session(define({ tasks: {} })).tell(notified("notifications/tasks/status", task))).toEqual([])
  })
})
