/** What arrives: broken messages, replies to nothing, unreadable text, and batches. */
import { describe, expect, it } from "vitest"
import { ask, define, initialize, messages, peer, ready, send, session } from "./by-hand.js"

const tools = define({ tools: {} })
const refused = (id: unknown, message: string) => ({ jsonrpc: "2.0", id, error: { code: -32600, message } })
const unread = {
  jsonrpc: "2.0",
  error: { code: -32600, message: "Invalid request: id must be a string or an integer up to 2^53-1" }
}

describe("ids", () => {
  it.each(["1", 1, "", 0, -7, 9007199254740991, -9007199254740991, "é\u{1f600}"])(
    "%j comes back in value and type",
    (id) => {
      expect(session(tools).said(ask(id, "ping"))).toEqual([{ jsonrpc: "2.0", id, result: {} }])
    }
  )

  it.each([null, 1.5, true, {}, [], 9007199254740992, -9007199254740992])(
    "%j is refused, and none is invented",
    (id) => {
      expect(session(tools).said(ask(id, "ping"))).toEqual([{ ...unread, id: null }])
      for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18"] as const)
        expect(ready(revision, tools).said(ask(id, "ping"))).toEqual([{ ...unread, id: null }])
      const [latest] = ready("2025-11-25", tools).said(ask(id, "ping"))
      expect(latest).toEqual(unread)
      expect(Object.hasOwn(latest as object, "id")).toBe(false)
    }
  )

  it("an id between the initialize result and notifications/initialized follows the version agreed", () => {
    const by = session(tools)
    by.hear(initialize("2025-11-25"))
    expect(by.said(ask(null, "ping"))).toEqual([unread])
  })
})

describe("broken messages", () => {
  it.each([
    [{ id: 1, method: "ping" }, 1, 'Invalid request: jsonrpc must be "2.0"'],
    [{ jsonrpc: "1.0", id: 1, method: "ping" }, 1, 'Invalid request: jsonrpc must be "2.0"'],
    [{ jsonrpc: "2.0", id: 1 }, 1, "Invalid request: method must be a string"],
    [{ jsonrpc: "2.0", id: 1, method: 7 }, 1, "Invalid request: method must be a string"],
    [{ jsonrpc: "2.0", id: 1, Method: "ping" }, 1, "Invalid request: method must be a string"],
    [{ jsonrpc: "2.0", id: 1, "method\u0000": "ping" }, 1, "Invalid request: method must be a string"],
    [
      { jsonrpc: "2.0", id: 1, method: "ping", result: {} },
      1,
      "Invalid request: a message has either a method or a result or an error"
    ],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: "p" }, 1, "Invalid request: params must be an object"],
    [{ jsonrpc: "2.0", method: "ping", params: null }, null, "Invalid request: params must be an object"],
    [null, null, "Invalid request: a message must be an object"],
    [7, null, "Invalid request: a message must be an object"],
    ["ping", null, "Invalid request: a message must be an object"],
    [{}, null, 'Invalid request: jsonrpc must be "2.0"']
  ])("%j is -32600, with the id when it could be read", (json, id, message) => {
    expect(ready("2025-06-18", tools).hear(json, "here")).toEqual([
      send(refused(id, message), "here"),
      {
        _tag: "Report",
        report: {
          _tag: "Refused",
          id: id ?? undefined,
          method: undefined,
          failure: { _tag: "InvalidRequest", why: message.slice("Invalid request: ".length) },
          peer: peer("2025-06-18")
        }
      }
    ])
  })

  it("of two equal keys the last wins, as the parser has it", () => {
    const json: unknown = JSON.parse('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}')
    expect(ready("2025-11-25", tools).said(json)[0]).toHaveProperty("result.tools")
  })
})

describe("replies to a server that asked nothing", () => {
  it.each([
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } },
    { jsonrpc: "2.0", id: null, error: { code: 1, message: "no" } },
    { jsonrpc: "2.0", error: { code: 1, message: "no" } }
  ])("%j is ignored", (json) => {
    expect(ready("2025-11-25", tools).hear(json)).toEqual([
      {
        _tag: "Report",
        report: {
          _tag: "Ignored",
          method: undefined,
          id: ("id" in json ? json.id : undefined) ?? undefined,
          why: "a reply to no request of ours that is in flight"
        }
      }
    ])
  })

  it.each([
    [{ id: 1, result: {} }, 1, 'jsonrpc must be "2.0"'],
    [
      { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } },
      1,
      "a message has either a method or a result or an error"
    ],
    [{ jsonrpc: "2.0", id: 1.5, result: {} }, undefined, "a reply needs the id of its request"]
  ])("%j is not answered although it is broken", (json, id, why) => {
    expect(ready("2025-11-25", tools).hear(json)).toEqual([
      { _tag: "Report", report: { _tag: "Ignored", method: undefined, id, why: `a broken reply: ${why}` } }
    ])
  })
})

describe("what is not JSON", () => {
  it.each([
    ["json", -32700, "Parse error: not valid JSON"],
    ["utf8", -32700, "Parse error: not valid UTF-8"],
    ["tooLarge", -32600, "Message too large: it was discarded unread"]
  ] as const)("(%s) is answered, and the session lives", (why, code, message) => {
    const by = ready("2025-06-18", tools)
    expect(messages(by.tell({ _tag: "Garbled", why, via: "here" }))).toEqual([
      { jsonrpc: "2.0", id: null, error: { code, message } }
    ])
    expect(by.tell({ _tag: "Garbled", why, via: "here" })[0]).toMatchObject({ via: "here", last: true })
    const newest = ready("2025-11-25", tools)
    expect(messages(newest.tell({ _tag: "Garbled", why, via: "here" }))).toEqual([
      { jsonrpc: "2.0", error: { code, message } }
    ])
    expect(by.said(ask(1, "ping"))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
  })

  it("has an id of null before a version is agreed", () => {
    expect(messages(session(tools).tell({ _tag: "Garbled", why: "json", via: "a" }))[0]).toHaveProperty("id", null)
  })
})
