/** The server machine: a definition closed over by a reducer. */
import type { Definition } from "../definition.js"
import type { Machine } from "../machine.js"
import { decode, encode } from "./codec.js"
import { compile } from "./compiled.js"
import type { State } from "./state.js"
import { initial } from "./state.js"
import { step } from "./step.js"
import type { Input, Output } from "./vocabulary.js"

export interface ServerMachineOptions {
  /** Requests in flight from one peer; the next one is refused. Default 16,384. */
  readonly maxInFlight?: number
  /** Resources that one client may subscribe to, and that one stream may tell of. Default 10,000. */
  readonly maxSubscriptions?: number
  /** Streams that one client may have open. Default 1,000. */
  readonly maxListens?: number
  /** How the two sides abandon a request, as the channel has it: by a message (the default) or by closing its exchange. */
  readonly cancels?: "message" | "exchange"
  /** How long the client may take to answer a question, in ms. Default 600,000. */
  readonly askMs?: number
  /** Questions that one request may ask, over all runs of its handler; the next one fails it. Default 1,000. */
  readonly maxQuestions?: number
  /** Characters of what a request may remember while its client answers, where the client keeps it. Default 65,536. */
  readonly maxSealed?: number
  /** How long `Stopping` waits for running handlers, in ms. Default 5,000. */
  readonly drainMs?: number
  /** Mixed into the hashes of ids that the peer chooses; make it random where peers are hostile. Default 0. */
  readonly salt?: number
}

export type ServerMachine = Machine<State, Input, Output>

/**
 * A server as a reducer. The definition is not in the state: ten thousand sessions share one machine.
 * A changed definition is a new machine over the same state, told by `Changed`.
 * @throws TypeError when the definition speaks no revision, or says of a result that is never kept how long it may be
 */
export function serverMachine(definition: Definition, options: ServerMachineOptions = {}): ServerMachine {
  if (definition.revisions.length === 0) throw new TypeError("A server must speak at least one revision")
  const limits = Object.entries(defaults).map(([name, most]) => [name, options[name as keyof typeof defaults] ?? most])
  const compiled = compile(definition, Object.fromEntries(limits) as typeof defaults)
  return {
    initial,
    step: (state, input) => step(compiled, state, input),
    encode: (state) => encode(compiled, state),
    decode: (json) => decode(compiled, json)
  }
}

const defaults: Required<ServerMachineOptions> = {
  maxInFlight: 16_384,
  maxSubscriptions: 10_000,
  maxListens: 1_000,
  cancels: "message",
  askMs: 600_000,
  maxQuestions: 1_000,
  maxSealed: 65_536,
  drainMs: 5_000,
  salt: 0
}
