/** What the server asks: put to the user when it was declared, answered once, alone or in its batch. */
import { describe, expect, it } from "vitest"
import { without } from "../announcement.js"
import type { RevisionName } from "../../src/revision.js"
import { v2025_11_25 } from "../../src/revisions/index.js"
import { notification } from "../../src/row.js"
import {
  agreed,
  ask,
  define,
  everything,
  ignored,
  messages,
  note,
  offered,
  opened,
  result,
  revisionNames,
  send,
  session,
  unannounced
} from "./by-hand.js"

const sampling = { messages: [{ role: "user", content: { type: "text", text: "hi" } }], maxTokens: 10 }
const elicitation = {
  message: "How many?",
  requestedSchema: { type: "object", properties: { n: { type: "integer" } } }
}

/** Every request of a server's but ping: what it needs, params it takes and does not, an answer it takes and does not. */
const questions: ReadonlyArray<
  readonly [method: string, needs: string, good: object, bad: object, answer: object, wrong: object]
> = [
  [
    "sampling/createMessage",
    "sampling",
    sampling,
    {},
    { role: "assistant", content: { type: "text", text: "a" }, model: "m" },
    { role: "assistant" }
  ],
  ["roots/list", "roots", {}, { _meta: 7 }, { roots: [{ uri: "file:///a" }] }, {}],
  ["elicitation/create", "elicitation", elicitation, {}, { action: "decline" }, { action: "maybe" }],
  [
    "tasks/get",
    "tasks",
    { taskId: "t" },
    {},
    { taskId: "t", status: "working", createdAt: "1", lastUpdatedAt: "1", ttl: null },
    {}
  ],
  ["tasks/result", "tasks", { taskId: "t" }, {}, {}, { _meta: 7 }],
  ["tasks/list", "tasks.list", {}, { cursor: 1 }, { tasks: [] }, {}],
  [
    "tasks/cancel",
    "tasks.cancel",
    { taskId: "t" },
    {},
    { taskId: "t", status: "cancelled", createdAt: "1", lastUpdatedAt: "1", ttl: 5 },
    {}
  ]
]

const thereOn = (revision: RevisionName) =>
  questions.filter(([method]) => {
    if (method.startsWith("tasks/")) return revision === "2025-11-25"
    return method !== "elicitation/create" || revision >= "2025-06-18"
  })

const asked = (revision: RevisionName = "2025-11-25", capabilities = everything) =>
  opened(revision, offered, define(capabilities))
const refusalOf = (sent: ReadonlyArray<unknown>) => (sent[0] as { error?: { code: number } }).error

describe.each(revisionNames)("on %s", (revision) => {
  it.each(thereOn(revision))(
    "%s is put to the user when %s was declared, and its answer sent by the way it came",
    (method, _, good, __, answer) => {
      const by = asked(revision)
      expect(by.hear(ask("q", method, good), "here")).toEqual([{ _tag: "Ask", ask: 1, id: "q", method, params: good }])
      expect(by.tell({ _tag: "Answered", ask: 1, id: "q", result: answer })).toEqual([
        send(result("q", answer), "here")
      ])
      expect(by.tell({ _tag: "Answered", ask: 1, id: "q", result: answer })).toEqual([
        ignored("an answer came after its question had been withdrawn", undefined, "q")
      ])
    }
  )

  it.each(thereOn(revision))("%s is not found when %s is the one thing not declared", (method, needs, good) => {
    expect(refusalOf(asked(revision, without(everything, needs)).said(ask(1, method, good)))).toEqual({
      code: -32601,
      message: `Method not found: ${method} needs the capability ${needs}, which was not declared`
    })
  })

  it.each(thereOn(revision))("%s with params it does not take is refused (%s)", (method, _, __, bad) => {
    expect(refusalOf(asked(revision).said(ask(1, method, bad)))).toMatchObject({ code: -32602 })
  })

  it.each(thereOn(revision))("%s has no answer of a wrong shape sent (%s)", (method, _, good, __, ___, wrong) => {
    const by = asked(revision)
    by.hear(ask("q", method, good))
    const outputs = by.tell({ _tag: "Answered", ask: 1, id: "q", result: wrong })
    expect(outputs).toMatchObject([
      {
        _tag: "Send",
        message: {
          id: "q",
          error: { code: -32603, message: `Internal error: the result of ${method} was not valid and was not sent` }
        }
      },
      { _tag: "Report", report: { _tag: "Unsendable", method } }
    ])
  })

  it("what the revision has not is not found", () => {
    const missing = questions.filter((question) => !thereOn(revision).includes(question)).map(([method]) => method)
    for (const method of [...missing, "nope", "constructor", "__proto__"])
      expect(refusalOf(asked(revision).said(ask(1, method)))).toEqual({
        code: -32601,
        message: `Method not found: ${method} is not in ${revision}`
      })
  })

  it("what only clients send, and notifications sent with an id, are not found", () => {
    const by = asked(revision)
    expect(refusalOf(by.said(ask(1, "tools/list")))).toEqual({
      code: -32601,
      message: "Method not found: tools/list is sent by clients, not to them"
    })
    expect(refusalOf(by.said(ask(1, "notifications/message")))).toEqual({
      code: -32601,
      message: "Method not found: notifications/message is a notification, and was sent with an id"
    })
  })

  it("a ping is answered at once", () => {
    expect(opened(revision, {}).hear(ask(7, "ping"), "here")).toEqual([send(result(7), "here")])
    expect(refusalOf(opened(revision, {}).said(ask(7, "ping", { _meta: 1 })))).toMatchObject({ code: -32602 })
  })
})

describe("before the session is open", () => {
  it("a ping is answered, and a question refused", () => {
    for (const by of [session(define(everything)), session(define(everything))]) {
      by.tell({ _tag: "Open" })
      expect(by.said(ask(1, "ping"))).toEqual([result(1)])
      expect(refusalOf(by.said(ask(2, "roots/list")))).toMatchObject({
        code: -32600,
        message: "Not ready: send notifications/initialized before roots/list"
      })
      expect(by.hear(note("notifications/message", { level: "info", data: 1 }))).toEqual([
        unannounced("notifications/message", "logging")
      ])
    }
  })
})

describe("an id in use", () => {
  it('is refused, the first question is unaffected, and 1 is not "1"', () => {
    const by = asked()
    by.hear(ask(1, "roots/list"), "first")
    expect(by.hear(ask(1, "roots/list"), "second")).toMatchObject([
      {
        _tag: "Send",
        via: "second",
        message: { id: 1, error: { code: -32600, message: "Id in use: the request with id 1 is not answered yet" } }
      },
      { _tag: "Report", report: { failure: { _tag: "IdInUse" } } }
    ])
    expect(by.hear(ask("1", "roots/list"))).toMatchObject([{ _tag: "Ask", ask: 2 }])
    expect(by.tell({ _tag: "Answered", ask: 1, id: 1, result: { roots: [] } })).toEqual([
      send(result(1, { roots: [] }), "first")
    ])
  })
})

describe("questions at once", () => {
  it("have a limit", () => {
    const by = opened("2025-11-25", offered, define(everything), { maxAsks: 1 })
    by.hear(ask(1, "roots/list"))
    expect(refusalOf(by.said(ask(2, "roots/list")))).toEqual({
      code: -32603,
      message: "Too many requests in flight: the limit is 1"
    })
    by.tell({ _tag: "Answered", ask: 1, id: 1, result: { roots: [] } })
    expect(by.hear(ask(2, "roots/list"))).toMatchObject([{ _tag: "Ask" }])
  })
})

describe("a question that is declined", () => {
  it("is answered with that error, once", () => {
    const by = asked()
    by.hear(ask(1, "sampling/createMessage", sampling))
    const declined = {
      _tag: "Declined",
      ask: 1,
      id: 1,
      error: { code: -1, message: "User rejected sampling request" }
    } as const
    expect(messages(by.tell(declined))).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -1, message: "User rejected sampling request" } }
    ])
    expect(messages(by.tell(declined))).toEqual([])
  })

  it("or answered under another number or id finds nothing", () => {
    const by = asked()
    by.hear(ask(1, "roots/list"))
    for (const wrong of [
      { ask: 2, id: 1 },
      { ask: 1, id: "1" }
    ]) {
      expect(messages(by.tell({ _tag: "Declined", ...wrong, error: { code: 1, message: "" } }))).toEqual([])
      expect(messages(by.tell({ _tag: "Answered", ...wrong, result: { roots: [] } }))).toEqual([])
    }
  })
})

describe("a question that is withdrawn", () => {
  it("is taken back from the user and never answered", () => {
    const by = asked()
    by.hear(ask("q", "roots/list"))
    expect(by.hear(note("notifications/cancelled", { requestId: "q", reason: "too late" }))).toEqual([
      { _tag: "WithdrawAsk", ask: 1, reason: "too late" }
    ])
    expect(messages(by.tell({ _tag: "Answered", ask: 1, id: "q", result: { roots: [] } }))).toEqual([])
    by.hear(ask("other", "roots/list"))
    for (const params of [{ requestId: "q" }, {}, undefined])
      expect(by.hear(note("notifications/cancelled", params))).toEqual([
        ignored("no such question is open", "notifications/cancelled")
      ])
  })
})

describe("before the session is open", () => {
  it("word about requests is heard, and finds none", () => {
    const by = session(define(everything))
    by.tell({ _tag: "Open" })
    expect(by.hear(note("notifications/cancelled", { requestId: 1 }))).toEqual([
      ignored("no such question is open", "notifications/cancelled")
    ])
    expect(by.hear(note("notifications/progress", { progressToken: 1, progress: 1 }))).toEqual([
      ignored("progress for no request of ours that is in flight")
    ])
  })

  it("a row that no revision has yet, early and in need of the server's capability, is ignored", () => {
    const early = notification("server", () => undefined, { needs: "server.logging", when: "always" })
    const revision = { ...v2025_11_25, server: { ...v2025_11_25.server, "notifications/early": early } }
    const by = session(define({}, { revisions: [revision] }))
    by.tell({ _tag: "Open" })
    expect(by.hear(note("notifications/early"))).toEqual([unannounced("notifications/early", "logging")])
    by.hear(agreed("2025-11-25", { logging: {} }))
    expect(by.hear(note("notifications/early"))).toMatchObject([{ _tag: "Notice" }])
  })
})

describe("an answer", () => {
  it("is sent as the revision has it", () => {
    const roots = [{ uri: "file:///a", _meta: { "example.com/k": 1 } }]
    for (const revision of revisionNames) {
      const by = asked(revision)
      by.hear(ask("q", "roots/list"))
      const sent = messages(by.tell({ _tag: "Answered", ask: 1, id: "q", result: { roots } }))
      expect(sent).toEqual([result("q", { roots: revision >= "2025-06-18" ? roots : [{ uri: "file:///a" }] })])
    }
  })

  it.each([undefined, null, 7, "roots", []])("that is no object is not sent: %j", (answer) => {
    const by = asked()
    by.hear(ask("q", "roots/list"))
    expect(by.tell({ _tag: "Answered", ask: 1, id: "q", result: answer })).toMatchObject([
      { _tag: "Send", message: { error: { code: -32603 } } },
      { _tag: "Report", report: { _tag: "Unsendable", why: "expected an object" } }
    ])
  })
})

describe("roots that change", () => {
  const changed = { _tag: "RootsChanged" } as const

  it.each(revisionNames)("are told where that was promised, once the session is open: %s", (revision) => {
    expect(asked(revision).tell(changed)).toEqual([send(note("notifications/roots/list_changed"))])
    expect(asked(revision, { roots: {} }).tell(changed)).toEqual([])
    const by = session(define(everything))
    by.tell({ _tag: "Open" })
    expect(by.tell(changed)).toEqual([])
  })

  it("are not told where the revision can not say it", () => {
    const { "notifications/roots/list_changed": _, ...client } = v2025_11_25.client
    const by = session(define(everything, { revisions: [{ ...v2025_11_25, client }] }))
    by.tell({ _tag: "Open" })
    by.hear(agreed("2025-11-25"))
    expect(by.tell(changed)).toEqual([])
  })
})
