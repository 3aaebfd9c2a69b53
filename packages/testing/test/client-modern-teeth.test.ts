/** Each invariant has teeth with servers of 2026-07-28 too: a client's run that breaks it, by hand, is caught, and says why. */
import type { Json, JsonObject } from "@parley/core"
import type { Input, Output } from "@parley/core/client"
import type { ClientRun } from "@parley/testing"
import { invariants, recordClient } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { askable, client, discovered } from "./client-definitions.js"

const definition = client(askable)
const subscriptionId = "io.modelcontextprotocol/subscriptionId"

const received = (json: unknown): Input => ({ _tag: "Received", json, via: "a" })
const open: Input = { _tag: "Open" }
const answer = (id: unknown, result: object): Input => received({ jsonrpc: "2.0", id, result })
const calling = (call: number, method: string, params?: JsonObject): Input => ({
  _tag: "Called",
  call,
  method,
  params,
  timeoutMs: 10,
  totalMs: undefined,
  progress: true
})
const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } }
const opened = [open, answer(1, { ...discovered, capabilities })]
const asking = (inputRequests: JsonObject, more: JsonObject = { requestState: "s" }) =>
  answer(2, { resultType: "input_required", inputRequests, ...more })
const roots = { method: "roots/list" }
const answered: Input = { _tag: "Answered", ask: 1, id: undefined, result: { roots: [] } }
const calls = [...opened, calling(2, "tools/call", { name: "a" })]
const rounds = [...calls, asking({ r: roots }), answered]

const told = (method: string, params: JsonObject, id: Json = 2): Input =>
  received({ jsonrpc: "2.0", method, params: { ...params, _meta: { [subscriptionId]: id } } })
const wanted = { toolsListChanged: true, resourceSubscriptions: ["file:///a"] }
const listens = [
  ...opened,
  calling(2, "subscriptions/listen", { notifications: wanted }),
  told("notifications/subscriptions/acknowledged", { notifications: wanted }),
  told("notifications/tools/list_changed", {}),
  told("notifications/resources/updated", { uri: "file:///a/b" })
]

const run = (inputs: ReadonlyArray<Input>, of = definition): ClientRun => recordClient(of, inputs)
const but = (run: ClientRun, at: number, outputs: ReadonlyArray<Output>): ClientRun => ({
  ...run,
  steps: run.steps.map((step, index) => (index === at ? { ...step, outputs } : step))
})
const breaks = (number: number, run: ClientRun): string | undefined =>
  invariants.find((one) => one.number === number)!.check(run)?.why
const send = (message: object): Output =>
  ({ _tag: "Send", message, via: undefined, last: false, text: undefined }) as Output

/** The message that was sent in that step, changed. */
function resent(run: ClientRun, at: number, change: (message: JsonObject, params: JsonObject) => object): ClientRun {
  const outputs = run.steps[at]!.outputs.map((output): Output => {
    if (output._tag !== "Send") return output
    const message = output.message as unknown as JsonObject
    return send(change(message, message["params"] as JsonObject))
  })
  return but(run, at, outputs)
}
const without = (value: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))

describe("what unbroken runs look like to every invariant", () => {
  for (const [name, inputs] of Object.entries({ rounds, listens }))
    for (const { number, check } of invariants)
      it(`${number}: ${name}`, () => expect(check(run([...inputs, { _tag: "Stopping" }]))).toBeUndefined())
})

describe("what a result asks", () => {
  const asked = run(rounds)
  const ask = (more: { method?: string; params?: JsonObject }): Output => ({
    _tag: "Ask",
    ask: 1,
    id: undefined,
    method: "roots/list",
    params: undefined,
    about: 2,
    ...more
  })
  it("reaches the user when it was asked, and may be", () => {
    expect(breaks(1, but(asked, 1, [...asked.steps[1]!.outputs, ask({})]))).toMatch("no result asked it")
    expect(breaks(1, but(asked, 3, [ask({ method: "sampling/createMessage" })]))).toMatch("no result asked it")
    expect(breaks(1, but(asked, 3, [ask({ params: { _meta: {} } })]))).toMatch("with other params")
    expect(breaks(1, run(rounds, client({ sampling: {} })))).toBeUndefined()
    expect(breaks(1, but(run(rounds, client({ sampling: {} })), 3, [ask({})]))).toMatch("did not declare roots")
    const listed = run([...opened, calling(2, "tools/list"), asking({ r: roots })])
    expect(breaks(1, but(listed, 3, [ask({})]))).toMatch("tools/list was answered")
  })
  it("is not lost", () => expect(breaks(3, but(asked, 3, []))).toMatch("got a reply, and waits on"))
  it("is answered by the same request, with exactly what was asked for", () => {
    const again = (change: (params: JsonObject) => JsonObject): string | undefined =>
      breaks(
        8,
        resent(asked, 4, (message, params) => ({ ...message, params: change(params) }))
      )
    expect(again((params) => params)).toBeUndefined()
    expect(again((params) => ({ ...params, requestState: "t" }))).toMatch("with another state")
    expect(again((params) => without(params, "requestState"))).toMatch("with another state")
    expect(again((params) => ({ ...params, name: "b" }))).toMatch("with other params")
    expect(again((params) => ({ ...params, inputResponses: {} }))).toMatch("with answers to other questions")
    expect(again((params) => ({ ...params, inputResponses: { r: {} } }))).toBeDefined()
  })
  it("is asked with a new id, and by nobody else", () => {
    expect(
      breaks(
        4,
        resent(asked, 4, (message) => ({ ...message, id: 2 }))
      )
    ).toMatch("used twice")
    expect(
      breaks(
        1,
        resent(asked, 4, (message) => ({ ...message, method: "tools/list" }))
      )
    ).toMatch("nobody called it")
  })
  it("is not waited for by the timer of the request, nor cancelled at the server", () => {
    const timed = but(
      asked,
      3,
      asked.steps[3]!.outputs.filter(({ _tag }) => _tag !== "StopTimer")
    )
    expect(breaks(10, timed)).toMatch("its timer runs on")
    const gone = run([...calls, asking({ r: roots }), { _tag: "Abandoned", call: 2 }])
    const cancelled = send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } })
    expect(breaks(10, gone)).toBeUndefined()
    expect(breaks(10, but(gone, 4, [cancelled, ...gone.steps[4]!.outputs]))).toMatch("not under way")
  })
})

describe("requests", () => {
  const called = run(calls)
  const meta = (change: (meta: JsonObject) => JsonObject): ClientRun =>
    resent(called, 2, (message, params) => ({
      ...message,
      params: { ...params, _meta: change(params["_meta"] as JsonObject) }
    }))
  it("say who asks, in the version in force, and no more than was declared", () => {
    const key = (name: string): string => `io.modelcontextprotocol/${name}`
    expect(
      breaks(
        8,
        meta((meta) => without(meta, key("clientCapabilities")))
      )
    ).toBeDefined()
    expect(
      breaks(
        6,
        meta((meta) => ({ ...meta, [key("protocolVersion")]: "2025-11-25" }))
      )
    ).toMatch("is in force")
    expect(
      breaks(
        6,
        meta((meta) => ({ ...meta, [key("clientInfo")]: { name: "x", version: "0.1.0" } }))
      )
    ).toMatch("of its client")
    const said = (capabilities: JsonObject) => meta((meta) => ({ ...meta, [key("clientCapabilities")]: capabilities }))
    expect(breaks(6, said({ roots: {} }))).toMatch("which was declared")
    expect(breaks(6, said({ extensions: {} }))).toMatch("was not declared")
  })
  it("of the server's are never answered", () => {
    const pinged = run([...opened, received({ jsonrpc: "2.0", id: 7, method: "ping" })])
    expect(breaks(3, pinged)).toBeUndefined()
    expect(breaks(3, but(pinged, 2, [send({ jsonrpc: "2.0", id: 7, result: {} })]))).toMatch("is no request there")
  })
})

describe("the opening", () => {
  const initialize = (id: number, version = "2025-11-25") =>
    send({ jsonrpc: "2.0", id, method: "initialize", params: { protocolVersion: version } })
  it("is not by a handshake when the server has said that it needs none, and has no notification", () => {
    const run2 = run([...opened, { _tag: "RootsChanged" }])
    expect(breaks(5, but(run2, 2, [initialize(2)]))).toMatch("on an open session")
    const [probe] = run2.steps
    const late = {
      ...run2,
      steps: [probe!, { ...run2.steps[1]!, outputs: [] }, { ...run2.steps[2]!, outputs: [initialize(2)] }]
    }
    expect(breaks(5, late)).toMatch("needs none")
    const said = send({ jsonrpc: "2.0", method: "notifications/initialized" })
    expect(breaks(5, but(run2, 1, [...run2.steps[1]!.outputs, said]))).toMatch("another moment")
  })
  it("tries each way twice at most, and asks again on an open session only about what it remembered", () => {
    const again = { jsonrpc: "2.0", id: 3, method: "server/discover", params: { _meta: {} } }
    const run2 = run([open, open, open])
    const sent = run2.steps[0]!.outputs
    const many = [1, 2].reduce((run, at) => but(run, at, [send({ ...again, id: at + 1 })]), run2)
    expect(sent).not.toEqual([])
    expect(breaks(5, many)).toMatch("again and again")
    expect(breaks(5, but(run([...opened, open]), 2, [send(again)]))).toMatch("nobody called it")
  })
  it("agrees on a version that both speak, and that is wanted", () => {
    const peer = (revision: string) => ({ _tag: "Opened", asked: "", peer: { revision, capabilities: {} } }) as never
    expect(breaks(6, but(run(opened), 1, [peer("2025-11-25")]))).toMatch("the server said")
    const other = run([open, answer(1, { ...discovered, supportedVersions: ["2099-01-01"] })])
    expect(breaks(6, but(other, 1, [peer("2026-07-28")]))).toMatch("the server said")
    const pinned = run([open], client(askable, { prefer: "2026-07-28" }))
    expect(breaks(6, but(pinned, 0, [initialize(1)]))).toMatch("the only one wanted")
    expect(breaks(6, but(pinned, 0, [initialize(1, "2026-07-28")]))).toMatch("proposed by initialize")
  })
})

describe("streams", () => {
  const heard = run(listens)
  const notice = (method: string, params: JsonObject, about: number): Output => ({
    _tag: "Notice",
    method,
    params,
    about
  })
  const tagged = { _meta: { [subscriptionId]: 2 } }
  it("are acknowledged once, and honour what was wanted and promised", () => {
    const acknowledged = (honoured: JsonObject): Output => ({ _tag: "Acknowledged", call: 2, honoured })
    expect(breaks(9, but(heard, 3, []))).toMatch("its call was not told")
    expect(breaks(9, but(heard, 3, [acknowledged({ promptsListChanged: true })]))).toMatch("not both wanted")
    expect(breaks(9, but(heard, 4, [...heard.steps[4]!.outputs, acknowledged(wanted)]))).toMatch("acknowledged twice")
    expect(breaks(9, but(run(calls), 2, [...run(calls).steps[2]!.outputs, acknowledged({})]))).toMatch("no stream")
  })
  it("tell of what they honour, all of it, and of nothing else", () => {
    const changed = "notifications/tools/list_changed"
    expect(breaks(9, but(heard, 4, []))).toMatch("was not heard")
    expect(breaks(9, but(heard, 5, []))).toMatch("was not heard")
    expect(breaks(9, but(heard, 4, [notice(changed, { _meta: { [subscriptionId]: 9 } }, 2)]))).toMatch("no stream")
    expect(breaks(9, but(heard, 4, [notice(changed, tagged, 9)]))).toMatch("no stream")
    const elsewhere = notice("notifications/resources/updated", { uri: "file:///b", ...tagged }, 2)
    expect(breaks(9, but(heard, 5, [elsewhere]))).toMatch("does not honour it")
    const early = run(listens.slice(0, 3).concat(listens[4]!))
    expect(breaks(9, early)).toBeUndefined()
    expect(breaks(9, but(early, 3, [notice(changed, tagged, 2)]))).toMatch("no stream")
  })
})

describe("progress", () => {
  it("is handed out by the token of the request that is under way, to whoever wants it", () => {
    const progress = (progressToken: number) =>
      received({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 1 } })
    const output: Output = { _tag: "Progress", call: 2, progress: 1, total: undefined, message: undefined }
    const late = run([...rounds, progress(2)])
    expect(breaks(9, late)).toBeUndefined()
    expect(breaks(9, but(late, 5, [output]))).toMatch("no request of it that is under way")
    const now = run([...rounds, progress(3)])
    expect(now.steps[5]!.outputs).toContainEqual(output)
    expect(breaks(9, now)).toBeUndefined()
  })
  it("increases over all the requests of a call", () => {
    const progress = (progressToken: number, value: number) =>
      received({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: value } })
    const output: Output = { _tag: "Progress", call: 2, progress: 1, total: undefined, message: undefined }
    const retried = run([...calls, progress(2, 1), asking({ r: roots }), answered, progress(3, 1), progress(3, 2)])
    expect(retried.steps[6]!.outputs).toEqual([])
    expect(retried.steps[7]!.outputs).toEqual([{ ...output, progress: 2 }])
    expect(breaks(9, retried)).toBeUndefined()
    expect(breaks(9, but(retried, 6, [output]))).toBe("progress of call 2 went from 1 to 1")
  })
})
