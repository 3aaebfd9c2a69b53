/** What the server machine does in each phase of the handshake, found by telling it everything in every phase. */
import type { Definition } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import type { Input, Output, ServerMachine, ServerState } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"

export type Phase = ServerState["phase"]["_tag"]

/** Where the machine is told things: its phases, and the wait of `Stopping` for work that is in flight. */
export type Situation = Phase | "Stopping"

/** Two settings of a server bear on the handshake. */
export type Policy = Pick<Definition, "early" | "unsupported">

/** What comes of one word in one situation; `if` names the setting where it depends on one. */
export interface Outcome {
  readonly if: string | undefined
  /** `answered`, an error's number, `sent`, `heard`, `kept`, or `nothing`. */
  readonly said: string
  /** The phase it leads to, when that is another one. */
  readonly to: Phase | undefined
}

export interface Word {
  /** What the machine is told. */
  readonly name: string
  readonly outcomes: ReadonlyMap<Situation, ReadonlyArray<Outcome>>
}

export interface Handshake {
  readonly words: ReadonlyArray<Word>
  /** Which words lead from one phase to another, by whatever setting. */
  readonly moves: ReadonlyArray<{ readonly from: Phase; readonly to: Phase; readonly by: ReadonlyArray<string> }>
}

const situations: ReadonlyArray<Situation> = ["Unopened", "Opened", "Ready", "Stopping", "Closed"]

export function handshake(): Handshake {
  const words = Object.entries(vocabulary).map(([name, inputs]) => ({
    name,
    outcomes: new Map(situations.map((situation) => [situation, outcomesOf(situation, inputs)]))
  }))
  const moves = new Map<string, { from: Phase; to: Phase; by: Array<string> }>()
  for (const { name, outcomes } of words)
    for (const [from, ways] of outcomes)
      for (const { to } of ways) {
        if (to === undefined || from === "Stopping") continue
        const move = moves.get(`${from} ${to}`) ?? { from, to, by: [] }
        moves.set(`${from} ${to}`, move)
        if (!move.by.includes(name)) move.by.push(name)
      }
  return { words, moves: [...moves.values()] }
}

/** Told by every combination of the settings; a setting that makes no difference is not named. */
export function byPolicy<A>(outcome: (policy: Policy) => A): ReadonlyArray<readonly [string | undefined, A]> {
  const settings = { early: ["answer", "refuse"], unsupported: ["offer", "refuse"] } as const
  const base: Policy = { early: "answer", unsupported: "offer" }
  const told = settings.early.flatMap((early) =>
    settings.unsupported.map((unsupported) => ({ early, unsupported, outcome: outcome({ early, unsupported }) }))
  )
  const alike = (one: { outcome: A }, other: { outcome: A }) =>
    JSON.stringify(one.outcome) === JSON.stringify(other.outcome)
  if (told.every((one) => alike(one, told[0]!))) return [[undefined, told[0]!.outcome]]
  for (const name of ["early", "unsupported"] as const)
    if (told.every((one) => told.every((other) => one[name] !== other[name] || alike(one, other))))
      return settings[name].map((value) => [`${name}: "${value}"`, outcome({ ...base, [name]: value })])
  throw new Error("an outcome depends on both settings at once")
}

function outcomesOf(situation: Situation, inputs: ReadonlyArray<Input>): ReadonlyArray<Outcome> {
  const ways = byPolicy((policy) => {
    const machine = serverMachine(definition(policy))
    return oneOutcome(inputs.map((input) => react(machine, stateIn(machine, situation), input)))
  })
  return ways.map(([setting, { said, to }]) => ({ if: setting, said, to }))
}

/** What is said of several messages at once must be true of each. Params that are refused were at least looked at. */
function oneOutcome(reactions: ReadonlyArray<Omit<Outcome, "if">>): Omit<Outcome, "if"> {
  const distinct = new Map(reactions.map((reaction) => [JSON.stringify(reaction), reaction]))
  if (distinct.size > 1) distinct.delete(JSON.stringify({ said: "-32602", to: undefined }))
  if (distinct.size > 1) throw new Error(`not the same for all: ${[...distinct.keys()].join(", ")}`)
  return [...distinct.values()][0]!
}

function react(machine: ServerMachine, state: ServerState, input: Input): Omit<Outcome, "if"> {
  const [next, outputs] = machine.step(state, input)
  const to = next.phase._tag === state.phase._tag ? undefined : next.phase._tag
  return { said: saidBy(outputs) ?? (tellsLater(machine, next, input) ? "kept" : "nothing"), to }
}

function saidBy(outputs: ReadonlyArray<Output>): string | undefined {
  for (const output of outputs)
    switch (output._tag) {
      case "Send":
        return wording(output.message as { readonly error?: { readonly code: number }; readonly result?: unknown })
      case "Invoke":
        return "answered"
      case "Notice":
        return "heard"
      default:
    }
  return undefined
}

function wording(message: { readonly error?: { readonly code: number }; readonly result?: unknown }): string {
  if (message.error !== undefined) return String(message.error.code)
  return message.result === undefined ? "sent" : "answered"
}

/** Whether news is told once the client is ready for it. */
function tellsLater(machine: ServerMachine, state: ServerState, input: Input): boolean {
  if (input._tag !== "Changed") return false
  let now = state
  return [initialize(newest), initialized].some((step) => {
    const [next, outputs] = machine.step(now, step)
    now = next
    return saidBy(outputs) === "sent"
  })
}

function stateIn(machine: ServerMachine, situation: Situation): ServerState {
  const ways: { readonly [situation in Situation]: ReadonlyArray<Input> } = {
    Unopened: [],
    Opened: [initialize(newest)],
    Ready: [initialize(newest), initialized],
    Stopping: [initialize(newest), initialized, work, { _tag: "Stopping" }],
    Closed: [{ _tag: "PeerClosed" }]
  }
  const state = ways[situation].reduce((now, input) => machine.step(now, input)[0], machine.initial)
  const is = state.stopping && state.phase._tag === "Ready" ? "Stopping" : state.phase._tag
  if (is !== situation) throw new Error(`the way to ${situation} leads to ${is}`)
  return state
}

const received = (json: object): Input => ({ _tag: "Received", json: { jsonrpc: "2.0", ...json }, via: "a" })
const requested = (method: string, params: object = {}, id = method): Input => received({ id, method, params })

const newest = handshakeRevisions[0]!.name
const clientInfo = { name: "client", version: "1.0.0" }
const initialize = (protocolVersion: string): Input =>
  requested("initialize", { protocolVersion, capabilities: { roots: { listChanged: true } }, clientInfo })
const initialized = received({ method: "notifications/initialized" })
const work = requested("tools/call", { name: "work", arguments: {} }, "work")

/** Requests that are neither part of the handshake nor allowed at any time. */
const ordinary = Object.entries(handshakeRevisions[0]!.client).flatMap(([method, row]) =>
  row.kind === "request" && row.when === "ready" ? [requested(method)] : []
)

/** Everything that can happen to a server before it works, the client's words first. */
const vocabulary: { readonly [name: string]: ReadonlyArray<Input> } = {
  ping: [requested("ping")],
  initialize: handshakeRevisions.map(({ name }) => initialize(name)),
  "initialize, version not spoken": [initialize("2023-01-01")],
  "initialize, malformed": [requested("initialize", { protocolVersion: newest })],
  "notifications/initialized": [initialized],
  "any other request": [requested("tools/list"), ...ordinary],
  "any other notification": [received({ method: "notifications/roots/list_changed" })],
  "text that is not JSON": [{ _tag: "Garbled", why: "json", via: "a" }],
  Changed: [{ _tag: "Changed", families: ["tools"] }],
  "Succeeded, the last in flight": [{ _tag: "Succeeded", call: 1, id: "work", result: { content: [] } }],
  "TimerFired, drain": [{ _tag: "TimerFired", timer: { of: "drain", call: 0 } }],
  Stopping: [{ _tag: "Stopping" }],
  PeerClosed: [{ _tag: "PeerClosed" }]
}

const definition = (policy: Policy): Definition => ({
  info: { name: "server", version: "1.0.0" },
  instructions: undefined,
  capabilities: {
    tools: { listChanged: true },
    prompts: {},
    resources: { subscribe: true },
    completions: {},
    logging: {},
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
  },
  revisions: handshakeRevisions,
  unsupported: policy.unsupported,
  early: policy.early,
  pageSize: 50,
  tools: [{ name: "work", inputSchema: { type: "object" } }],
  resources: [],
  templates: [],
  prompts: [],
  requires: {},
  caching: {}
})
