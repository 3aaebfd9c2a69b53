/** Each invariant has teeth: a server's run that breaks it, by hand, is caught, and says why. */
import type { JsonObject } from "@parley/core"
import type { Input, Output } from "@parley/core/server"
import type { ServerRun } from "@parley/testing"
import { invariants, recordServer } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { everything, servers } from "./definitions.js"

const [tools] = servers["with tools"]!

const received = (json: unknown, via = "a"): Input => ({ _tag: "Received", json, via })
const ask = (id: unknown, method: string, params?: JsonObject): JsonObject =>
  ({ jsonrpc: "2.0", id, method, params }) as JsonObject
const hello = (version = "2025-11-25") =>
  received(
    ask("h", "initialize", { protocolVersion: version, capabilities: {}, clientInfo: { name: "c", version: "1" } })
  )
const initialized = received({ jsonrpc: "2.0", method: "notifications/initialized" })
const call = (id: string | number, name = "echo", meta?: JsonObject) =>
  received(ask(id, "tools/call", { name, arguments: {}, ...(meta === undefined ? {} : { _meta: meta }) }), `v${id}`)
const cancelled = (id: string | number) =>
  received({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })
const done = (number: number, id: string | number): Input => ({
  _tag: "Succeeded",
  call: number,
  id,
  result: { content: [] }
})
const send = (message: object, via: string | undefined = "a"): Output =>
  ({ _tag: "Send", message, via, last: true, text: undefined }) as Output
const result = (id: unknown, of: object = {}) => ({ jsonrpc: "2.0", id, result: of })
const error = (id: unknown, code: number) => ({ jsonrpc: "2.0", id, error: { code, message: "" } })
const peer = { revision: "2025-11-25", capabilities: {}, info: {} } as const
const invoke = (number: number, id: string | number, target: object): Output =>
  ({ _tag: "Invoke", call: number, id, target, peer, meta: undefined, progress: false }) as Output

/** The run with what one step put out replaced. */
const but = (run: ServerRun, at: number, outputs: ReadonlyArray<Output>): ServerRun => ({
  ...run,
  steps: run.steps.map((step, index) => (index === at ? { ...step, outputs } : step))
})

const breaks = (number: number, run: ServerRun): string | undefined =>
  invariants.find((one) => one.number === number)!.check(run)?.why

const opened = [hello(), initialized]

describe("what an unbroken run looks like to every invariant", () => {
  const run = recordServer(everything, [
    ...opened,
    call(1),
    call(1),
    cancelled(1),
    call(2),
    done(2, 2),
    { _tag: "Stopping" }
  ])
  for (const { number, name, check } of invariants) it(`${number}: ${name}`, () => expect(check(run)).toBeUndefined())
})

describe("1: undeclared methods", () => {
  const run = recordServer(tools, [...opened, received(ask(1, "resources/list"))])
  it("catches a result for an undeclared method", () =>
    expect(breaks(1, but(run, 2, [send(result(1, { resources: [] }))]))).toMatch('"resources/list" was served'))
  it("catches a handler that runs for an undeclared method", () =>
    expect(breaks(1, but(run, 2, [invoke(1, 1, { _tag: "Method", method: "resources/list" })]))).toMatch("was served"))
  it("catches a handler that runs for another method", () =>
    expect(
      breaks(
        1,
        but(recordServer(everything, [...opened, received(ask(1, "prompts/list"))]), 2, [
          invoke(1, 1, { _tag: "Method", method: "resources/list" })
        ])
      )
    ).toMatch("reached the handler of"))
  it("catches a tool that is not there", () =>
    expect(
      breaks(
        1,
        but(recordServer(tools, [...opened, call(1, "toString")]), 2, [
          invoke(1, 1, { _tag: "Tool", name: "toString", arguments: {} })
        ])
      )
    ).toMatch('no tool "toString"'))
  it("catches a handler that runs without a request", () =>
    expect(breaks(1, but(run, 1, [invoke(7, 1, { _tag: "Tool", name: "echo", arguments: {} })]))).toMatch(
      "for no request"
    ))
  it("catches a method of a later revision", () =>
    expect(
      breaks(
        1,
        but(recordServer(everything, [hello("2025-06-18"), initialized, received(ask(1, "tasks/list"))]), 2, [
          send(result(1, { tasks: [] }))
        ])
      )
    ).toMatch("tasks/list"))
})

describe("1: undeclared notifications", () => {
  const run = recordServer(tools, opened)
  const notice = (method: string): Output => ({ _tag: "Notice", method, params: undefined })
  it("catches one that the client did not declare, and one that there is not", () => {
    expect(breaks(1, but(run, 1, [notice("notifications/roots/list_changed")]))).toMatch("nobody declared")
    expect(breaks(1, but(run, 1, [notice("notifications/nope")]))).toMatch("no notification")
    expect(breaks(1, but(run, 1, [notice("notifications/progress")]))).toBeUndefined()
  })
})

describe("2: declared methods", () => {
  const run = recordServer(tools, [...opened, received(ask(1, "tools/list"))])
  it("catches method not found for a declared method", () =>
    expect(breaks(2, but(run, 2, [send(error(1, -32601))]))).toMatch("answered with -32601"))
  it("catches another refusal of a well-formed request", () =>
    expect(breaks(2, but(run, 2, [send(error(1, -32600))]))).toMatch("answered with -32600"))
})

describe("3: replies", () => {
  const run = recordServer(tools, [...opened, call(1), done(1, 1), received({ jsonrpc: "2.0", method: "x" })])
  const reply = send(result(1, { content: [] }), "v1")
  it("catches a second reply", () => expect(breaks(3, but(run, 4, [reply]))).toMatch("reply to nothing"))
  it("catches a missing reply", () => expect(breaks(3, but(run, 3, []))).toMatch("never answered"))
  it("catches a missing refusal", () => expect(breaks(3, but(run, 2, []))).toMatch("never answered"))
  it("catches a reply before the handler is done", () =>
    expect(breaks(3, but(run, 2, [...run.steps[2]!.outputs, reply]))).toMatch("before its handler"))
  it("catches a reply to a notification", () =>
    expect(breaks(3, but(run, 4, [send(error(null, -32601))]))).toMatch("reply to nothing"))
  it("catches a reply after a cancellation", () => {
    const gone = recordServer(tools, [...opened, call(1), cancelled(1), done(1, 1)])
    expect(breaks(3, but(gone, 4, [reply]))).toMatch("after it had been cancelled")
  })
  it("catches a batch that is answered in part, and one answered message by message", () => {
    const batch = recordServer(everything, [
      hello("2025-03-26"),
      initialized,
      received([ask(1, "ping"), ask(2, "ping")])
    ])
    expect(breaks(3, batch)).toBeUndefined()
    expect(breaks(3, but(batch, 2, [send([result(1)])]))).toBeDefined()
    expect(breaks(3, but(batch, 2, [send(result(1)), send(result(2))]))).toBeDefined()
  })
})

describe("4: ids", () => {
  const run = recordServer(tools, [...opened, call(1), call(1)])
  it("catches an id in use that is not refused", () =>
    expect(breaks(4, but(run, 3, [send(result(1), "v1")]))).toMatch("in use"))
  it("catches an id in use that reaches a handler", () =>
    expect(breaks(4, but(run, 3, [invoke(2, 1, { _tag: "Tool", name: "echo", arguments: {} })]))).toMatch("in use"))
  it("catches a first request that a second one interrupts", () =>
    expect(
      breaks(4, but(run, 3, [{ _tag: "Interrupt", call: 1, reason: undefined }, send(error(1, -32600), "v1")]))
    ).toMatch("interrupted"))
  it("catches an id that comes back as another type", () => {
    const ping = recordServer(tools, [...opened, received(ask(1, "ping"))])
    expect(breaks(4, but(ping, 2, [send(result("1"))]))).toMatch('no request had the id "1"')
  })
})
