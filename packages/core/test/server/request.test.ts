/** Requests in flight, tools listed and called, and what reaches a handler. */
import { describe, expect, it } from "vitest"
import { v2024_11_05 } from "../../src/revisions/index.js"
import {
  ask,
  call,
  codes,
  define,
  everything,
  initialize,
  initialized,
  messages,
  peer,
  ready,
  revisionNames,
  send,
  session,
  tool
} from "./by-hand.js"

const tools = define({ tools: {} })
const done = (number: number, id: string | number) =>
  ({ _tag: "Succeeded", call: number, id, result: { content: [] } }) as const

describe("an id in use", () => {
  it("is refused by the second request's own way, and the first is unaffected", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1), "first")
    expect(by.hear(call(1), "second")).toEqual([
      send(
        {
          jsonrpc: "2.0",
          id: 1,
          error: { code: -32600, message: "Id in use: the request with id 1 is not answered yet" }
        },
        "second"
      ),
      {
        _tag: "Report",
        report: {
          _tag: "Refused",
          id: 1,
          method: "tools/call",
          failure: { _tag: "IdInUse", id: 1 },
          peer: peer("2025-11-25")
        }
      }
    ])
    expect(by.tell(done(1, 1))).toEqual([send({ jsonrpc: "2.0", id: 1, result: { content: [] } }, "first")])
  })

  it("is refused whatever is asked, and before anything else is wrong", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call("x"))
    for (const request of [
      ask("x", "ping"),
      ask("x", "nope"),
      initialize("2025-11-25", {}, "x"),
      ask("x", "prompts/list")
    ])
      expect(codes(by.said(request))).toEqual([-32600])
  })

  it("is another one than the same digits in a string", () => {
    const by = ready("2025-11-25", tools)
    expect(by.hear(call(1))).toMatchObject([{ _tag: "Invoke", call: 1, id: 1 }])
    expect(by.hear(call("1"))).toMatchObject([{ _tag: "Invoke", call: 2, id: "1" }])
    expect(messages(by.tell(done(2, "1")))).toEqual([{ jsonrpc: "2.0", id: "1", result: { content: [] } }])
    expect(messages(by.tell(done(1, 1)))).toEqual([{ jsonrpc: "2.0", id: 1, result: { content: [] } }])
  })

  it("may be used again after the reply, under a new number of ours", () => {
    const by = ready("2025-11-25", tools)
    by.hear(call(1))
    by.tell(done(1, 1))
    expect(by.hear(call(1))).toMatchObject([{ _tag: "Invoke", call: 2, id: 1 }])
  })

  it("is not in use when its request was answered at once", () => {
    const by = ready("2025-11-25", tools)
    for (let times = 0; times < 3; times++)
      expect(by.said(ask(1, "ping"))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
  })
})

describe("too many requests at once", () => {
  it("are refused, and accepted again when one is done", () => {
    const by = ready("2025-11-25", tools, { maxInFlight: 2 })
    by.hear(call(1))
    by.hear(call(2))
    expect(by.said(call(3))).toEqual([
      { jsonrpc: "2.0", id: 3, error: { code: -32603, message: "Too many requests in flight: the limit is 2" } }
    ])
    by.tell(done(1, 1))
    expect(by.hear(call(3))).toMatchObject([{ _tag: "Invoke" }])
  })
})

describe("tools/call", () => {
  it.each(revisionNames)("reaches the tool with its arguments on %s", (revision) => {
    const meta = { progressToken: "t", "io.example/trace": 1 }
    expect(
      ready(revision, tools).hear(ask(1, "tools/call", { name: "echo", arguments: { text: "hi" }, _meta: meta }), "x")
    ).toEqual([
      {
        _tag: "Invoke",
        call: 1,
        id: 1,
        target: { _tag: "Tool", name: "echo", arguments: { text: "hi" } },
        peer: peer(revision),
        meta,
        progress: true,
        answers: undefined,
        once: undefined
      }
    ])
  })

  it("without arguments has none, and nobody asked for progress", () => {
    expect(ready("2025-11-25", tools).hear(ask(1, "tools/call", { name: "echo" }))).toEqual([
      {
        _tag: "Invoke",
        call: 1,
        id: 1,
        target: { _tag: "Tool", name: "echo", arguments: {} },
        peer: peer("2025-11-25"),
        meta: undefined,
        progress: false,
        answers: undefined,
        once: undefined
      }
    ])
  })

  it.each(["nope", "", "constructor", "toString", "__proto__", "Echo"])(
    "of %j, which is not there, is -32602",
    (name) => {
      for (const revision of revisionNames)
        expect(ready(revision, tools).said(ask(1, "tools/call", { name }))).toEqual([
          { jsonrpc: "2.0", id: 1, error: { code: -32602, message: `Unknown tool: ${name}` } }
        ])
    }
  )

  it("of a tool that is named like a prototype's member reaches it when it is there", () => {
    const by = ready("2025-11-25", define({ tools: {} }, { tools: [tool("constructor")] }))
    expect(by.hear(ask(1, "tools/call", { name: "constructor" }))).toMatchObject([
      { _tag: "Invoke", target: { name: "constructor" } }
    ])
    expect(codes(by.said(ask(2, "tools/call", { name: "toString" })))).toEqual([-32602])
  })
})

describe("every other request", () => {
  it("reaches the handler of its method, with its params", () => {
    const by = ready("2025-11-25", define(everything))
    expect(by.hear(ask(1, "resources/read", { uri: "file:///a", _meta: { progressToken: 0 } }))).toEqual([
      {
        _tag: "Invoke",
        call: 1,
        id: 1,
        target: { _tag: "Method", method: "resources/read", params: { uri: "file:///a", _meta: { progressToken: 0 } } },
        peer: peer("2025-11-25"),
        meta: { progressToken: 0 },
        progress: true,
        answers: undefined,
        once: undefined
      }
    ])
  })
})

describe("a small server of 2024-11-05 that refuses what comes too early", () => {
  it("holds its six answers", () => {
    const by = session(
      define({ tools: {} }, { revisions: [v2024_11_05], unsupported: "refuse", early: "refuse", tools: [tool("menu")] })
    )
    expect(codes(by.said(ask(1, "tools/list")))).toEqual([-32600])
    expect(by.said(initialize("2025-06-18", {}, 2))).toMatchObject([
      { id: 2, error: { code: -32602, data: { supported: ["2024-11-05"], requested: "2025-06-18" } } }
    ])
    expect(by.said(initialize("2024-11-05", {}, 3))).toMatchObject([
      { id: 3, result: { protocolVersion: "2024-11-05" } }
    ])
    expect(codes(by.said(ask(4, "tools/list")))).toEqual([-32600])
    by.hear(initialized)
    expect(by.said(ask(5, "tools/list"))).toEqual([
      { jsonrpc: "2.0", id: 5, result: { tools: [{ name: "menu", inputSchema: { type: "object" } }] } }
    ])
    expect(codes(by.said(ask(6, "resources/list")))).toEqual([-32601])
  })
})
