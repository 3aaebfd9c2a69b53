/** A client's conversation in the making: the run so far, and what the next input may refer to. */
import type { RequestId, RevisionName } from "@parley/core"
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

export interface Pending {
  readonly id: RequestId
  readonly method: string
}

export interface OpenAsk {
  readonly ask: number
  readonly id: RequestId
  readonly method: string
}

export class ClientWorld {
  readonly definition: ClientDefinition
  readonly options: ClientMachineOptions
  readonly machine: ClientMachine
  readonly steps: Array<ClientStep> = []
  readonly scene: Scene
  /** Requests of the client's that are not answered. */
  pending: Array<Pending> = []
  asks: Array<OpenAsk> = []
  /** Answers to these come too late. */
  over: Array<OpenAsk> = []
  /** Timers that were started; those that were stopped since may still fire. */
  timers: Array<ClientTimer> = []
  /** The proposal that is not answered, when there is one. */
  proposed: { readonly id: RequestId; readonly version: string } | undefined
  /** The version the server has offered last. */
  revision: RevisionName | undefined
  opened = false
  closed = false
  nextCall = 10
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
      if (output._tag === "Send") this.#said(output.message)
      if (output._tag === "Ask") this.asks.push({ ask: output.ask, id: output.id, method: output.method })
      if (output._tag === "WithdrawAsk") this.#end(output.ask)
      if (output._tag === "Settle")
        this.pending = this.pending.filter(({ id }) => id !== output.call || input._tag === "Called")
      if (output._tag === "StartTimer") this.timers = [...this.timers.slice(-15), output.timer]
      if (output._tag === "Opened") {
        this.opened = true
        this.revision = output.peer.revision
      }
      if (output._tag === "Close") this.closed = true
    }
    if (input._tag === "Answered" || input._tag === "Declined") this.#end(input.ask)
  }

  #heard(json: unknown): void {
    for (const message of Array.isArray(json) ? (json as ReadonlyArray<unknown>) : [json]) {
      const { id, kind } = reading(message)
      if (kind === "request" && id !== undefined) (this.scene.used as Array<RequestId>).push(id)
    }
  }

  #said(message: unknown): void {
    const [id, method] = [own(message, "id") as RequestId, own(message, "method")]
    if (method === "initialize")
      this.proposed = { id, version: own(own(message, "params"), "protocolVersion") as string }
    else if (typeof method === "string" && id !== undefined) this.pending.push({ id, method })
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
    get revision() {
      return world.revision ?? world.definition.revisions[0]!.name
    },
    fresh: () => (++next % 5 === 0 ? `s${next}` : next),
    used: [],
    get live() {
      return world.asks.map(({ id }) => id)
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
