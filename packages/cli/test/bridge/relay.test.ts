/** The relaying machine, stepped by hand. */
import type { Input, Output, ServerState } from "@parley/core/server"
import { describe, expect, it } from "vitest"
import type { Relayed } from "../../src/bridge/relay.js"
import { relay } from "../../src/bridge/relay.js"

/** What a session comes to, input by input. */
function session(...inputs: ReadonlyArray<Input | Relayed>): ReadonlyArray<ReadonlyArray<Output>> {
  let state: ServerState = relay.initial
  return inputs.map((input) => {
    const [next, outputs] = relay.step(state, input as Input)
    state = next
    return outputs
  })
}

const came = (json: unknown, via: string): Input => ({ _tag: "Received", json, via })
const said = (json: unknown, listens = false): Relayed => ({ _tag: "Said", json, listens })
const request = (id: unknown, method: string, params = {}) => ({ jsonrpc: "2.0", id, method, params })
const reply = (id: unknown, result = {}) => ({ jsonrpc: "2.0", id, result })
const note = (method: string, params = {}) => ({ jsonrpc: "2.0", method, params })

const opening = (protocolVersion = "2025-11-25") => [
  came(request(0, "initialize"), "a"),
  said(reply(0, { protocolVersion })),
  came(note("notifications/initialized"), "b")
]
const after = (version: string, ...inputs: ReadonlyArray<Input | Relayed>) =>
  session(...opening(version), ...inputs).slice(3)
const passed = (json: unknown) => [{ _tag: "Notice", method: "", params: json }]
/** Where messages went: by which exchange, and whether it ends. */
const ways = (outputs: ReadonlyArray<Output>) =>
  outputs.flatMap((output) => (output._tag === "Send" ? [[output.via, output.last]] : []))

it("a client that ends its session leaves who waits to the adapter, as any session does", () => {
  const [, ended] = after("2025-11-25", came(request(1, "ping"), "x"), { _tag: "PeerClosed" })
  expect(ended).toMatchObject([{ _tag: "Close" }])
})

describe("what the client says", () => {
  it("is passed on as it is, and the reply ends its exchange", () => {
    const odd = { ...request(1, "who/knows"), more: { a: 1 } }
    const [asked, answered] = after("2025-11-25", came(odd, "x"), said(reply(1)))
    expect(asked).toEqual(passed(odd))
    expect(answered).toEqual([{ _tag: "Send", message: reply(1), via: "x", last: true, text: undefined }])
  })

  it("is refused where its reply would not find back", () => {
    const [, twice, malformed, batch] = after(
      "2025-11-25",
      came(request(1, "ping"), "x"),
      came(request(1, "ping"), "y"),
      came({ jsonrpc: "2.0", id: 2 }, "z"),
      came([request(3, "ping")], "w")
    )
    for (const [outputs, code] of [
      [twice, -32600],
      [malformed, -32600],
      [batch, -32600]
    ] as const)
      expect(outputs).toMatchObject([{ _tag: "Send", last: true, message: { error: { code } } }])
  })

  it("tells ids of another type apart, and withdraws what is cancelled", () => {
    const [, , cancelled, late, other] = after(
      "2025-11-25",
      came(request(1, "ping"), "x"),
      came(request("1", "ping"), "y"),
      came(note("notifications/cancelled", { requestId: 1 }), "z"),
      said(reply(1)),
      said(reply("1"))
    )
    expect(cancelled).toMatchObject([{ _tag: "Notice" }, { _tag: "Report", report: { _tag: "Cancelled", id: 1 } }])
    expect(late).toEqual([])
    expect(ways(other!)).toEqual([["y", true]])
  })

  it("is a batch in the version that has them, whose exchange ends with its last reply", () => {
    const batch = [request(1, "ping"), note("n"), request(2, "ping")]
    const [asked, one, two] = after("2025-03-26", came(batch, "x"), said([reply(2)]), said(reply(1)))
    expect(asked).toEqual(passed(batch))
    expect([ways(one!), ways(two!)]).toEqual([[["x", false]], [["x", true]]])
  })
})

describe("what the server says unasked", () => {
  const two = [came(request(1, "a", { _meta: { progressToken: "p" } }), "x"), came(request(2, "b"), "y")]

  it.each<[string, ReadonlyArray<Input | Relayed>, object, boolean, unknown]>([
    ["progress goes to its request", two, note("notifications/progress", { progressToken: "p" }), true, [["x", false]]],
    ["progress of nothing goes nowhere", two, note("notifications/progress", { progressToken: 9 }), true, []],
    ["a question goes to the only request", two.slice(0, 1), request(5, "elicitation/create"), true, [["x", false]]],
    [
      "one that may be about several goes to the stream",
      two,
      request(5, "elicitation/create"),
      true,
      [[undefined, false]]
    ],
    ["without a stream, to the newest", two, request(5, "elicitation/create"), false, [["y", false]]],
    ["news go to the stream", two, note("notifications/tools/list_changed"), true, [[undefined, false]]],
    ["news that nobody hears go nowhere", two, note("notifications/resources/updated"), false, []],
    ["a log with nothing under way goes to the stream", [], note("notifications/message"), true, [[undefined, false]]]
  ])("%s", (_, before, json, listens, expected) => {
    expect(ways(after("2025-11-25", ...before, said(json, listens)).at(-1)!)).toEqual(expected)
  })

  it("is answered by an error where nobody could be asked", () => {
    const [outputs] = after("2025-11-25", said(request(5, "ping")))
    expect(outputs).toMatchObject([{ _tag: "Notice", params: { id: 5, error: { code: -32603 } } }])
  })
})

describe("the end", () => {
  it("of the server is told to whoever waits, and closes the session", () => {
    const [, , outputs, then] = after(
      "2025-11-25",
      came(request(1, "a"), "x"),
      came(request(2, "b"), "y"),
      { _tag: "Lost", why: "killed" },
      came(request(3, "c"), "z")
    )
    expect(outputs).toMatchObject([
      { _tag: "Send", via: "x", last: true, message: { id: 1, error: { code: -32603, message: "killed" } } },
      { _tag: "Send", via: "y", last: true, message: { id: 2 } },
      { _tag: "Close" }
    ])
    expect(then).toEqual([])
  })

  it("of an opening that is refused closes it too", () => {
    const error = { jsonrpc: "2.0", id: 0, error: { code: -32602, message: "no" } }
    const [, outputs] = session(came(request(0, "initialize"), "a"), said(error))
    expect(outputs).toMatchObject([{ _tag: "Send", message: error, last: true }, { _tag: "Close" }])
  })

  it("waits for what is under way when it is told to stop, for a while", () => {
    const [, stopping, answered] = after("2025-11-25", came(request(1, "a"), "x"), { _tag: "Stopping" }, said(reply(1)))
    expect(stopping).toMatchObject([{ _tag: "StartTimer", timer: { of: "drain" } }])
    expect(answered).toMatchObject([{ _tag: "Send" }, { _tag: "Close" }])
    const late = after(
      "2025-11-25",
      came(request(1, "a"), "x"),
      { _tag: "Stopping" },
      {
        _tag: "TimerFired",
        timer: { of: "drain", call: 0 }
      }
    )
    expect(late.at(-1)).toMatchObject([{ _tag: "Send", message: { id: 1, error: {} } }, { _tag: "Close" }])
  })
})
