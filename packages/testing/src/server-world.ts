/** A server's conversation in the making: the run so far, and what the next input may refer to. */
import type { Definition, JsonObject, RequestId, RevisionName } from "@parley/core"
import type { Input, Output, ServerMachine, ServerMachineOptions, Target } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import { subscriptionId } from "./asker.js"
import { fields, own, reading, withdrawn } from "./envelope.js"
import { fewer } from "./fewer.js"
import type { Scene } from "./message.js"
import type { ServerRun, ServerStep } from "./run.js"
import { take } from "./run.js"
import { first, saysWhoAsks } from "./specification.js"
import { Vault } from "./vault.js"

export interface LiveCall {
  readonly call: number
  readonly id: RequestId
  readonly target: Target
  readonly revision: RevisionName
  /** What its request brings answers to, without a state. */
  readonly brought: Round["asked"]
}

export interface Asked {
  readonly id: number
  readonly method: string
}

/** What a request of 2026-07-28 was, to be made once more. */
export interface Made {
  readonly message: JsonObject
  readonly principal: string | undefined
}

/** What came with questions: the token, the request it came for, and the method of each question. */
export interface Round extends Made {
  readonly token: string
  readonly asked: ReadonlyArray<readonly [key: string, method: string]>
}

export class ServerWorld {
  readonly definition: Definition
  readonly options: ServerMachineOptions
  readonly machine: ServerMachine
  readonly steps: Array<ServerStep> = []
  /** What there is to say for a client that opens by a handshake, and for one that says with every request who it is. */
  readonly scene: Scene
  readonly modern: Scene | undefined
  readonly vault = new Vault()
  live: Array<LiveCall> = []
  /** Calls that are over: their late results must find nothing. */
  over: Array<LiveCall> = []
  /** Questions to the client that are not answered, and some that are. */
  asked: Array<Asked> = []
  answered: Array<Asked> = []
  /** What came with questions that were asked inside a result. */
  rounds: Array<Round> = []
  /** What requests bring answers to that bring no state. */
  readonly brings = new Map<RequestId, Round["asked"]>()
  /** The requests whose answers come last. */
  streams: Array<RequestId> = []
  revision: RevisionName | undefined
  closed = false
  /** What is registered now. */
  now: { readonly definition: Definition; readonly machine: ServerMachine }
  #state: ReturnType<ServerMachine["step"]>[0]
  #vias = 0
  #made = new Map<RequestId, Made>()

  readonly #make: typeof serverMachine

  /** `make`: how a server is made when what is registered changes. */
  constructor(definition: Definition, machine: ServerMachine, options: ServerMachineOptions, make = serverMachine) {
    this.#make = make
    this.definition = definition
    this.options = options
    this.machine = machine
    this.now = { definition, machine }
    this.#state = machine.initial
    const newest = definition.revisions.find(({ name }) => saysWhoAsks(name))?.name
    this.scene = sceneOf(this, () => this.revision ?? first(definition))
    // The same for both but for the revision: they share one channel, and its ids.
    this.modern = newest && (Object.create(this.scene, { revision: { value: newest, enumerable: true } }) as Scene)
  }

  /** A way in that no earlier message came by, or now and then one that did. */
  via(reuse: boolean, back = 0): string {
    if (!reuse || this.#vias === 0) this.#vias++
    return `v${Math.max(1, this.#vias - back)}`
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
    this.now = this.now.machine === machine ? fewer(definition, machine, options, this.#make) : { definition, machine }
    return this.now
  }

  #learn(input: Input, outputs: ReadonlyArray<Output>): void {
    if (input._tag === "Received") this.#came(input)
    for (const output of outputs) {
      if (output._tag === "Invoke" && !this.live.some(({ call }) => call === output.call)) {
        const { call, id, target, peer } = output
        this.live.push({ call, id, target, revision: peer.revision, brought: this.brings.get(id) ?? [] })
      }
      if (output._tag === "Interrupt") this.#end(output.call)
      if (output._tag === "Close") {
        this.closed = true
        this.over = this.live
        this.live = []
      }
      if (output._tag === "StopTimer" && output.timer.of === "ask") this.#close(output.timer.call)
      if (output._tag === "Seal" || output._tag === "Unseal") this.vault.take(output)
      if (output._tag === "Send" && !Array.isArray(output.message)) this.#went(output.message)
    }
    // A question that can not be asked ends its call as well.
    if ("call" in input && !["Progressed", "Sealed", "Unsealed"].includes(input._tag)) this.#end(input.call)
  }

  #came({ json, principal }: Extract<Input, { _tag: "Received" }>): void {
    for (const one of Array.isArray(json) ? (json as ReadonlyArray<unknown>) : [json]) {
      const read = reading(one)
      if (read.id !== undefined && this.scene.used.at(-1) !== read.id) this.#used.push(read.id)
      if (read.kind === "request") this.#made.set(read.id!, { message: one as JsonObject, principal })
      const gone = withdrawn(read)
      if (gone !== undefined) this.streams = this.streams.filter((id) => id !== gone)
    }
  }

  #went(message: unknown): void {
    const [id, method, result] = [own(message, "id"), own(message, "method"), own(message, "result")]
    if (typeof method === "string" && typeof id === "number") this.asked.push({ id, method })
    if (method === "notifications/subscriptions/acknowledged")
      this.streams.push(own(own(own(message, "params"), "_meta"), subscriptionId) as RequestId)
    if (method === undefined) this.streams = this.streams.filter((stream) => stream !== id)
    const version = own(result, "protocolVersion")
    if (typeof version === "string") this.revision ??= version as RevisionName
    const cursor = own(result, "nextCursor")
    if (typeof cursor === "string" && !this.#cursors.includes(cursor)) this.#cursors.push(cursor)
    const [token, made] = [own(result, "requestState"), this.#made.get(id as RequestId)]
    if (typeof token !== "string" || made === undefined) return
    const asked = Object.entries(fields(own(result, "inputRequests"))).map(
      ([key, question]) => [key, String(own(question, "method"))] as const
    )
    this.rounds = [...this.rounds.slice(-7), { ...made, token, asked }]
  }

  get #used(): Array<RequestId> {
    return this.scene.used as Array<RequestId>
  }

  get #cursors(): Array<string> {
    return this.scene.cursors as Array<string>
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

function sceneOf(world: ServerWorld, revision: () => RevisionName): Scene {
  let next = 0
  return {
    from: "client",
    definition: world.definition,
    get revision() {
      return revision()
    },
    fresh: () => (++next % 5 === 0 ? `r${next}` : next),
    used: [],
    get live() {
      return [...world.live.map(({ id }) => id), ...world.streams, ...world.vault.due.map(({ id }) => id)]
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
