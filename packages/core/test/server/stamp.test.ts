/** For how long results may be kept: what the definition says, what a handler says, and what nobody may say. */
import { describe, expect, it } from "vitest"
import type { Caching } from "../../src/definition.js"
import type { JsonObject } from "../../src/json.js"
import { handshakeRevisions, revisions } from "../../src/revisions/index.js"
import { serverMachine } from "../../src/server/index.js"
import { ask, define, enveloped, everything, messages, ready, session, stamp, tool } from "./by-hand.js"

const minute: Caching = { ttlMs: 60_000, cacheScope: "public" }
const unkept: Caching = { ttlMs: 0, cacheScope: "private" }
const capabilities = "io.modelcontextprotocol/clientCapabilities"
const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]

const served = (caching: Readonly<Record<string, Caching>>) =>
  session(define(everything, { revisions, caching, pageSize: 1, tools: [tool("a"), tool("b")] }))

const hints = (message: unknown) => {
  const { ttlMs, cacheScope } = (message as { result: JsonObject }).result
  return { ttlMs, cacheScope }
}

describe("a result may be kept", () => {
  it.each(["server/discover", ...lists])("of %s as long as the definition says", (method) => {
    const by = served({ [method]: minute })
    expect(by.said(enveloped(1, method)).map(hints)).toEqual([minute])
    const alone: Caching = { ttlMs: 1, cacheScope: "private" }
    expect(
      served({ [method]: alone })
        .said(enveloped(1, method))
        .map(hints)
    ).toEqual([alone])
    for (const other of lists) if (other !== method) expect(by.said(enveloped(1, other)).map(hints)).toEqual([unkept])
  })

  it("on every page alike", () => {
    const by = served({ "tools/list": minute })
    const [first] = by.said(enveloped(1, "tools/list")) as [{ result: { nextCursor: string } }]
    const [second] = by.said(enveloped(2, "tools/list", { cursor: first.result.nextCursor })) as [{ result: object }]
    expect([hints(first), hints(second)]).toEqual([minute, minute])
    expect(second.result).toMatchObject({ tools: [{ name: "b" }] })
  })

  const read = (params: JsonObject, result: JsonObject) => {
    const by = served({ "resources/read": minute })
    by.hear(enveloped(1, "resources/read", { uri: "a:1", ...params }, { [capabilities]: { roots: {} } }))
    const [unsealing] = "requestState" in params ? [{ asked: {}, answers: {}, once: {}, logged: 0 }] : []
    if (unsealing !== undefined) by.tell({ _tag: "Unsealed", call: 1, id: 1, payload: unsealing })
    return messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: { contents: [], ...result } })).map(hints)
  }

  it("of a resource as its handler says, and else as the definition does", () => {
    expect(read({}, {})).toEqual([minute])
    expect(read({}, { ttlMs: 5, cacheScope: "private" })).toEqual([{ ttlMs: 5, cacheScope: "private" }])
    expect(read({}, { ttlMs: 5 })).toEqual([{ ttlMs: 5, cacheScope: "public" }])
  })

  it("by nobody when it came with answers", () => {
    for (const params of [{ requestState: "s" }, { inputResponses: {} }, { requestState: "s", inputResponses: {} }])
      expect(read(params, { ttlMs: 5, cacheScope: "public" })).toEqual([unkept])
  })
})

it("a result that is never kept says nothing of it, whatever it came with", () => {
  const by = served({})
  by.hear(enveloped(1, "tools/call", { name: "a", inputResponses: {} }))
  const [message] = messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: { content: [], _meta: {} } }))
  expect(message).toEqual({ jsonrpc: "2.0", id: 1, result: { content: [], ...stamp } })
})

it.each<[string, unknown]>([
  ["tools/call", minute],
  ["nope", minute],
  ["constructor", minute],
  ["tools/list", { ttlMs: -1, cacheScope: "public" }],
  ["tools/list", { ttlMs: 1.5, cacheScope: "public" }],
  ["tools/list", { ttlMs: "1", cacheScope: "public" }],
  ["tools/list", { ttlMs: 1, cacheScope: "shared" }],
  ["tools/list", { ttlMs: 1 }]
])("no server is made of what is said wrong of %s: %j", (method, caching) => {
  const definition = define(everything, { revisions, caching: { [method]: caching as Caching } })
  expect(() => serverMachine(definition)).toThrow(TypeError)
  expect(() => serverMachine(definition)).toThrow(`caching: ${method === "tools/list" ? "" : "no result of "}${method}`)
})

it("a result says nothing by a name that would become its prototype", () => {
  const hostile = JSON.parse('{"contents":[],"__proto__":{"a":1},"_meta":{"__proto__":{"b":1},"c":2}}') as JsonObject
  const by = session(define(everything, { revisions }))
  by.hear(enveloped(1, "resources/read", { uri: "a:1" }))
  Object.freeze(hostile["_meta"])
  const [{ result }] = messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: Object.freeze(hostile) })) as [
    { result: { _meta: object } }
  ]
  for (const one of [result, result._meta]) {
    expect(Object.getPrototypeOf(one)).toBe(Object.prototype)
    expect(Object.hasOwn(one, "__proto__")).toBe(false)
  }
  expect(result).toEqual({ contents: [], ...unkept, resultType: "complete", _meta: { c: 2, ...stamp._meta } })
})

it("nobody is told where results say nothing of the kind", () => {
  const definition = define(everything, { revisions: handshakeRevisions, caching: { "tools/list": minute } })
  const [message] = ready("2025-11-25", definition).said(ask(1, "tools/list"))
  expect(hints(message)).toEqual({ ttlMs: undefined, cacheScope: undefined })
})
