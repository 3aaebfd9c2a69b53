/** The server machine: a definition closed over by a reducer. */
import type { Definition } from "../definition.js"
import type { Machine } from "../machine.js"
import { decode, encode } from "./codec.js"
import type { Limits } from "./compiled.js"
import { compile } from "./compiled.js"
import type { State } from "./state.js"
import { initial } from "./state.js"
import { step } from "./step.js"
import type { Input, Output } from "./vocabulary.js"

export interface ServerMachineOptions {
  /** Requests in flight from one peer; the next one is refused. Default 16,384. */
  readonly maxInFlight?: number
  /** How long `Stopping` waits for running handlers, in ms. Default 5,000. */
  readonly drainMs?: number
  /** Mixed into the hashes of ids that the peer chooses; make it random where peers are hostile. Default 0. */
  readonly salt?: number
}

export type ServerMachine = Machine<State, Input, Output>

/**
 * A server as a reducer. The definition is not in the state: ten thousand sessions share one machine.
 * A changed definition is a new machine over the same state, told by `Changed`.
 * @throws TypeError when the definition speaks no revision
 */
export function serverMachine(definition: Definition, options: ServerMachineOptions = {}): ServerMachine {
  if (definition.revisions.length === 0) throw new TypeError("A server must speak at least one revision")
  const limits: Limits = {
    inFlight: options.maxInFlight ?? 16_384,
    drainMs: options.drainMs ?? 5_000,
    salt: options.salt ?? 0
  }
  const compiled = compile(definition, limits)
  return {
    initial,
    step: (state, input) => step(compiled, state, input),
    encode: (state) => encode(compiled, state),
    decode: (json) => decode(compiled, json)
  }
}
