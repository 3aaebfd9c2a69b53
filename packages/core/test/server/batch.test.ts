/** Batches on 2025-03-26, and what becomes of one elsewhere. */
import { describe, expect, it } from "vitest"
import {
  ask,
  call,
  cancelled,
  codes,
  define,
  everything,
  initialize,
  initialized,
  messages,
  note,
  ready,
  revisionNames,
  send,
  session
} from "./by-hand.js"

const tools = define({ tools: {} })
const refused = (id: unknown, message: string) => ({ jsonrpc: "2.0", id, error: { code: -32600, message } })

describe("batches on 2025-03-26", () => {
  const by = () => ready("2025-03-26", define(everything), {}, { roots: { listChanged: true } })

  it("are answered by a batch, in the order of the members, once the last is done", () => {
    const session = by()
    expect(
      session.hear([ask(1, "ping"), call(2), ask("x", "nope"), note("notifications/roots/list_changed")], "here")
    ).toMatchObject([
      { _tag: "Invoke", call: 2, id: 2 },
      { _tag: "Report", report: { _tag: "Refused", id: "x" } },
      { _tag: "Notice" }
    ])
    expect(session.tell({ _tag: "Succeeded", call: 2, id: 2, result: { content: [] } })).toEqual([
      send(
        [
          { jsonrpc: "2.0", id: 1, result: {} },
          { jsonrpc: "2.0", id: "x", error: { code: -32601, message: "Method not found: nope is not in 2025-03-26" } },
          { jsonrpc: "2.0", id: 2, result: { content: [] } }
        ],
        "here"
      )
    ])
    expect(session.state().batches.open.size).toBe(0)
  })

  it("of notifications and replies get no answer", () => {
    expect(by().said([note("notifications/roots/list_changed"), { jsonrpc: "2.0", id: 1, result: {} }])).toEqual([])
    expect(by().said([{ id: 1, result: {} }])).toEqual([])
  })

  it("have broken members refused one by one", () => {
    expect(by().said([1, ask(null, "ping"), [], ask(1, "ping")])).toEqual([
      [
        refused(null, "Invalid request: a message must be an object"),
        refused(null, "Invalid request: id must be a string or an integer up to 2^53-1"),
        refused(null, "Invalid request: a message must be an object"),
        { jsonrpc: "2.0", id: 1, result: {} }
      ]
    ])
  })

  it("can not hold initialize", () => {
    expect(by().said([initialize("2025-03-26")])).toEqual([
      [refused("init", "Already initialized: initialize is sent once")]
    ])
  })

  it("must not be empty", () => {
    expect(by().said([])).toEqual([refused(null, "Invalid request: a batch must not be empty")])
  })

  it("have an id that is used twice refused the second time", () => {
    const session = by()
    session.hear([call(1), call(1)])
    expect(session.tell({ _tag: "Succeeded", call: 2, id: 1, result: { content: [] } })).toEqual([
      send([
        refused(1, "Id in use: the request with id 1 is not answered yet"),
        { jsonrpc: "2.0", id: 1, result: { content: [] } }
      ])
    ])
  })

  it("keep an id in use until its reply is sent, whatever is refused for it meanwhile", () => {
    const session = by()
    const tooEarly = "Id in use: the request with id 1 is not answered yet"
    session.hear([ask(1, "ping"), call(2)], "a")
    expect(session.said(ask(1, "ping"))).toEqual([refused(1, tooEarly)])
    expect(session.said([ask(1, "ping"), ask(3, "ping")])).toEqual([
      [refused(1, tooEarly), { jsonrpc: "2.0", id: 3, result: {} }]
    ])
    session.move()
    session.hear([ask(1, "ping"), call(4)], "b")
    session.move()
    expect(session.said(ask(1, "ping"))).toEqual([refused(1, tooEarly)])
    expect(messages(session.tell({ _tag: "Succeeded", call: 5, id: 4, result: { content: [] } }))).toHaveLength(1)
    expect(session.said(ask(1, "ping"))).toEqual([refused(1, tooEarly)])
    expect(messages(session.tell({ _tag: "Succeeded", call: 2, id: 2, result: { content: [] } }))).toHaveLength(1)
    expect(session.said(ask(1, "ping"))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
  })

  it.each([false, true])(
    "let an id go with the request that has it, whatever was refused for it (moved: %j)",
    (moved) => {
      const session = by()
      session.hear(call(1))
      session.hear([ask(1, "ping"), call(2)])
      if (moved) session.move()
      session.tell({ _tag: "Succeeded", call: 1, id: 1, result: { content: [] } })
      session.tell({ _tag: "Succeeded", call: 3, id: 2, result: { content: [] } })
      expect(session.said(ask(1, "ping"))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
    }
  )

  it("go on without a member that is withdrawn, and vanish when all are", () => {
    const session = by()
    session.hear([call(1), call(2)])
    expect(session.said(cancelled(1))).toEqual([])
    expect(messages(session.tell({ _tag: "Succeeded", call: 3, id: 2, result: { content: [] } }))).toEqual([
      [{ jsonrpc: "2.0", id: 2, result: { content: [] } }]
    ])
    session.hear([call(3), call(4)])
    expect(session.said(cancelled(3))).toEqual([])
    expect(session.said(cancelled(4))).toEqual([])
    expect(session.state().batches.open.size).toBe(0)
  })

  it("send the replies that are there when the last member is withdrawn", () => {
    const session = by()
    session.hear([ask(1, "ping"), call(2)], "here")
    expect(session.hear(cancelled(2), "there")).toMatchObject([
      { _tag: "Interrupt", call: 2 },
      { _tag: "Send", message: [{ jsonrpc: "2.0", id: 1, result: {} }], via: "here" },
      { _tag: "Report", report: { _tag: "Cancelled", id: 2 } }
    ])
  })

  it("may withdraw what they asked themselves", () => {
    expect(by().said([call(1), cancelled(1), ask(2, "ping")])).toEqual([[{ jsonrpc: "2.0", id: 2, result: {} }]])
  })

  it("are answered before a stopping server closes, also when their last request is withdrawn", () => {
    const session = by()
    session.hear(call(1))
    session.tell({ _tag: "Stopping" })
    expect(session.hear([cancelled(1), ask(2, "tools/list")])).toMatchObject([
      { _tag: "Interrupt" },
      { _tag: "Report" },
      { _tag: "Send", message: [{ id: 2, error: { code: -32603 } }] },
      { _tag: "Report" },
      { _tag: "StopTimer" },
      { _tag: "Close" }
    ])
    const other = by()
    other.hear(call(1))
    other.tell({ _tag: "Stopping" })
    const ends = other.hear([cancelled(1), note("notifications/roots/list_changed")])
    expect(ends.at(-1)).toMatchObject({ _tag: "Close" })
    expect(ends.filter(({ _tag }) => _tag === "Close")).toHaveLength(1)
  })

  it("are numbered apart from calls, so that two at once do not mix", () => {
    const session = by()
    session.hear([call(1)], "a")
    session.hear([call(2)], "b")
    expect(session.tell({ _tag: "Succeeded", call: 4, id: 2, result: { content: [] } })).toMatchObject([
      { via: "b", message: [{ id: 2 }] }
    ])
    expect(session.tell({ _tag: "Succeeded", call: 2, id: 1, result: { content: [] } })).toMatchObject([
      { via: "a", message: [{ id: 1 }] }
    ])
  })
})

describe("batches elsewhere", () => {
  it.each(revisionNames.filter((name) => name !== "2025-03-26"))(
    "are refused whole on %s, and nothing in them is done",
    (revision) => {
      const by = ready(revision, tools)
      const outputs = by.hear([call(1), ask(2, "ping")])
      expect(outputs).toMatchObject([
        { _tag: "Send" },
        { _tag: "Report", report: { failure: { _tag: "BatchRefused" } } }
      ])
      expect(messages(outputs)[0]).toMatchObject({
        error: { code: -32600, message: `Invalid request: ${revision} has no batches; send one message at a time` }
      })
      expect(codes(by.said([]))).toEqual([-32600])
      expect(by.state().inFlight.size).toBe(0)
    }
  )

  it("are refused before the opening, with or without initialize in them", () => {
    const by = session(define({}, { revisions: define({}).revisions }))
    const wrong = refused(null, "Invalid request: no session is open that takes batches; send one message at a time")
    expect(by.said([initialize("2025-03-26"), initialized])).toEqual([wrong])
    expect(by.said([])).toEqual([wrong])
    expect(by.state().phase._tag).toBe("Unopened")
  })
})
