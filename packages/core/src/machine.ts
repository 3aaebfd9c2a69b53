/** A machine is a pure reducer over a state that can be written down: stored, moved to another process, replayed. */
import type { Json } from "./json.js"
import type { Result } from "./result.js"

export interface Machine<State, Input, Output> {
  readonly initial: State
  /** Never throws, never mutates, and answers the same for the same arguments. */
  readonly step: (state: State, input: Input) => Step<State, Output>
  /** The state as JSON: `JSON.parse(JSON.stringify(encode(state)))` decodes to a state that behaves the same. */
  readonly encode: (state: State) => Json
  /** `stale` when the state was made under another announcement than this machine makes. */
  readonly decode: (json: unknown) => Result<State, "stale" | "malformed">
}

export type Step<State, Output> = readonly [state: State, outputs: ReadonlyArray<Output>]
