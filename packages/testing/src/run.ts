/** A recorded run: what a machine was told, what it put out, and the states in between. */
import type { Definition } from "@parley/core"
import type { ClientDefinition, ClientMachine, ClientMachineOptions, ClientState } from "@parley/core/client"
import type { Input as ClientInput, Output as ClientOutput } from "@parley/core/client"
import type { ServerMachine, ServerMachineOptions, ServerState } from "@parley/core/server"
import type { Input as ServerInput, Output as ServerOutput } from "@parley/core/server"

export interface Taken<State, Input, Output> {
  readonly input: Input
  readonly outputs: ReadonlyArray<Output>
  readonly before: State
  readonly after: State
  /** What the step threw, when it did. */
  readonly threw?: unknown
}

export interface ServerStep extends Taken<ServerState, ServerInput, ServerOutput> {
  /** What is registered from this step on, and the machine made from it; nothing where that did not change. */
  readonly changed?: { readonly definition: Definition; readonly machine: ServerMachine }
}

export type ClientStep = Taken<ClientState, ClientInput, ClientOutput>

export interface ServerRun {
  readonly side: "server"
  readonly definition: Definition
  readonly options: ServerMachineOptions
  readonly machine: ServerMachine
  readonly steps: ReadonlyArray<ServerStep>
}

export interface ClientRun {
  readonly side: "client"
  readonly definition: ClientDefinition
  readonly options: ClientMachineOptions
  readonly machine: ClientMachine
  readonly steps: ReadonlyArray<ClientStep>
}

/** A conversation as one side lived it. Any run can be held to the invariants, drawn or written by hand. */
export type Run = ServerRun | ClientRun

interface Stepping<State, Input, Output> {
  readonly step: (state: State, input: Input) => readonly [State, ReadonlyArray<Output>]
}

/** One step, with everything that goes in frozen, so that a machine which changes its arguments is caught. */
export function take<State, Input, Output>(
  machine: Stepping<State, Input, Output>,
  before: State,
  input: Input
): Taken<State, Input, Output> {
  try {
    const [after, outputs] = machine.step(frozen(before), frozen(input))
    return { input, outputs: frozen(outputs), before, after }
  } catch (threw) {
    return { input, outputs: [], before, after: before, threw }
  }
}

/** The value, no longer changeable however deep. */
export function frozen<A>(value: A): A {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key of Object.keys(value)) frozen((value as { readonly [key: string]: unknown })[key])
  return value
}
