/** A server's conversation in the making: the run so far, and what the next input may refer to. */
import type { Definition, JsonObject, RequestId, RevisionName } from "@parley/core"
import type { Input, Output, ServerMachine, ServerMachineOptions, Target } from "@parley/core/server"
import { fewer } from "./fewer.js"
import { own, reading } from "./envelope.js"
import type { Scene } from "./message.js"
import type { ServerRun, ServerStep } from "./run.js"
import { take } from "./run.js"

export interface LiveCall {
  readonly call: number
  readonly id: RequestId
  readonly target: Target
}

export interface Asked {
  readonly id: number
  readonly method: string
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
  /** Questions to the client that are not answered, and some that are. */
  asked: Array<Asked> = []
  answered: Array<Asked> = []
  revision: RevisionName | undefined
  closed = false
  /** What is registered now. */
  now: { readonly definition: Definition; readonly machine: ServerMachine }
  #state: ReturnType<ServerMachine["step"]>[0]
  #vias = 0

  constructor(definition: Definition, machine: ServerMachine, options: ServerMachineOptions) {
    this.definition = definition
    this.options = options
    this.machine = machine
    this.now = { definition, machine }
    this.#state = machine.initial
    this.scene = sceneOf(this)
  }

  /** A way in that no earlier message came by, or now and then one that did. */
  via(reuse: boolean): string {
    if (!reuse || this.#vias === 0) this.#vias++
    return `v${this.#vias}`
  }

  take(input: Input): ServerStep {
    const changed = input._tag === "Changed" ? this.#changed(input.families.length > 0) : undefined
    const step = { ...take(this.now.machine, this.#state, input), ...(changed && { changed }) }
    this.#state = step.after
    this.steps.push(step)
    this.#learn(input, step.outputs)
    return step
  }

  /** Writes the state down and reads it back, as a move to another process does. */
  move(): void {
    const { machine } = this.now
    const moved = machine.decode(JSON.parse(JSON.stringify(machine.encode(this.#state))))
    if (moved.ok) this.#state = moved.value
  }

  run(): ServerRun {
    const { definition, options, machine, steps } = this
    return { side: "server", definition, options, machine, steps }
  }

  /** Less is registered, or all of it again. */
  #changed(really: boolean): ServerStep["changed"] {
    if (!really) return undefined
    const { definition, machine, options } = this
    this.now = this.now.machine === machine ? fewer(definition, machine, options) : { definition, machine }
    return this.now
  }

  #learn(input: Input, outputs: ReadonlyArray<Output>): void {
    if (input._tag === "Received") {
      for (const json of Array.isArray(input.json) ? (input.json as ReadonlyArray<unknown>) : [input.json]) {
        const { id } = reading(json)
        if (id !== undefined && this.scene.used.at(-1) !== id) (this.scene.used as Array<RequestId>).push(id)
      }
    }
    for (const output of outputs) {
      if (output._tag === "Invoke" && !this.live.some(({ call }) => call === output.call))
        this.live.push({ call: output.call, id: output.id, target: output.target })
      if (output._tag === "Interrupt") this.#end(output.call)
      if (output._tag === "Close") {
        this.closed = true
        this.over = this.live
        this.live = []
      }
      if (output._tag === "StopTimer" && output.timer.of === "ask") this.#close(output.timer.call)
      if (output._tag === "Send" && !Array.isArray(output.message)) {
        const [id, method] = [own(output.message, "id"), own(output.message, "method")]
        if (typeof method === "string" && typeof id === "number") this.asked.push({ id, method })
        const result = own(output.message, "result")
        const version = own(result, "protocolVersion")
        if (typeof version === "string") this.revision ??= version as RevisionName
        const cursor = own(result, "nextCursor")
        if (typeof cursor === "string" && !this.scene.cursors.includes(cursor))
          (this.scene.cursors as Array<string>).push(cursor)
      }
    }
    // A question that can not be asked ends its call as well.
    if ("call" in input && input._tag !== "Progressed") this.#end(input.call)
  }

  #close(ask: number): void {
    this.answered = [...this.answered.slice(-7), ...this.asked.filter(({ id }) => id === ask)]
    this.asked = this.asked.filter(({ id }) => id !== ask)
  }

  #end(call: number): void {
    const ended = this.live.filter((live) => live.call === call)
    if (ended.length === 0) return
    this.live = this.live.filter((live) => live.call !== call)
    this.over = [...this.over.slice(-7), ...ended]
  }
}

const requiredOf = (prompt: JsonObject): ReadonlyArray<string> =>
  ((prompt["arguments"] ?? []) as ReadonlyArray<JsonObject>).flatMap(({ name, required }) =>
    required === true ? [name as string] : []
  )

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
    get tools() {
      return world.now.definition.tools.map(({ name }) => name)
    },
    get prompts() {
      return world.now.definition.prompts.map((prompt) => [prompt.name, requiredOf(prompt)] as const)
    },
    get uris() {
      return [...world.now.definition.resources.map(({ uri }) => uri), "file:///a"]
    },
    cursors: [],
    tokens: []
  }
}
