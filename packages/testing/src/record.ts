/** Runs written by hand: a machine is told these inputs, and the run is what it made of them. */
import type { Definition } from "@parley/core"
import type { ClientDefinition, ClientMachineOptions, Input as ClientInput } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import type { Input as ServerInput, ServerMachineOptions } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import { ClientWorld } from "./client-world.js"
import type { ClientRun, ServerRun } from "./run.js"
import { ServerWorld } from "./server-world.js"

/**
 * The run of a server that is told these inputs, one after the other.
 *
 * ```ts
 * import { defineServer } from "@parley/server"
 * import { invariants } from "@parley/testing"
 *
 * const { definition } = defineServer({ name: "calculator", version: "1.0.0" }, [])
 * const run = recordServer(definition, [{ _tag: "Received", json: { jsonrpc: "2.0", id: 1, method: "ping" }, via: "a" }])
 * run.steps[0]?.outputs.length // => 1
 * invariants.filter(({ check }) => check(run) !== undefined) // => []
 * ```
 */
export function recordServer(
  definition: Definition,
  inputs: ReadonlyArray<ServerInput>,
  options: ServerMachineOptions = {},
  machine = serverMachine(definition, options)
): ServerRun {
  const world = new ServerWorld(definition, machine, options)
  for (const input of inputs) world.take(input)
  return world.run()
}

/**
 * The run of a client that is told these inputs, one after the other.
 *
 * ```ts
 * import { handshakeRevisions } from "@parley/core/revisions"
 *
 * const definition = { info: { name: "demo", version: "1.0.0" }, capabilities: {}, revisions: handshakeRevisions }
 * const run = recordClient(definition, [{ _tag: "Open" }])
 * run.steps[0]?.outputs.map(({ _tag }) => _tag) // => ["StartTimer", "Send"]
 * ```
 */
export function recordClient(
  definition: ClientDefinition,
  inputs: ReadonlyArray<ClientInput>,
  options: ClientMachineOptions = {},
  machine = clientMachine(definition, options)
): ClientRun {
  const world = new ClientWorld(definition, machine, options)
  for (const input of inputs) world.take(input)
  return world.run()
}
