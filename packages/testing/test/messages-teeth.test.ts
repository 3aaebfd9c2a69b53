/** What is sent is judged: runs that send what was not declared, not valid or not wanted, by hand, are caught. */
import type { JsonObject, RevisionName } from "@parley/core"
import type { Input as ClientInput, Output as ClientOutput } from "@parley/core/client"
import type { Input, Output } from "@parley/core/server"
import type { ClientRun, ServerRun } from "@parley/testing"
import { exceptions, invariants, invariantsJudgedBy, recordClient, recordServer } from "@parley/testing"
import { describe, expect, it } from "vitest"
import { clients, everything, servers } from "./definitions.js"
import { closed, officialSchemasAreHere, published } from "./official.js"

const [tools] = servers["with tools"]!
const [askable] = clients["that can be asked everything"]!
const [silent] = clients["that can be asked nothing"]!

const received = (json: unknown, via = "a") => ({ _tag: "Received", json, via }) as const
const ask = (id: unknown, method: string, params?: JsonObject) => ({ jsonrpc: "2.0", id, method, params })
const note = (method: string, params?: JsonObject) =>
  params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }
const hello = (capabilities: JsonObject = {}, version: RevisionName = "2025-11-25") =>
  received(ask("h", "initialize", { protocolVersion: version, capabilities, clientInfo: { name: "c", version: "1" } }))
const initialized = received(note("notifications/initialized"))
const call = received(ask(1, "tools/call", { name: "echo", _meta: { progressToken: "t" } }), "v")
const done: Input = { _tag: "Succeeded", call: 1, id: 1, result: { content: [] } }
const send = (message: object, via?: string) =>
  ({ _tag: "Send", message, via, last: false, text: undefined }) as unknown as Output & ClientOutput
const result = (id: unknown, of: object) => ({ jsonrpc: "2.0", id, result: of })

function but(run: ServerRun, at: number, outputs: ReadonlyArray<Output>): ServerRun
function but(run: ClientRun, at: number, outputs: ReadonlyArray<ClientOutput>): ClientRun
function but(run: ServerRun | ClientRun, at: number, outputs: ReadonlyArray<unknown>): unknown {
  return { ...run, steps: run.steps.map((step, index) => (index === at ? { ...step, outputs } : step)) }
}
const breaks = (number: number, run: ServerRun | ClientRun, all = invariants): string | undefined =>
  all.find((one) => one.number === number)!.check(run)?.why

const opened = (capabilities: JsonObject = {}, version?: RevisionName) => [hello(capabilities, version), initialized]
const served = (inputs: ReadonlyArray<Input>, capabilities?: JsonObject, version?: RevisionName) =>
  recordServer(everything, [...opened(capabilities, version), ...inputs])
const agreed = (capabilities: JsonObject) =>
  received(result(1, { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "s", version: "1" } }))
const opening = (capabilities: JsonObject = {}): ReadonlyArray<ClientInput> => [{ _tag: "Open" }, agreed(capabilities)]

describe("7: what is sent was declared", () => {
  const form = { message: "m", requestedSchema: { type: "object", properties: {} } }
  it.each<[string, JsonObject, object]>([
    ["nobody declared roots", {}, ask(2, "roots/list")],
    ["nobody declared elicitation", {}, ask(2, "elicitation/create", form)],
    ["did not declare elicitation.url", { elicitation: {} }, ask(2, "elicitation/create", { mode: "url" })],
    ["did not declare elicitation.form", { elicitation: { url: {} } }, ask(2, "elicitation/create", form)],
    ["did not declare sampling.tools", { sampling: {} }, ask(2, "sampling/createMessage", { tools: [] })],
    [
      "did not declare tasks.requests.sampling.createMessage",
      { sampling: {}, tasks: {} },
      ask(2, "sampling/createMessage", { task: {} })
    ],
    [
      "did not declare tasks.requests.elicitation.create",
      { elicitation: {} },
      ask(2, "elicitation/create", { ...form, task: {} })
    ],
    ["has none from a server", {}, ask(2, "tools/list")],
    ["has none from a server", {}, note("notifications/nope")],
    ["has none from a server", {}, note("roots/list")]
  ])("catches a server of which one says: %s", (why, capabilities, message) =>
    expect(breaks(7, but(served([call], capabilities), 2, [send(message, "v")]))).toMatch(why)
  )
  it("catches a server that tells what it did not announce", () => {
    const run = recordServer(tools, [...opened(), call])
    expect(breaks(7, but(run, 2, [send(note("notifications/message", { level: "error", data: 1 }))]))).toMatch(
      "logging"
    )
    expect(breaks(7, but(run, 1, [send(note("notifications/tools/list_changed"))]))).toMatch("tools.listChanged")
  })
  it("lets a server ask and tell what was declared", () => {
    const run = served([call], { elicitation: {}, roots: {} })
    expect(breaks(7, but(run, 2, [send(ask(2, "elicitation/create", form), "v")]))).toBeUndefined()
    const old = served([call], { elicitation: { url: {} } }, "2025-06-18")
    expect(breaks(7, but(old, 2, [send(ask(2, "elicitation/create", form), "v")]))).toBeUndefined()
  })
  it("catches a client that asks or tells what was not declared", () => {
    const run = recordClient(silent, [...opening(), { _tag: "Open" }])
    expect(breaks(7, but(run, 2, [send(ask(2, "prompts/list"))]))).toMatch("nobody declared prompts")
    expect(breaks(7, but(run, 2, [send(note("notifications/roots/list_changed"))]))).toMatch("roots.listChanged")
    expect(breaks(7, but(run, 2, [send(ask(2, "roots/list"))]))).toMatch("has none from a client")
    expect(breaks(7, but(run, 2, [send(ask(2, "ping"))]))).toBeUndefined()
    const tooled = recordClient(silent, [...opening({ tools: {}, tasks: {} }), { _tag: "Open" }])
    expect(breaks(7, but(tooled, 2, [send(ask(2, "tools/call", { name: "a", task: {} }))]))).toMatch(
      "did not declare tasks.requests.tools.call"
    )
  })
})

describe("8: what is sent is valid", () => {
  const run = served([call, done])
  const old = served([call, done], {}, "2025-03-26")
  const replied = (of: object) => but(run, 3, [send(result(1, of), "v")])
  const repliedOld = (of: object) => but(old, 3, [send(result(1, of), "v")])
  const link = { type: "resource_link", uri: "u", name: "n" }
  it("catches a result of a wrong shape, and a member of a later revision", () => {
    expect(breaks(8, replied({}))).toMatch("tools/call (result) is not valid on 2025-11-25")
    expect(breaks(8, replied({ content: [link] }))).toBeUndefined()
    expect(breaks(8, repliedOld({ content: [link] }))).toMatch("result/content/0")
    expect(breaks(8, repliedOld({ content: [], structuredContent: {} }))).toMatch("structuredContent")
  })
  it("catches errors and notifications of a wrong shape", () => {
    expect(breaks(8, but(run, 3, [send({ jsonrpc: "2.0", id: 1, error: { code: 1.5, message: "" } }, "v")]))).toMatch(
      "error/code"
    )
    expect(breaks(8, but(run, 3, [send({ jsonrpc: "2.0", id: 1, error: { code: 1 } }, "v")]))).toMatch("error/message")
    expect(
      breaks(8, but(run, 3, [send({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "", stack: "" } }, "v")]))
    ).toMatch("error/stack")
    expect(breaks(8, but(run, 2, [send(note("notifications/progress", { progress: "x" }), "v")]))).toMatch("params")
    expect(breaks(8, but(run, 2, [send(note("notifications/nope"))]))).toMatch("has no notifications/nope")
  })
  it("catches a client's proposal, answers and calls of a wrong shape", () => {
    const asking = recordClient(askable, [
      ...opening({ tools: {} }),
      received(ask("r", "roots/list"), "v"),
      { _tag: "Answered", ask: 1, id: "r", result: { roots: [] } }
    ])
    expect(breaks(8, asking)).toBeUndefined()
    expect(breaks(8, but(asking, 3, [send(result("r", { roots: [{ uri: 7 }] }), "v")]))).toMatch("result/roots/0/uri")
    expect(breaks(8, but(asking, 0, [send(ask(1, "initialize", { protocolVersion: "2025-11-25" }))]))).toMatch("params")
    expect(breaks(8, but(asking, 2, [send(ask(2, "tools/call", {}))]))).toMatch("params/name")
  })
  it("excepts what is in the list, and nothing more", () => {
    expect(exceptions.map(({ name }) => name)).toEqual([
      "no id",
      "elicited fractions",
      "JSON values",
      "the result of a task"
    ])
    const broken = but(run, 3, [send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "" } }, "v")])
    expect(breaks(8, broken)).toBeUndefined()
  })

  describe.skipIf(!officialSchemasAreHere)("by the published schemas", () => {
    const strict = invariantsJudgedBy([closed])
    const loose = invariantsJudgedBy([published])
    it("catches a wrong shape twice, and a leak from a later revision where they are closed", () => {
      for (const all of [loose, strict]) {
        expect(breaks(8, replied({}), all)).toMatch("judged by the published schema")
        expect(breaks(8, repliedOld({ content: [link] }), all)).toMatch("tools/call (result)")
        expect(breaks(8, replied({ content: [link], _meta: { any: 1 } }), all)).toBeUndefined()
      }
      const leaks = [{ content: [], structuredContent: {} }, { content: [{ type: "text", text: "", _meta: {} }] }]
      for (const leak of leaks) {
        expect(breaks(8, repliedOld(leak), loose)).toBeUndefined()
        expect(breaks(8, repliedOld(leak), strict)).toMatch("closed")
      }
    })
    it("catches what is not defined, and a capability of a later revision", () => {
      expect(breaks(8, but(run, 2, [send(note("notifications/nope"))]), strict)).toMatch("defines no notification")
      const result = {
        protocolVersion: "2024-11-05",
        capabilities: { tasks: {} },
        serverInfo: { name: "", version: "" }
      }
      const first = recordServer(tools, [hello({}, "2024-11-05")])
      const told = but(first, 0, [send({ jsonrpc: "2.0", id: "h", result }, "a")])
      expect(breaks(8, told, loose)).toBeUndefined()
      expect(breaks(8, told, strict)).toMatch("initialize (result) is not valid on 2024-11-05")
    })
  })
})

describe("9: what is told was wanted", () => {
  const progress = (value: number, token = "t") =>
    send(note("notifications/progress", { progressToken: token, progress: value }), "v")
  const log = (level: string) => send(note("notifications/message", { level, data: 1 }))
  const updated = (uri: string) => send(note("notifications/resources/updated", { uri }))
  const on = (run: ServerRun, ...outputs: ReadonlyArray<Output>) =>
    breaks(9, but(run, run.steps.length - 1, [...run.steps.at(-1)!.outputs, ...outputs]))
  const setLevel = (level: string) => received(ask(7, "logging/setLevel", { level }))
  const subscribe = (uri: string, how = "subscribe") => received(ask(8, `resources/${how}`, { uri }))

  it("catches progress that does not increase, for no live token, and after the reply", () => {
    const run = served([call])
    expect(on(run, progress(1), progress(2))).toBeUndefined()
    expect(on(run, progress(1), progress(1))).toMatch("went from 1 to 1")
    expect(on(run, progress(1), progress(0.5))).toMatch("went from 1 to 0.5")
    expect(on(run, progress(1, "u"))).toMatch("no live request")
    expect(on(served([call, done]), progress(1))).toMatch("no live request")
  })
  it("catches a log message below the level that was asked for, and below info when none was", () => {
    expect(on(served([]), log("info"))).toBeUndefined()
    expect(on(served([]), log("debug"))).toMatch("info was asked for")
    expect(on(served([setLevel("error")]), log("warning"))).toMatch("error was asked for")
    expect(on(served([setLevel("error"), setLevel("debug")]), log("debug"))).toBeUndefined()
    expect(on(served([setLevel("error"), setLevel("loud")]), log("debug"))).toMatch("error was asked for")
  })
  it("catches an update that nobody subscribed to, and a list that was not to be announced", () => {
    expect(on(served([subscribe("a")]), updated("a"))).toBeUndefined()
    expect(on(served([subscribe("a")]), updated("b"))).toMatch('"b" was updated')
    expect(on(served([subscribe("a"), subscribe("a", "unsubscribe")]), updated("a"))).toMatch("nobody had subscribed")
    const changed = send(note("notifications/tools/list_changed"))
    expect(on(served([]), changed)).toBeUndefined()
    expect(on(recordServer(tools, opened()), changed)).toMatch("tools.listChanged was not declared")
  })
  it("catches an update and a change of which the client is not told, then or when it is ready to hear", () => {
    const update: Input = { _tag: "Updated", uri: "a" }
    const change: Input = { _tag: "Changed", families: ["tools"] }
    const untold = (inputs: ReadonlyArray<Input>) => {
      const run = recordServer(everything, inputs)
      expect(breaks(9, run)).toBeUndefined()
      return breaks(9, but(run, inputs.length - 1, []))
    }
    expect(untold([...opened(), subscribe("a"), update])).toMatch('"a" was updated, and who had subscribed')
    expect(untold([hello(), subscribe("a"), update, initialized])).toMatch('"a" was updated, and who had subscribed')
    expect(untold([...opened(), change])).toMatch("the tools changed, and the client was not told")
    expect(untold([hello(), change, initialized])).toMatch("the tools changed, and the client was not told")
    expect(untold([hello(), subscribe("a"), update, subscribe("a", "unsubscribe"), initialized])).toBeUndefined()
    expect(untold([...opened(), update])).toBeUndefined()
  })
  it("catches a client that tells progress of nothing or not upwards, and of roots that it was to keep quiet about", () => {
    const asked = received(ask("r", "roots/list", { _meta: { progressToken: "t" } }), "v")
    const run = recordClient(askable, [...opening(), asked])
    const with2 = (...outputs: ReadonlyArray<ClientOutput>) =>
      breaks(9, but(run, 2, [...run.steps[2]!.outputs, ...outputs]))
    expect(with2(progress(1), progress(2))).toBeUndefined()
    expect(with2(progress(1), progress(1))).toMatch("went from 1 to 1")
    expect(with2(progress(1, "u"))).toMatch("no open question")
    expect(
      breaks(
        9,
        but(recordClient(silent, [...opening(), { _tag: "Open" }]), 2, [send(note("notifications/roots/list_changed"))])
      )
    ).toMatch("was not declared")
  })
})
