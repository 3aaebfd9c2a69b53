/** The opening: which version is in force, what is announced of us, and what becomes of careless clients. */
import { describe, expect, it } from "vitest"
import { v2024_11_05, v2025_06_18 } from "../../src/revisions/index.js"
import {
  ask,
  codes,
  define,
  everything,
  initialize,
  initialized,
  messages,
  revisionNames,
  send,
  session
} from "./by-hand.js"

const whole = define(everything, {
  info: {
    name: "by-hand",
    version: "1.0.0",
    title: "By hand",
    description: "Driven by hand",
    websiteUrl: "https://example.com",
    icons: []
  },
  instructions: "Be brief."
})

describe("the version in force", () => {
  it.each(revisionNames)("is %s when that is asked for and spoken", (revision) => {
    expect(session(define({})).hear(initialize(revision))).toEqual([
      send({
        jsonrpc: "2.0",
        id: "init",
        result: { protocolVersion: revision, capabilities: {}, serverInfo: { name: "by-hand", version: "1.0.0" } }
      }),
      {
        _tag: "Report",
        report: {
          _tag: "Agreed",
          asked: revision,
          peer: { revision, capabilities: {}, info: { name: "client", version: "1" } },
          wrong: []
        }
      }
    ])
  })

  it.each(["2026-07-28", "2024-11-06", "DRAFT-2025-v3", ""])("is our newest when %s is asked for", (asked) => {
    const [reply] = session(define({})).said(initialize(asked))
    expect(reply).toMatchObject({ result: { protocolVersion: "2025-11-25" } })
  })

  it("is the newest of those this server speaks, when it speaks fewer", () => {
    const old = define({}, { revisions: [v2025_06_18, v2024_11_05] })
    expect(session(old).said(initialize("2025-11-25"))[0]).toMatchObject({ result: { protocolVersion: "2025-06-18" } })
    expect(session(old).said(initialize("2024-11-05"))[0]).toMatchObject({ result: { protocolVersion: "2024-11-05" } })
  })

  it("is refused by a strict server, which stays unopened and may be asked again", () => {
    const strict = session(define({}, { unsupported: "refuse", revisions: [v2025_06_18, v2024_11_05] }))
    expect(strict.hear(initialize("2025-11-25"))).toEqual([
      send({
        jsonrpc: "2.0",
        id: "init",
        error: {
          code: -32602,
          message: "Unsupported protocol version: 2025-11-25",
          data: { supported: ["2025-06-18", "2024-11-05"], requested: "2025-11-25" }
        }
      }),
      {
        _tag: "Report",
        report: {
          _tag: "Refused",
          id: "init",
          method: "initialize",
          failure: { _tag: "VersionUnsupported", requested: "2025-11-25", supported: ["2025-06-18", "2024-11-05"] }
        }
      }
    ])
    expect(strict.state().phase).toEqual({ _tag: "Unopened" })
    expect(strict.said(initialize("2024-11-05"))[0]).toMatchObject({ result: { protocolVersion: "2024-11-05" } })
  })
})

describe("the announcement", () => {
  it.each([
    ["2025-11-25", ["name", "version", "title", "description", "websiteUrl", "icons"], Object.keys(everything)],
    ["2025-06-18", ["name", "version", "title"], ["logging", "completions", "prompts", "resources", "tools"]],
    ["2025-03-26", ["name", "version"], ["logging", "completions", "prompts", "resources", "tools"]],
    ["2024-11-05", ["name", "version"], ["logging", "prompts", "resources", "tools"]]
  ])("has the members that %s has", (revision, info, capabilities) => {
    const [reply] = session(whole).said(initialize(revision)) as [{ result: Record<string, object> }]
    expect(Object.keys(reply.result["serverInfo"]!)).toEqual(info)
    expect(Object.keys(reply.result["capabilities"]!)).toEqual(capabilities)
    expect(reply.result["instructions"]).toBe("Be brief.")
  })

  it("has no instructions when there are none", () => {
    const [reply] = session(define({})).said(initialize("2025-11-25")) as [{ result: object }]
    expect(Object.keys(reply.result)).toEqual(["protocolVersion", "capabilities", "serverInfo"])
  })

  it("keeps experimental capabilities in every revision", () => {
    for (const revision of revisionNames) {
      const [reply] = session(define({ experimental: { "io.example/x": {} } })).said(initialize(revision))
      expect(reply).toMatchObject({ result: { capabilities: { experimental: { "io.example/x": {} } } } })
    }
  })
})

describe("what a client says of itself", () => {
  it.each([
    ["2025-11-25", ["roots", "sampling", "elicitation", "tasks"]],
    ["2025-06-18", ["roots", "sampling", "elicitation"]],
    ["2025-03-26", ["roots", "sampling"]],
    ["2024-11-05", ["roots", "sampling"]]
  ])("keeps the capabilities that %s has", (revision, kept) => {
    const by = session(define({}))
    by.hear(initialize(revision, { roots: {}, sampling: {}, elicitation: {}, tasks: {}, hologram: {} }))
    expect(Object.keys((by.state().phase as { peer: { capabilities: object } }).peer.capabilities)).toEqual(kept)
  })

  it("counts a capability of a wrong type as undeclared, and reports it", () => {
    const outputs = session(define({})).hear(
      initialize("2025-11-25", {
        roots: true,
        sampling: null,
        elicitation: { form: {}, url: "yes" },
        experimental: { "io.example/x": { n: 1 } }
      })
    )
    expect(outputs[1]).toEqual({
      _tag: "Report",
      report: {
        _tag: "Agreed",
        asked: "2025-11-25",
        peer: {
          revision: "2025-11-25",
          capabilities: { elicitation: { form: {} }, experimental: { "io.example/x": { n: 1 } } },
          info: { name: "client", version: "1" }
        },
        wrong: ["roots", "sampling", "elicitation.url"]
      }
    })
  })

  it("keeps nothing that is named like a prototype", () => {
    const by = session(define({}))
    by.hear(
      JSON.parse(
        JSON.stringify(initialize("2025-11-25", "#")).replace(
          '"#"',
          '{"roots":{"__proto__":{"listChanged":true}},"constructor":{}}'
        )
      )
    )
    const { capabilities } = (by.state().phase as unknown as { peer: { capabilities: { roots: object } } }).peer
    expect(JSON.stringify(capabilities)).toBe('{"roots":{}}')
    expect("listChanged" in capabilities.roots).toBe(false)
  })
})

describe("a malformed initialize", () => {
  const refused = (params: unknown) => session(define({})).said(ask(1, "initialize", params))
  const message = (params: unknown) => (refused(params)[0] as { error: { code: number; message: string } }).error

  it("is -32602 and names the member that is wrong", () => {
    const info = { name: "c", version: "1" }
    expect(message({ protocolVersion: "2025-11-25", capabilities: {} })).toEqual({
      code: -32602,
      message: "Invalid params for initialize: clientInfo: expected an object"
    })
    expect(message({ protocolVersion: "2025-11-25", capabilities: true, clientInfo: info })).toEqual({
      code: -32602,
      message: "Invalid params for initialize: capabilities: expected an object"
    })
    expect(message({ capabilities: {}, clientInfo: info })).toEqual({
      code: -32602,
      message: "Invalid params for initialize: protocolVersion: expected a string"
    })
    expect(message({ protocolVersion: 20251125, capabilities: {}, clientInfo: info }).code).toBe(-32602)
    expect(message({ protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c" } })).toEqual({
      code: -32602,
      message: "Invalid params for initialize: clientInfo.version: expected a string"
    })
    expect(message(undefined).code).toBe(-32602)
    expect(message([]).code).toBe(-32602)
  })

  it("is -32600 without jsonrpc, and by the name of init", () => {
    const { jsonrpc: _, ...bare } = initialize("2025-11-25")
    expect(codes(session(define({})).said(bare))).toEqual([-32600])
    expect(codes(session(define({})).said(ask(1, "init", initialize("2025-11-25").params)))).toEqual([-32600])
  })

  it("leaves the session unopened", () => {
    const by = session(define({}))
    by.hear(ask(1, "initialize", {}))
    expect(by.state().phase).toEqual({ _tag: "Unopened" })
    expect(by.said(initialize("2025-03-26"))[0]).toMatchObject({ result: {} })
  })
})

describe("notifications/initialized", () => {
  it("makes an opened session ready, once", () => {
    const by = session(define({}))
    by.hear(initialize("2025-11-25"))
    expect(by.state().phase._tag).toBe("Opened")
    expect(by.hear(initialized)).toEqual([])
    expect(by.state().phase._tag).toBe("Ready")
    expect(messages(by.hear(initialized))).toEqual([])
  })

  it("does nothing before initialize", () => {
    const by = session(define({}))
    expect(by.hear(initialized)).toEqual([
      {
        _tag: "Report",
        report: {
          _tag: "Ignored",
          method: "notifications/initialized",
          id: undefined,
          why: "Not initialized: send initialize before notifications/initialized"
        }
      }
    ])
    expect(by.state().phase._tag).toBe("Unopened")
  })
})
