/** Questions inside a result, and the retry that answers them: what is sealed, what of it is believed, and what is asked again. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import type { RequestId } from "../../src/jsonrpc.js"
import { revisions } from "../../src/revisions/index.js"
import type { Input, Output, Question, ServerMachineOptions } from "../../src/server/index.js"
import {
  ask,
  cancelled,
  codes,
  define,
  enveloped,
  everything,
  initialize,
  initialized,
  messages,
  send,
  session,
  stamp
} from "./by-hand.js"

const both = define(everything, { revisions, prompts: [{ name: "p" }] })
const capabilities = "io.modelcontextprotocol/clientCapabilities"
const declared = { [capabilities]: { elicitation: {}, sampling: {}, roots: {} } }

const form = (message: string): JsonObject => ({ message, requestedSchema: { type: "object", properties: {} } })
const elicit = (key: string): Question => ({ key, method: "elicitation/create", params: form(key) })
const roots: Question = { key: "roots", method: "roots/list", params: undefined }
const accepted = { action: "accept", content: {} }

type Sealing = Extract<Output, { _tag: "Seal" }>
type Unsealing = Extract<Output, { _tag: "Unseal" }>

/** Anyone could read it and change it: that is for others to prevent. */
const tokenOf = ({ payload, bound }: Pick<Sealing, "payload" | "bound">) => JSON.stringify({ payload, bound })
const openedBy = ({ call, id, token, bound }: Unsealing): Input => {
  const inside = JSON.parse(token) as { payload: JsonObject; bound: string }
  return { _tag: "Unsealed", call, id, payload: inside.bound === bound ? inside.payload : undefined }
}

const running = (id: RequestId = 1, params: JsonObject = { name: "slow" }, options: ServerMachineOptions = {}) => {
  const by = session(both, options)
  by.hear(enveloped(id, "tools/call", params, declared))
  return by
}

/** The token that a first round comes to. */
const asked = (questions: ReadonlyArray<Question> = [elicit("a")], principal?: string, once: JsonObject = {}) => {
  const by = session(both)
  by.tell({
    _tag: "Received",
    json: enveloped(1, "tools/call", { name: "slow", arguments: { x: 1, y: [2] } }, declared),
    via: "a",
    principal
  })
  const [sealing] = by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions, once })
  return tokenOf(sealing as Sealing)
}

const retry = (token: unknown, inputResponses?: unknown, rest: JsonObject = {}, principal?: string) => {
  const by = session(both)
  const params = { name: "slow", arguments: { y: [2], x: 1 }, requestState: token, inputResponses, ...rest }
  const json = enveloped(9, "tools/call", JSON.parse(JSON.stringify(params)) as JsonObject, declared)
  const outputs = by.tell({ _tag: "Received", json, via: "b", principal })
  return { by, outputs, resumed: () => by.tell(openedBy(outputs[0] as Unsealing)) }
}

describe("a handler that asks", () => {
  it("has what it remembers sealed, and then its questions sent as a result", () => {
    const by = running()
    expect(by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions: [elicit("a"), roots], once: { hold: 7 } })).toEqual(
      [
        {
          _tag: "Seal",
          call: 2,
          id: 1,
          payload: {
            asked: { a: "elicitation/create", roots: "roots/list" },
            answers: {},
            once: { hold: 7 },
            logged: 0
          },
          bound: '[null,"2026-07-28","tools/call",{"name":"slow"}]'
        }
      ]
    )
    expect(by.tell({ _tag: "Sealed", call: 2, id: 1, token: "t" })).toEqual([
      send({
        jsonrpc: "2.0",
        id: 1,
        result: {
          ...stamp,
          resultType: "input_required",
          inputRequests: { a: { method: "elicitation/create", params: form("a") }, roots: { method: "roots/list" } },
          requestState: "t"
        }
      })
    ])
    expect(by.said(enveloped(1, "tools/list"))).toMatchObject([{ result: {} }])
  })

  it.each<[string, ReadonlyArray<Question>]>([
    ["nothing", []],
    ["twice under one key", [elicit("a"), elicit("a")]],
    ["what is no question", [{ key: "a", method: "ping", params: undefined }]]
  ])("%s has failed", (_, questions) =>
    expect(messages(running().tell({ _tag: "NeedsInput", call: 1, id: 1, questions, once: {} }))).toMatchObject([
      { result: { isError: true } }
    ])
  )

  const url: Question = { key: "u", method: "elicitation/create", params: { mode: "url", message: "m", url: "a:b" } }
  const sampled: Question = { key: "s", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }

  it.each<[JsonObject, ReadonlyArray<Question>, JsonObject]>([
    [{}, [elicit("a")], { elicitation: {} }],
    [{ elicitation: { url: {} } }, [elicit("a")], { elicitation: { form: {} } }],
    [{ elicitation: {} }, [url], { elicitation: { url: {} } }],
    [{}, [elicit("a"), url, roots, sampled], { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} }],
    [{ roots: {} }, [roots, sampled], { sampling: {} }]
  ])("of who declared %j asks %j: that is -32021", (announced, questions, requiredCapabilities) => {
    for (const [method, params] of [
      ["tools/call", { name: "slow" }],
      ["prompts/get", { name: "p" }],
      ["resources/read", { uri: "a:1" }]
    ] as const) {
      const by = session(both)
      by.hear(enveloped(1, method, params, { [capabilities]: announced }))
      const outputs = by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions, once: {} })
      expect(messages(outputs)).toMatchObject([{ id: 1, error: { code: -32021 } }])
      expect(messages(outputs)).toHaveProperty("0.error.data", { requiredCapabilities })
      expect(outputs).toContainEqual(
        expect.objectContaining({ report: expect.objectContaining({ _tag: "Unsendable", method }) as unknown })
      )
      expect(by.state().inFlight.size).toBe(0)
    }
  })

  it("where nobody is to be asked has failed", () => {
    const by = session(both)
    by.hear(
      enveloped(
        1,
        "completion/complete",
        { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } },
        declared
      )
    )
    expect(
      codes(messages(by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions: [elicit("a")], once: {} })))
    ).toEqual([-32603])
  })

  it("and remembers too much has failed", () => {
    const by = running(1, { name: "slow" }, { maxSealed: 100 })
    const outputs = by.tell({
      _tag: "NeedsInput",
      call: 1,
      id: 1,
      questions: [elicit("a")],
      once: { x: "x".repeat(99) }
    })
    const told = expect.stringMatching(
      /^The tool slow failed: what it remembers between its questions has 1\d\d characters of JSON, and 100 are the limit\.$/
    ) as unknown
    expect(messages(outputs)).toMatchObject([{ result: { isError: true, content: [{ text: told }] } }])
    const why = expect.stringMatching(
      /has 1\d\d characters of JSON, and 100 are the limit: keep it elsewhere/
    ) as unknown
    expect(outputs).toMatchObject([{ _tag: "Report", report: { _tag: "Unsendable", why } }, {}, ...outputs.slice(2)])
  })

  it("fails when nobody can seal", () => {
    const by = running()
    by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions: [elicit("a")], once: {} })
    const text = "The tool slow failed: what it remembers between its questions could not be sealed."
    expect(messages(by.tell({ _tag: "Sealed", call: 2, id: 1, token: undefined }))).toMatchObject([
      { result: { isError: true, content: [{ text }] } }
    ])
  })

  it("is not heard of again when its request is cancelled meanwhile", () => {
    const by = running()
    by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions: [elicit("a")], once: {} })
    expect(by.hear(cancelled(1))).toMatchObject([{ _tag: "Report", report: { _tag: "Cancelled" } }])
    expect(messages(by.tell({ _tag: "Sealed", call: 2, id: 1, token: "t" }))).toEqual([])
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: { content: [] } }))).toEqual([])
  })
})

describe("a retry", () => {
  it("runs the handler with the answers, wherever it arrives", () => {
    const { outputs, resumed } = retry(
      asked([elicit("a"), roots], "ann", { hold: 7 }),
      { a: accepted, other: 1, roots: { roots: [] } },
      {},
      "ann"
    )
    expect(outputs).toMatchObject([{ _tag: "Unseal", call: 1, id: 9 }])
    expect(resumed()).toMatchObject([
      {
        _tag: "Invoke",
        call: 1,
        id: 9,
        target: { _tag: "Tool", name: "slow" },
        answers: { a: { _tag: "Answered", result: accepted }, roots: { _tag: "Answered", result: { roots: [] } } },
        once: { hold: 7 }
      }
    ])
  })

  it("that answers some is asked for the rest, and remembers the first", () => {
    const { by, resumed } = retry(asked([elicit("a"), elicit("b")]), { a: accepted })
    const [invoke] = resumed() as [Extract<Output, { _tag: "Invoke" }>]
    expect(invoke.answers).toEqual({ a: { _tag: "Answered", result: accepted } })
    const [sealing] = by.tell({ _tag: "NeedsInput", call: 1, id: 9, questions: [elicit("b")], once: {} })
    expect(sealing).toMatchObject({
      payload: { asked: { b: "elicitation/create" }, answers: { a: { _tag: "Answered", result: accepted } } }
    })
  })

  it.each<[string, ReturnType<typeof retry>]>([
    ["of another user", retry(asked(), { a: accepted }, {}, "bob")],
    ["of nobody, when a user was asked", retry(asked([elicit("a")], "ann"), { a: accepted })],
    ["of another tool", retry(asked(), { a: accepted }, { name: "echo" })],
    ["with other arguments", retry(asked(), { a: accepted }, { arguments: { x: 2, y: [2] } })],
    [
      "with a state that asked for what is no text",
      retry(
        tokenOf({
          payload: { asked: { a: 7 }, answers: {}, once: {}, logged: 0 },
          bound: '[null,"2026-07-28","tools/call",{"arguments":{"x":1,"y":[2]},"name":"slow"}]'
        }),
        {}
      )
    ],
    [
      "with a state that holds something else",
      retry(
        tokenOf({ payload: {}, bound: '[null,"2026-07-28","tools/call",{"arguments":{"x":1,"y":[2]},"name":"slow"}]' }),
        {}
      )
    ]
  ])("%s is refused, and no handler runs", (_, { resumed }) => {
    const outputs = resumed()
    expect(codes(messages(outputs))).toEqual([-32602])
    expect(outputs.some(({ _tag }) => _tag === "Invoke")).toBe(false)
  })

  it("with a state that is too long is refused unopened", () =>
    expect(codes(messages(retry("x".repeat(270_000)).outputs))).toEqual([-32602]))

  it("whose answer does not fit its question is refused, naming it", () => {
    const [reply] = messages(retry(asked(), { a: { action: "perhaps" } }).resumed())
    expect(reply).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("inputResponses.a.action") }
    })
  })

  it.each([null, 1, []])("whose answers are %j is refused", (responses) =>
    expect(codes(messages(retry("t", responses).outputs))).toEqual([-32602])
  )

  it("of what may be kept comes with the advice not to", () => {
    const by = session(both)
    by.hear(enveloped(1, "resources/read", { uri: "a:1" }, declared))
    const [sealing] = by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions: [elicit("a")], once: {} })
    const requestState = tokenOf(sealing as Sealing)
    by.tell({ _tag: "Sealed", call: 2, id: 1, token: requestState })
    const [unsealing] = by.hear(enveloped(2, "resources/read", { uri: "a:1", requestState }, declared))
    const [invoke] = by.tell(openedBy(unsealing as Unsealing)) as [Extract<Output, { _tag: "Invoke" }>]
    const result = { contents: [], ttlMs: 9, cacheScope: "public" }
    expect(messages(by.tell({ _tag: "Succeeded", call: invoke.call, id: 2, result }))).toMatchObject([
      { result: { ttlMs: 0, cacheScope: "private", resultType: "complete" } }
    ])
  })

  it("does not repeat logs sent before the question", () => {
    const by = session(both)
    const level = { ...declared, "io.modelcontextprotocol/logLevel": "debug" }
    by.hear(enveloped(1, "tools/call", { name: "slow" }, level))
    const log = (call: number, id: number) =>
      messages(by.tell({ _tag: "Logged", level: "info", data: 1, about: { call, id } })).length
    expect(log(1, 1)).toBe(1)
    const [sealing] = by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions: [elicit("a")], once: {} })
    const requestState = tokenOf(sealing as Sealing)
    const [unsealing] = by.hear(enveloped(2, "tools/call", { name: "slow", requestState }, level))
    const [invoke] = by.tell(openedBy(unsealing as Unsealing)) as [Extract<Output, { _tag: "Invoke" }>]
    expect([log(invoke.call, 2), log(invoke.call, 2)]).toEqual([0, 1])
  })

  it("is no such thing where there are none", () => {
    const by = session(both)
    by.hear(initialize("2025-11-25"))
    by.hear(initialized)
    expect(by.hear(ask(1, "tools/call", { name: "slow", requestState: "t" }))).toMatchObject([{ _tag: "Invoke" }])
    const completing = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" }, requestState: "t" }
    expect(by.hear(enveloped(2, "completion/complete", completing))).toMatchObject([{ _tag: "Invoke" }])
  })

  it("that is cancelled before its state is open is not heard of again", () => {
    const { by, outputs } = retry(asked(), { a: accepted })
    expect(by.hear(cancelled(9))).toMatchObject([{ _tag: "Report", report: { _tag: "Cancelled" } }])
    expect(by.tell(openedBy(outputs[0] as Unsealing))).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored" } }])
  })

  it("is not believed when a seal comes that nobody asked for", () => {
    const by = running()
    expect(messages(by.tell({ _tag: "Sealed", call: 1, id: 1, token: "t" }))).toEqual([])
    expect(by.tell({ _tag: "Unsealed", call: 1, id: 1, payload: {} })).toMatchObject([{ _tag: "Report" }])
  })
})

describe("elsewhere", () => {
  it("what is being sealed is sealed again", () => {
    const by = running()
    const before = by.tell({ _tag: "NeedsInput", call: 1, id: 1, questions: [elicit("a")], once: { hold: 7 } })
    by.move()
    expect(by.tell({ _tag: "Resumed" })).toEqual(before)
    expect(messages(by.tell({ _tag: "Sealed", call: 2, id: 1, token: "t" }))).toMatchObject([
      { result: { resultType: "input_required" } }
    ])
  })

  it("what is being opened is opened again", () => {
    const { by, outputs, resumed } = retry(asked(), { a: accepted })
    by.move()
    expect(by.tell({ _tag: "Resumed" })).toEqual(outputs)
    expect(resumed()).toMatchObject([{ _tag: "Invoke", answers: { a: { result: accepted } } }])
  })
})

describe("answers without a state", () => {
  const needs = (
    by: ReturnType<typeof session>,
    call: number,
    questions: ReadonlyArray<Question>,
    once: JsonObject = {}
  ) => by.tell({ _tag: "NeedsInput", call, id: 9, questions, once })

  it("are a fresh start, and are there when their question comes", () => {
    const { by, outputs } = retry(undefined, { a: accepted, "nobody asked": 7 })
    expect(outputs).toMatchObject([{ _tag: "Invoke", call: 1, answers: undefined }])
    expect(needs(by, 1, [elicit("a")], { hold: 7 })).toMatchObject([
      { _tag: "Invoke", call: 2, id: 9, answers: { a: { _tag: "Answered", result: accepted } }, once: { hold: 7 } }
    ])
    const result = { content: [] }
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: 9, result }))).toEqual([])
    expect(messages(by.tell({ _tag: "Succeeded", call: 2, id: 9, result }))).toMatchObject([{ result }])
  })

  it("are taken round by round, and what is missing is asked for", () => {
    const { by } = retry(undefined, { a: accepted, b: accepted })
    needs(by, 1, [elicit("a")])
    const both = { a: { _tag: "Answered", result: accepted }, b: { _tag: "Answered", result: accepted } }
    expect(needs(by, 2, [elicit("b"), roots])).toMatchObject([{ _tag: "Invoke", call: 3, answers: both }])
    expect(needs(by, 3, [roots])).toMatchObject([
      { _tag: "Seal", payload: { asked: { roots: "roots/list" }, answers: both } }
    ])
  })

  it("answer a key once: who asks by it again asks the client", () => {
    const { by } = retry(undefined, { a: accepted })
    needs(by, 1, [elicit("a")])
    expect(needs(by, 2, [elicit("a")])).toMatchObject([
      { _tag: "Seal", payload: { asked: { a: "elicitation/create" } } }
    ])
  })

  it("that do not fit their question are refused, naming it", () => {
    const { by } = retry(undefined, { a: { action: "perhaps" } })
    expect(messages(needs(by, 1, [elicit("a")]))).toMatchObject([
      { error: { code: -32602, message: expect.stringContaining("inputResponses.a.action") as unknown } }
    ])
    expect(by.state().inFlight.size).toBe(0)
  })

  it("come with a state, and were not asked for by it: they are ignored", () => {
    const { by, resumed } = retry(asked([elicit("a")]), { a: accepted, b: accepted })
    resumed()
    expect(needs(by, 1, [elicit("b")])).toMatchObject([{ _tag: "Seal" }])
  })
})
