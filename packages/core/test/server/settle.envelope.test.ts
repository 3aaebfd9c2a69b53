/** What becomes of a request that says who asks: stamps on its result, its own logs, and the errors of its revision. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { revisions, v2026_07_28 } from "../../src/revisions/index.js"
import type { CallFailure } from "../../src/server/index.js"
import {
  ask,
  codes,
  define,
  enveloped,
  everything,
  initialize,
  initialized,
  messages,
  peer,
  session,
  stamp,
  tool
} from "./by-hand.js"

const both = define(everything, {
  revisions,
  prompts: [{ name: "p" }],
  requires: { slow: ["elicitation.url", "sampling.tools", "roots"] }
})
const level = "io.modelcontextprotocol/logLevel"
const capabilities = "io.modelcontextprotocol/clientCapabilities"

const running = (method: string, params: JsonObject = {}, meta: JsonObject = {}) => {
  const by = session(both)
  by.hear(enveloped(1, method, params, meta))
  return by
}

describe("a result", () => {
  const after = (method: string, params: JsonObject, result: JsonObject) =>
    messages(running(method, params).tell({ _tag: "Succeeded", call: 1, id: 1, result }))

  it("says that it is complete, and whose it is, beside what its handler says", () =>
    expect(after("tools/call", { name: "echo" }, { content: [], _meta: { own: 1 } })).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        result: { content: [], resultType: "complete", _meta: { own: 1, ...stamp._meta } }
      }
    ]))

  it("may have structured content of any kind", () =>
    expect(after("tools/call", { name: "echo" }, { content: [], structuredContent: null })).toMatchObject([
      { result: { structuredContent: null } }
    ]))

  it("of a resource may not be kept unless it says so", () => {
    expect(after("resources/read", { uri: "a:1" }, { contents: [] })).toMatchObject([
      { result: { contents: [], ttlMs: 0, cacheScope: "private", ...stamp } }
    ])
    const kept = { contents: [], ttlMs: 5, cacheScope: "public" }
    expect(after("resources/read", { uri: "a:1" }, kept)).toMatchObject([{ result: { ...kept, ...stamp } }])
    expect(codes(after("resources/read", { uri: "a:1" }, { ...kept, ttlMs: -1 }))).toEqual([-32603])
  })

  it("has no such hints where it is not kept", () => {
    const [reply] = after("prompts/get", { name: "p" }, { messages: [] }) as [{ result: object }]
    expect(reply.result).toMatchObject(stamp)
    expect(reply.result).not.toHaveProperty("ttlMs")
  })

  it("of another type than complete is not sent", () =>
    expect(codes(after("tools/call", { name: "echo" }, { content: [], resultType: "input_required" }))).toEqual([
      -32603
    ]))

  it("says nothing of the kind to older clients", () => {
    const by = session(both)
    by.hear(initialize("2025-11-25"))
    by.hear(initialized)
    by.hear(ask(1, "resources/read", { uri: "a:1" }))
    const result = { contents: [], ttlMs: 5, cacheScope: "public" }
    const [reply] = messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result })) as [{ result: object }]
    expect(reply.result).not.toHaveProperty("resultType")
    expect(reply.result).not.toHaveProperty("_meta")
  })
})

describe("an error", () => {
  const outputs = (failure: CallFailure) =>
    running("resources/read", { uri: "a:1" }).tell({ _tag: "Failed", call: 1, id: 1, failure })
  const after = (failure: CallFailure) => messages(outputs(failure))

  it("of a resource that is not there has the revision's code", () =>
    expect(after({ _tag: "ResourceUnknown", uri: "a:1" })).toMatchObject([
      { error: { code: -32602, data: { uri: "a:1" } } }
    ]))

  it.each([
    [-32002, -32602],
    [-32042, -32603],
    [-32000, -32603],
    [-32099, -32603],
    [-32100, -32100],
    [-31999, -31999],
    [7, 7]
  ])("that a handler chose as %i has the code %i", (chosen, code) =>
    expect(after({ _tag: "Chosen", code: chosen, message: "m", data: 1 })).toMatchObject([
      { error: { code, message: "m", data: 1 } }
    ])
  )

  it.each([
    [-32002, false],
    [-32042, true],
    [7, false]
  ])("that a handler chose as %i is reported where it can not be said: %j", (code, isUnsaid) => {
    const why = `the error code ${code} is the specification's own`
    const reports = outputs({ _tag: "Chosen", code, message: "m", data: undefined }).flatMap((output) =>
      output._tag === "Report" && output.report._tag === "Unsendable" ? [output.report] : []
    )
    expect(reports).toMatchObject(isUnsaid ? [{ method: "resources/read", why }] : [])
  })

  it("that stands for another is reported", () => {
    const failure = { _tag: "Chosen", code: -32042, message: "m" } as const
    const outputs = running("resources/read", { uri: "a:1" }).tell({ _tag: "Failed", call: 1, id: 1, failure })
    expect(outputs).toContainEqual({
      _tag: "Report",
      report: {
        _tag: "Unsendable",
        method: "resources/read",
        why: "the error code -32042 is the specification's own",
        peer: peer("2026-07-28", {}, { name: "modern", version: "2" })
      }
    })
  })
})

describe("a tool that needs what its client did not declare", () => {
  it("is refused with all that it needs, and no handler runs", () =>
    expect(
      session(both).hear(enveloped(1, "tools/call", { name: "slow" }, { [capabilities]: { roots: {} } }))
    ).toMatchObject([
      {
        _tag: "Send",
        message: {
          id: 1,
          error: { code: -32021, data: { requiredCapabilities: { elicitation: { url: {} }, sampling: { tools: {} } } } }
        }
      },
      { _tag: "Report" }
    ]))

  it("runs where all is declared by the request itself", () => {
    const declared = { elicitation: { url: {} }, sampling: { tools: {} }, roots: {} }
    const by = session(both)
    expect(by.hear(enveloped(1, "tools/call", { name: "slow" }, { [capabilities]: declared }))).toMatchObject([
      { _tag: "Invoke", peer: { revision: "2026-07-28", capabilities: declared } }
    ])
    expect(codes(by.said(enveloped(2, "tools/call", { name: "slow" })))).toEqual([-32021])
  })
})

describe("logs", () => {
  const logged = (meta: JsonObject, about = true) =>
    messages(
      running("tools/call", { name: "echo" }, meta).tell({
        _tag: "Logged",
        level: "warning",
        data: "d",
        about: about ? { call: 1, id: 1 } : undefined
      })
    )

  it("go to the request that wants them, at its level", () => {
    const said = { jsonrpc: "2.0", method: "notifications/message", params: { level: "warning", data: "d" } }
    expect(logged({ [level]: "warning" })).toEqual([said])
    expect(logged({ [level]: "debug" })).toEqual([said])
    expect(logged({ [level]: "error" })).toEqual([])
    expect(logged({})).toEqual([])
  })

  it("that are about no request have nobody to go to", () => expect(logged({ [level]: "debug" }, false)).toEqual([]))

  it("of one kind of client have nothing to do with the level of the other", () => {
    const by = session(both)
    by.hear(initialize("2025-11-25"))
    by.hear(initialized)
    by.hear(ask("level", "logging/setLevel", { level: "debug" }))
    by.hear(enveloped(1, "tools/call", { name: "echo" }))
    by.hear(ask(2, "tools/call", { name: "echo" }))
    by.hear(enveloped(3, "tools/call", { name: "echo" }, { [level]: "error" }))
    const said = (call: number, id: number) =>
      messages(by.tell({ _tag: "Logged", level: "info", data: "d", about: { call, id } })).length
    expect([said(1, 1), said(2, 2), said(3, 3)]).toEqual([0, 1, 0])
  })
})

it("a tool may describe an output that is no object, and a listing says so only to who knows such", () => {
  const tools = [tool("t", { outputSchema: { type: "string" }, execution: { taskSupport: "optional" } })]
  const by = session(define(everything, { revisions: [v2026_07_28], tools }))
  expect(by.said(enveloped(1, "tools/list"))).toMatchObject([
    { result: { tools: [{ name: "t", inputSchema: { type: "object" }, outputSchema: { type: "string" } }] } }
  ])
})
