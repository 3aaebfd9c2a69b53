/** The client machine: what the client is, closed over by a reducer. */
import type { Machine } from "../machine.js"
import { decode, encode } from "./codec.js"
import type { Chosen, ClientDefinition, Setup } from "./definition.js"
import { checkPrior } from "./prior.js"
import { given } from "./request.js"
import { spokenBy } from "./spoken.js"
import type { State } from "./state.js"
import { initial } from "./state.js"
import { step } from "./step.js"
import type { Input, Output, Prior } from "./vocabulary.js"

export interface ClientMachineOptions {
  /** How long the opening may take, in ms. Default 60,000. */
  readonly openingMs?: number
  /**
   * How long one way of opening may go unanswered before the other is tried too, in ms. Default 3,000. A server that is merely
   * slow loses nothing: its late answer still counts.
   */
  readonly probeMs?: number
  /** What is remembered of the server, so that it need not be asked how it is opened. */
  readonly prior?: Prior
  /** How many requests may be made for one call of which the server asks something before it answers. Default 16. */
  readonly maxRounds?: number
  /** How requests are withdrawn: by `notifications/cancelled` (default), or by closing their exchange. */
  readonly cancels?: "message" | "exchange"
  /** Questions from the server that may be open at once. Default 1,024. */
  readonly maxAsks?: number
  /** How long a question may stay open before it is withdrawn and refused, in ms. As long as the server waits when absent. */
  readonly askMs?: number
  /** Mixed into the hashes of ids that the server chooses; make it random where servers are hostile. Default 0. */
  readonly salt?: number
}

export type ClientMachine = Machine<State, Input, Output>

/**
 * A client as a reducer. It sends nothing that the server did not declare, and answers nothing that it did not declare itself.
 * @throws TypeError when the definition speaks no revision, or prefers one that it does not speak, and when `prior` is none
 */
export function clientMachine(definition: ClientDefinition, options: ClientMachineOptions = {}): ClientMachine {
  const chosen = Object.assign({}, defaults, given(options)) as object as Chosen
  checkPrior(chosen.prior)
  const spoken = spokenBy(definition)
  const modern = spoken.filter(({ envelope }) => envelope !== undefined)
  const legacy = spoken.filter(({ envelope }) => envelope === undefined)
  const setup: Setup = Object.assign(chosen, { definition, spoken, modern, legacy })
  const unopened = initial(chosen.salt)
  return {
    initial: unopened,
    step: (state, input) => step(setup, state, input),
    encode: (state) => encode(setup, state),
    decode: (json) => decode(setup, unopened, json)
  }
}

const defaults = { openingMs: 60_000, probeMs: 3_000, maxRounds: 16, cancels: "message", maxAsks: 1_024, salt: 0 }
