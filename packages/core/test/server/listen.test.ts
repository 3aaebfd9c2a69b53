/** Streams: what of a wish is honoured, who hears what, and how a stream ends. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import type { RequestId } from "../../src/jsonrpc.js"
import { revisions, v2026_07_28 } from "../../src/revisions/index.js"
import type { ServerMachineOptions } from "../../src/server/index.js"
import {
  ask,
  codes,
  define,
  enveloped,
  everything,
  initialize,
  initialized,
  messages,
  note,
  peer,
  send,
  session,
  stamp
} from "./by-hand.js"

const both = define(everything, { revisions })
const all = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ["a:1", "a:2"]
}
const subscriptionId = "io.modelcontextprotocol/subscriptionId"

const open = (id: RequestId, notifications: JsonObject = all) =>
  enveloped(id, "subscriptions/listen", { notifications })

const listening = (wishes: { readonly [id: string]: JsonObject } = { s: all }, options: ServerMachineOptions = {}) => {
  const by = session(both, options)
  for (const [id, wish] of Object.entries(wishes)) by.hear(open(id, wish), id)
  return by
}

const told = (method: string, params: JsonObject, id: RequestId, via = String(id)) =>
  send({ jsonrpc: "2.0", method, params: { ...params, _meta: { [subscriptionId]: id } } }, via, false)

describe("a wish", () => {
  const honoured = (capabilities: JsonObject, notifications: JsonObject) =>
    session(define(capabilities, { revisions: [v2026_07_28] })).hear(open(7, notifications))

  it("is acknowledged at once, and the request is not answered yet", () =>
    expect(honoured(everything, all)).toEqual([
      told("notifications/subscriptions/acknowledged", { notifications: all }, 7, "a")
    ]))

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["what was not declared", { tools: {}, resources: { listChanged: true } }, all, { resourcesListChanged: true }],
    ["what was not wanted", everything, { toolsListChanged: false }, {}],
    ["what we do not know", everything, { toolsListChanged: true, moonPhases: true }, { toolsListChanged: true }],
    ["everything, when nothing is declared", {}, all, {}],
    [
      "a URI that is there already",
      everything,
      { resourceSubscriptions: ["b", "a", "b"] },
      { resourceSubscriptions: ["b", "a"] }
    ],
    ["what no notification is for", everything, { undefined: true }, {}],
    ["nothing of an empty list", everything, { resourceSubscriptions: [] }, { resourceSubscriptions: [] }]
  ])("is honoured without %s", (_, capabilities, wish, notifications) =>
    expect(honoured(capabilities, wish)).toEqual([
      told("notifications/subscriptions/acknowledged", { notifications }, 7, "a")
    ])
  )

  it("of a wrong type is refused", () =>
    expect(codes(messages(honoured(everything, { toolsListChanged: "yes" })))).toEqual([-32602]))

  it("is refused beyond the limits", () => {
    const by = session(both, { maxListens: 1, maxSubscriptions: 2 })
    expect(codes(by.said(open(1, { resourceSubscriptions: ["a", "b", "c"] })))).toEqual([-32603])
    expect(codes(by.said(open(1, { resourceSubscriptions: ["a", "b"] })))).toEqual([undefined])
    expect(codes(by.said(open(2)))).toEqual([-32603])
  })

  it("holds its id", () => {
    const by = listening()
    expect(codes(by.said(open("s")))).toEqual([-32600])
    expect(codes(by.said(enveloped("s", "tools/list")))).toEqual([-32600])
  })
})

describe("a stream hears", () => {
  it("what it asked for, each in the order they came, and the session untagged", () => {
    const by = listening({ z: all, n: {}, a: { toolsListChanged: true } })
    by.hear(initialize("2025-11-25"))
    by.hear(initialized)
    expect(by.tell({ _tag: "Changed", families: ["tools", "prompts"] })).toEqual([
      told("notifications/tools/list_changed", {}, "z"),
      told("notifications/tools/list_changed", {}, "a"),
      { ...send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }, undefined, false), via: undefined },
      told("notifications/prompts/list_changed", {}, "z"),
      { ...send({ jsonrpc: "2.0", method: "notifications/prompts/list_changed" }, undefined, false), via: undefined }
    ])
  })

  it("of the resources it named, and not of those that the session did", () => {
    const by = listening({ s: { resourceSubscriptions: ["a:1"] } })
    by.hear(initialize("2025-11-25"))
    by.hear(initialized)
    by.hear(ask(1, "resources/subscribe", { uri: "a:2" }))
    expect(by.tell({ _tag: "Updated", uri: "a:1" })).toEqual([
      told("notifications/resources/updated", { uri: "a:1" }, "s")
    ])
    expect(by.tell({ _tag: "Updated", uri: "a:2" })).toMatchObject([
      { message: { params: { uri: "a:2" } }, via: undefined }
    ])
    expect(by.tell({ _tag: "Updated", uri: "a:3" })).toEqual([])
  })

  it("once of what the session was told of late", () => {
    const by = listening({ s: all })
    by.hear(initialize("2025-11-25"))
    by.hear(ask(1, "resources/subscribe", { uri: "a:1" }))
    expect(by.tell({ _tag: "Changed", families: ["tools"] })).toHaveLength(1)
    expect(by.tell({ _tag: "Updated", uri: "a:1" })).toHaveLength(1)
    expect(by.hear(initialized)).toMatchObject([{ via: undefined }, { via: undefined }])
  })

  it("what a handler tells of, as the session does", () => {
    const by = listening({ s: all })
    by.hear(initialize("2025-11-25"))
    by.hear(initialized)
    const method = "notifications/prompts/list_changed"
    expect(by.tell({ _tag: "Notified", method, params: {} })).toEqual([
      told(method, {}, "s"),
      { ...send({ jsonrpc: "2.0", method, params: {} }, undefined, false), via: undefined }
    ])
    const progress = { progressToken: 1, progress: 1 }
    expect(messages(by.tell({ _tag: "Notified", method: "notifications/nope", params: progress }))).toEqual([])
  })

  it("nothing of what was not promised", () => {
    const by = session(define({ tools: {} }, { revisions }))
    by.hear(open("s"))
    expect(by.tell({ _tag: "Changed", families: ["tools"] })).toEqual([])
  })
})

describe("a stream ends", () => {
  const answer = {
    jsonrpc: "2.0",
    id: "s",
    result: { resultType: "complete", _meta: { [subscriptionId]: "s", ...stamp._meta } }
  }

  it("in silence when its client says so, and its id is free again", () => {
    const by = listening()
    expect(by.hear(note("notifications/cancelled", { requestId: "s", reason: "enough" }))).toEqual([
      { _tag: "Report", report: { _tag: "Cancelled", id: "s", method: "subscriptions/listen", reason: "enough" } }
    ])
    expect(by.tell({ _tag: "Changed", families: ["tools"] })).toEqual([])
    expect(codes(by.said(open("s")))).toEqual([undefined])
  })

  it("with its answer, and then a message where messages cancel, when we stop", () => {
    expect(listening().tell({ _tag: "Stopping" })).toEqual([
      send(answer, "s"),
      told("notifications/cancelled", { requestId: "s" }, "s"),
      { _tag: "Close", reason: "stopped" }
    ])
    expect(listening({ s: all }, { cancels: "exchange" }).tell({ _tag: "Stopping" })).toEqual([
      send(answer, "s"),
      { _tag: "Close", reason: "stopped" }
    ])
  })

  it("before what still runs is waited for", () => {
    const by = listening()
    by.hear(enveloped(1, "tools/call", { name: "slow" }))
    expect(by.tell({ _tag: "Stopping" })).toMatchObject([
      { message: { id: "s" } },
      { message: { method: "notifications/cancelled" } },
      { _tag: "StartTimer" }
    ])
    expect(codes(by.said(open(2)))).toEqual([-32603])
    expect(by.tell({ _tag: "Succeeded", call: 2, id: 1, result: { content: [] } })).toMatchObject([
      { _tag: "Send" },
      { _tag: "StopTimer" },
      { _tag: "Close" }
    ])
  })

  it("with its exchange, and nothing is said", () => {
    const by = listening({ s: all, t: all })
    expect(by.tell({ _tag: "ExchangeClosed", via: "s" })).toEqual([])
    expect(by.tell({ _tag: "Changed", families: ["tools"] })).toEqual([
      told("notifications/tools/list_changed", {}, "t")
    ])
  })

  it("with its client, and nothing is said", () =>
    expect(listening().tell({ _tag: "PeerClosed" })).toEqual([{ _tag: "Close", reason: "the client is gone" }]))
})

describe("elsewhere a stream", () => {
  it("goes on where its exchange does", () => {
    const by = listening({ z: all, a: { resourceSubscriptions: ["a:1"] } })
    by.move()
    by.tell({ _tag: "Resumed" })
    expect(by.tell({ _tag: "Updated", uri: "a:1" })).toEqual([
      told("notifications/resources/updated", { uri: "a:1" }, "z"),
      told("notifications/resources/updated", { uri: "a:1" }, "a")
    ])
  })

  it("is forgotten where its exchange ended with the process", () => {
    const by = listening({ s: all }, { cancels: "exchange" })
    by.move()
    by.tell({ _tag: "Resumed" })
    expect(by.tell({ _tag: "Changed", families: ["tools"] })).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ["an unknown revision", { revision: "2025-11-25" }],
    ["a method that is no stream", { method: "tools/list" }],
    ["a wish that is none", { honoured: { toolsListChanged: "yes" } }],
    ["no wish", { honoured: null }],
    ["no order", { order: null }]
  ])("with %s is malformed", (_, change) => {
    const by = listening()
    const json = by.machine.encode(by.state()) as { listens: ReadonlyArray<object> }
    const broken = { ...json, listens: [{ ...json.listens[0], ...change }] }
    expect(by.machine.decode(broken)).toEqual({ ok: false, error: "malformed" })
  })
})

describe("the end of an exchange", () => {
  it("cancels a request that says who asks, and no other", () => {
    const by = session(both)
    by.hear(initialize("2025-11-25"))
    by.hear(initialized)
    by.hear(ask(1, "tools/call", { name: "slow" }), "x")
    by.hear(enveloped(2, "tools/call", { name: "slow" }), "x")
    by.hear(enveloped(3, "tools/call", { name: "slow" }), "y")
    expect(by.tell({ _tag: "ExchangeClosed", via: "x" })).toEqual([
      { _tag: "Interrupt", call: 2, reason: "the exchange was closed" },
      {
        _tag: "Report",
        report: {
          _tag: "Cancelled",
          id: 2,
          method: "tools/call",
          reason: "the exchange was closed",
          peer: peer("2026-07-28", {}, { name: "modern", version: "2" })
        }
      }
    ])
  })
})
