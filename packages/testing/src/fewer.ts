/** A server from which some of what is registered was taken away while it serves, as far as it promised to tell of that. */
import type { Definition } from "@parley/core"
import type { ServerMachine, ServerMachineOptions } from "@parley/core/server"
import type { serverMachine } from "@parley/core/server"
import { has } from "./specification.js"

interface Serving {
  readonly definition: Definition
  readonly machine: ServerMachine
}

const known = new WeakMap<ServerMachine, Serving>()

/** Without the first of each kind. The same for the same machine. */
export function fewer(
  definition: Definition,
  machine: ServerMachine,
  options: ServerMachineOptions,
  make: typeof serverMachine
): Serving {
  const found = known.get(machine) ?? made(definition, options, make)
  known.set(machine, found)
  return found
}

function made(whole: Definition, options: ServerMachineOptions, make: typeof serverMachine): Serving {
  const told = (family: string): boolean => has(whole.capabilities, `${family}.listChanged`)
  const definition: Definition = {
    ...whole,
    tools: whole.tools.slice(told("tools") ? 1 : 0),
    prompts: whole.prompts.slice(told("prompts") ? 1 : 0),
    resources: whole.resources.slice(told("resources") ? 1 : 0),
    templates: whole.templates.slice(told("resources") ? 1 : 0)
  }
  return { definition, machine: make(definition, options) }
}
