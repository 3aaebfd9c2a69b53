/** A conversation drawn from numbers, and lived by a machine. */
import type { Definition } from "@parley/core"
import type { ClientDefinition, ClientMachine, ClientMachineOptions } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import type { ServerMachine, ServerMachineOptions } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import { rarely, tape } from "./chance.js"
import { clientMove, clientOpening } from "./client-moves.js"
import { ClientWorld } from "./client-world.js"
import type { ClientRun, ServerRun } from "./run.js"
import { move, opening } from "./server-moves.js"
import { ServerWorld } from "./server-world.js"

/** All the decisions of a conversation. Fewer and smaller numbers make a shorter and plainer one. */
export interface Drawn {
  readonly opening: ReadonlyArray<number>
  readonly moves: ReadonlyArray<ReadonlyArray<number>>
}

/** The conversation as that server lives it. The same numbers lead to the same run. */
export function serverConversation(
  definition: Definition,
  drawn: Drawn,
  options: ServerMachineOptions = {},
  machine: ServerMachine = serverMachine(definition, options)
): ServerRun {
  return serverLives(new ServerWorld(definition, machine, options), drawn)
}

/** The conversation as it goes on in that world. */
export function serverLives(world: ServerWorld, drawn: Drawn): ServerRun {
  for (const input of opening(world, tape(drawn.opening))) world.take(input)
  for (const numbers of drawn.moves) {
    const choose = tape(numbers)
    const input = move(world, choose)
    if (rarely(choose, 10)) world.move()
    world.take(input)
  }
  return world.run()
}

/** The conversation as that client lives it. The same numbers lead to the same run. */
export function clientConversation(
  definition: ClientDefinition,
  drawn: Drawn,
  options: ClientMachineOptions = {},
  machine: ClientMachine = clientMachine(definition, options)
): ClientRun {
  const world = new ClientWorld(definition, machine, options)
  for (const next of clientOpening(world, tape(drawn.opening))) world.take(next())
  for (const numbers of drawn.moves) {
    const choose = tape(numbers)
    const input = clientMove(world, choose)
    if (rarely(choose, 10)) world.move()
    world.take(input)
  }
  return world.run()
}
