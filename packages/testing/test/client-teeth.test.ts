/** Each invariant has teeth: a client's run that breaks it, by hand, is caught, and says why. */
import type { JsonObject } from "@parley/core"
import type { ClientMachine, Input, Output } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import type { ClientRun } from "@parley/testing"
import { invariants, recordClient } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { clients } from "./definitions.js"

const [askable] = clients["that can be asked everything"]!
const [silent] = clients["that can be asked nothing"]!

const received = (json: unknown, via = "a"): Input => ({ _tag: "Received", json, via })
const open: Input = { _tag: "Open" }
const agreed = (capabilities: JsonObject = { tools: {} }, version = "2025-11-25") =>
  received({
    jsonrpc: "2.0",
    id: 1,
    result: { protocolVersion: version, capabilities, serverInfo: { name: "s", version: "1" } }
  })
const calling = (call: number, method: string, params?: JsonObject): Input => ({
  _tag: "Called",
  call,
  method,
  params,
  timeoutMs: 10,
  totalMs: undefined,
  progress: false
})
const roots = (id: string | number) => received({ jsonrpc: "2.0", id, method: "roots/list" }, `v${id}`)
const send = (message: object, via?: string): Output =>
  ({ _tag: "Send", message, via, last: false, text: undefined }) as Output
const result = (id: unknown, of: object = {}) => ({ jsonrpc: "2.0", id, result: of })
const error = (id: unknown, code: number) => ({ jsonrpc: "2.0", id, error: { code, message: "" } })
const settled = (call: number): Output => ({ _tag: "Settle", call, outcome: { _tag: "Succeeded", result: {} } })
const stop = (of: "request" | "opening", call: number): Output => ({ _tag: "StopTimer", timer: { of, call } })

const but = (run: ClientRun, at: number, outputs: ReadonlyArray<Output>): ClientRun => ({
  ...run,
  steps: run.steps.map((step, index) => (index === at ? { ...step, outputs } : step))
})
const breaks = (number: number, run: ClientRun): string | undefined =>
  invariants.find((one) => one.number === number)!.check(run)?.why

const opened = [open, agreed()]

describe("what an unbroken run looks like to every invariant", () => {
  const run = recordClient(askable, [
    ...opened,
    calling(2, "tools/list"),
    roots("r"),
    received(result(2, { tools: [] })),
    { _tag: "Answered", ask: 1, id: "r", result: { roots: [] } },
    calling(3, "tools/list"),
    { _tag: "Abandoned", call: 3 },
    { _tag: "PeerClosed", detail: "gone" }
  ])
  for (const { number, name, check } of invariants) it(`${number}: ${name}`, () => expect(check(run)).toBeUndefined())
})

describe("1 and 2: declarations", () => {
  it("catches a question that was not declared and reaches the user", () => {
    const run = recordClient(silent, [...opened, roots(1)])
    expect(breaks(1, but(run, 2, [{ _tag: "Ask", ask: 1, id: 1, method: "roots/list", params: undefined }]))).toMatch(
      "nobody declared"
    )
    expect(breaks(1, but(run, 2, [send(result(1, { roots: [] }), "v1")]))).toMatch("nobody declared")
    expect(breaks(1, but(run, 1, [{ _tag: "Ask", ask: 1, id: 1, method: "roots/list", params: undefined }]))).toMatch(
      "nobody asked"
    )
  })
  it("catches a call that the server did not declare, and one that is not a client's", () => {
    const run = recordClient(silent, [...opened, calling(2, "resources/list")])
    expect(breaks(1, but(run, 2, [send({ jsonrpc: "2.0", id: 2, method: "resources/list" })]))).toMatch(
      "did not declare resources"
    )
    const other = recordClient(silent, [...opened, calling(2, "roots/list")])
    expect(breaks(1, but(other, 2, [send({ jsonrpc: "2.0", id: 2, method: "roots/list" })]))).toMatch(
      "no request of a client's"
    )
  })
  it("catches a notification that nobody declared, and one that there is not", () => {
    const notice = (method: string): Output => ({ _tag: "Notice", method, params: undefined })
    const run = recordClient(silent, [...opened, open])
    expect(breaks(1, but(run, 2, [notice("notifications/message")]))).toMatch("nobody declared")
    expect(breaks(1, but(run, 2, [notice("notifications/elicitation/complete")]))).toMatch("nobody declared")
    expect(breaks(1, but(run, 2, [notice("notifications/nope")]))).toMatch("no notification")
  })
  it("catches method not found for a declared question", () =>
    expect(breaks(2, but(recordClient(askable, [...opened, roots(1)]), 2, [send(error(1, -32601), "v1")]))).toMatch(
      "answered with -32601"
    ))
  it("catches a declared call that is not sent, and lets one be that asks for a task of a server that makes none", () => {
    const task = recordClient(silent, [...opened, calling(2, "tools/call", { name: "a", task: {} })])
    expect(breaks(2, task)).toBeUndefined()
    const run = recordClient(silent, [...opened, calling(2, "tools/list")])
    const failure = { _tag: "MethodUnknown", method: "tools/list", revision: "2025-11-25" } as const
    expect(breaks(2, but(run, 2, [{ _tag: "Settle", call: 2, outcome: { _tag: "Failed", error: failure } }]))).toMatch(
      "was not sent"
    )
  })
})

describe("3 and 4: replies and ids", () => {
  const run = recordClient(askable, [
    ...opened,
    roots(1),
    { _tag: "Answered", ask: 1, id: 1, result: { roots: [] } },
    roots(2),
    roots(2)
  ])
  const reply = send(result(1, { roots: [] }), "v1")
  it("catches an answer given twice, too early, too late, or not at all", () => {
    expect(breaks(3, but(run, 4, [reply]))).toMatch("reply to nothing")
    expect(breaks(3, but(run, 2, [...run.steps[2]!.outputs, reply]))).toMatch("before the user did")
    expect(breaks(3, but(run, 3, []))).toMatch("never answered")
    const gone = recordClient(askable, [
      ...opened,
      roots(1),
      received({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }),
      roots(3)
    ])
    expect(breaks(3, but(gone, 4, [reply]))).toMatch("withdrawn")
  })
  it("catches a call that is settled twice, and one that never is", () => {
    const called = recordClient(silent, [...opened, calling(2, "ping"), received(result(2)), { _tag: "Stopping" }])
    expect(breaks(3, but(called, 4, [settled(2)]))).toMatch("settled twice")
    const waiting = recordClient(silent, [...opened, calling(2, "ping"), { _tag: "Stopping" }])
    expect(breaks(3, but(waiting, 3, [{ _tag: "Close", reason: "" }]))).toMatch("never settled")
  })
  it("catches a call that waits on after a broken reply", () => {
    const bad = received({ jsonrpc: "2.0", id: 2, result: 7 })
    const called = recordClient(silent, [...opened, calling(2, "ping"), bad])
    expect(breaks(3, called)).toBeUndefined()
    expect(breaks(3, but(called, 3, []))).toMatch("call 2 got a broken reply, and waits on")
  })
  it("catches an id in use that is not refused, and one of another type", () => {
    expect(breaks(4, but(run, 5, [send(result(2), "v2")]))).toMatch("in use")
    expect(breaks(4, but(run, 5, [send(error("2", -32600), "v2")]))).toMatch("no question had")
  })
  it("catches a request id that is used twice", () =>
    expect(breaks(4, but(run, 3, [send({ jsonrpc: "2.0", id: 1, method: "ping" })]))).toMatch("used twice"))
})

describe("5 and 6: the opening", () => {
  const run = recordClient(silent, opened)
  const [, , said] = run.steps[1]!.outputs
  it("catches a request before the opening", () =>
    expect(breaks(5, but(run, 0, [send({ jsonrpc: "2.0", id: 1, method: "ping" })]))).toMatch("was sent before"))
  it("catches a missing and an early notifications/initialized", () => {
    expect(breaks(5, but(run, 1, [said!]))).toMatch("opened without")
    expect(breaks(5, but(run, 0, [send({ jsonrpc: "2.0", method: "notifications/initialized" })]))).toMatch(
      "another moment"
    )
  })
  it("catches a question before the opening", () => {
    const early = recordClient(askable, [open, roots(1), agreed()])
    expect(breaks(5, but(early, 1, [{ _tag: "Ask", ask: 1, id: 1, method: "roots/list", params: undefined }]))).toMatch(
      "before the opening"
    )
  })
  it("catches a second initialize", () => {
    const twice = recordClient(silent, [...opened, open])
    expect(breaks(5, but(twice, 2, [send({ jsonrpc: "2.0", id: 9, method: "initialize" })]))).toMatch(
      "on an open session"
    )
  })
  it("catches versions that are not spoken or not what the server said", () => {
    expect(
      breaks(
        6,
        but(run, 0, [send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2026-07-28" } })])
      )
    ).toMatch("proposed")
    const peer = (revision: string) =>
      ({ _tag: "Opened", asked: "", peer: { revision, capabilities: {}, info: {} }, instructions: undefined }) as Output
    expect(breaks(6, but(run, 1, [peer("2026-07-28")]))).toMatch("is not spoken")
    expect(breaks(6, but(run, 1, [peer("2025-06-18")]))).toMatch("the server said")
  })
})

describe("10: living things", () => {
  const run = recordClient(askable, [
    ...opened,
    calling(2, "ping"),
    received(result(2)),
    roots(1),
    { _tag: "Stopping" }
  ])
  const cancelled = send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } })
  it("catches what refers to nothing", () => {
    expect(breaks(10, but(run, 1, [stop("request", 9)]))).toMatch("not running")
    expect(breaks(10, but(run, 2, [cancelled]))).toMatch("not under way")
    expect(breaks(10, but(run, 2, [{ _tag: "Abort", id: 9 }]))).toMatch("not under way")
    expect(breaks(10, but(run, 2, [{ _tag: "WithdrawAsk", ask: 9, reason: "" }]))).toMatch("not open")
    expect(
      breaks(10, but(run, 2, [{ _tag: "Progress", call: 9, progress: 1, total: undefined, message: undefined }]))
    ).toMatch("not under way")
  })
  it("catches a timer that runs on", () => {
    expect(breaks(10, but(run, 3, [settled(2)]))).toMatch("timer runs on")
    expect(breaks(10, but(run, 0, [...run.steps[0]!.outputs, { _tag: "Close", reason: "" }]))).toMatch("outlives")
  })
  it("catches a timer that runs out for nothing", () => {
    const [definition, options] = clients["that can be asked everything"]!
    const late = recordClient(
      definition,
      [...opened, roots(1), { _tag: "TimerFired", timer: { of: "ask", call: 1 } }],
      options
    )
    expect(breaks(10, late)).toBeUndefined()
    expect(breaks(10, but(late, 3, []))).toMatch("the timer ask ran out, and nothing came of it")
  })
  it("catches what comes after Close", () =>
    expect(breaks(10, but(run, 5, [...run.steps[5]!.outputs, cancelled]))).toMatch("after Close"))
  it("catches a refusal by another way", () =>
    expect(breaks(10, but(recordClient(silent, [...opened, roots(1)]), 2, [send(error(1, -32601), "b")]))).toMatch(
      'answered by "b"'
    ))
})

describe("11 and 12: machines that are not functions", () => {
  it("catches a step that remembers, and a state that loses something", () => {
    const real = clientMachine(silent)
    let steps = 0
    const step: ClientMachine["step"] = (state, input) => {
      const [next, outputs] = real.step(state, input)
      return [next, [...outputs, { _tag: "Notice", method: String(++steps), params: undefined }]]
    }
    const inputs = [...opened, calling(2, "ping"), received(result(2))]
    expect(breaks(11, recordClient(silent, inputs, {}, { ...real, step }))).toMatch("other outputs")
    expect(breaks(12, recordClient(silent, inputs, {}, { ...real, step }))).toMatch("another session")
    const encode: ClientMachine["encode"] = (state) => ({ ...(real.encode(state) as JsonObject), sent: [] })
    expect(breaks(11, recordClient(silent, inputs, {}, { ...real, encode }))).toMatch("after encode and decode")
  })
})
