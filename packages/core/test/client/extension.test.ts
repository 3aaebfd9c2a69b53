/** What an extension adds is used only where both sides announced it. */
import { describe, expect, it } from "vitest"
import { problem } from "../../src/check.js"
import { extended } from "../../src/extension.js"
import type { JsonObject } from "../../src/json.js"
import { handshakeRevisions, v2026_07_28 } from "../../src/revisions/index.js"
import { notification, request } from "../../src/row.js"
import {
  both,
  called,
  discovered,
  failed,
  messages,
  note,
  opened,
  result,
  session as byHand,
  unannounced
} from "./by-hand.js"

const id = "com.example/parley-test"
const subscriptionId = "io.modelcontextprotocol/subscriptionId"
const anything = () => undefined
const named = (value: unknown) =>
  typeof (value as JsonObject)["name"] === "string" ? undefined : problem("name", "a string")
const extension = {
  id,
  client: { "things/get": request("client", named, named) },
  server: {
    "notifications/things/changed": notification("server", anything, { stream: true, filter: "thingsChanged" })
  },
  results: { "tools/call": { thing: named } }
}
const revisions = [v2026_07_28, ...handshakeRevisions].map((revision) => extended(revision, [extension]))
const extensions = { [id]: {} }
const capabilities = { tools: {}, extensions }
const session = (ours: JsonObject = { extensions }, theirs: JsonObject = capabilities) =>
  discovered(theirs, both(ours, { revisions }))

describe("an extension that both sides announced", () => {
  it("brings requests, whose params and results are checked", () => {
    const by = session()
    expect(messages(by.tell(called(2, "things/get", { name: "a" })))).toMatchObject([
      { method: "things/get", params: { name: "a" } }
    ])
    expect(by.hear(result(2, {}))).toMatchObject([{}, { outcome: { error: { _tag: "ResultInvalid" } } }])
    expect(by.tell(called(3, "things/get", {}))).toMatchObject([{ outcome: { error: { _tag: "ParamsInvalid" } } }])
  })

  it("brings types of result, which are handed out as they are", () => {
    const by = session()
    by.tell(called(2, "tools/call", { name: "t" }))
    const thing = { resultType: "thing", name: "a" }
    expect(by.hear(result(2, thing))[1]).toEqual({
      _tag: "Settle",
      call: 2,
      outcome: { _tag: "Succeeded", result: thing }
    })
    by.tell(called(3, "tools/call", { name: "t" }))
    expect(by.hear(result(3, { resultType: "thing" }))).toMatchObject([
      {},
      { outcome: { error: { _tag: "ResultInvalid", problem: { at: "name" } } } }
    ])
    by.tell(called(4, "tools/call", { name: "t" }))
    expect(by.hear(result(4, { resultType: ["thing"], name: "a", content: [] }))).toMatchObject([
      {},
      {
        outcome: {
          error: {
            _tag: "ResultInvalid",
            problem: { at: "resultType", expected: '"complete" or "input_required" or "thing", not what is no text' }
          }
        }
      }
    ])
  })

  it("brings what streams tell", () => {
    const by = session()
    by.tell(called(2, "subscriptions/listen", { notifications: { thingsChanged: true } }))
    const params = { _meta: { [subscriptionId]: 2 } }
    by.hear(note("notifications/subscriptions/acknowledged", { ...params, notifications: { thingsChanged: true } }))
    expect(by.hear(note("notifications/things/changed", params))).toEqual([
      { _tag: "Notice", method: "notifications/things/changed", params, about: 2 }
    ])
  })
})

describe("what an extension tells on a stream", () => {
  const naming = Object.assign({}, extension.server["notifications/things/changed"], { by: "name" })
  const named = extended(v2026_07_28, [{ ...extension, server: { "notifications/things/changed": naming } }])
  const told = (by: ReturnType<typeof session>, wish: unknown, promise: unknown, params: object = { name: "a" }) => {
    by.tell(called(2, "subscriptions/listen", { notifications: { thingsChanged: wish } as JsonObject }))
    const meta = { _meta: { [subscriptionId]: 2 } }
    const began = by.hear(
      note("notifications/subscriptions/acknowledged", { ...meta, notifications: { thingsChanged: promise } })
    )
    expect(began[1]).toMatchObject({ _tag: "Acknowledged" })
    return by.hear(note("notifications/things/changed", { ...params, ...meta }))[0]!._tag
  }

  it.each<[unknown, unknown, string]>([
    [["a"], ["a"], "Notice"],
    [["a", "b"], ["b", "a"], "Notice"],
    [["a", "b"], ["b"], "Report"],
    [["b"], ["b", "a"], "Report"],
    [["a"], true, "Report"],
    [true, ["a"], "Report"],
    [undefined, ["a"], "Report"]
  ])("when %j was wanted and %j is promised comes as a %s", (wish, promise, comes) =>
    expect(told(discovered(capabilities, both({ extensions }, { revisions: [named] })), wish, promise)).toBe(comes)
  )

  it.each([{ name: "a/b" }, { name: ["a"] }, {}])("is not what was wanted when it is of %j", (params) => {
    const by = discovered(capabilities, both({ extensions }, { revisions: [named] }))
    expect(told(by, ["a"], ["a"], params)).toBe("Report")
  })

  it("is wanted by no list where its row names nothing", () => {
    expect(told(session(), ["a"], ["a"])).toBe("Report")
    expect(told(session(), true, true)).toBe("Notice")
  })

  it("is not heard before the opening, whatever its row says", () => {
    const early = Object.assign({}, extension.server["notifications/things/changed"], { when: "always" as const })
    const eager = extended(v2026_07_28, [{ ...extension, server: { "notifications/things/changed": early } }])
    const by = byHand(both({ extensions }, { revisions: [eager] }))
    by.tell({ _tag: "Open" })
    expect(by.hear(note("notifications/things/changed", {}))).toMatchObject([
      unannounced("notifications/things/changed", `extensions.${id}`)
    ])
  })
})

describe("an extension that one side did not announce", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["the server", { extensions }, { tools: {} }],
    ["the client", {}, capabilities],
    ["the client, but for another,", { extensions: { "com.example/other": {} } }, capabilities]
  ])("%s, brings nothing", (_, ours, theirs) => {
    const by = session(ours, theirs)
    expect(by.tell(called(2, "things/get", { name: "a" }))).toEqual([
      failed(2, {
        _tag: "MethodUndeclared",
        method: "things/get",
        needs: `extensions.${id}`,
        declared: Object.keys(theirs)
      })
    ])
    by.tell(called(3, "tools/call", { name: "t" }))
    expect(by.hear(result(3, { resultType: "thing", name: "a", content: [] }))).toMatchObject([
      {},
      {
        outcome: {
          error: {
            _tag: "ResultInvalid",
            problem: { at: "resultType", expected: '"complete" or "input_required", not "thing"' }
          }
        }
      }
    ])
    expect(by.hear(note("notifications/things/changed", {}))).toMatchObject([
      unannounced("notifications/things/changed", `extensions.${id}`)
    ])
  })

  it("is not there at all in a revision without extensions", () => {
    const by = opened("2025-11-25", capabilities, both({ extensions }, { revisions: revisions.slice(1) }))
    expect(by.tell(called(2, "things/get", { name: "a" }))).toMatchObject([
      { outcome: { error: { _tag: "MethodUnknown" } } }
    ])
  })
})
