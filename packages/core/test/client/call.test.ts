/** A call: sent when the server declared it, settled once, by a reply, a timer, its caller, or the end. */
import { describe, expect, it } from "vitest"
import { without } from "../announcement.js"
import {
  called,
  error,
  failed,
  ignored,
  messages,
  offered,
  opened,
  result,
  revisionNames,
  send,
  startTimer,
  stopTimer,
  succeeded
} from "./by-hand.js"

describe("a call", () => {
  it("is sent with a time limit, and settled by its reply", () => {
    const by = opened()
    expect(by.tell(called(2, "tools/list"))).toStrictEqual([
      send({ jsonrpc: "2.0", id: 2, method: "tools/list" }),
      startTimer("request", 2, 1000)
    ])
    expect(by.hear(result(2, { tools: [] }))).toEqual([stopTimer("request", 2), succeeded(2, { tools: [] })])
    expect(by.hear(result(2, { tools: [] }))).toEqual([
      ignored("a reply to no request of ours that is in flight", undefined, 2)
    ])
  })

  it("is settled by an error as the server said it", () => {
    const by = opened()
    by.tell(called(2, "ping"))
    expect(by.hear(error(2, -32603, "no", { a: 1 }))).toEqual([
      stopTimer("request", 2),
      failed(2, { _tag: "Answered", method: "ping", error: { code: -32603, message: "no", data: { a: 1 } } })
    ])
    expect(by.hear(error(2, -32603, "again"))).toEqual([ignored("again", undefined, 2)])
  })

  it("is settled as failed by a result of a wrong shape", () => {
    const by = opened()
    by.tell(called(2, "tools/call", { name: "a" }))
    expect(by.hear(result(2, {}))).toEqual([
      stopTimer("request", 2),
      failed(2, { _tag: "ResultInvalid", method: "tools/call", problem: { at: "content", expected: "an array" } })
    ])
  })

  it("is not settled by a reply under an id of another type, or none", () => {
    const by = opened()
    by.tell(called(2, "ping"))
    for (const reply of [result("2"), error("2", 1), error(null, 1), error(undefined, 1)])
      expect(by.hear(reply)).toMatchObject([{ _tag: "Report" }])
    expect(by.hear(result(2))).toHaveLength(2)
  })

  it("is not settled by an error that names no request, which is reported as such", () => {
    const by = opened()
    by.tell(called(2, "ping"))
    expect(by.hear(error(null, -32700, "Parse error"))).toEqual([ignored("Parse error")])
  })

  it("has a number greater than all before", () => {
    const by = opened()
    by.tell(called(5, "ping"))
    for (const number of [5, 4, 1, 2.5, Number.NaN])
      expect(by.tell(called(number, "ping"))).toEqual([
        failed(number, { _tag: "NotOpen", method: "ping", why: `the call's number ${number} is not greater than 5` })
      ])
    expect(messages(by.tell(called(6, "ping")))).toHaveLength(1)
  })

  it("hands its params on as they are when nobody asks for progress", () => {
    const params = { name: "a", arguments: { b: 1 } }
    const [sent] = opened().tell(called(2, "tools/call", params)) as ReadonlyArray<{ message?: { params: unknown } }>
    expect(sent?.message?.params).toBe(params)
  })
})

/** Every request of a client's but ping and initialize: what it needs, params it takes, params it does not. */
const requests: ReadonlyArray<
  readonly [method: string, needs: string, good: Record<string, never> | object, bad: object]
> = [
  ["tools/list", "tools", {}, { cursor: 1 }],
  ["tools/call", "tools", { name: "a" }, {}],
  ["prompts/list", "prompts", {}, { cursor: 1 }],
  ["prompts/get", "prompts", { name: "a" }, {}],
  ["resources/list", "resources", {}, { cursor: 1 }],
  ["resources/templates/list", "resources", {}, { cursor: 1 }],
  ["resources/read", "resources", { uri: "u" }, {}],
  ["resources/subscribe", "resources.subscribe", { uri: "u" }, {}],
  ["resources/unsubscribe", "resources.subscribe", { uri: "u" }, {}],
  [
    "completion/complete",
    "completions",
    { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } },
    {}
  ],
  ["logging/setLevel", "logging", { level: "info" }, { level: "loud" }],
  ["tasks/get", "tasks", { taskId: "t" }, {}],
  ["tasks/result", "tasks", { taskId: "t" }, {}],
  ["tasks/list", "tasks.list", {}, { cursor: 1 }],
  ["tasks/cancel", "tasks.cancel", { taskId: "t" }, {}]
]

describe.each(revisionNames)("on %s", (revision) => {
  const there = requests.filter(([method]) => revision === "2025-11-25" || !method.startsWith("tasks/"))

  it.each(there)("%s is sent when the server declared %s, and its params are right", (method, _, good, bad) => {
    const by = opened(revision)
    expect(messages(by.tell(called(2, method, good as {})))).toEqual([{ jsonrpc: "2.0", id: 2, method, params: good }])
    expect(by.tell(called(3, method, bad as {}))).toMatchObject([
      { _tag: "Settle", call: 3, outcome: { error: { _tag: "ParamsInvalid", method } } }
    ])
    expect(by.tell(called(3, method, { ...good, _meta: { progressToken: 1.5 } }))).toMatchObject([{ _tag: "Settle" }])
  })

  it.each(there)("%s is not sent when the server did not declare %s", (method, needs, good) => {
    const by = opened(revision, without(offered, needs))
    const outputs = by.tell(called(2, method, good as {}))
    if (revision === "2024-11-05" && method === "completion/complete") expect(messages(outputs)).toHaveLength(1)
    else
      expect(outputs).toEqual([
        failed(2, {
          _tag: "MethodUndeclared",
          method,
          needs,
          declared: Object.keys((by.state().phase as { peer: { capabilities: object } }).peer.capabilities)
        })
      ])
  })

  it("nothing is sent that is no request of a client's", () => {
    const by = opened(revision)
    for (const method of [
      "roots/list",
      "sampling/createMessage",
      "initialize",
      "notifications/initialized",
      "constructor",
      "__proto__",
      "nope"
    ])
      expect(by.tell(called(2, method, {}))).toEqual([failed(2, { _tag: "MethodUnknown", method, revision })])
    if (revision !== "2025-11-25")
      expect(by.tell(called(2, "tasks/list"))).toMatchObject([{ outcome: { error: { _tag: "MethodUnknown" } } }])
  })

  it("a ping needs nothing", () => {
    expect(messages(opened(revision, {}).tell(called(2, "ping")))).toEqual([{ jsonrpc: "2.0", id: 2, method: "ping" }])
  })
})

describe("a list with one bad item, or a cursor that is null", () => {
  it("is a result all the same: items have a check of their own", () => {
    const by = opened()
    by.tell(called(2, "tools/list"))
    const page = { tools: [{ name: "good", inputSchema: { type: "object" } }, { name: "bad" }, null], nextCursor: null }
    expect(by.hear(result(2, page))).toEqual([stopTimer("request", 2), succeeded(2, page)])
  })
})
