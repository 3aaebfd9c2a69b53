/** Servers that break a rule: the real machine with something taken or put out otherwise, and how an invariant finds it. */
import type { Definition, JsonObject } from "@parley/core"
import type { Input, Output, ServerMachine, ServerMachineOptions } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import { conversations, invariants } from "@parley/testing"
import * as fc from "fast-check"
import { serverLives } from "../src/conversation.js"
import { own } from "../src/envelope.js"
import { ServerWorld } from "../src/server-world.js"
import { modern } from "./definitions.js"

export const drawn = fc.sample(conversations(), { numRuns: 600, seed: 11 })

export interface Broken {
  /** What it makes of what comes before it takes it; nothing means that it loses it. */
  readonly takes?: (input: Input) => Input | undefined
  /** What it makes of what it would put out. */
  readonly puts?: (outputs: ReadonlyArray<Output>, input: Input) => ReadonlyArray<Output>
  readonly definition?: Definition
  readonly options?: ServerMachineOptions
}

/** How that invariant finds it out, the same each time. */
export function found(number: number, { takes, puts, definition = modern, options = {} }: Broken): string {
  const make: typeof serverMachine = (of, limits) => {
    const real = serverMachine(of, limits)
    const step: ServerMachine["step"] = (state, input) => {
      const taken = takes === undefined ? input : takes(input)
      if (taken === undefined) return [state, []]
      const [next, outputs] = real.step(state, taken)
      return [next, puts === undefined ? outputs : puts(outputs, input)]
    }
    return { ...real, step }
  }
  const machine = make(definition, options)
  const { check } = invariants.find((one) => one.number === number)!
  for (const one of drawn) {
    const why = check(serverLives(new ServerWorld(definition, machine, options, make), one))?.why
    if (why !== undefined) return why
  }
  return "nothing was found"
}

export const key = (name: string): string => `io.modelcontextprotocol/${name}`

/** Takes every request as if it said that of its client. */
export const asIf =
  (change: (meta: JsonObject) => JsonObject): ((input: Input) => Input) =>
  (input) => {
    if (input._tag !== "Received" || own(input.json, "id") === undefined) return input
    const params = own(input.json, "params") as JsonObject | undefined
    const meta = own(params, "_meta")
    if (typeof meta !== "object" || meta === null || Array.isArray(meta)) return input
    return { ...input, json: { ...(input.json as object), params: { ...params, _meta: change(meta as JsonObject) } } }
  }

export const isWhole = (meta: JsonObject): boolean => {
  const capabilities = meta[key("clientCapabilities")]
  return typeof capabilities === "object" && capabilities !== null && !Array.isArray(capabilities)
}

export const without = (object: JsonObject, ...keys: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !keys.includes(name)))

/** Sends every message changed; nothing means that it is not sent. */
export const sends =
  (change: (message: JsonObject, input: Input) => JsonObject | undefined): NonNullable<Broken["puts"]> =>
  (outputs, input) =>
    outputs.flatMap((output): ReadonlyArray<Output> => {
      if (output._tag !== "Send" || Array.isArray(output.message)) return [output]
      const message = change(output.message as unknown as JsonObject, input)
      return message === undefined ? [] : [{ ...output, message: message as never, text: undefined }]
    })

export const results = (change: (result: JsonObject) => JsonObject) =>
  sends((message) => {
    const result = own(message, "result") as JsonObject | undefined
    return result === undefined ? message : { ...message, result: change(result) }
  })

export const told = (method: RegExp, change: (message: JsonObject) => JsonObject | undefined) =>
  sends((message) => (method.test(String(message["method"])) ? change(message) : message))

export const retagged = (message: JsonObject, meta: JsonObject): JsonObject => ({
  ...message,
  params: { ...(message["params"] as JsonObject), _meta: meta }
})
