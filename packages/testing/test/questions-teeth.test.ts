/** The invariants about a server's questions have teeth: asked by no way, answered by nobody, run again for nothing. */
import type { JsonObject } from "@parley/core"
import type { Input, Output } from "@parley/core/server"
import type { ServerRun } from "@parley/testing"
import { invariants, recordServer } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { everything } from "./definitions.js"

const received = (json: unknown, via = "a"): Input => ({ _tag: "Received", json, via })
const ask = (id: unknown, method: string, params?: JsonObject) => ({ jsonrpc: "2.0", id, method, params })
const hello = received(
  ask("h", "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: { roots: {} },
    clientInfo: { name: "c", version: "1" }
  })
)
const opened = [hello, received({ jsonrpc: "2.0", method: "notifications/initialized" })]
const call = received(ask(1, "tools/call", { name: "add" }), "v")
const question = (key: string) => ({ key, method: "roots/list", params: undefined })
const needs: Input = { _tag: "NeedsInput", call: 1, id: 1, questions: [question("a"), question("b")], once: {} }
const answer = (id: number) => received({ jsonrpc: "2.0", id, result: { roots: [] } })
const done = (call: number): Input => ({ _tag: "Succeeded", call, id: 1, result: { content: [] } })
const cancelled = received({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } })
const send = (message: object, via: string | undefined = "v"): Output =>
  ({ _tag: "Send", message, via, last: true, text: undefined }) as Output
const reply = send({ jsonrpc: "2.0", id: 1, result: { content: [] } })
const withdrawal = (id: number, via = "v") =>
  send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }, via)

const but = (run: ServerRun, at: number, outputs: ReadonlyArray<Output>): ServerRun => ({
  ...run,
  steps: run.steps.map((step, index) => (index === at ? { ...step, outputs } : step))
})
const breaks = (number: number, run: ServerRun): string | undefined =>
  invariants.find((one) => one.number === number)!.check(run)?.why

const run = recordServer(everything, [...opened, call, needs, answer(2), answer(3), done(4)])
const [, , , asked, , again] = run.steps.map(({ outputs }) => outputs)
const invoked = again!.find((output) => output._tag === "Invoke")!

describe("what an unbroken run looks like to every invariant", () => {
  for (const { number, name, check } of invariants) it(`${number}: ${name}`, () => expect(check(run)).toBeUndefined())
})

describe("1: a handler that runs again", () => {
  it("before all is answered is caught", () =>
    expect(breaks(1, but(run, 4, [...run.steps[4]!.outputs, invoked]))).toMatch("for no request"))
  it("for something else is caught", () => {
    const other = { ...invoked, target: { _tag: "Tool", name: "slow", arguments: {} } } as Output
    expect(breaks(1, but(run, 5, [other]))).toMatch("run again for something else")
  })
  it("after the request was cancelled is caught", () => {
    const gone = recordServer(everything, [...opened, call, needs, cancelled, answer(2)])
    expect(breaks(1, but(gone, 5, [invoked]))).toMatch("for no request")
  })
  it("for a tool that needs more of the client is caught", () => {
    const needy = recordServer(everything, [...opened, received(ask(1, "tools/call", { name: "needy" }), "v")])
    const target = { _tag: "Tool", name: "needy", arguments: {} } as const
    expect(breaks(1, but(needy, 2, [{ ...invoked, call: 1, target }]))).toMatch("did not declare elicitation.url")
  })
  it("for a prompt that is not there is caught", () => {
    const nope = recordServer(everything, [...opened, received(ask(1, "prompts/get", { name: "nope" }), "v")])
    const target = { _tag: "Prompt", name: "nope", arguments: {} } as const
    expect(breaks(1, but(nope, 2, [{ ...invoked, call: 1, target }]))).toMatch('no prompt "nope"')
    const known = recordServer(everything, [...opened, received(ask(1, "prompts/get", { name: "toString" }), "v")])
    expect(breaks(1, but(known, 2, [{ ...invoked, call: 1, target }]))).toMatch("reached")
  })
})

describe("3: replies around questions", () => {
  it("catches a reply while the answers are awaited", () =>
    expect(breaks(3, but(run, 4, [reply]))).toMatch("before its handler"))
  it("catches a reply that never comes after the handler ran again", () =>
    expect(breaks(3, but(run, 6, []))).toMatch("never answered"))
  it("catches a late result of the first run that is taken for the reply", () => {
    const late = recordServer(everything, [...opened, call, needs, done(1)])
    expect(breaks(3, but(late, 4, [reply]))).toMatch("before its handler")
  })
})

describe("3: replies that can not be read", () => {
  const bad = { jsonrpc: "2.0", id: 2, error: "no" }
  const broken = recordServer(everything, [...opened, call, needs, received(bad), answer(3), done(4)])
  it("are taken for an answer", () => {
    for (const { check } of invariants) expect(check(broken)).toBeUndefined()
  })
  it("are caught when nothing comes of them, or two things", () => {
    expect(breaks(3, but(broken, 4, []))).toMatch("question 2 got a broken reply, which was neither taken nor refused")
    const neither = recordServer(everything, [...opened, call, needs, received({ jsonrpc: "2.0", id: 2 })])
    expect(breaks(3, neither)).toBeUndefined()
    const stop: Output = { _tag: "StopTimer", timer: { of: "ask", call: 2 } }
    expect(breaks(3, but(neither, 4, [...neither.steps[4]!.outputs, stop]))).toMatch("was both taken and refused")
  })
})

describe("a client that says nothing more, and is still there to hear", () => {
  const silent = recordServer(everything, [...opened, call, needs, { _tag: "InputEnded" }])
  it("is answered at once by who waited for it", () => {
    for (const { check } of invariants) expect(check(silent)).toBeUndefined()
    expect(breaks(3, but(silent, 4, []))).toMatch("tools/call was never answered")
    expect(breaks(1, but(silent, 4, [...silent.steps[4]!.outputs, invoked]))).toMatch("for no request")
  })
  it("is asked nothing more", () => {
    const busy = recordServer(everything, [...opened, call, { _tag: "InputEnded" }, needs])
    expect(breaks(10, busy)).toBeUndefined()
    expect(breaks(10, but(busy, 4, [send(ask(2, "roots/list"))]))).toMatch("asked of a client that says nothing more")
  })
})

describe("what is registered changes while a question is open", () => {
  const change: Input = { _tag: "Changed", families: ["tools", "resources", "prompts"] }
  const echo = (id: number) => received(ask(id, "tools/call", { name: "echo" }), `v${id}`)
  it("and whoever waits runs on, and what went is not called any more", () => {
    const changing = recordServer(everything, [
      ...opened,
      echo(1),
      needs,
      change,
      answer(2),
      answer(3),
      done(4),
      echo(5),
      change,
      echo(6)
    ])
    for (const { check } of invariants) expect(check(changing)).toBeUndefined()
    expect(changing.steps[6]!.outputs.some(({ _tag }) => _tag === "Invoke")).toBe(true)
    const taken = { ...changing.steps[10]!.outputs.find((output) => output._tag === "Invoke")!, id: 5 } as Output
    expect(breaks(1, but(changing, 8, [taken]))).toMatch('there is no tool "echo"')
    expect(breaks(9, but(changing, 4, []))).toMatch("the tools changed, and the client was not told")
  })
})

describe("4: ids while answers are awaited", () => {
  it("catches one that is taken a second time", () => {
    const twice = recordServer(everything, [...opened, call, needs, call])
    expect(breaks(4, but(twice, 4, [reply]))).toMatch("in use")
  })
  it("catches one whose reply waits for its batch", () => {
    const old = received(
      ask("h", "initialize", {
        protocolVersion: "2025-03-26",
        capabilities: {},
        clientInfo: { name: "c", version: "1" }
      })
    )
    const batch = received([ask(5, "ping"), ask(6, "tools/call", { name: "add" })], "b")
    const held = recordServer(everything, [old, opened[1]!, batch, received(ask(5, "ping"), "c")])
    expect(breaks(4, held)).toBeUndefined()
    expect(breaks(4, but(held, 3, [send({ jsonrpc: "2.0", id: 5, result: {} }, "c")]))).toMatch("in use")
  })
})

describe("10: questions refer to living things", () => {
  it("catches a question by another way, and one that serves nothing", () => {
    const elsewhere = asked!.map((output) => (output._tag === "Send" ? { ...output, via: "w" } : output))
    expect(breaks(10, but(run, 3, elsewhere))).toMatch('was asked by "w"')
    expect(breaks(10, but(run, 2, [...run.steps[2]!.outputs, send(ask(9, "roots/list"))]))).toMatch("was asked by")
  })
  it("catches a withdrawal of what is not open, by another way, or twice", () => {
    const gone = recordServer(everything, [...opened, call, needs, answer(2), cancelled])
    const last = gone.steps[5]!.outputs
    expect(breaks(10, gone)).toBeUndefined()
    expect(breaks(10, but(gone, 5, [...last, withdrawal(2)]))).toMatch("question 2 was withdrawn")
    expect(breaks(10, but(gone, 5, [...last, withdrawal(3)]))).toMatch("question 3 was withdrawn")
    expect(breaks(10, but(gone, 5, [withdrawal(3, "w")]))).toMatch("question 3 was withdrawn")
    expect(breaks(10, but(gone, 5, [...last, withdrawal(9)]))).toMatch("question 9 was withdrawn")
  })
  it("catches an interrupt of a handler that waits", () =>
    expect(breaks(10, but(run, 4, [{ _tag: "Interrupt", call: 1, reason: undefined }]))).toMatch("does not run"))
  it("catches progress while nobody works on the request", () => {
    const meta = received(ask(1, "tools/call", { name: "add", _meta: { progressToken: "t" } }), "v")
    const busy = recordServer(everything, [...opened, meta, needs, answer(2)])
    const progress = send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1 }
    })
    expect(breaks(10, but(busy, 4, [progress]))).toMatch("no such request is under way")
  })
  it("catches a question that outlives its request", () => {
    const gone = recordServer(everything, [...opened, call, needs, answer(2), cancelled])
    const rest = gone.steps[5]!.outputs.filter(({ _tag }) => _tag !== "Send")
    expect(breaks(10, but(gone, 5, rest))).toMatch("question 3 outlives its request")
    const ended = recordServer(everything, [...opened, call, needs, { _tag: "InputEnded" }])
    expect(breaks(10, but(ended, 4, [reply]))).toMatch("question 2 outlives its request")
  })
  it.each<Input>([{ _tag: "PeerClosed" }, { _tag: "Stopping" }])("says nothing of what comes after $_tag", (end) => {
    const over = recordServer(everything, [...opened, call, needs, end, cancelled, done(1)])
    expect(breaks(10, over)).toBeUndefined()
  })
  it("catches a question whose time is over and that stays open", () => {
    const late = recordServer(everything, [
      ...opened,
      call,
      needs,
      { _tag: "TimerFired", timer: { of: "ask", call: 2 } }
    ])
    expect(breaks(10, late)).toBeUndefined()
    expect(breaks(10, but(late, 4, []))).toMatch("the timer ask ran out, and nothing came of it")
  })
  it("catches a timer of a question that outlives the session", () => {
    const gone = recordServer(everything, [...opened, call, needs, { _tag: "PeerClosed" }])
    expect(breaks(10, gone)).toBeUndefined()
    expect(breaks(10, but(gone, 4, [{ _tag: "Close", reason: "" }]))).toMatch("outlives")
  })
})
