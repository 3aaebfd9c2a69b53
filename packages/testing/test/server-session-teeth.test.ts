/** The invariants about a session as a whole have teeth: the opening, living things, and machines that are not functions. */
import type { JsonObject } from "@parley/core"
import type { Input, Output, ServerMachine } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import type { ServerRun } from "@parley/testing"
import { invariants, recordServer } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { everything, servers } from "./definitions.js"

const [tools] = servers["with tools"]!
const [strict] = servers["that refuses early requests and unknown versions"]!

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

const but = (run: ServerRun, at: number, outputs: ReadonlyArray<Output>): ServerRun => ({
  ...run,
  steps: run.steps.map((step, index) => (index === at ? { ...step, outputs } : step))
})

const breaks = (number: number, run: ServerRun): string | undefined =>
  invariants.find((one) => one.number === number)!.check(run)?.why

const opened = [hello(), initialized]

describe("5: before the handshake is done", () => {
  it("catches a request that succeeds too early", () => {
    const run = recordServer(tools, [received(ask(1, "tools/list"))])
    expect(breaks(5, but(run, 0, [send(result(1, { tools: [] }))]))).toMatch("before its time")
    expect(breaks(5, but(run, 0, [send(error(1, -32601))]))).toMatch("answered with -32601")
    expect(breaks(5, but(run, 0, [invoke(1, 1, { _tag: "Tool", name: "echo", arguments: {} })]))).toMatch(
      "handler before its time"
    )
  })
  it("catches an early request that a strict server answers", () => {
    const run = recordServer(strict, [hello(), received(ask(1, "tools/list"))])
    expect(breaks(5, but(run, 1, [send(result(1, { tools: [] }))]))).toMatch("before its time")
  })
  it("catches a server that speaks unasked", () => {
    const run = recordServer(everything, [hello(), { _tag: "Changed", families: ["tools"] }])
    expect(breaks(5, but(run, 1, [send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })]))).toMatch(
      "before it heard"
    )
  })
  it("catches a second initialize that succeeds", () => {
    const run = recordServer(tools, [...opened, hello()])
    expect(breaks(5, but(run, 2, [send(result("h", { protocolVersion: "2025-11-25" }))]))).toMatch("succeeded twice")
  })
})

describe("6: the version in force", () => {
  const answered = (version: string) => [send(result("h", { protocolVersion: version, capabilities: {} }))]
  it("catches another version than the one asked for", () =>
    expect(breaks(6, but(recordServer(tools, [hello("2025-03-26")]), 0, answered("2025-06-18")))).toMatch(
      "was asked for"
    ))
  it("catches a version that nobody speaks", () =>
    expect(breaks(6, but(recordServer(tools, [hello("2025-03-26")]), 0, answered("2025-03-27")))).toMatch(
      "does not speak"
    ))
  it("catches an offer where it was to be refused", () =>
    expect(breaks(6, but(recordServer(strict, [hello("1999-01-01")]), 0, answered("2025-11-25")))).toMatch(
      "to be refused"
    ))
  it("catches a refusal that names other versions", () => {
    const wrong = { jsonrpc: "2.0", id: "h", error: { code: -32602, message: "", data: { supported: ["2026-07-28"] } } }
    expect(breaks(6, but(recordServer(strict, [hello("1999-01-01")]), 0, [send(wrong)]))).toMatch("versions named")
  })
})

describe("10: living things", () => {
  const run = recordServer(tools, [...opened, call(1, "echo", { progressToken: "t" }), done(1, 1)])
  const progress = (token: string, via: string) =>
    send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress: 1 } }, via)
  it("catches an interrupt of nothing", () =>
    expect(breaks(10, but(run, 1, [{ _tag: "Interrupt", call: 1, reason: "" }]))).toMatch("does not run"))
  it("catches a timer that is stopped and does not run", () =>
    expect(breaks(10, but(run, 1, [{ _tag: "StopTimer", timer: { of: "drain", call: 0 } }]))).toMatch("not running"))
  it("catches a timer that outlives the session", () => {
    const ended = [
      { _tag: "StartTimer", timer: { of: "drain", call: 0 }, ms: 1 },
      { _tag: "Close", reason: "" }
    ] as const
    expect(breaks(10, but(run, 3, [...run.steps[3]!.outputs, ...ended]))).toMatch("outlives")
  })
  it("catches what is sent after Close", () =>
    expect(breaks(10, but(run, 1, [{ _tag: "Close", reason: "" }, send({ jsonrpc: "2.0", method: "x" })]))).toMatch(
      "after Close"
    ))
  it("catches what is sent to a peer that is gone", () => {
    const gone = recordServer(tools, [...opened, call(1), { _tag: "PeerClosed" }])
    expect(breaks(10, but(gone, 3, [send(error(1, -32603), "v1"), { _tag: "Close", reason: "" }]))).toMatch("gone")
  })
  it("catches a reply by another way", () =>
    expect(breaks(10, but(run, 3, [send(result(1, { content: [] }), "b")]))).toMatch('answered by "b"'))
  it("catches progress after the reply, for no token, and by another way", () => {
    expect(breaks(10, but(run, 3, [...run.steps[3]!.outputs, progress("t", "v1")]))).toMatch("no such request")
    expect(breaks(10, but(run, 2, [...run.steps[2]!.outputs, progress("u", "v1")]))).toMatch("no such request")
    expect(breaks(10, but(run, 2, [...run.steps[2]!.outputs, progress("t", "b")]))).toMatch("no such request")
    expect(breaks(10, but(run, 2, [...run.steps[2]!.outputs, progress("t", "v1")]))).toBeUndefined()
  })
  it("catches an announcement that goes by the way of a request", () =>
    expect(breaks(10, but(run, 1, [send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })]))).toMatch(
      "about no request"
    ))
})

describe("11 and 12: machines that are not functions", () => {
  const real = serverMachine(tools)
  const inputs = [...opened, call(1), done(1, 1)]
  const lived = (machine: Partial<ServerMachine>): ServerRun => recordServer(tools, inputs, {}, { ...real, ...machine })
  it("catches a step that throws", () => {
    const step: ServerMachine["step"] = (state, input) => {
      if (input._tag === "Succeeded") throw new Error("boom")
      return real.step(state, input)
    }
    expect(breaks(11, lived({ step }))).toMatch("boom")
  })
  it("catches a step that changes its arguments", () => {
    const step: ServerMachine["step"] = (state, input) => {
      Object.assign(state, { next: 99 })
      return real.step(state, input)
    }
    expect(breaks(11, lived({ step }))).toMatch("threw")
  })
  it("catches a step that remembers", () => {
    let steps = 0
    const step: ServerMachine["step"] = (state, input) => {
      const [next, outputs] = real.step(state, input)
      return [next, [...outputs, { _tag: "Notice", method: String(++steps), params: undefined }]]
    }
    expect(breaks(11, lived({ step }))).toMatch("other outputs")
    expect(breaks(12, lived({ step }))).toMatch("another session")
  })
  it("catches a step that leads to another state the second time", () => {
    let steps = 0
    const step: ServerMachine["step"] = (state, input) => {
      const [next, outputs] = real.step(state, input)
      return [{ ...next, next: ++steps }, outputs]
    }
    expect(breaks(11, lived({ step }))).toMatch("another state")
  })
  it("catches a state that loses something when it is written down", () => {
    const encode: ServerMachine["encode"] = (state) => ({ ...(real.encode(state) as JsonObject), inFlight: [] })
    expect(breaks(11, lived({ encode }))).toMatch("after encode and decode")
  })
  it("catches a state that can not be read back", () =>
    expect(breaks(11, lived({ decode: () => ({ ok: false, error: "malformed" }) }))).toMatch("does not decode"))
})
