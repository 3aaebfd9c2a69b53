/** What a client hears that is no question: notifications, broken messages, and batches. */
import { describe, expect, it } from "vitest"
import type { RevisionName } from "../../src/revision.js"
import { handshakeRevisions, v2025_03_26 } from "../../src/revisions/index.js"
import {
  ask,
  called,
  define,
  discovered,
  everything,
  failed,
  ignored,
  messages,
  note,
  offered,
  opened,
  result,
  revisionNames,
  send,
  session,
  stopTimer,
  succeeded,
  unannounced
} from "./by-hand.js"

const asked = (revision: RevisionName = "2025-11-25", capabilities = everything) =>
  opened(revision, offered, define(capabilities))

describe("notifications", () => {
  const notifications: ReadonlyArray<readonly [method: string, params: object, from: RevisionName]> = [
    ["notifications/message", { level: "info", data: "x" }, "2024-11-05"],
    ["notifications/tools/list_changed", {}, "2024-11-05"],
    ["notifications/prompts/list_changed", {}, "2024-11-05"],
    ["notifications/resources/list_changed", {}, "2024-11-05"],
    ["notifications/resources/updated", { uri: "u" }, "2024-11-05"],
    [
      "notifications/tasks/status",
      { taskId: "t", status: "working", createdAt: "1", lastUpdatedAt: "1", ttl: 1 },
      "2025-11-25"
    ],
    ["notifications/elicitation/complete", { elicitationId: "e" }, "2025-11-25"]
  ]

  it.each(revisionNames)("reach the user's code on %s when they were declared, and are well-formed", (revision) => {
    for (const [method, params, from] of notifications) {
      if (revision < from)
        expect(asked(revision).hear(note(method, params))).toEqual([
          ignored(`Method not found: ${method} is not in ${revision}`, method)
        ])
      else expect(asked(revision).hear(note(method, params))).toEqual([{ _tag: "Notice", method, params }])
      expect(asked(revision).hear(note(method, { _meta: 7 }))).toMatchObject([
        { _tag: "Report", report: { _tag: "Ignored", method } }
      ])
    }
  })

  it.each([
    ["notifications/message", "server.logging", { logging: {} }, { tools: {} }],
    ["notifications/tools/list_changed", "server.tools.listChanged", { tools: { listChanged: true } }, { tools: {} }],
    [
      "notifications/prompts/list_changed",
      "server.prompts.listChanged",
      { prompts: { listChanged: true } },
      { prompts: { listChanged: false } }
    ],
    [
      "notifications/resources/list_changed",
      "server.resources.listChanged",
      { resources: { listChanged: true } },
      { resources: { subscribe: true } }
    ],
    [
      "notifications/resources/updated",
      "server.resources.subscribe",
      { resources: { subscribe: true } },
      { resources: { listChanged: true } }
    ],
    ["notifications/tasks/status", "server.tasks", { tasks: {} }, {}]
  ] as const)("%s needs %s", (method, needs, enough, tooLittle) => {
    const params = notifications.find(([name]) => name === method)![1]
    expect(opened("2025-11-25", enough).hear(note(method, params))).toEqual([{ _tag: "Notice", method, params }])
    expect(opened("2025-11-25", tooLittle).hear(note(method, params))).toEqual([
      unannounced(method, needs.slice("server.".length))
    ])
  })

  it("about a page the user was sent to need our url mode", () => {
    const told = (capabilities: {}) =>
      opened("2025-11-25", {}, define(capabilities)).hear(
        note("notifications/elicitation/complete", { elicitationId: "e" })
      )
    expect(told({ elicitation: { url: {} } })).toMatchObject([{ _tag: "Notice" }])
    expect(told({ elicitation: { form: {} } })).toEqual([
      unannounced("notifications/elicitation/complete", "elicitation.url")
    ])
  })

  it("that are requests, unknown, or named like a prototype's member are ignored", () => {
    expect(asked().hear(note("roots/list"))).toEqual([
      ignored("Method not found: roots/list is a request, and was sent without an id", "roots/list")
    ])
    for (const method of ["nope", "constructor", "__proto__"])
      expect(asked().hear(note(method))).toEqual([ignored(`Method not found: ${method} is not in 2025-11-25`, method)])
  })

  it("before the session is open are ignored, whatever was declared", () => {
    const by = session(define(everything))
    by.tell({ _tag: "Open" })
    expect(by.hear(note("notifications/elicitation/complete", { elicitationId: "e" }))).toEqual([
      ignored("the session is not open", "notifications/elicitation/complete")
    ])
    expect(by.hear(note("notifications/tools/list_changed"))).toEqual([
      unannounced("notifications/tools/list_changed", "tools.listChanged")
    ])
  })
})

describe("broken messages", () => {
  it("are told so when they are plainly requests, and reported otherwise", () => {
    const by = opened()
    expect(by.said({ id: 1, method: "ping" })).toMatchObject([{ id: 1, error: { code: -32600 } }])
    for (const json of [
      null,
      7,
      [],
      {},
      { jsonrpc: "2.0", id: null, method: "ping" },
      { id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, result: 7 }
    ])
      expect(messages(by.hear(json))).toEqual([])
  })

  it("are only reported where a server sends no requests", () => {
    expect(discovered().hear({ id: 7, method: "ping" })).toEqual([ignored('jsonrpc must be "2.0"', undefined, 7)])
    expect(discovered().hear({ id: 7, result: {} })).toEqual([
      ignored('a broken reply: jsonrpc must be "2.0"', undefined, 7)
    ])
  })
})

describe("broken replies", () => {
  const brokenReplies: ReadonlyArray<readonly [object, string]> = [
    [{ jsonrpc: "2.0", result: "x" }, "result must be an object"],
    [{ result: {} }, 'jsonrpc must be "2.0"'],
    [{ jsonrpc: "2.0", error: { code: 1.5, message: "" } }, "error.code must be an integer"],
    [{ jsonrpc: "2.0", error: { code: 1 } }, "error.message must be a string"],
    [
      { jsonrpc: "2.0", result: {}, error: { code: 1, message: "" } },
      "a message has either a method or a result or an error"
    ]
  ]
  const why = (text: string) => ({ at: "", expected: `a reply of JSON-RPC 2.0: ${text}` })

  it.each(brokenReplies)("settle their call, and nothing is said: %j", (reply, text) => {
    const by = opened()
    by.tell(called(2, "ping", undefined, { totalMs: 50 }))
    by.tell(called(3, "ping"))
    expect(by.hear({ ...reply, id: 2 })).toEqual([
      stopTimer("request", 2),
      stopTimer("total", 2),
      failed(2, { _tag: "ResultInvalid", method: "ping", problem: why(text) })
    ])
    expect(by.hear({ ...reply, id: 2 })).toEqual([ignored(`a broken reply: ${text}`, undefined, 2)])
    expect(by.hear({ ...reply, id: "3" })).toMatchObject([{ _tag: "Report" }])
    expect(by.hear(result(3))).toEqual([stopTimer("request", 3), succeeded(3)])
  })

  it.each(brokenReplies)("end the opening when they answer initialize: %j", (reply, text) => {
    const by = session()
    by.tell({ _tag: "Open" })
    expect(by.hear({ ...reply, id: 7 })).toMatchObject([{ _tag: "Report" }])
    expect(by.hear({ ...reply, id: 1 })).toEqual([
      stopTimer("opening", 0),
      { _tag: "OpenFailed", failure: { _tag: "ResultInvalid", method: "initialize", problem: why(text) } },
      { _tag: "Close", reason: expect.stringContaining(text) }
    ])
  })

  const neither = why("it has neither a result nor an error")

  it.each([{ jsonrpc: "2.0" }, {}, { jsonrpc: "2.0", params: {} }])(
    "may say nothing but an id of ours: %j",
    (reply) => {
      const by = asked("2025-03-26")
      by.tell(called(2, "ping"))
      expect(by.hear({ ...reply, id: 2 })).toEqual([
        stopTimer("request", 2),
        failed(2, { _tag: "ResultInvalid", method: "ping", problem: neither })
      ])
      // Nobody waits for it any more, and so it is taken for a request again.
      expect(messages(by.hear({ ...reply, id: 2 }))).toMatchObject([{ id: 2, error: { code: -32600 } }])
      by.tell(called(3, "ping"))
      expect(messages(by.hear({ ...reply, id: 3, method: 7 }))).toMatchObject([{ id: 3, error: { code: -32600 } }])
      expect(by.hear([{ ...reply, id: 3 }, ask(1, "ping")])).toEqual([
        stopTimer("request", 3),
        failed(3, { _tag: "ResultInvalid", method: "ping", problem: neither }),
        send([result(1)], "a")
      ])
      by.tell(called(4, "ping"))
      expect(by.hear([{ ...reply, id: 4 }])).toHaveLength(2)
      expect(by.state().batches.open.size).toBe(0)
    }
  )

  it("may say nothing but the id of what opens the session", () => {
    const by = session()
    by.tell({ _tag: "Open" })
    expect(by.hear({ jsonrpc: "2.0", id: 1 })).toMatchObject([
      stopTimer("opening", 0),
      { _tag: "OpenFailed", failure: { _tag: "ResultInvalid", method: "initialize", problem: neither } },
      { _tag: "Close" }
    ])
  })

  it("that name no call are reported and not answered, alone or in a batch", () => {
    const by = asked("2025-03-26")
    const broken = { jsonrpc: "2.0", result: null }
    const report = ignored("a reply needs the id of its request")
    expect(by.hear(broken)).toEqual([report])
    expect(by.hear([broken, ask(1, "ping")])).toEqual([report, send([result(1)], "a")])
  })

  it("in a batch settle their call, and the rest of it is heard", () => {
    const by = asked("2025-03-26")
    by.tell(called(2, "ping"))
    expect(by.hear([{ jsonrpc: "2.0", id: 2, result: 7 }, ask("p", "ping")], "here")).toEqual([
      stopTimer("request", 2),
      failed(2, { _tag: "ResultInvalid", method: "ping", problem: why("result must be an object") }),
      send([result("p")], "here")
    ])
  })
})

describe("batches", () => {
  it("are received on 2025-03-26: replies settle, questions are answered together", () => {
    const by = asked("2025-03-26")
    by.tell({
      _tag: "Called",
      call: 2,
      method: "ping",
      params: undefined,
      timeoutMs: 1,
      totalMs: undefined,
      progress: false
    })
    expect(
      by.hear(
        [result(2), ask("p", "ping"), ask("q", "roots/list"), note("notifications/tools/list_changed"), 7],
        "here"
      )
    ).toMatchObject([
      { _tag: "StopTimer" },
      { _tag: "Settle", call: 2 },
      { _tag: "Ask", ask: 2, id: "q" },
      { _tag: "Notice" },
      { _tag: "Report", report: { _tag: "Refused" } }
    ])
    expect(by.tell({ _tag: "Answered", ask: 2, id: "q", result: { roots: [] } })).toEqual([
      send(
        [
          result("p"),
          {
            jsonrpc: "2.0",
            id: null,
            error: { code: -32600, message: "Invalid request: a message must be an object" }
          },
          result("q", { roots: [] })
        ],
        "here"
      )
    ])
  })

  it("hold the ids of the replies that are not sent yet", () => {
    const by = asked("2025-03-26")
    by.hear([ask("held", "ping"), ask("open", "roots/list")])
    expect(by.said(ask("held", "ping"))).toMatchObject([{ id: "held", error: { code: -32600 } }])
    const [put] = by.hear([ask("other", "roots/list")])
    expect(put).toMatchObject({ _tag: "Ask", id: "other" })
  })

  it("of which a question is withdrawn go on without it", () => {
    const by = asked("2025-03-26")
    by.hear([ask(1, "roots/list"), ask(2, "ping")], "here")
    expect(by.hear(note("notifications/cancelled", { requestId: 1 }))).toEqual([
      { _tag: "WithdrawAsk", ask: 2, reason: undefined },
      send([result(2)], "here")
    ])
    by.hear([ask(3, "roots/list")])
    expect(by.said(note("notifications/cancelled", { requestId: 3 }))).toEqual([])
    by.hear([ask(4, "roots/list")], "there")
    expect(by.tell({ _tag: "Declined", ask: 6, id: 4, error: { code: -1, message: "" } })).toMatchObject([
      { _tag: "Send", via: "there", message: [{ id: 4, error: { code: -1 } }] }
    ])
  })

  it("without anything to answer get no answer", () => {
    const by = asked("2025-03-26")
    expect(by.hear([note("notifications/tools/list_changed")])).toEqual([
      { _tag: "Notice", method: "notifications/tools/list_changed", params: undefined }
    ])
    expect(by.state().batches.open.size).toBe(0)
  })

  it("elsewhere, empty ones, and those before the session is open are ignored", () => {
    const why = ignored("a batch, where the revision in force has none")
    for (const revision of ["2025-11-25", "2025-06-18", "2024-11-05"] as const)
      expect(opened(revision).hear([ask(1, "ping")])).toEqual([why])
    expect(opened("2025-03-26").hear([])).toEqual([why])
    for (const revisions of [handshakeRevisions, [v2025_03_26]])
      expect(session(define({}, { revisions })).hear([ask(1, "ping")])).toEqual([why])
  })
})
