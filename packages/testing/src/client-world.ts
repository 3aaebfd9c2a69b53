/** A client's conversation in the making: the run so far, and what the next input may refer to. */
import type { JsonObject, RequestId, RevisionName } from "@parley/core"
import type {
  ClientDefinition,
  ClientMachine,
  ClientMachineOptions,
  ClientTimer,
  Input,
  Output
} from "@parley/core/client"
import { own, reading } from "./envelope.js"
import type { Scene } from "./message.js"
import type { ClientRun, ClientStep } from "./run.js"
import { take } from "./run.js"

/** A request that is not answered, and the call that it was made for. */
export interface Pending {
  readonly id: RequestId
  readonly method: string
  readonly call: number
}

/** A request that is answered when it ends. */
export interface Stream {
  readonly id: RequestId
  readonly call: number
  readonly wanted: JsonObject
  acknowledged: boolean
}

export interface OpenAsk {
  readonly ask: number
  readonly id: RequestId | undefined
  readonly method: string
  /** The call whose result asked it. */
  readonly about: number | undefined
}

export class ClientWorld {
  readonly definition: ClientDefinition
  readonly options: ClientMachineOptions
  readonly machine: ClientMachine
  readonly steps: Array<ClientStep> = []
  readonly scene: Scene
  /** Requests of the client's that are not answered. */
  pending: Array<Pending> = []
  streams: Array<Stream> = []
  asks: Array<OpenAsk> = []
  /** Answers to these come too late. */
  over: Array<OpenAsk> = []
  /** Timers that were started; those that were stopped since may still fire. */
  timers: Array<ClientTimer> = []
  /** The proposal that is not answered, when there is one. */
  proposed: { readonly id: RequestId; readonly version: string } | undefined
  /** The same of the question what the server is. */
  probed: { readonly id: RequestId } | undefined
  /** The version the server has offered last. */
  revision: RevisionName | undefined
  opened = false
  closed = false
  nextCall = 10
  /** The call whose request was replied to last. */
  answered: number | undefined
  #state: ReturnType<ClientMachine["step"]>[0]
  #vias = 0

  constructor(definition: ClientDefinition, machine: ClientMachine, options: ClientMachineOptions) {
    this.definition = definition
    this.options = options
    this.machine = machine
    this.#state = machine.initial
    this.scene = sceneOf(this)
  }

  via(): string {
    return `v${++this.#vias}`
  }

  take(input: Input): ClientStep {
    const step = take(this.machine, this.#state, input)
    this.#state = step.after
    this.steps.push(step)
    this.#learn(input, step.outputs)
    return step
  }

  /** The highest number that the client has used. */
  get last(): number {
    return this.#state.last
  }

  move(): void {
    const moved = this.machine.decode(JSON.parse(JSON.stringify(this.machine.encode(this.#state))))
    if (moved.ok) this.#state = moved.value
  }

  run(): ClientRun {
    const { definition, options, machine, steps } = this
    return { side: "client", definition, options, machine, steps }
  }

  #learn(input: Input, outputs: ReadonlyArray<Output>): void {
    if (input._tag === "Received") this.#heard(input.json)
    for (const output of outputs) {
      if (output._tag === "Send") this.#said(output.message, input)
      if (output._tag === "Ask") this.asks.push({ about: undefined, ...output })
      if (output._tag === "WithdrawAsk") this.#end(output.ask)
      if (output._tag === "Settle" && (input._tag !== "Called" || input.call !== output.call)) this.#over(output.call)
      if (output._tag === "StartTimer") this.timers = [...this.timers.slice(-15), output.timer]
      if (output._tag === "Acknowledged")
        for (const stream of this.streams) if (stream.call === output.call) stream.acknowledged = true
      if (output._tag === "Opened") {
        this.opened = true
        this.revision = output.peer.revision
      }
      if (output._tag === "Close") this.closed = true
    }
    if (input._tag === "Answered" || input._tag === "Declined") this.#end(input.ask)
  }

  #over(call: number): void {
    this.pending = this.pending.filter((one) => one.call !== call)
    this.streams = this.streams.filter((one) => one.call !== call)
  }

  #heard(json: unknown): void {
    for (const message of Array.isArray(json) ? (json as ReadonlyArray<unknown>) : [json]) {
      const { id, kind, replyish } = reading(message)
      if (kind === "request" && id !== undefined) (this.scene.used as Array<RequestId>).push(id)
      if (id === undefined || !(kind === "reply" || replyish)) continue
      if (this.proposed?.id === id) this.proposed = undefined
      if (this.probed?.id === id) this.probed = undefined
      this.answered = this.pending.find((one) => one.id === id)?.call
      this.pending = this.pending.filter((one) => one.id !== id)
    }
  }

  #said(message: unknown, input: Input): void {
    const [id, method, params] = [own(message, "id") as RequestId, own(message, "method"), own(message, "params")]
    if (typeof method !== "string" || id === undefined) return
    const call = this.#callOf(input)
    if (method === "initialize") this.proposed = { id, version: own(params, "protocolVersion") as string }
    else if (call === undefined && method === "server/discover") this.probed = { id }
    else this.pending.push({ id, method, call: call ?? 0 })
    if (method === "subscriptions/listen")
      this.streams.push({
        id,
        call: call ?? 0,
        wanted: own(params, "notifications") as JsonObject,
        acknowledged: false
      })
  }

  /** The call that a request is made for, when it is made after that. */
  #callOf(input: Input): number | undefined {
    switch (input._tag) {
      case "Called":
        return input.call
      case "Answered":
        return this.asks.find(({ ask }) => ask === input.ask)?.about
      case "TimerFired":
        return input.timer.of === "retry" ? input.timer.call : undefined
      case "Received":
        return this.answered
      default:
        return undefined
    }
  }

  #end(ask: number): void {
    this.over = [...this.over.slice(-7), ...this.asks.filter((open) => open.ask === ask)]
    this.asks = this.asks.filter((open) => open.ask !== ask)
  }
}

function sceneOf(world: ClientWorld): Scene {
  let next = 0
  return {
    from: "server",
    definition: world.definition,
    get revision() {
      return world.revision ?? world.definition.revisions[0]!.name
    },
    fresh: () => (++next % 5 === 0 ? `s${next}` : next),
    used: [],
    get live() {
      const asked = world.asks.flatMap(({ id }) => (id === undefined ? [] : [id]))
      return [...asked, ...world.streams.map(({ id }) => id)]
    },
    tools: [],
    prompts: [],
    uris: ["file:///a"],
    cursors: [],
    get tokens() {
      return world.pending.map(({ id }) => id)
    }
  }
}
