/** An extension served: who gets to its methods, its results and its notifications, and who does not. */
import { describe, expect, it } from "vitest"
import { extended } from "../../src/extension.js"
import type { JsonObject } from "../../src/json.js"
import { revisions } from "../../src/revisions/index.js"
import { extension, id } from "../extending.js"
import {
  ask,
  codes,
  define,
  enveloped,
  everything,
  initialize,
  initialized,
  messages,
  send,
  session,
  stamp
} from "./by-hand.js"

const both = revisions.map((revision) => extended(revision, [extension]))
const announced = { ...everything, extensions: { [id]: { most: 3 } } }
const capabilities = "io.modelcontextprotocol/clientCapabilities"
const has = { [capabilities]: { extensions: { [id]: {} } } }
const subscriptionId = "io.modelcontextprotocol/subscriptionId"

const served = (server: JsonObject = announced) =>
  session(define(server, { revisions: both, caching: { "jobs/get": { ttlMs: 9, cacheScope: "public" } } }))

describe("a method of an extension", () => {
  it("reaches its handler, and its result is stamped like any other", () => {
    const by = served()
    expect(by.hear(enveloped(1, "jobs/get", { jobId: "j" }, has))).toMatchObject([
      { _tag: "Invoke", target: { _tag: "Method", method: "jobs/get", params: { jobId: "j" } } }
    ])
    expect(messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: { status: "done" } }))).toEqual([
      { jsonrpc: "2.0", id: 1, result: { status: "done", ttlMs: 9, cacheScope: "public", ...stamp } }
    ])
  })

  it("has its params and its result checked", () => {
    const by = served()
    expect(by.said(enveloped(1, "jobs/get", {}, has))).toMatchObject([
      { error: { code: -32602, message: "Invalid params for jobs/get: jobId: expected a string" } }
    ])
    by.hear(enveloped(1, "jobs/get", { jobId: "j" }, has))
    expect(codes(messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: {} })))).toEqual([-32603])
  })

  it("is there only where we announced it", () => {
    for (const server of [everything, { ...everything, extensions: {} }, { ...everything, extensions: { [id]: true } }])
      expect(served(server).said(enveloped(1, "jobs/get", { jobId: "j" }, has))).toMatchObject([
        { error: { code: -32601, message: expect.stringContaining(`extensions.${id}`) as string } }
      ])
  })

  it("is refused to a client that did not, once its params are known to be good", () => {
    const message = `jobs/get needs what the client did not declare: extensions.${id}`
    const data = { requiredCapabilities: { extensions: { [id]: {} } } }
    for (const declared of [{}, { extensions: {} }, { extensions: { "com.example/other": {} } }])
      expect(served().said(enveloped(1, "jobs/get", { jobId: "j" }, { [capabilities]: declared }))).toMatchObject([
        { error: { code: -32021, message, data } }
      ])
    expect(codes(served().said(enveloped(1, "jobs/get")))).toEqual([-32602])
  })

  it("needs what its row needs too", () => {
    const only = { tools: {}, extensions: announced.extensions }
    expect(codes(served(only).said(enveloped(1, "jobs/needy", {}, has)))).toEqual([-32601])
    expect(served().hear(enveloped(1, "jobs/needy", {}, has))).toMatchObject([{ _tag: "Invoke" }])
  })

  it("is nothing to an older client", () => {
    // Nobody has said yet what is spoken: as for every method that only newer revisions have, the envelope is what is missing.
    expect(codes(served().said(ask(1, "jobs/needy", {})))).toEqual([-32602])
    const by = served()
    by.hear(initialize("2025-11-25", { extensions: { [id]: {} } }))
    by.hear(initialized)
    const message = "Method not found: jobs/needy is not in 2025-11-25, only in 2026-07-28"
    expect(by.said(ask(1, "jobs/needy", {}))).toMatchObject([{ error: { code: -32601, message } }])
    expect(by.hear(enveloped(1, "jobs/needy", {}, has))).toMatchObject([{ _tag: "Invoke" }])
    expect(codes(by.said(enveloped(2, "jobs/needy")))).toEqual([-32021])
    const old = session(define(announced, { revisions: both.slice(1) }))
    old.hear(initialize("2025-11-25", { extensions: { [id]: {} } }))
    old.hear(initialized)
    expect(codes(old.said(ask(1, "jobs/needy", {})))).toEqual([-32601])
  })
})

describe("a result of an extension's type", () => {
  const after = (meta: JsonObject, result: JsonObject, method = "tools/call") => {
    const by = served()
    by.hear(enveloped(1, method, { name: "slow", uri: "a:1", jobId: "j" }, meta))
    return messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result }))
  }

  it("ends the call, says its type, and is not kept", () => {
    const result = { resultType: "job", jobId: "j", _meta: { own: 1 } }
    expect(after(has, result)).toEqual([
      { jsonrpc: "2.0", id: 1, result: { resultType: "job", jobId: "j", _meta: { own: 1, ...stamp._meta } } }
    ])
  })

  it("says nothing of being kept where others of its method do", () =>
    expect(after(has, { resultType: "gone" }, "jobs/get")).toEqual([
      { jsonrpc: "2.0", id: 1, result: { resultType: "gone", _meta: stamp._meta } }
    ]))

  it("says whose it is, whatever its own check lets by", () => {
    for (const own of [{}, { _meta: "ab" }])
      expect(after(has, { resultType: "job", jobId: "j", ...own })).toEqual([
        { jsonrpc: "2.0", id: 1, result: { resultType: "job", jobId: "j", _meta: stamp._meta } }
      ])
  })

  it("has its own check", () => expect(codes(after(has, { resultType: "job" }))).toEqual([-32603]))

  it("is for those who know the extension", () =>
    expect(codes(after({}, { resultType: "job", jobId: "j" }))).toEqual([-32603]))

  it("is for the method it was made for", () =>
    expect(codes(after(has, { resultType: "job", jobId: "j", status: "x" }, "jobs/get"))).toEqual([-32603]))

  it("is none of those that are no extension's", () => {
    for (const resultType of ["input_required", "nope", "constructor", 1, null])
      expect(codes(after(has, { resultType, content: [] }))).toEqual([-32603])
    expect(after(has, { resultType: "complete", content: [] })).toMatchObject([{ result: stamp }])
  })

  it("is nothing to an older client", () => {
    const by = served()
    by.hear(initialize("2025-11-25", { extensions: { [id]: {} } }))
    by.hear(initialized)
    by.hear(ask(1, "tools/call", { name: "slow" }))
    expect(
      codes(messages(by.tell({ _tag: "Succeeded", call: 1, id: 1, result: { resultType: "job", jobId: "j" } })))
    ).toEqual([-32603])
  })
})

describe("a stream that asks for what an extension tells", () => {
  const open = (notifications: JsonObject, meta: JsonObject = has, server?: JsonObject) => {
    const by = served(server)
    const said = by.said(enveloped("s", "subscriptions/listen", { notifications }, meta))
    return { by, said }
  }
  const honoured = (notifications: JsonObject) => [{ params: { notifications, _meta: { [subscriptionId]: "s" } } }]
  const status = { jobId: "j", status: "done" }
  const told = (by: ReturnType<typeof served>, method: string, params: JsonObject = {}) =>
    by.tell({ _tag: "Notified", method, params })

  it("hears of those it named, and of no others", () => {
    const { by, said } = open({ jobs: ["j", "k", "j"], resourceSubscriptions: ["l"] })
    expect(said).toEqual([
      expect.objectContaining(honoured({ jobs: ["j", "k"], resourceSubscriptions: ["l"] })[0]) as unknown
    ])
    expect(told(by, "notifications/jobs/status", { ...status, _meta: { own: 1 } })).toEqual([
      send(
        {
          jsonrpc: "2.0",
          method: "notifications/jobs/status",
          params: { ...status, _meta: { own: 1, [subscriptionId]: "s" } }
        },
        "a",
        false
      )
    ])
    for (const jobId of ["l", "x"]) expect(told(by, "notifications/jobs/status", { ...status, jobId })).toEqual([])
    expect(by.tell({ _tag: "Updated", uri: "j" })).toEqual([])
    expect(told(by, "notifications/jobs/all_done")).toEqual([])
  })

  it("hears of all where that is what it asked for", () => {
    const { by, said } = open({ allJobsDone: true, jobs: [] })
    expect(said).toMatchObject(honoured({ allJobsDone: true, jobs: [] }))
    expect(messages(told(by, "notifications/jobs/all_done"))).toMatchObject([
      { params: { _meta: { [subscriptionId]: "s" } } }
    ])
    expect(told(by, "notifications/jobs/status", status)).toEqual([])
  })

  it("goes on hearing it elsewhere", () => {
    const { by } = open({ jobs: ["j"] })
    by.move()
    expect(messages(told(by, "notifications/jobs/status", status))).toHaveLength(1)
  })

  it("is told nothing that is not valid", () => {
    const { by } = open({ jobs: ["j"] })
    expect(told(by, "notifications/jobs/status", { jobId: "j" })).toEqual([
      {
        _tag: "Report",
        report: { _tag: "Unsendable", method: "notifications/jobs/status", why: "status: expected a string" }
      }
    ])
  })

  it("gets none of it where one of the two sides did not announce the extension", () => {
    const { by, said } = open({ jobs: ["j"], allJobsDone: 7, toolsListChanged: true }, {})
    expect(said).toEqual([expect.objectContaining(honoured({ toolsListChanged: true })[0]) as unknown])
    expect(told(by, "notifications/jobs/status", status)).toEqual([])
    expect(open({ jobs: ["j"] }, has, everything).said).toEqual([expect.objectContaining(honoured({})[0]) as unknown])
  })

  it.each<[JsonObject, string]>([
    [{ jobs: true }, "notifications.jobs: expected an array of strings"],
    [{ jobs: [1] }, "notifications.jobs: expected an array of strings"],
    [{ allJobsDone: ["j"] }, "notifications.allJobsDone: expected a boolean"],
    [{ allJobsDone: null }, "notifications.allJobsDone: expected a boolean"]
  ])("is refused with %j", (wish, why) =>
    expect(open(wish).said).toMatchObject([
      { error: { code: -32602, message: `Invalid params for subscriptions/listen: ${why}` } }
    ])
  )

  it("is not told by the session of others", () => {
    const { by } = open({ jobs: ["j"] })
    by.hear(initialize("2025-11-25"))
    by.hear(initialized)
    expect(told(by, "notifications/jobs/status", status)).toHaveLength(1)
    expect(told(by, "notifications/jobs/status", { ...status, jobId: "x" })).toMatchObject([
      { report: { _tag: "Ignored", why: "is not a notification of 2025-11-25" } }
    ])
  })
})

it("what a client announces under other identifiers is kept for its handlers", () => {
  const extensions = { "com.example/other": { a: 1 }, [id]: {} }
  expect(served().hear(enveloped(1, "jobs/needy", {}, { [capabilities]: { extensions } }))).toMatchObject([
    { peer: { capabilities: { extensions } } }
  ])
})

it("what we announce is discovered, and not told to older clients", () => {
  const by = served()
  expect(by.said(enveloped(1, "server/discover"))).toMatchObject([
    { result: { capabilities: { extensions: { [id]: { most: 3 } } } } }
  ])
  const [opened] = by.said(initialize("2025-11-25")) as [{ result: { capabilities: object } }]
  expect(opened.result.capabilities).not.toHaveProperty("extensions")
})
