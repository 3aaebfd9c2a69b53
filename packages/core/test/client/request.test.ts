/** What a request of 2026-07-28 says beside its params, and what is said of none. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import {
  both,
  called,
  define,
  discovered,
  envelope,
  error,
  everything,
  failed,
  messages,
  note,
  offered,
  opened,
  result,
  send,
  startTimer,
  stopTimer
} from "./by-hand.js"

const meta = (outputs: Parameters<typeof messages>[0]) =>
  (messages(outputs)[0] as { params: { _meta: JsonObject } }).params._meta
const logLevel = "io.modelcontextprotocol/logLevel"

describe("every request", () => {
  it("says which version it is of, and who asks, with or without params", () => {
    const by = discovered()
    expect(by.tell(called(2, "tools/list"))).toEqual([
      send({ jsonrpc: "2.0", id: 2, method: "tools/list", params: { _meta: envelope() } }),
      startTimer("request", 2, 1000)
    ])
    expect(by.tell(called(3, "tools/call", { name: "t", arguments: { a: 1 } }))[0]).toEqual(
      send({
        jsonrpc: "2.0",
        id: 3,
        method: "tools/call",
        params: { name: "t", arguments: { a: 1 }, _meta: envelope() }
      })
    )
    expect(by.tell(called(4, "server/discover"))[0]).toEqual(
      send({ jsonrpc: "2.0", id: 4, method: "server/discover", params: { _meta: envelope() } })
    )
  })

  it("says what the client can be asked, as the revision has it", () => {
    const extensions = { "com.example/e": { a: 1 } }
    const by = discovered(offered, both({ ...everything, extensions }))
    expect(meta(by.tell(called(2, "tools/list")))).toEqual(
      envelope({ roots: {}, sampling: {}, elicitation: { form: {}, url: {} }, extensions })
    )
  })

  it("keeps what its caller says there, but for what is ours to say", () => {
    const by = discovered()
    const own = {
      traceparent: "00-1-1-01",
      "com.example/a": 1,
      "io.modelcontextprotocol/protocolVersion": "1999-01-01",
      "io.modelcontextprotocol/clientCapabilities": { sampling: {} }
    }
    const given = { name: "t", _meta: own }
    expect(meta(by.tell(called(2, "tools/call", given)))).toEqual(
      envelope({}, { traceparent: "00-1-1-01", "com.example/a": 1 })
    )
    expect(given._meta).toBe(own)
    expect(Object.keys(own)).toHaveLength(4)
  })

  it("keeps members of any name", () => {
    const by = discovered()
    const odd = JSON.parse('{"name":"t","__proto__":{"a":1},"_meta":{"__proto__":{"b":1}}}') as JsonObject
    const sent = messages(by.tell(called(2, "tools/call", odd, { progress: true })))[0]
    expect(JSON.stringify(sent)).toContain('"__proto__":{"a":1}')
    expect(JSON.stringify(sent)).toContain('"__proto__":{"b":1}')
    expect(JSON.stringify(sent)).toContain('"progressToken":2')
  })

  it("asks for progress by its id where that is wanted", () => {
    const by = discovered()
    expect(meta(by.tell(called(2, "tools/list", undefined, { progress: true })))).toEqual(
      envelope({}, { progressToken: 2 })
    )
    const total = by.tell(called(3, "tools/list", undefined, { totalMs: 9 }))
    expect(meta(total)).toEqual(envelope({}, { progressToken: 3 }))
    expect(total.slice(1)).toEqual([startTimer("request", 3, 1000), startTimer("total", 3, 9)])
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 1 }))).toEqual([
      { _tag: "Progress", call: 2, progress: 1, total: undefined, message: undefined }
    ])
  })

  it("asks for logs where that is wanted, each for itself", () => {
    const by = discovered()
    expect(meta(by.tell(called(2, "tools/list", undefined, { logLevel: "info" })))).toEqual(
      envelope({}, { [logLevel]: "info" })
    )
    expect(meta(by.tell(called(3, "tools/list")))).toEqual(envelope())
    expect(by.tell(called(4, "tools/list", undefined, { logLevel: "loud" }))).toMatchObject([
      {
        outcome: {
          error: { _tag: "ParamsInvalid", method: "tools/list", problem: { at: `_meta.${logLevel}` } }
        }
      }
    ])
  })

  it("is not sent with a part that is ours to say and can not be said", () => {
    const by = discovered()
    for (const _meta of [{ progressToken: 1.5 }, { [logLevel]: "loud" }])
      expect(by.tell(called(2, "tools/call", { name: "t", _meta }))).toMatchObject([
        { outcome: { error: { _tag: "ParamsInvalid" } } }
      ])
    expect(by.tell(called(2, "tools/call", { name: "t", _meta: 7 }))).toEqual([
      failed(2, {
        _tag: "ParamsInvalid",
        method: "tools/call",
        problem: { at: "_meta", expected: "an object" }
      })
    ])
  })

  it("of an older revision says none of it", () => {
    const by = opened()
    expect(by.tell(called(2, "tools/list", undefined, { logLevel: "loud" }))[0]).toEqual(
      send({ jsonrpc: "2.0", id: 2, method: "tools/list" })
    )
    expect(meta(by.tell(called(3, "tools/list", undefined, { logLevel: "info", progress: true })))).toEqual({
      progressToken: 3
    })
  })
})

describe("a notification", () => {
  it("says nothing of it: a request is withdrawn by its id alone", () => {
    const by = discovered()
    by.tell(called(2, "tools/list"))
    expect(by.tell({ _tag: "Abandoned", call: 2, reason: "enough" })).toMatchObject([
      send(note("notifications/cancelled", { requestId: 2, reason: "enough" })),
      stopTimer("request", 2),
      { _tag: "Settle" }
    ])
    by.tell(called(3, "tools/list"))
    const [bare] = messages(by.tell({ _tag: "Abandoned", call: 3 }))
    expect(bare).toStrictEqual(note("notifications/cancelled", { requestId: 3 }))
    expect(by.tell({ _tag: "RootsChanged" })).toEqual([])
    expect(by.tell({ _tag: "Notified", method: "notifications/progress", params: {} })).toMatchObject([
      { report: { _tag: "Ignored" } }
    ])
  })
})

describe("what the revision does not have", () => {
  it.each(["ping", "initialize", "logging/setLevel", "resources/subscribe", "tasks/list"])(
    "%s is not sent",
    (method) => {
      expect(discovered().tell(called(2, method))).toEqual([
        failed(2, { _tag: "MethodUnknown", method, revision: "2026-07-28" })
      ])
    }
  )

  it("a method that the server did not declare is not sent", () => {
    expect(discovered({ tools: {} }).tell(called(2, "prompts/list"))).toEqual([
      failed(2, { _tag: "MethodUndeclared", method: "prompts/list", needs: "prompts", declared: ["tools"] })
    ])
  })

  it("a request of the server's is not answered", () => {
    const by = discovered(offered, both(everything))
    for (const method of ["ping", "roots/list", "nope"])
      expect(by.hear({ jsonrpc: "2.0", id: "q", method })).toMatchObject([
        { _tag: "Report", report: { _tag: "Ignored", method, id: "q" } }
      ])
    expect(by.said({ jsonrpc: "2.0", id: "q", method: "roots/list", params: 7 })).toEqual([])
    expect(by.said([{ jsonrpc: "2.0", id: "q", method: "ping" }])).toEqual([])
  })
})

describe("a result", () => {
  const call = (answer: object) => {
    const by = discovered()
    by.tell(called(2, "tools/call", { name: "t" }))
    return by.hear(result(2, answer))
  }

  it.each([{}, { resultType: "complete" }])("is complete when it says %j", (type) => {
    expect(call({ content: [], ...type })).toEqual([
      stopTimer("request", 2),
      { _tag: "Settle", call: 2, outcome: { _tag: "Succeeded", result: { content: [], ...type } } }
    ])
  })

  it.each([
    ["bogus", '"bogus"'],
    ["constructor", '"constructor"'],
    ["input_requirED", '"input_requirED"'],
    [null, "what is no text"],
    [7, "what is no text"],
    [JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`) as unknown, "what is no text"],
    ["x".repeat(1_000), `"${"x".repeat(200)}..."`]
  ])("is invalid when its type is not known: %#", (resultType, words) => {
    expect(call({ content: [], resultType })).toMatchObject([
      {},
      {
        outcome: {
          error: {
            _tag: "ResultInvalid",
            method: "tools/call",
            problem: { at: "resultType", expected: `"complete" or "input_required", not ${words}` }
          }
        }
      }
    ])
  })

  it("that asks is invalid where nothing may be asked", () => {
    const by = discovered()
    by.tell(called(2, "tools/list"))
    expect(by.hear(result(2, { resultType: "input_required", requestState: "s", tools: [] }))).toMatchObject([
      {},
      {
        outcome: {
          error: {
            _tag: "ResultInvalid",
            problem: { at: "resultType", expected: '"complete", not "input_required"' }
          }
        }
      }
    ])
  })

  it("of an older revision may say what it likes", () => {
    const by = opened()
    for (const [at, resultType] of ["bogus", "input_required"].entries()) {
      by.tell(called(at + 2, "tools/call", { name: "t" }))
      expect(by.hear(result(at + 2, { content: [], resultType }))).toMatchObject([
        {},
        { outcome: { _tag: "Succeeded" } }
      ])
    }
  })
})

describe("a version that is refused on a later request", () => {
  const refusal = (id: number, supported: unknown) => error(id, -32022, "no", { supported, requested: "2026-07-28" })

  it("is tried once more when the server speaks it, as another request", () => {
    const by = discovered()
    by.tell(called(2, "tools/call", { name: "t", _meta: { traceparent: "x" } }, { progress: true, totalMs: 9 }))
    expect(by.hear(refusal(2, ["2026-07-28"]))).toEqual([
      send({
        jsonrpc: "2.0",
        id: 3,
        method: "tools/call",
        params: { name: "t", _meta: envelope({}, { traceparent: "x", progressToken: 3 }) }
      }),
      startTimer("request", 2, 1000)
    ])
    by.move()
    expect(by.hear(result(2, { content: [] }))).toMatchObject([{ report: { _tag: "Ignored" } }])
    expect(by.hear(result(3, { content: [] }))).toEqual([
      stopTimer("request", 2),
      stopTimer("total", 2),
      { _tag: "Settle", call: 2, outcome: { _tag: "Succeeded", result: { content: [] } } }
    ])
    expect(by.tell(called(3, "tools/list"))).toMatchObject([{ outcome: { error: { _tag: "NotOpen" } } }])
    expect(by.tell({ _tag: "Abandoned", call: 2 })).toEqual([])
  })

  it("the second time, or when it is not spoken, ends the call with both lists", () => {
    const by = discovered()
    by.tell(called(2, "tools/list"))
    by.hear(refusal(2, ["2026-07-28"]))
    const spoken = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    expect(by.hear(refusal(3, ["2026-07-28"]))).toEqual([
      stopTimer("request", 2),
      failed(2, {
        _tag: "VersionUnsupported",
        asked: "2026-07-28",
        offered: ["2026-07-28"],
        spoken,
        error: refusal(3, ["2026-07-28"]).error
      })
    ])
    by.tell(called(4, "tools/list"))
    expect(by.hear(refusal(4, ["2099-01-01"]))).toMatchObject([
      {},
      { outcome: { error: { _tag: "VersionUnsupported", offered: ["2099-01-01"] } } }
    ])
  })

  it("is withdrawn by the id it has now", () => {
    const by = discovered()
    by.tell(called(2, "tools/list"))
    by.hear(refusal(2, ["2026-07-28"]))
    expect(by.tell({ _tag: "Abandoned", call: 3 })).toEqual([])
    expect(messages(by.tell({ _tag: "Abandoned", call: 2 }))).toEqual([
      note("notifications/cancelled", { requestId: 3 })
    ])
    const apart = discovered(offered, both(), { cancels: "exchange" })
    apart.tell(called(2, "tools/list"))
    apart.hear(refusal(2, ["2026-07-28"]))
    expect(apart.tell({ _tag: "TimerFired", timer: { of: "request", call: 2 } })[0]).toEqual({ _tag: "Abort", id: 3 })
  })

  it("that could not be written is settled by the id it has now", () => {
    const by = discovered()
    by.tell(called(2, "tools/list"))
    by.hear(refusal(2, ["2026-07-28"]))
    expect(by.tell({ _tag: "Unsent", call: 3, why: "no" })).toMatchObject([{}, { _tag: "Settle", call: 2 }])
  })

  it("is an error like any other on an older revision", () => {
    const by = opened("2025-11-25", offered, define())
    by.tell(called(2, "tools/list"))
    expect(by.hear(refusal(2, ["2025-11-25"]))).toMatchObject([{}, { outcome: { error: { _tag: "Answered" } } }])
  })
})
