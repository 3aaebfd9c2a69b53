/** What the transport says in the server's stead: a request was refused, or the session is gone. */
import { describe, expect, it } from "vitest"
import {
  agreed,
  both,
  called,
  define,
  discovered,
  discovery,
  envelope,
  error,
  failed,
  fired,
  ignored,
  messages,
  modern,
  note,
  opened,
  probe,
  proposal,
  result,
  send,
  session,
  startTimer,
  stopTimer,
  succeeded
} from "./by-hand.js"

const refused = (id: number | undefined, status: number, body = "why") =>
  ({ _tag: "Refused", id, status, body }) as const
const lost = (id?: number) => ({ _tag: "SessionLost", id }) as const
const open = { _tag: "Open" } as const
const byExchange = { cancels: "exchange" } as const

describe("a refused request", () => {
  it.each([0, 302, 400, 401, 404, 500])("settles its call with what the transport said: %i", (status) => {
    const by = opened()
    by.tell(called(2, "ping"))
    expect(by.tell(refused(2, status))).toEqual([
      stopTimer("request", 2),
      failed(2, { _tag: "Refused", method: "ping", status, why: "why" })
    ])
    expect(by.tell(refused(2, status))).toEqual([ignored("why", undefined, 2)])
  })

  it("without an id is reported", () => {
    expect(opened().tell(refused(undefined, 400))).toEqual([ignored("something that was sent was refused: why")])
  })
})

describe("the question what the server speaks", () => {
  it.each([400, 404, 405, 406, 415, 422])("refused by %i is followed by initialize", (status) => {
    const by = session(both())
    by.tell(open)
    expect(messages(by.tell(refused(1, status)))).toEqual([proposal(2)])
  })

  it.each([0, 200, 302, 401, 403, 500, 503])("refused by %i ends the opening", (status) => {
    const by = session(both())
    by.tell(open)
    const failure = { _tag: "Refused", method: "server/discover", status, why: "why" }
    expect(by.tell(refused(1, status))).toContainEqual({ _tag: "OpenFailed", failure })
    expect(by.state().phase._tag).toBe("Closed")
  })

  it("refused late leaves the opening to initialize, which is under way by then", () => {
    const by = session(both())
    by.tell(open)
    by.tell(fired("probe"))
    expect(by.tell(refused(1, 500))).toEqual([])
    expect(by.hear(agreed("2025-11-25", {}, {}, 2))).toContainEqual(expect.objectContaining({ _tag: "Opened" }))
  })

  it("refused where there is no other way ends the opening", () => {
    const by = session(modern())
    by.tell(open)
    const failure = { _tag: "Refused", method: "server/discover", status: 404, why: "why" }
    expect(by.tell(refused(1, 404))).toContainEqual({ _tag: "OpenFailed", failure })
  })
})

it("initialize that is refused ends the opening", () => {
  const by = session(define())
  by.tell(open)
  const failure = { _tag: "Refused", method: "initialize", status: 400, why: "why" }
  expect(by.tell(refused(1, 400))).toContainEqual({ _tag: "OpenFailed", failure })
})

describe("what is remembered of a server", () => {
  const prior = {
    _tag: "Discovered",
    result: discovery(1, ["2026-07-28"], { capabilities: { tools: {} } }).result
  } as never
  const begun = () => {
    const by = session(both(), { prior })
    by.tell(open)
    by.tell(called(1, "tools/list"))
    return by
  }

  it("is doubted after a refusal that an older server might give, and forgotten after another", () => {
    const by = begun()
    expect(messages(by.tell(refused(1, 404)))).toEqual([probe(2)])
    expect(by.tell(refused(2, 404))).toContainEqual(expect.objectContaining({ _tag: "Close" }))
  })

  it("is neither doubted nor forgotten when the network fails, but asked for another time", () => {
    const by = begun()
    expect(messages(by.tell(refused(1, 0)))).toEqual([])
    by.tell(called(2, "tools/list"))
    expect(messages(by.tell(refused(2, 404)))).toEqual([probe(3)])
    expect(by.tell(refused(3, 503))).toEqual([])
    by.tell(called(4, "tools/list"))
    expect(messages(by.hear(error(4, -32601)))).toEqual([probe(5)])
  })
})

describe("a session that is lost", () => {
  const peer = { revision: "2025-11-25", capabilities: { tools: {} }, info: { name: "server", version: "1" } }
  const reopened = (id: number, rest: object = {}) => agreed("2025-11-25", { tools: {} }, rest, id)
  const params = (token: number) => ({ name: "a", _meta: { progressToken: token } })
  const begun = () => {
    const by = opened("2025-11-25", undefined, define({ roots: {} }), byExchange)
    by.tell(called(2, "tools/call", { name: "a" }, { progress: true, totalMs: 5_000 }))
    by.tell(called(3, "ping"))
    return by
  }

  it("is opened again, and its requests go out again in the order in which they were called", () => {
    const by = begun()
    expect(by.tell(lost(3))).toEqual([
      ignored("the server has ended the session: another one is opened"),
      startTimer("opening", 0, 60_000),
      send(proposal(4, "2025-11-25", { roots: {} }))
    ])
    expect(by.tell(lost(2))).toEqual([])
    expect(by.tell(lost(2))).toEqual([])
    by.move()
    expect(by.hear(reopened(4))).toEqual([
      stopTimer("opening", 0),
      send(note("notifications/initialized")),
      { _tag: "Reopened", peer },
      send({ jsonrpc: "2.0", id: 5, method: "tools/call", params: params(5) }),
      startTimer("request", 2, 1_000),
      send({ jsonrpc: "2.0", id: 6, method: "ping" }),
      startTimer("request", 3, 1_000)
    ])
    expect(by.hear(result(6))).toEqual([stopTimer("request", 3), succeeded(3)])
    expect(by.hear(result(5, { content: [] }))).toEqual([
      stopTimer("request", 2),
      stopTimer("total", 2),
      succeeded(2, { content: [] })
    ])
  })

  it("is waited for no longer than the server is, by what was refused and by what is called meanwhile", () => {
    const by = begun()
    by.tell(lost(3))
    by.tell(called(5, "ping"))
    for (const call of [3, 5])
      expect(by.tell(fired("request", call))).toEqual([
        stopTimer("request", call),
        failed(call, { _tag: "TimedOut", method: "ping", ms: 1_000, total: false })
      ])
    // The session is opened for others all the same, and nothing that was given up goes out.
    expect(messages(by.hear(reopened(4)))).toEqual([note("notifications/initialized")])
  })

  it("leaves alone what was not refused, and holds what is called meanwhile", () => {
    const by = begun()
    by.tell(lost(3))
    expect(by.tell(called(7, "ping", undefined, { totalMs: 10 }))).toEqual([
      startTimer("request", 7, 1_000),
      startTimer("total", 7, 10)
    ])
    by.tell(called(8, "ping"))
    // It was not sent: nothing is to be told of it.
    expect(by.tell({ _tag: "Abandoned", call: 8 })).toEqual([
      stopTimer("request", 8),
      failed(8, { _tag: "Abandoned", method: "ping", reason: undefined })
    ])
    by.move()
    const ids = messages(by.hear(reopened(4))).map((message) => [
      (message as { method: string }).method,
      (message as { id: number }).id
    ])
    expect(ids).toEqual([
      ["notifications/initialized", undefined],
      ["ping", 9],
      ["ping", 10]
    ])
    // The first call is still answered on the stream that it began.
    expect(by.hear(result(2, { content: [] }))).toContainEqual(succeeded(2, { content: [] }))
  })

  it("settles what is answered meanwhile, which does not answer the opening", () => {
    const by = begun()
    by.tell(lost(3))
    expect(by.hear(result(2, { content: [] }))).toContainEqual(succeeded(2, { content: [] }))
    expect(by.hear(reopened(4))).toContainEqual({ _tag: "Reopened", peer })
  })

  it("held, a call is sent whole, also where cancelling goes by message", () => {
    const by = opened("2025-11-25")
    by.tell(lost())
    by.tell(called(3, "tools/call", { name: "a", arguments: { b: 1 } }))
    by.move()
    const [, sent] = messages(by.hear(reopened(2)))
    expect(sent).toMatchObject({ method: "tools/call", params: { name: "a", arguments: { b: 1 } } })
  })

  it("is lost once for each request: the next time it fails", () => {
    const by = begun()
    by.tell(lost(3))
    by.hear(reopened(4))
    const outputs = by.tell(lost(5))
    expect(messages(outputs)).toEqual([proposal(6, "2025-11-25", { roots: {} })])
    const why = "the server ended the session again"
    expect(outputs.at(-1)).toEqual(failed(3, { _tag: "Refused", method: "ping", status: 404, why }))
  })

  it("takes back what the server had asked", () => {
    const by = begun()
    by.hear({ jsonrpc: "2.0", id: "q", method: "roots/list" })
    expect(by.tell(lost())).toContainEqual({
      _tag: "WithdrawAsk",
      ask: 1,
      reason: "the server has ended the session"
    })
    expect(by.tell({ _tag: "Answered", ask: 1, id: "q", result: { roots: [] } })).toEqual([
      ignored("an answer came after its question had been withdrawn", undefined, "q")
    ])
  })

  it.each([
    ["refuses", error(4, -32603, "no"), "initialize was answered with error -32603: no"],
    [
      "speaks another revision",
      agreed("2025-06-18", {}, {}, 4),
      "The server offered version 2025-06-18 when asked for 2025-11-25"
    ],
    ["makes no sense", agreed("2025-11-25", 7, {}, 4), "The server's result for initialize is not valid: capabilities"]
  ])("is over for good when the server %s", (_, answer, why) => {
    const by = begun()
    by.tell(lost(3))
    const outputs = by.hear(answer)
    const reason = expect.stringContaining(
      `the server has ended the session, and no other could be opened: ${why}`
    ) as string
    expect(outputs).toContainEqual(stopTimer("opening", 0))
    expect(outputs.slice(-1)).toEqual([{ _tag: "Close", reason }])
    expect(outputs.filter(({ _tag }) => _tag === "Settle")).toEqual([
      failed(2, { _tag: "Closed", method: "tools/call", why: reason }),
      failed(3, { _tag: "Closed", method: "ping", why: reason })
    ])
  })

  it.each([
    ["the transport refuses", refused(4, 503), "initialize was not answered: why"],
    ["nobody answers", fired("opening"), "initialize was not answered within 60000 ms"]
  ])("is over for good when %s", (_, input, why) => {
    const by = begun()
    by.tell(lost(3))
    expect(by.tell(input).at(-1)).toEqual({ _tag: "Close", reason: expect.stringContaining(why) as string })
    expect(by.tell(fired("opening"))).toEqual([])
  })

  it("without an id is another connection where there are no sessions, and nothing is asked of it", () => {
    const by = discovered()
    by.tell(called(2, "tools/list"))
    expect(by.tell(lost())).toEqual([{ _tag: "Reopened", peer: expect.objectContaining({ revision: "2026-07-28" }) }])
    // What is under way goes on.
    expect(by.tell(lost(2))).toContainEqual(expect.objectContaining({ _tag: "Settle", call: 2 }))
  })

  it("without an id is nothing but reported while nothing is agreed on", () => {
    const by = session(both())
    by.tell(open)
    expect(by.tell(lost())).toEqual([ignored("something that was sent was refused: the server has ended the session")])
  })

  it("is a refused request where there are no sessions", () => {
    const by = discovered(undefined, both(), byExchange)
    by.tell(called(2, "tools/list"))
    expect(by.tell(lost(2))).toContainEqual(
      failed(2, { _tag: "Refused", method: "tools/list", status: 404, why: "the server has ended the session" })
    )
    expect(by.tell(called(3, "tools/list"))).toContainEqual(
      send({ jsonrpc: "2.0", id: 3, method: "tools/list", params: { _meta: envelope() } })
    )
  })
})
