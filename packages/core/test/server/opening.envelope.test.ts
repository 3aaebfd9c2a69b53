/** Requests that say who asks: who claims to, what comes of it, and what the two kinds of client see of each other. */
import { describe, expect, it } from "vitest"
import { handshakeRevisions, revisions, v2026_07_28 } from "../../src/revisions/index.js"
import {
  ask,
  call,
  codes,
  define,
  envelope,
  enveloped,
  everything,
  initialize,
  initialized,
  messages,
  note,
  peer,
  session,
  stamp
} from "./by-hand.js"

const both = define(everything, { revisions })
const modern = define(everything, { revisions: [v2026_07_28] })
const legacy = define(everything, { revisions: handshakeRevisions })

const opened = (definition = both) => {
  const by = session(definition)
  by.hear(initialize("2025-11-25"))
  by.hear(initialized)
  return by
}

const version = "io.modelcontextprotocol/protocolVersion"
const capabilities = "io.modelcontextprotocol/clientCapabilities"

it("a server that no handshake opens waits for none: what it ignores is not in its revision", () => {
  for (const method of ["notifications/initialized", "notifications/roots/list_changed", "nope"])
    expect(session(modern).hear(note(method))).toMatchObject([
      { _tag: "Report", report: { why: expect.stringContaining(`Method not found: ${method} is not in 2026-07-28`) } }
    ])
})

describe("server/discover", () => {
  it.each([
    ["a server of per-request revisions", session(modern)],
    ["a server of both, before initialize", session(both)],
    ["a server of both, after initialize", opened()]
  ])("is answered by %s", (_, by) =>
    expect(by.said(enveloped(1, "server/discover"))).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        result: {
          supportedVersions: ["2026-07-28"],
          capabilities: {
            logging: {},
            completions: {},
            prompts: { listChanged: true },
            resources: { subscribe: true, listChanged: true },
            tools: { listChanged: true }
          },
          ttlMs: 0,
          cacheScope: "private",
          ...stamp
        }
      }
    ])
  )

  it("brings instructions, and reports who asked", () => {
    const by = session(define({}, { revisions, instructions: "Be brief." }))
    const outputs = by.hear(enveloped(1, "server/discover", {}, { [capabilities]: { roots: true, sampling: {} } }))
    expect(messages(outputs)).toMatchObject([{ result: { instructions: "Be brief.", capabilities: {} } }])
    expect(outputs).toContainEqual({
      _tag: "Report",
      report: {
        _tag: "Agreed",
        asked: "2026-07-28",
        peer: {
          revision: "2026-07-28",
          capabilities: { sampling: {} },
          info: { name: "modern", version: "2" }
        },
        wrong: ["roots"]
      }
    })
  })

  it.each<[object, string]>([
    [{}, "_meta: expected an object"],
    [{ _meta: [] }, "_meta: expected an object"],
    [{ _meta: {} }, `_meta.${version}: expected a string`],
    [{ _meta: { [version]: null } }, `_meta.${version}: expected a string`]
  ])("without a version is refused: %j", (params, why) =>
    expect(session(both).said(ask(1, "server/discover", params))).toMatchObject([
      { error: { code: -32602, message: expect.stringContaining(why) as string } }
    ])
  )

  it("is not known to a server of handshake revisions, which claims nothing", () => {
    expect(codes(session(legacy).said(enveloped(1, "server/discover")))).toEqual([-32600])
    expect(codes(opened(legacy).said(enveloped(1, "server/discover")))).toEqual([-32601])
    expect(opened(legacy).said(enveloped(1, "tools/list"))).toMatchObject([{ result: { tools: [{}, {}] } }])
    expect(opened(legacy).said(enveloped(1, "tools/list", {}, { [version]: "v999" }))).toMatchObject([{ result: {} }])
  })
})

describe("an envelope", () => {
  const problemOf = (params: unknown, method = "tools/list") => session(both).said(ask(1, method, params))

  it.each([
    ["has no version", { [capabilities]: {} }, `_meta.${version}: expected a string`],
    ["has a version that is no text", { [version]: 1, [capabilities]: {} }, `_meta.${version}: expected a string`],
    ["has no capabilities", { [version]: "2026-07-28" }, `_meta.${capabilities}: `],
    [
      "has capabilities that are no object",
      { [version]: "2026-07-28", [capabilities]: true },
      `_meta.${capabilities}: `
    ],
    [
      "has a client without a name",
      envelope({ "io.modelcontextprotocol/clientInfo": { version: "1" } }),
      "clientInfo.name"
    ],
    ["has a level that is none", envelope({ "io.modelcontextprotocol/logLevel": "loud" }), "logLevel"],
    ["has a token that is none", envelope({ progressToken: 1.5 }), "_meta.progressToken"],
    ["says only who asks", { "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" } }, version],
    ["says only its level", { "io.modelcontextprotocol/logLevel": "info" }, version]
  ])("that %s is -32602", (_, meta, why) => {
    const [reply] = problemOf({ _meta: meta })
    expect(reply).toMatchObject({ error: { code: -32602, data: { supported: ["2026-07-28"] } } })
    const { message } = (reply as { error: { message: string } }).error
    expect(message).toContain(why)
    // What is said of the version is said where the version is what is wrong.
    const { [version]: said } = meta as { readonly [key: string]: unknown }
    expect(message.endsWith("every request names its version, one of 2026-07-28")).toBe(typeof said !== "string")
  })

  it.each(["v999", "2025-11-25", "2024-11-05", "constructor"])("that names %s is -32022", (requested) =>
    expect(problemOf({ _meta: envelope({ [version]: requested }) })).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32022,
          message: `Unsupported protocol version: ${requested}`,
          data: { supported: ["2026-07-28"], requested }
        }
      }
    ])
  )

  it("is claimed by a method that only its revisions have", () => {
    expect(codes(problemOf(undefined, "server/discover"))).toEqual([-32602])
    expect(codes(problemOf({}, "server/discover"))).toEqual([-32602])
    expect(codes(problemOf({ notifications: {} }, "subscriptions/listen"))).toEqual([-32602])
    expect(codes(opened().said(ask(1, "server/discover", {})))).toEqual([-32602])
  })

  it("is not claimed by other keys under the same prefix", () => {
    const params = { _meta: { "io.modelcontextprotocol/related-task": { taskId: "1" }, progressToken: 1 } }
    expect(codes(problemOf(params))).toEqual([-32600])
    expect(opened().said(ask(1, "tools/list", params))).toMatchObject([{ result: { tools: [{}, {}] } }])
  })

  it("may say things of which we know nothing", () =>
    expect(session(both).said(enveloped(1, "tools/list", { "x/y": 1 }, { "x/y": 1, traceparent: 5 }))).toMatchObject([
      { result: { tools: [{}, {}], ...stamp, ttlMs: 0, cacheScope: "private" } }
    ]))

  it("with a capability of a wrong type is served as if that were not declared, and reported", () =>
    expect(
      session(both)
        .hear(enveloped(1, "tools/list", {}, { [capabilities]: { roots: 1 } }))
        .at(-1)
    ).toEqual({
      _tag: "Report",
      report: {
        _tag: "Ignored",
        method: "tools/list",
        id: 1,
        why: "capabilities of a wrong type count as undeclared: roots",
        peer: peer("2026-07-28", {}, { name: "modern", version: "2" })
      }
    }))

  it.each(["initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list", "nope", "constructor"])(
    "makes %s a method that is not there",
    (method) => {
      expect(codes(session(both).said(enveloped(1, method)))).toEqual([-32601])
      expect(codes(session(modern).said(enveloped(1, method)))).toEqual([-32601])
      expect(codes(opened().said(enveloped(1, method)))).toEqual([-32601])
    }
  )
})

describe("a header that names a version", () => {
  const heard = (json: unknown, header: string) =>
    messages(session(both).tell({ _tag: "Received", json, via: "a", header }))

  it("claims an envelope when it names one that needs it", () => {
    expect(codes(heard(ask(1, "tools/list"), "2026-07-28"))).toEqual([-32602])
    expect(codes(heard(ask(1, "tools/list"), "2025-11-25"))).toEqual([-32600])
  })

  it("that the body contradicts is -32020", () => {
    expect(codes(heard(enveloped(1, "tools/list"), "2025-11-25"))).toEqual([-32020])
    expect(heard(enveloped(1, "tools/list"), "2026-07-28")).toMatchObject([{ result: {} }])
    expect(codes(heard(initialize("2025-11-25"), "2026-07-28"))).toEqual([-32020])
    expect(heard(initialize("2025-11-25"), "2025-06-18")).toMatchObject([{ result: { protocolVersion: "2025-11-25" } }])
  })
})

describe("a server that speaks per-request revisions only", () => {
  it("names them to who tries a handshake", () => {
    const [reply] = session(modern).said(initialize("2025-11-25"))
    expect(reply).toMatchObject({ error: { code: -32602, data: { supported: ["2026-07-28"] } } })
    expect((reply as { error: { message: string } }).error.message).toContain("2026-07-28")
  })

  it("answers nothing without an envelope", () => {
    expect(codes(session(modern).said(ask(1, "ping")))).toEqual([-32602])
    expect(codes(session(modern).said(ask(1, "tools/list")))).toEqual([-32602])
    expect(codes(session(modern).said(ask(1, "nope")))).toEqual([-32602])
    expect(session(modern).said(initialized)).toEqual([])
  })

  it("has no id where none can be read", () => {
    expect(messages(session(modern).tell({ _tag: "Garbled", why: "json", via: "a" }))[0]).not.toHaveProperty("id")
    expect(messages(session(both).tell({ _tag: "Garbled", why: "json", via: "a" }))[0]).toHaveProperty("id", null)
    const [reply] = session(modern).said([enveloped(1, "tools/list")])
    expect(reply).not.toHaveProperty("id")
    expect(reply).toMatchObject({ error: { code: -32600, message: expect.stringContaining("has no batches") } })
  })
})

describe("both on one channel", () => {
  it("open as they did apart: initialize never agrees on a per-request revision", () => {
    expect(session(both).said(initialize("2026-07-28"))).toMatchObject([{ result: { protocolVersion: "2025-11-25" } }])
    const strict = session(define({}, { revisions, unsupported: "refuse" }))
    expect(strict.said(initialize("2026-07-28"))).toMatchObject([
      { error: { code: -32602, data: { supported: handshakeRevisions.map(({ name }) => name) } } }
    ])
    expect(codes(session(both).said(ask(1, "tools/list")))).toEqual([-32600])
    expect(session(both).said(ask(1, "tools/list"))).toMatchObject([
      { error: { data: { supported: revisions.map(({ name }) => name) } } }
    ])
  })

  it("are answered each by its own rules", () => {
    const by = session(both)
    by.hear(enveloped("m", "tools/call", { name: "slow" }))
    by.hear(initialize("2025-06-18"))
    by.hear(initialized)
    by.hear(call("l"))
    const result = { content: [] }
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: "m", result }))).toEqual([
      { jsonrpc: "2.0", id: "m", result: { content: [], ...stamp } }
    ])
    expect(messages(by.tell({ _tag: "Succeeded", call: 2, id: "l", result }))).toEqual([
      { jsonrpc: "2.0", id: "l", result: { content: [] } }
    ])
    expect(by.said(ask(3, "ping"))).toEqual([{ jsonrpc: "2.0", id: 3, result: {} }])
  })

  it("share their ids, and cancel by them", () => {
    const by = session(both)
    by.hear(enveloped(1, "tools/call", { name: "slow" }))
    expect(codes(by.said(enveloped(1, "tools/list")))).toEqual([-32600])
    expect(codes(by.said(initialize("2025-11-25", {}, 1)))).toEqual([-32600])
    expect(by.hear(note("notifications/cancelled", { requestId: 1 }))).toMatchObject([
      { _tag: "Interrupt", call: 1 },
      { _tag: "Report", report: { _tag: "Cancelled" } }
    ])
  })

  it("do not meet in a batch", () => {
    const by = session(both)
    by.hear(initialize("2025-03-26"))
    by.hear(initialized)
    const [replies] = by.said([ask(1, "ping"), enveloped(2, "tools/list")])
    expect(replies).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32600 } }
    ])
  })

  it("go on elsewhere as they were", () => {
    const by = session(both)
    by.hear(enveloped("m", "tools/call", { name: "slow" }, { "io.modelcontextprotocol/logLevel": "info" }))
    by.move()
    expect(by.state().phase._tag).toBe("Unopened")
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: "m", result: { content: [] } }))).toMatchObject([
      { result: stamp }
    ])
  })
})
