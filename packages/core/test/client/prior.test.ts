/** What is remembered of a server spares the question what it speaks, for as long as the server does as it says. */
import { describe, expect, it } from "vitest"
import type { Prior } from "../../src/client/index.js"
import { v2026_07_28 } from "../../src/revisions/index.js"
import {
  agreed,
  both,
  called,
  define,
  discovery,
  envelope,
  error,
  failed,
  fired,
  messages,
  modern,
  probe,
  proposal,
  result,
  send,
  session,
  startTimer,
  stopTimer
} from "./by-hand.js"

const open = { _tag: "Open" } as const
const answer = discovery(1, ["2026-07-28"], { capabilities: { tools: {} }, instructions: "Be brief." }).result
const known: Prior = { _tag: "Discovered", result: answer as never }
const handshake: Prior = { _tag: "Handshake" }
const peer = { revision: "2026-07-28", capabilities: { tools: {} }, info: { name: "server", version: "1" } }

it.each([{}, { _tag: "Legacy" }, { _tag: 7 }, "Handshake"])("is not %j", (prior) => {
  const tag = JSON.stringify((prior as { readonly _tag?: unknown })._tag)
  const making = () => session(both(), { prior: prior as Prior })
  expect(making).toThrow(new TypeError(`There is no prior ${tag}: its _tag is "Handshake" or "Discovered"`))
})

const remembering = () => {
  const by = session(both(), { prior: known })
  by.tell(open)
  return by
}

describe("a server that said what it speaks", () => {
  it("is open at once", () => {
    expect(session(both(), { prior: known }).tell(open)).toEqual([
      { _tag: "Opened", asked: "2026-07-28", peer, instructions: "Be brief.", prior: known },
      { _tag: "Report", report: { _tag: "Agreed", asked: "2026-07-28", peer, wrong: [] } }
    ])
    const by = remembering()
    expect(messages(by.tell(called(1, "tools/list")))).toEqual([
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope() } }
    ])
  })

  it("is taken at its word when its first answer says what kind it is", () => {
    for (const [first, then] of [
      [result(1, { tools: [], resultType: "complete" }), error(2, -32601)],
      [error(1, -32021), error(2, -32601)]
    ]) {
      const by = remembering()
      by.tell(called(1, "tools/list"))
      expect(messages(by.hear(first))).toEqual([])
      by.tell(called(2, "tools/list"))
      expect(messages(by.hear(then))).toEqual([])
    }
  })

  it.each([
    ["an error", error(1, -32601)],
    ["a result that does not say its type", result(1, { tools: [] })]
  ])("is asked again, once, when its first answer is %s", (_, first) => {
    const by = remembering()
    by.move()
    by.tell(called(1, "tools/list"))
    const outputs = by.hear(first)
    expect(outputs[1]).toMatchObject({ _tag: "Settle", call: 1 })
    expect(outputs.at(-1)).toEqual(send(probe(2)))
    by.tell(called(3, "tools/list"))
    expect(messages(by.hear(error(3, -32601)))).toEqual([])
    by.move()
    expect(by.hear(discovery(2))).toEqual([])
    by.tell(called(4, "tools/list"))
    expect(messages(by.hear(error(4, -32601)))).toEqual([])
    expect(by.hear(discovery(2))).toMatchObject([{ report: { _tag: "Ignored" } }])
  })

  it.each([
    ["knows nothing of it", error(2, -32601)],
    ["speaks other versions", discovery(2, ["2025-11-25"])],
    ["refuses the version", error(2, -32022, "no", { supported: ["2099-01-01"] })],
    ["answers something else", result(2)],
    ["answers what can not be read", { jsonrpc: "2.0", id: 2, result: 7 }]
  ])("is left when it %s", (_, second) => {
    const by = remembering()
    by.tell(called(1, "tools/list"))
    by.hear(error(1, -32600))
    by.tell(called(3, "tools/list"))
    const why = "the server is not what it was remembered to be (`prior`): ask it again"
    expect(by.hear(second)).toEqual([
      stopTimer("request", 3),
      failed(3, { _tag: "Closed", method: "tools/list", why }),
      { _tag: "Close", reason: why }
    ])
  })

  it.each([
    ["another reason that only such a server has", error(2, -32020)],
    ["the version it speaks", error(2, -32022, "no", { supported: ["2026-07-28"] })]
  ])("is still the same when it refuses with %s", (_, second) => {
    const by = remembering()
    by.tell(called(1, "tools/list"))
    by.hear(error(1, -32600))
    expect(by.hear(second)).toEqual([])
    expect(by.state().phase).toEqual({ _tag: "Open", peer, proof: undefined })
  })

  it.each(["request", "total"] as const)("is asked again, once, when it is silent: %s", (of) => {
    const by = remembering()
    const method = "tools/list"
    by.tell(called(1, method, undefined, { totalMs: 9000 }))
    by.move()
    const outputs = by.tell(fired(of, 1))
    const ms = of === "total" ? 9000 : 1000
    const late = failed(1, { _tag: "TimedOut", method, ms, total: of === "total", unproven: true })
    expect(outputs.slice(-2)).toEqual([late, send(probe(2))])
    expect(by.tell(fired(of, 1))).toEqual([])
    by.tell(called(3, method))
    const unproven = failed(3, { _tag: "TimedOut", method, ms: 1000, total: false, unproven: true })
    expect(by.tell(fired("request", 3)).slice(1)).toEqual([stopTimer("request", 3), unproven])
    expect(by.hear(discovery(2))).toEqual([])
    by.tell(called(4, method))
    expect(by.tell(fired("request", 4)).at(-1)).toEqual(failed(4, { _tag: "TimedOut", method, ms: 1000, total: false }))
  })

  it("is not asked for a wait that was over before", () => {
    const by = remembering()
    by.tell(called(1, "tools/list"))
    by.tell({ _tag: "Abandoned", call: 1 })
    for (const of of ["request", "total"] as const) expect(by.tell(fired(of, 1))).toEqual([])
  })

  it("is taken at its word when it begins a stream", () => {
    const by = remembering()
    by.tell(called(1, "subscriptions/listen", { notifications: {} }))
    by.hear({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: {}, _meta: { "io.modelcontextprotocol/subscriptionId": 1 } }
    })
    expect(by.state().phase).toMatchObject({ proof: undefined })
  })

  it("may end because of it, and the reason says so while nothing else is known", () => {
    const by = remembering()
    by.tell(called(1, "tools/list"))
    const why =
      "the server was opened by what was remembered of it (`prior`), which may hold no longer: connect again without it; it is gone"
    expect(by.tell({ _tag: "PeerClosed", detail: "it is gone" }).slice(1)).toEqual([
      failed(1, { _tag: "Closed", method: "tools/list", why }),
      { _tag: "Close", reason: why }
    ])
    const proven = remembering()
    proven.tell(called(1, "tools/list"))
    proven.hear(result(1, { tools: [], resultType: "complete" }))
    expect(proven.tell({ _tag: "PeerClosed", detail: "it is gone" })).toEqual([{ _tag: "Close", reason: "it is gone" }])
    expect(remembering().tell({ _tag: "Stopping" })).toEqual([{ _tag: "Close", reason: "the client closed it" }])
  })

  it("is left when the one it would be asked for now is another", () => {
    const newer = Object.assign({}, v2026_07_28, { name: "2027-01-01" })
    const by = session(both({}, { revisions: [newer, v2026_07_28] }), { prior: known })
    by.tell(open)
    by.tell(called(1, "tools/list"))
    by.hear(error(1, -32600))
    expect(by.hear(discovery(2, ["2027-01-01", "2026-07-28"]))).toMatchObject([{ _tag: "Close" }])
  })

  it("is not mistaken for the answer to the question", () => {
    const by = remembering()
    for (const id of ["needed", undefined, null]) expect(by.hear(error(id, -32601))).toHaveLength(1)
    expect(by.hear(discovery("needed"))).toMatchObject([{ report: { _tag: "Ignored" } }])
    expect(by.state().phase).toMatchObject({ proof: "needed" })
  })

  it.each<[string, Prior]>([
    ["is garbage", { _tag: "Discovered", result: {} }],
    ["names no version of ours", { _tag: "Discovered", result: discovery(1, ["2099-01-01"]).result as never }]
  ])("is asked as ever when what is remembered %s", (_, prior) => {
    expect(messages(session(both(), { prior }).tell(open))).toEqual([probe(1)])
  })

  it("is of no use to a client that speaks none of it", () => {
    expect(messages(session(define(), { prior: known }).tell(open))).toEqual([proposal(1)])
  })
})

describe("a server that is opened by initialize", () => {
  it("is not asked anything before", () => {
    const by = session(both(), { prior: handshake })
    expect(by.tell(open)).toEqual([startTimer("opening", 0, 60_000), startTimer("probe", 0, 3_000), send(proposal(1))])
    expect(by.hear(agreed("2025-11-25")).slice(0, 2)).toEqual([stopTimer("opening", 0), stopTimer("probe", 0)])
  })

  it("is asked when it refuses, or is silent", () => {
    const by = session(both(), { prior: handshake })
    by.tell(open)
    expect(by.said(error(1, -32601))).toEqual([probe(2)])
    const quiet = session(both(), { prior: handshake })
    quiet.tell(open)
    expect(messages(quiet.tell(fired("probe")))).toEqual([probe(2)])
    expect(quiet.hear(discovery(2))[1]).toMatchObject({ _tag: "Opened", prior: { _tag: "Discovered" } })
  })

  it("fails as it refused when it knows nothing of the question", () => {
    const by = session(both(), { prior: handshake })
    by.tell(open)
    by.hear(error(1, -32603, "out of order"))
    expect(by.hear(error(2, -32601))).toMatchObject([
      stopTimer("opening", 0),
      stopTimer("probe", 0),
      {
        _tag: "OpenFailed",
        failure: { _tag: "Answered", method: "initialize", error: { message: "out of order" } }
      },
      {}
    ])
  })

  it("is asked as ever by a client that has no handshake", () => {
    expect(messages(session(modern(), { prior: handshake }).tell(open))).toEqual([probe(1)])
  })
})
