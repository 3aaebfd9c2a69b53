/** The machine that runs a definition. */
import type { Definition } from "@parley/core"
import type { Channel } from "@parley/driver"
import type { ServerMachine, ServerMachineOptions } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"

type Limits = Pick<ServerMachineOptions, "drainMs" | "maxInFlight" | "askMs">

/** All sessions of one definition share one machine, however many tools it has. */
export function machineFor(
  definition: Definition,
  { drainMs, maxInFlight, askMs }: Limits,
  cancels: Channel["cancels"]
): ServerMachine {
  const known = machines.get(definition) ?? new Map<string, ServerMachine>()
  machines.set(definition, known)
  const key = `${drainMs} ${maxInFlight} ${askMs} ${cancels}`
  const machine =
    known.get(key) ??
    serverMachine(definition, { salt: salt(), drainMs, maxInFlight, askMs, cancels } as ServerMachineOptions)
  known.set(key, machine)
  return machine
}

const machines = new WeakMap<Definition, Map<string, ServerMachine>>()

/** Made when first needed: some platforms give out no randomness while modules load. */
let salted: number | undefined
const salt = (): number => (salted ??= crypto.getRandomValues(new Int32Array(1))[0]!)
