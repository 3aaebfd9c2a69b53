/** The gate: before the opening, by the table, by what was declared, by the moment, and by the params. */
import { describe, expect, it } from "vitest"
import { without } from "../announcement.js"
import type { RevisionName } from "../../src/revision.js"
import { ask, codes, define, everything, initialize, messages, note, ready, revisionNames } from "./by-hand.js"

const refusalOf = (sent: ReadonlyArray<unknown>) => (sent[0] as { error?: object } | undefined)?.error

/** Every request but initialize and ping: what it needs, params it takes and params it does not. */
const requests: ReadonlyArray<
  readonly [method: string, needs: string, good: object, bad: object | undefined, at: string]
> = [
  ["tools/list", "tools", {}, { cursor: 1 }, "cursor: expected a string"],
  ["tools/call", "tools", { name: "echo" }, {}, "name: expected a string"],
  ["prompts/list", "prompts", {}, { cursor: 1 }, "cursor: expected a string"],
  ["prompts/get", "prompts", { name: "p" }, {}, "name: expected a string"],
  ["resources/list", "resources", {}, { cursor: 1 }, "cursor: expected a string"],
  ["resources/templates/list", "resources", {}, { cursor: 1 }, "cursor: expected a string"],
  ["resources/read", "resources", { uri: "file:///a" }, {}, "uri: expected a string"],
  ["resources/subscribe", "resources.subscribe", { uri: "file:///a" }, {}, "uri: expected a string"],
  ["resources/unsubscribe", "resources.subscribe", { uri: "file:///a" }, {}, "uri: expected a string"],
  [
    "completion/complete",
    "completions",
    { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } },
    {},
    "ref: expected"
  ],
  ["logging/setLevel", "logging", { level: "info" }, { level: "loud" }, "level: expected"]
]

const tasks: typeof requests = [
  ["tasks/get", "tasks", { taskId: "t" }, {}, "taskId: expected a string"],
  ["tasks/result", "tasks", { taskId: "t" }, {}, "taskId: expected a string"],
  ["tasks/list", "tasks.list", {}, { cursor: 1 }, "cursor: expected a string"],
  ["tasks/cancel", "tasks.cancel", { taskId: "t" }, {}, "taskId: expected a string"]
]

/** Where the answer stands that needs no handler. */
const atOnce: { readonly [method: string]: string } = {
  "tools/list": "result.tools",
  "prompts/list": "result.prompts",
  "resources/list": "result.resources",
  "resources/templates/list": "result.resourceTemplates",
  "resources/subscribe": "result",
  "resources/unsubscribe": "result",
  "logging/setLevel": "result"
}
const targets: { readonly [method: string]: object } = {
  "tools/call": { _tag: "Tool", name: "echo", arguments: {} },
  "prompts/get": { _tag: "Prompt", name: "p", arguments: {} }
}

const methodsOf = (revision: RevisionName) => (revision === "2025-11-25" ? [...requests, ...tasks] : requests)

describe.each(revisionNames)("on %s", (revision) => {
  it.each(methodsOf(revision))("%s is served when %s is declared", (method, needs, good) => {
    const only = needs.includes(".") ? { [needs.split(".")[0]!]: { [needs.split(".")[1]!]: true } } : { [needs]: {} }
    const outputs = ready(revision, define(only, { prompts: [{ name: "p" }] })).hear(ask(1, method, good))
    const answer = atOnce[method]
    if (answer !== undefined) expect(messages(outputs)[0]).toHaveProperty(answer)
    else
      expect(outputs).toMatchObject([
        { _tag: "Invoke", call: 1, id: 1, target: targets[method] ?? { _tag: "Method", method, params: good } }
      ])
  })

  it.each(methodsOf(revision))("%s is not found when %s is the one thing not declared", (method, needs, good) => {
    expect(refusalOf(ready(revision, define(without(everything, needs))).said(ask(1, method, good)))).toEqual({
      code: -32601,
      message: `Method not found: ${method} needs the capability ${needs}, which was not declared`
    })
  })

  it.each(methodsOf(revision))(
    "%s with params it does not take is refused, and the member named",
    (method, _, __, bad, at) => {
      const by = ready(revision, define(everything))
      const error = refusalOf(by.said(ask(1, method, bad))) as { code: number; message: string }
      expect(error.code).toBe(-32602)
      expect(error.message).toContain(`Invalid params for ${method}: ${at}`)
      expect(codes(by.said(ask(1, method, { _meta: { progressToken: 1.5 } })))).toEqual([-32602])
      expect(codes(by.said(ask(1, method, [])))).toEqual([-32602])
    }
  )

  it("a ping needs no params and no capability, and takes none that are no object", () => {
    const by = ready(revision, define({}))
    expect(by.said(ask(1, "ping"))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
    expect(by.said(ask(1, "ping", {}))).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
    expect(codes(by.said(ask(1, "ping", [])))).toEqual([-32602])
    expect(codes(by.said(ask(1, "ping", { _meta: [] })))).toEqual([-32602])
  })

  it("a notification's name sent as a request is not found", () => {
    for (const method of ["notifications/initialized", "notifications/cancelled", "notifications/progress"])
      expect(refusalOf(ready(revision, define(everything)).said(ask(1, method, {})))).toEqual({
        code: -32601,
        message: `Method not found: ${method} is a notification, and was sent with an id`
      })
  })

  it("a request's name sent as a notification is ignored", () => {
    const by = ready(revision, define(everything))
    expect(by.hear(note("tools/call", { name: "echo" }))).toEqual([
      {
        _tag: "Report",
        report: {
          _tag: "Ignored",
          method: "tools/call",
          id: undefined,
          why: "Method not found: tools/call is a request, and was sent without an id"
        }
      }
    ])
  })

  it("what servers send is not found when it is sent to one", () => {
    for (const method of ["sampling/createMessage", "roots/list"])
      expect(refusalOf(ready(revision, define(everything)).said(ask(1, method)))).toEqual({
        code: -32601,
        message: `Method not found: ${method} is sent by servers, not to them`
      })
  })

  it("what is not in the table is not found, whatever a prototype has", () => {
    const by = ready(revision, define(everything))
    for (const method of ["nope", "", "constructor", "__proto__", "toString", "hasOwnProperty", "server/discover"])
      expect(refusalOf(by.said(ask(1, method)))).toEqual({
        code: -32601,
        message: `Method not found: ${method} is not in ${revision}`
      })
  })

  it("an unknown notification is ignored", () => {
    const by = ready(revision, define(everything))
    for (const method of ["nope", "constructor", "notifications/nope"])
      expect(by.hear(note(method))).toEqual([
        {
          _tag: "Report",
          report: { _tag: "Ignored", method, id: undefined, why: `Method not found: ${method} is not in ${revision}` }
        }
      ])
  })

  it("a notification reaches the user's code when the client declared it", () => {
    const announced = ready(revision, define({}), {}, { roots: { listChanged: true } })
    const notice = { _tag: "Notice", method: "notifications/roots/list_changed", params: undefined }
    expect(announced.hear(note("notifications/roots/list_changed"))).toEqual([notice])
    for (const capabilities of [{}, { roots: {} }, { roots: { listChanged: false } }])
      expect(ready(revision, define({}), {}, capabilities).hear(note("notifications/roots/list_changed"))).toEqual([
        {
          _tag: "Report",
          report: {
            _tag: "Ignored",
            method: "notifications/roots/list_changed",
            id: undefined,
            why: `Method not found: ${notice.method} needs the capability roots.listChanged, which was not declared`
          }
        }
      ])
  })

  it("progress of the client's is heard, and ignored when it is malformed", () => {
    const by = ready(revision, define({}))
    const progress = { progressToken: "t", progress: 1 }
    expect(by.hear(note("notifications/progress", progress))).toEqual([
      { _tag: "Notice", method: "notifications/progress", params: progress }
    ])
    expect(by.hear(note("notifications/progress"))).toMatchObject([{ _tag: "Report", report: { _tag: "Ignored" } }])
    expect(by.hear(note("notifications/roots/list_changed", []))).toMatchObject([{ _tag: "Report" }])
  })

  it("a second initialize is refused, and the session goes on", () => {
    const by = ready(revision, define({ tools: {} }))
    expect(refusalOf(by.said(initialize("2025-06-18")))).toEqual({
      code: -32600,
      message: "Already initialized: initialize is sent once"
    })
    expect(by.said(ask(1, "tools/list"))[0]).toHaveProperty("result.tools")
  })
})
