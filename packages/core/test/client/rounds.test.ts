/** Results that ask: what is put to the user, when the request is made again and with what, and how it ends otherwise. */
import { describe, expect, it } from "vitest"
import type { Output } from "../../src/client/index.js"
import type { JsonObject } from "../../src/json.js"
import type { Session } from "./by-hand.js"
import {
  both,
  called,
  discovered,
  envelope,
  error,
  everything,
  failed,
  fired,
  messages,
  note,
  offered,
  result,
  send,
  startTimer,
  stopTimer
} from "./by-hand.js"

const form = (message = "How many?") => ({ message, requestedSchema: { type: "object", properties: {} } })
const elicitation = (message?: string) => ({ method: "elicitation/create", params: form(message) })
const roots = { method: "roots/list" }
const sampling = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }
const declared = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } }
const asks = (id: unknown, inputRequests?: object, requestState?: string) =>
  result(id, {
    resultType: "input_required",
    ...(inputRequests && { inputRequests }),
    ...(requestState !== undefined && { requestState })
  })
const accept = { action: "accept", content: { guests: 2 } }
const answered = (ask: number, of: unknown) => ({ _tag: "Answered", ask, id: undefined, result: of }) as const
const declined = (ask: number, code = -1, message = "the user said no") =>
  ({ _tag: "Declined", ask, id: undefined, error: { code, message } }) as const
const ask = (number: number, { method, params }: { method: string; params?: unknown }, about = 2): Output =>
  ({ _tag: "Ask", ask: number, id: undefined, method, params, about }) as Output
const params = (outputs: ReadonlyArray<Output>) => (messages(outputs)[0] as { params: JsonObject }).params

const calling = (options: Parameters<typeof discovered>[2] = {}, rest: object = {}): Session => {
  const by = discovered(offered, both(everything), options)
  by.tell(called(2, "tools/call", { name: "t", arguments: { a: 1 } }, rest))
  return by
}

describe("a result that asks", () => {
  it("puts each question to the user, and the answer goes along with the request made again", () => {
    const by = calling()
    expect(by.hear(asks(2, { guests: elicitation() }, "sealed"))).toEqual([
      stopTimer("request", 2),
      ask(1, elicitation())
    ])
    expect(by.tell(answered(1, accept))).toEqual([
      send({
        jsonrpc: "2.0",
        id: 3,
        method: "tools/call",
        params: {
          name: "t",
          arguments: { a: 1 },
          inputResponses: { guests: accept },
          requestState: "sealed",
          _meta: envelope(declared)
        }
      }),
      startTimer("request", 2, 1000)
    ])
    expect(by.hear(result(3, { content: [] }))).toEqual([
      stopTimer("request", 2),
      { _tag: "Settle", call: 2, outcome: { _tag: "Succeeded", result: { content: [] }, rounds: 2 } }
    ])
  })

  it("is answered when the last question is, in whatever order", () => {
    const by = calling({ askMs: 70 })
    const url = { method: "elicitation/create", params: { mode: "url", message: "m", url: "https://example.com" } }
    expect(by.hear(asks(2, { a: elicitation(), b: roots, c: sampling, d: url }))).toEqual([
      stopTimer("request", 2),
      startTimer("ask", 1, 70),
      ask(1, elicitation()),
      startTimer("ask", 2, 70),
      ask(2, roots),
      startTimer("ask", 3, 70),
      ask(3, sampling),
      startTimer("ask", 4, 70),
      ask(4, url)
    ])
    const message = { role: "assistant", content: { type: "text", text: "x" }, model: "m" }
    expect(by.tell(answered(3, message))).toEqual([stopTimer("ask", 3)])
    expect(by.tell(answered(1, { action: "decline" }))).toEqual([stopTimer("ask", 1)])
    expect(by.tell(answered(4, { action: "accept" }))).toEqual([stopTimer("ask", 4)])
    by.move()
    expect(by.tell(answered(3, message))).toMatchObject([{ report: { _tag: "Ignored" } }])
    const last = by.tell(answered(2, { roots: [] }))
    expect(last[0]).toEqual(stopTimer("ask", 2))
    expect(params(last)).toEqual({
      name: "t",
      arguments: { a: 1 },
      inputResponses: {
        a: { action: "decline" },
        b: { roots: [] },
        c: message,
        d: { action: "accept" }
      },
      _meta: envelope(declared)
    })
    expect(by.tell(answered(1, accept))).toMatchObject([{ report: { _tag: "Ignored" } }])
  })

  it("may ask again, each time with a state of its own or without one", () => {
    const by = calling({}, { progress: true, logLevel: "info" })
    by.hear(asks(2, { a: roots }, "first"))
    const second = params(by.tell(answered(1, { roots: [] })))
    expect(second["requestState"]).toBe("first")
    expect(second["_meta"]).toEqual(
      envelope(declared, { progressToken: 3, "io.modelcontextprotocol/logLevel": "info" })
    )
    by.hear(asks(3, { b: roots }))
    const third = params(by.tell(answered(2, { roots: [] })))
    expect(Object.keys(third)).toEqual(["name", "arguments", "inputResponses", "_meta"])
    expect(third["inputResponses"]).toEqual({ b: { roots: [] } })
    by.hear(asks(4, { c: roots }, ""))
    expect(params(by.tell(answered(3, { roots: [] })))["requestState"]).toBe("")
    expect(by.hear(result(5, { content: [] })).at(-1)).toMatchObject({ call: 2, outcome: { rounds: 4 } })
  })

  it("leaves calls beside it alone", () => {
    const by = calling()
    by.tell(called(3, "prompts/get", { name: "p" }))
    by.hear(asks(2, { a: roots }, "of the tool"))
    by.hear(asks(3, { a: roots }, "of the prompt"))
    expect(messages(by.tell(answered(2, { roots: [] })))).toMatchObject([
      { id: 4, method: "prompts/get", params: { name: "p", requestState: "of the prompt" } }
    ])
    expect(messages(by.tell(answered(1, { roots: [] })))).toMatchObject([
      { id: 5, method: "tools/call", params: { requestState: "of the tool" } }
    ])
    expect(by.hear(result(4, { messages: [] })).at(-1)).toMatchObject({ call: 3 })
    expect(by.hear(result(5, { content: [] })).at(-1)).toMatchObject({ call: 2 })
  })

  it("hears of progress by the token of the request that was made last", () => {
    const by = calling({}, { progress: true, totalMs: 500 })
    by.hear(note("notifications/progress", { progressToken: 2, progress: 7 }))
    by.hear(asks(2, { a: roots }))
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 8 }))).toMatchObject([
      { report: { _tag: "Ignored" } }
    ])
    by.tell(answered(1, { roots: [] }))
    expect(by.hear(note("notifications/progress", { progressToken: 3, progress: 8 }))).toEqual([
      startTimer("request", 2, 1000),
      { _tag: "Progress", call: 2, progress: 8, total: undefined, message: undefined }
    ])
  })

  it("hands out only what increases over all the requests of a call, and waits anew for what begins anew", () => {
    const by = calling({}, { progress: true, totalMs: 500 })
    const handed = (progressToken: number, ...values: ReadonlyArray<number>) =>
      values.flatMap((progress) =>
        by.hear(note("notifications/progress", { progressToken, progress })).map((one) => {
          if (one._tag === "Report") return "reported"
          return one._tag === "Progress" ? one.progress : one._tag
        })
      )
    expect(handed(2, 1, 2, 2)).toEqual(["StartTimer", 1, "StartTimer", 2, "reported"])
    by.hear(asks(2, { a: roots }))
    by.tell(answered(1, { roots: [] }))
    expect(handed(3, 1, 2, 3)).toEqual(["StartTimer", "StartTimer", "StartTimer", 3])
    by.hear(asks(3, { b: roots }))
    by.tell(answered(2, { roots: [] }))
    expect(handed(4, 2, 4)).toEqual(["StartTimer", "StartTimer", 4])
  })

  it("keeps keys of any name", () => {
    const by = calling()
    by.hear(asks(2, JSON.parse('{"__proto__":{"method":"roots/list"}}') as object))
    expect(JSON.stringify(params(by.tell(answered(1, { roots: [] }))))).toContain('{"__proto__":{"roots":[]}}')
  })

  it("may have its version refused, and is made again as it was", () => {
    const by = calling()
    by.hear(asks(2, { a: roots }, "s"))
    const once = params(by.tell(answered(1, { roots: [] })))
    expect(params(by.hear(error(3, -32022, "no", { supported: ["2026-07-28"] })))).toEqual(once)
  })
})

describe("questions that may not be put to the user", () => {
  const asking = (capabilities: JsonObject, inputRequests: object, options = {}) => {
    const by = discovered(offered, both(capabilities), options)
    by.tell(called(2, "tools/call", { name: "t" }))
    return by.hear(asks(2, inputRequests))
  }
  const wrong = (outputs: ReadonlyArray<Output>) => {
    expect(outputs[0]).toEqual(stopTimer("request", 2))
    expect(outputs).toHaveLength(2)
    expect(outputs[1]).toMatchObject({ outcome: { error: { _tag: "ResultInvalid", method: "tools/call" } } })
    return (outputs[1] as { outcome: { error: { problem: object } } }).outcome.error.problem
  }

  it("end the call, all of them, when one is undeclared", () => {
    expect(wrong(asking({ roots: {} }, { a: roots, b: elicitation() }))).toEqual({
      at: "inputRequests.b.method",
      expected: "another method: the client did not declare elicitation"
    })
    expect(wrong(asking({}, { a: roots }))).toMatchObject({ at: "inputRequests.a.method" })
    expect(wrong(asking({}, { a: sampling }))).toMatchObject({ at: "inputRequests.a.method" })
  })

  it("end the call when a part of one is undeclared", () => {
    const url = { method: "elicitation/create", params: { mode: "url", message: "m", url: "https://example.com" } }
    expect(wrong(asking({ elicitation: {} }, { a: url }))).toEqual({
      at: "inputRequests.a.params.mode",
      expected: "form: the client did not declare url"
    })
    expect(wrong(asking({ elicitation: { url: {} } }, { a: elicitation() }))).toMatchObject({
      at: "inputRequests.a.params.mode"
    })
    const tools = { ...sampling, params: { ...sampling.params, tools: [] } }
    expect(wrong(asking({ sampling: {} }, { a: tools }))).toMatchObject({ at: "inputRequests.a.params.tools" })
    expect(asking({ sampling: { tools: {} } }, { a: tools })).toHaveLength(2)
  })

  it.each([
    ["of a kind that there is not", { method: "ping" }],
    ["without params", { method: "elicitation/create" }],
    ["of a wrong shape", { method: "elicitation/create", params: { message: 7 } }],
    ["that are none", 7]
  ])("end the call when they are %s", (_, question) => {
    expect(wrong(asking(everything, { a: question }))).toMatchObject({
      at: expect.stringContaining("inputRequests") as string
    })
  })

  it("end the call when they are too many at once", () => {
    expect(asking(everything, { a: roots, b: roots }, { maxAsks: 2 })).toHaveLength(3)
    expect(wrong(asking(everything, { a: roots, b: roots, c: roots }, { maxAsks: 2 }))).toEqual({
      at: "inputRequests",
      expected: "no more than 2 questions at once"
    })
    const by = discovered(offered, both(everything), { maxAsks: 2 })
    by.tell(called(2, "tools/call", { name: "t" }))
    by.tell(called(3, "tools/call", { name: "t" }))
    by.hear(asks(2, { a: roots, b: roots }))
    expect(by.hear(asks(3, { a: roots }))).toMatchObject([{}, { outcome: { error: { _tag: "ResultInvalid" } } }])
  })

  it("are told from a result that asks for nothing", () => {
    const by = calling()
    expect(by.hear(asks(2))).toMatchObject([{}, { outcome: { error: { _tag: "ResultInvalid" } } }])
  })
})

describe("a question that comes to nothing", () => {
  const asked = (options = {}): Session => {
    const by = calling(options)
    by.hear(asks(2, { a: roots, b: elicitation(), c: roots }, "s"))
    return by
  }
  const why = "another question of the same request was refused"
  const refusal = (error: object) => failed(2, { _tag: "AskRefused", method: "tools/call", key: "b", error })

  it("ends the call, and the others are taken back", () => {
    const by = asked()
    by.tell(answered(1, { roots: [] }))
    by.move()
    expect(by.tell(declined(2))).toEqual([
      { _tag: "WithdrawAsk", ask: 3, reason: why },
      refusal({ code: -1, message: "the user said no" })
    ])
    expect(by.tell(answered(3, { roots: [] }))).toMatchObject([{ report: { _tag: "Ignored" } }])
    expect(by.tell(declined(3))).toMatchObject([{ report: { _tag: "Ignored" } }])
    expect(by.state()).toMatchObject({ sent: { size: 0 }, asks: { size: 0 }, renamed: { size: 0 } })
  })

  it("ends the call when its answer is not valid, and says so", () => {
    expect(asked().tell(answered(2, { action: "perhaps" }))).toMatchObject([
      { _tag: "WithdrawAsk", ask: 1 },
      { _tag: "WithdrawAsk", ask: 3 },
      {
        outcome: {
          error: {
            _tag: "AskRefused",
            key: "b",
            error: {
              code: -32603,
              message: "Internal error: the result of elicitation/create was not valid and was not sent"
            }
          }
        }
      },
      { report: { _tag: "Unsendable", method: "elicitation/create" } }
    ])
  })

  it("ends the call when nobody answers in time", () => {
    const by = asked({ askMs: 70 })
    by.tell(answered(3, { roots: [] }))
    const message = "Internal error: not answered within 70 ms"
    expect(by.tell(fired("ask", 2))).toEqual([
      { _tag: "WithdrawAsk", ask: 2, reason: "not answered within 70 ms" },
      stopTimer("ask", 2),
      stopTimer("ask", 1),
      { _tag: "WithdrawAsk", ask: 1, reason: why },
      refusal({ code: -32603, message }),
      { _tag: "Report", report: { _tag: "Unsendable", method: "elicitation/create", why: "not answered within 70 ms" } }
    ])
    expect(by.tell(fired("ask", 2))).toEqual([])
    expect(by.tell(fired("ask", 3))).toEqual([])
  })

  it("is not told how far its answer is", () => {
    const far = { progress: 1, total: undefined, message: undefined } as const
    expect(asked().tell({ _tag: "AskProgressed", ask: 1, id: undefined, ...far })).toEqual([])
  })

  it("is not answered by what is said under an id", () => {
    const by = asked()
    expect(by.tell({ _tag: "Answered", ask: 1, id: 1, result: { roots: [] } })).toMatchObject([
      { report: { _tag: "Ignored" } }
    ])
    expect(by.tell({ _tag: "Declined", ask: 1, id: 2, error: { code: -1, message: "" } })).toMatchObject([
      { report: { _tag: "Ignored" } }
    ])
  })
})

describe("a call that ends while the user is asked", () => {
  const asked = (rest: object = {}): Session => {
    const by = calling({ askMs: 70 }, rest)
    by.hear(asks(2, { a: roots, b: roots }, "s"))
    by.tell(answered(1, { roots: [] }))
    return by
  }

  it("is settled and takes its questions back, and nothing is sent", () => {
    const by = asked()
    expect(by.tell({ _tag: "Abandoned", call: 2, reason: "enough" })).toEqual([
      stopTimer("ask", 2),
      { _tag: "WithdrawAsk", ask: 2, reason: "enough" },
      failed(2, { _tag: "Abandoned", method: "tools/call", reason: "enough" })
    ])
    expect(by.tell(answered(2, { roots: [] }))).toMatchObject([{ report: { _tag: "Ignored" } }])
  })

  it("is no concern of the limit to the wait for the server, but of that to all", () => {
    const by = asked({ totalMs: 500 })
    expect(by.tell(fired("request", 2))).toEqual([])
    expect(by.tell(fired("total", 2))).toMatchObject([
      stopTimer("total", 2),
      stopTimer("ask", 2),
      { _tag: "WithdrawAsk", ask: 2, reason: "timed out" },
      { outcome: { error: { _tag: "TimedOut", ms: 500, total: true } } }
    ])
  })

  it("has nothing to do with a reply that comes once more", () => {
    const by = asked()
    for (const late of [result(2, { content: [] }), error(2, -32603), { jsonrpc: "2.0", id: 2, result: 7 }])
      expect(by.hear(late)).toMatchObject([{ report: { _tag: "Ignored" } }])
    expect(by.hear(note("notifications/progress", { progressToken: 2, progress: 1 }))).toHaveLength(1)
  })

  it("ends with the session", () => {
    expect(asked({ totalMs: 500 }).tell({ _tag: "Stopping" })).toEqual([
      stopTimer("total", 2),
      failed(2, { _tag: "Closed", method: "tools/call", why: "the client closed it" }),
      stopTimer("ask", 2),
      { _tag: "WithdrawAsk", ask: 2, reason: "the client closed it" },
      { _tag: "Close", reason: "the client closed it" }
    ])
  })

  it("is withdrawn by the id of the request made again", () => {
    const by = asked()
    by.tell(answered(2, { roots: [] }))
    expect(messages(by.tell({ _tag: "Abandoned", call: 2 }))).toEqual([
      note("notifications/cancelled", { requestId: 3 })
    ])
    expect(by.hear(result(3, { content: [] }))).toMatchObject([{ report: { _tag: "Ignored" } }])
  })
})

describe("a server that asks for nothing but another try", () => {
  it("gets it after a while, with the state it gave", () => {
    const by = calling({}, { totalMs: 500 })
    expect(by.hear(asks(2, undefined, "later"))).toEqual([stopTimer("request", 2), startTimer("retry", 2, 100)])
    by.move()
    const outputs = by.tell(fired("retry", 2))
    expect(outputs).toMatchObject([stopTimer("retry", 2), { _tag: "Send" }, startTimer("request", 2, 1000)])
    expect(params(outputs)).toEqual({
      name: "t",
      arguments: { a: 1 },
      requestState: "later",
      _meta: envelope(declared, { progressToken: 3 })
    })
    expect(by.tell(fired("retry", 2))).toEqual([])
    expect(by.hear(asks(3, {}, "later"))[1]).toEqual(startTimer("retry", 2, 200))
  })

  it("gets it without the answers that it had before", () => {
    const by = calling()
    by.hear(asks(2, { a: roots }, "s"))
    by.tell(answered(1, { roots: [] }))
    by.hear(asks(3, {}))
    expect(Object.keys(params(by.tell(fired("retry", 2))))).toEqual(["name", "arguments", "_meta"])
  })

  it("is waited for no longer than in all, where progress restarts nothing", () => {
    const by = discovered(offered, both(everything))
    const limits = { totalMs: 500, resetOnProgress: false }
    expect(by.tell(called(2, "tools/call", { name: "t" }, limits)).slice(1)).toEqual([
      startTimer("request", 2, 1000),
      startTimer("total", 2, 500)
    ])
    by.hear(asks(2, undefined, "later"))
    const again = by.tell(fired("retry", 2))
    expect(params(again)["_meta"]).toEqual(envelope(declared))
    expect(by.hear(note("notifications/progress", { progressToken: 3, progress: 1 }))).toEqual([])
    by.hear(asks(3, undefined, "later"))
    by.move()
    expect(by.tell(fired("total", 2))).toEqual([
      stopTimer("retry", 2),
      stopTimer("total", 2),
      failed(2, { _tag: "TimedOut", method: "tools/call", ms: 500, total: true })
    ])
    expect(by.tell(fired("retry", 2))).toEqual([])
  })

  it("is given more time each round, and not for ever", () => {
    const by = calling({ maxRounds: 9 })
    const waits: Array<number> = []
    for (let id = 2; id < 10; id++) {
      for (const output of by.hear(asks(id, undefined, "later")))
        if (output._tag === "StartTimer") waits.push(output.ms)
      by.tell(fired("retry", 2))
    }
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000])
    expect(by.hear(asks(10, undefined, "later"))).toEqual([
      stopTimer("request", 2),
      failed(2, { _tag: "TooManyRounds", method: "tools/call", rounds: 9 })
    ])
  })

  it("is left when the caller is gone, and hears nothing of it", () => {
    const by = calling()
    by.hear(asks(2, undefined, "later"))
    expect(by.tell({ _tag: "Abandoned", call: 2 })).toEqual([
      stopTimer("retry", 2),
      failed(2, { _tag: "Abandoned", method: "tools/call", reason: undefined })
    ])
    expect(by.tell(fired("retry", 2))).toEqual([])
    const over = calling()
    over.hear(asks(2, undefined, "later"))
    expect(over.tell(fired("request", 2))).toEqual([])
    expect(over.tell({ _tag: "PeerClosed", detail: "gone" })[0]).toEqual(stopTimer("retry", 2))
  })
})

describe("the number of rounds", () => {
  it("is sixteen when nothing else is said", () => {
    const by = calling()
    for (let id = 2; id < 17; id++) {
      by.hear(asks(id, { a: roots }))
      by.tell(answered(id - 1, { roots: [] }))
    }
    expect(by.hear(asks(17, { a: roots }))).toEqual([
      stopTimer("request", 2),
      failed(2, { _tag: "TooManyRounds", method: "tools/call", rounds: 16 })
    ])
  })
})

describe("params", () => {
  it("that have answers of their own go out as they are, and are made again without them", () => {
    const by = discovered(offered, both(everything))
    const own = { name: "t", inputResponses: { x: { action: "cancel" } }, requestState: "kept" }
    expect(params(by.tell(called(2, "tools/call", own)))).toEqual({ ...own, _meta: envelope(declared) })
    by.hear(asks(2, { a: roots }))
    expect(params(by.tell(answered(1, { roots: [] })))).toEqual({
      name: "t",
      inputResponses: { a: { roots: [] } },
      _meta: envelope(declared)
    })
  })
})
