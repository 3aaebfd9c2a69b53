/** A server's conversation in the making: the run so far, and what the next input may refer to. */
import type { Definition, RequestId, RevisionName } from "@parley/core"
import type { Input, Output, ServerMachine, ServerMachineOptions, Target } from "@parley/core/server"
import { own, reading } from "./envelope.js"
import type { Scene } from "./message.js"
import type { ServerRun, ServerStep } from "./run.js"
import { take } from "./run.js"

export interface LiveCall {
  readonly call: number
  readonly id: RequestId
  readonly target: Target
}

export class ServerWorld {
  readonly definition: Definition
  readonly options: ServerMachineOptions
  readonly machine: ServerMachine
  readonly steps: Array<ServerStep> = []
  readonly scene: Scene
  live: Array<LiveCall> = []
  /** Calls that are over: their late results must find nothing. */
  over: Array<LiveCall> = []
  revision: RevisionName | undefined
  closed = false
  #state: ReturnType<ServerMachine["step"]>[0]
  #vias = 0

  constructor(definition: Definition, machine: ServerMachine, options: ServerMachineOptions) {
    this.definition = definition
    this.options = options
    this.machine = machine
    this.#state = machine.initial
    this.scene = sceneOf(this)
  }

  /** A way in that no earlier message came by, or now and then one that did. */
  via(reuse: boolean): string {
    if (!reuse || this.#vias === 0) this.#vias++
    return `v${this.#vias}`
  }

  take(input: Input): ServerStep {
    const step = take(this.machine, this.#state, input)
    this.#state = step.after
    this.steps.push(step)
    this.#learn(input, step.outputs)
    return step
  }

  /** Writes the state down and reads it back, as a move to another process does. */
  move(): void {
    const moved = this.machine.decode(JSON.parse(JSON.stringify(this.machine.encode(this.#state))))
    if (moved.ok) this.#state = moved.value
  }

  run(): ServerRun {
    const { definition, options, machine, steps } = this
    return { side: "server", definition, options, machine, steps }
  }

  #learn(input: Input, outputs: ReadonlyArray<Output>): void {
    if (input._tag === "Received") {
      for (const json of Array.isArray(input.json) ? (input.json as ReadonlyArray<unknown>) : [input.json]) {
        const { id } = reading(json)
        if (id !== undefined && this.scene.used.at(-1) !== id) (this.scene.used as Array<RequestId>).push(id)
      }
    }
    for (const output of outputs) {
      if (output._tag === "Invoke") this.live.push({ call: output.call, id: output.id, target: output.target })
      if (output._tag === "Interrupt") this.#end(output.call)
      if (output._tag === "Close") {
        this.closed = true
        this.over = this.live
        this.live = []
      }
      if (output._tag === "Send" && !Array.isArray(output.message)) {
        const result = own(output.message, "result")
        const version = own(result, "protocolVersion")
        if (typeof version === "string") this.revision ??= version as RevisionName
        const cursor = own(result, "nextCursor")
        if (typeof cursor === "string" && !this.scene.cursors.includes(cursor))
          (this.scene.cursors as Array<string>).push(cursor)
      }
    }
    if ("call" in input && input._tag !== "Progressed") this.#end(input.call)
  }

  #end(call: number): void {
    const ended = this.live.filter((live) => live.call === call)
    if (ended.length === 0) return
    this.live = this.live.filter((live) => live.call !== call)
    this.over = [...this.over.slice(-7), ...ended]
  }
}

function sceneOf(world: ServerWorld): Scene {
  let next = 0
  return {
    from: "client",
    get revision() {
      return world.revision ?? world.definition.revisions[0]!.name
    },
    fresh: () => (++next % 5 === 0 ? `r${next}` : next),
    used: [],
    get live() {
      return world.live.map(({ id }) => id)
    },
    tools: world.definition.tools.map(({ name }) => name),
    cursors: [],
    tokens: []
  }
}
