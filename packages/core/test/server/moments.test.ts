/** The moments of a session: before the opening, between the result and notifications/initialized, and rows no revision has yet. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import type { Revision } from "../../src/revision.js"
import { revisions, v2025_11_25 } from "../../src/revisions/index.js"
import { notification } from "../../src/row.js"
import { serverMachine } from "../../src/server/index.js"
import {
  ask,
  call,
  codes,
  define,
  enveloped,
  everything,
  initialize,
  messages,
  note,
  ready,
  revisionNames,
  session
} from "./by-hand.js"

const refusalOf = (sent: ReadonlyArray<unknown>) => (sent[0] as { error?: object } | undefined)?.error

const tasks: ReadonlyArray<readonly [method: string, params: object]> = [
  ["tasks/get", { taskId: "t" }],
  ["tasks/result", { taskId: "t" }],
  ["tasks/list", {}],
  ["tasks/cancel", { taskId: "t" }]
]

describe("tasks", () => {
  it("are not found before 2025-11-25, with nothing to declare", () => {
    for (const revision of revisionNames.slice(1))
      for (const [method, good] of tasks)
        expect(refusalOf(ready(revision, define(everything)).said(ask(1, method, good)))).toEqual({
          code: -32601,
          message: `Method not found: ${method} is not in ${revision}`
        })
  })

  it("have a status that a client which declared tasks may tell", () => {
    const status = { taskId: "t", status: "working", createdAt: "1", lastUpdatedAt: "1", ttl: null }
    const told = (capabilities: object) =>
      ready("2025-11-25", define({}), {}, capabilities).hear(note("notifications/tasks/status", status))
    expect(told({ tasks: {} })).toEqual([{ _tag: "Notice", method: "notifications/tasks/status", params: status }])
    expect(told({})).toMatchObject([{ report: { why: expect.stringContaining("needs the capability tasks,") } }])
  })

  it("may be cancelled by a cancellation without an id, which cancels nothing", () => {
    const by = ready("2025-11-25", define({ tools: {} }))
    by.hear(call(1))
    expect(by.hear(note("notifications/cancelled"))).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored" } }])
    expect(by.hear(note("notifications/cancelled", {}))).toMatchObject([
      { _tag: "Report", report: { _tag: "Ignored" } }
    ])
    expect(by.state().inFlight.size).toBe(1)
  })

  it("may be cancelled so while a stream is open too, which it leaves open", () => {
    const by = ready("2025-11-25", define(everything, { revisions }))
    by.hear(enveloped("s", "subscriptions/listen", { notifications: { toolsListChanged: true } }))
    expect(by.hear(note("notifications/cancelled"))).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored" } }])
    expect(by.state().listens.size).toBe(1)
  })
})

describe("before the opening", () => {
  it("a ping is answered, and everything else is told to initialize", () => {
    const by = session(define(everything))
    expect(by.said(ask(1, "ping"))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
    for (const method of [
      "tools/list",
      "tools/call",
      "nope",
      "constructor",
      "notifications/cancelled",
      "sampling/createMessage"
    ])
      expect(by.said(ask(2, method))).toEqual([
        {
          jsonrpc: "2.0",
          id: 2,
          error: {
            code: -32600,
            message: `Not initialized: send initialize before ${method}`,
            data: { supported: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] }
          }
        }
      ])
  })

  it("no notification reaches the user's code but progress and cancellations", () => {
    const by = session(define(everything))
    expect(by.hear(note("notifications/roots/list_changed"))).toMatchObject([
      { report: { why: "Not initialized: send initialize before notifications/roots/list_changed" } }
    ])
    expect(by.hear(note("notifications/cancelled", { requestId: 1 }))).toMatchObject([
      { _tag: "Report", report: { why: "no such request is in flight" } }
    ])
  })
})

describe("between the initialize result and notifications/initialized", () => {
  const opened = (early: "answer" | "refuse") => {
    const by = session(define({ tools: {} }, { early }))
    by.hear(initialize("2025-06-18", { roots: { listChanged: true } }))
    return by
  }

  it("requests are answered by default", () => {
    expect(opened("answer").said(ask(1, "tools/list"))[0]).toHaveProperty("result.tools")
    expect(opened("answer").hear(call(1))).toMatchObject([{ _tag: "Invoke", call: 1 }])
  })

  it("a strict server answers pings, and refuses what it would otherwise serve", () => {
    const by = opened("refuse")
    expect(by.said(ask(1, "ping"))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
    expect(by.said(ask(2, "tools/list"))).toEqual([
      {
        jsonrpc: "2.0",
        id: 2,
        error: { code: -32600, message: "Not ready: send notifications/initialized before tools/list" }
      }
    ])
    expect(codes(by.said(call(3)))).toEqual([-32600])
  })

  it("what is unknown or undeclared is not found before it is early, and a second initialize is one", () => {
    const by = opened("refuse")
    expect(codes(by.said(ask(1, "nope")))).toEqual([-32601])
    expect(codes(by.said(ask(1, "prompts/list")))).toEqual([-32601])
    expect(refusalOf(by.said(initialize("2025-06-18")))).toMatchObject({
      message: "Already initialized: initialize is sent once"
    })
  })

  it("early is judged before the params are", () => {
    expect(refusalOf(opened("refuse").said(ask(1, "tools/call", {})))).toMatchObject({ code: -32600 })
  })

  it("notifications are heard", () => {
    expect(opened("refuse").hear(note("notifications/roots/list_changed"))).toMatchObject([{ _tag: "Notice" }])
  })
})

describe("rows that no revision has yet", () => {
  const revision: Revision = {
    ...v2025_11_25,
    client: {
      ...v2025_11_25.client,
      "notifications/level": notification("client", () => undefined, { needs: "server.logging" }),
      "notifications/early": notification("client", () => undefined, { needs: "client.roots", when: "always" })
    }
  }

  it("a notification may need our capability", () => {
    const told = (capabilities: JsonObject) =>
      ready("2025-11-25", define(capabilities, { revisions: [revision] })).hear(note("notifications/level"))
    expect(told({ logging: {} })).toMatchObject([{ _tag: "Notice" }])
    expect(told({})).toMatchObject([{ report: { why: expect.stringContaining("needs the capability logging,") } }])
  })

  it("a notification that may come early needs a client that has said what it can", () => {
    const by = session(define({}, { revisions: [revision] }))
    expect(by.hear(note("notifications/early"))).toMatchObject([
      { report: { why: expect.stringContaining("needs the capability roots,") } }
    ])
    by.hear(initialize("2025-11-25", { roots: {} }))
    expect(by.hear(note("notifications/early"))).toMatchObject([{ _tag: "Notice" }])
  })
})

describe("a machine that no longer speaks the revision in force", () => {
  it("goes on by its newest", () => {
    const by = ready("2024-11-05", define({ tools: {} }))
    const [, outputs] = serverMachine(define({ tools: {} }, { revisions: [v2025_11_25] })).step(by.state(), {
      _tag: "Received",
      json: ask(1, "ping"),
      via: "a"
    })
    expect(messages(outputs)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
  })
})
