/** What a step costs does not grow with what is open: counted by how much of the state it reads, so that no clock is needed. */
import type { JsonObject } from "@parley/core"
import type { ClientState, Input as ClientInput } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import type { Input, ServerState } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import { describe, expect, it } from "vitest"
import { clients, everything } from "./definitions.js"
import { everyClientCapability, everyServerCapability } from "../src/declaring.js"

interface Stepping<State, Input> {
  readonly initial: State
  readonly step: (state: State, input: Input) => readonly [State, ReadonlyArray<object>]
}

function lived<State, Input>(machine: Stepping<State, Input>, inputs: Iterable<Input>): State {
  let state = machine.initial
  for (const input of inputs) [state] = machine.step(state, input)
  return state
}

/** How many members of the state the step looks at. */
function reads<State, Input>(machine: Stepping<State, Input>, state: State, input: Input): number {
  let count = 0
  const known = new WeakMap<object, object>()
  const watched = <A>(value: A): A => {
    if (typeof value !== "object" || value === null) return value
    const made = known.get(value) ?? new Proxy(value, handler)
    known.set(value, made)
    return made as A
  }
  const handler: ProxyHandler<object> = {
    get: (target, key, receiver) => {
      count++
      return watched(Reflect.get(target, key, receiver) as unknown)
    },
    ownKeys: (target) => {
      const keys = Reflect.ownKeys(target)
      count += keys.length
      return keys
    }
  }
  const [, outputs] = machine.step(watched(state), input)
  expect(outputs.length).toBeGreaterThan(0)
  return count
}

/** With 256 times as much open a step may look at a few members more on its way, and not at all that is open. */
const steadily =
  <State, Input>(machine: Stepping<State, Input>) =>
  (open: (count: number) => Iterable<Input>, input: (count: number) => Input): void => {
    const [few, many] = [16, 4_096].map((count) => reads(machine, lived(machine, open(count)), input(count)))
    expect(many).toBeLessThan(3 * few! + 200)
  }

const ask = (id: unknown, method: string, params?: JsonObject) => ({ jsonrpc: "2.0", id, method, params })
const received = (json: unknown): Input & ClientInput => ({ _tag: "Received", json, via: "a" })
const told = (method: string, params?: JsonObject) => received({ jsonrpc: "2.0", method, params })
const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, at) => at)

describe("a server", () => {
  const machine: Stepping<ServerState, Input> = serverMachine(everything)
  const steady = steadily(machine)
  const clientInfo = { name: "c", version: "1" }
  const hello = (version: string): ReadonlyArray<Input> => [
    received(ask("h", "initialize", { protocolVersion: version, capabilities: everyClientCapability, clientInfo })),
    told("notifications/initialized")
  ]
  const call = (id: unknown) => ask(id, "tools/call", { name: "add" })
  const needs = (id: string, call: number): Input => ({
    _tag: "NeedsInput",
    call,
    id,
    questions: [{ key: "k", method: "roots/list", params: undefined }],
    once: {}
  })
  const running = (count: number): ReadonlyArray<Input> => [
    ...hello("2025-11-25"),
    ...numbers(count).map((at) => received(call(`r${at}`)))
  ]
  // Calls are numbered from 1; each question takes a number, and the run to come another.
  const asking = (count: number): ReadonlyArray<Input> => [
    ...running(count),
    ...numbers(count).map((at) => needs(`r${at}`, at + 1))
  ]
  const batch = (count: number): ReadonlyArray<Input> => [
    ...hello("2025-03-26"),
    received(numbers(count).map((at) => call(`r${at}`)))
  ]
  const subscribed = (count: number): ReadonlyArray<Input> => [
    ...hello("2025-11-25"),
    ...numbers(count).map((at) => received(ask(at, "resources/subscribe", { uri: `file:///${at}` })))
  ]
  const cancel = () => told("notifications/cancelled", { requestId: "r7" })

  it("takes and refuses requests beside many that are under way", () => {
    steady(running, () => received(call("new")))
    steady(running, () => received(call("r7")))
    steady(asking, () => received(ask("p", "ping")))
  })
  it("answers one of many that are under way", () =>
    steady(running, () => ({ _tag: "Succeeded", call: 8, id: "r7", result: { content: [] } })))
  it("cancels one of many that are under way, or that wait for answers", () => {
    steady(running, cancel)
    steady(asking, cancel)
  })
  it("cancels one of a large batch", () => steady(batch, cancel))
  it("asks, is answered, and gives up beside many open questions", () => {
    const first = (count: number) => count + 1
    steady(
      (count) => asking(count).slice(0, -1),
      (count) => needs(`r${count - 1}`, count)
    )
    steady(asking, (count) => received({ jsonrpc: "2.0", id: first(count), result: { roots: [] } }))
    steady(asking, (count) => ({ _tag: "TimerFired", timer: { of: "ask", call: first(count) } }))
  })
  it("tells of one of many subscriptions", () => steady(subscribed, () => ({ _tag: "Updated", uri: "file:///7" })))
})

describe("a client", () => {
  const [definition, options] = clients["that can be asked everything"]!
  const machine: Stepping<ClientState, ClientInput> = clientMachine(definition, { ...options, maxAsks: 10_000 })
  const steady = steadily(machine)
  const opened: ReadonlyArray<ClientInput> = [
    { _tag: "Open" },
    received({
      jsonrpc: "2.0",
      id: 1,
      result: {
        protocolVersion: "2025-11-25",
        capabilities: everyServerCapability,
        serverInfo: { name: "s", version: "1" }
      }
    })
  ]
  const calling = (call: number): ClientInput => ({
    _tag: "Called",
    call,
    method: "tools/list",
    params: undefined,
    timeoutMs: 1_000,
    totalMs: undefined,
    progress: true
  })
  const called = (count: number): ReadonlyArray<ClientInput> => [
    ...opened,
    ...numbers(count).map((at) => calling(at + 10))
  ]
  const asked = (count: number): ReadonlyArray<ClientInput> => [
    ...opened,
    ...numbers(count).map((at) => received(ask(`q${at}`, "roots/list", { _meta: { progressToken: at } })))
  ]
  /** The number of the question that came first. */
  const [first] = machine
    .step(lived(machine, opened), received(ask("q", "roots/list")))[1]
    .flatMap((output) => ("ask" in output ? [output.ask as number] : []))

  it("calls, settles and abandons beside many calls", () => {
    steady(called, (count) => calling(count + 10))
    steady(called, () => received({ jsonrpc: "2.0", id: 12, result: { tools: [] } }))
    steady(called, () => ({ _tag: "Abandoned", call: 12 }))
    steady(called, () => ({ _tag: "TimerFired", timer: { of: "request", call: 12 } }))
    steady(called, () => told("notifications/progress", { progressToken: 12, progress: 1 }))
  })
  it("is asked and answers beside many open questions", () => {
    steady(asked, () => received(ask("new", "roots/list")))
    steady(asked, () => ({ _tag: "Answered", ask: first!, id: "q0", result: { roots: [] } }))
    steady(asked, () => told("notifications/cancelled", { requestId: "q7" }))
  })
  it("tells how far an answer is, and gives up on one, beside many open questions", () => {
    const further = { progress: 1, total: undefined, message: undefined }
    steady(asked, () => ({ _tag: "AskProgressed", ask: first!, id: "q0", ...further }))
    steady(asked, () => ({ _tag: "TimerFired", timer: { of: "ask", call: first! } }))
  })
})
