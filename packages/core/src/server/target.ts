/** What a request is for, and what a handler is not even asked about: what is not there, or what its caller can not do. */
import { announced } from "../definition.js"
import type { Failure } from "../failure.js"
import type { JsonObject } from "../json.js"
import { isObject, member } from "../json.js"
import type { Peer } from "../peer.js"
import type { RequestRow } from "../row.js"
import type { Compiled, Spoken } from "./compiled.js"
import { lacking, pathOf } from "./offers.js"
import type { InFlight, Params } from "./state.js"
import type { Target } from "./vocabulary.js"

/** Params are known to be well-formed. */
export function targetOf({ method, params, task }: Pick<InFlight, "method" | "params" | "task">): Target {
  const name = params?.["name"] as string
  const args = (params?.["arguments"] ?? {}) as JsonObject
  switch (method) {
    case "tools/call":
      if (!task) return { _tag: "Tool", name, arguments: args }
      return { _tag: "Tool", name, arguments: args, task: params?.["task"] as { readonly ttl?: number } }
    case "prompts/get":
      return { _tag: "Prompt", name, arguments: args as { readonly [name: string]: string } }
    default:
      return { _tag: "Method", method, params }
  }
}

/** 2025-11-25 basic/utilities/tasks, Task Support and Handling: where it was not declared, what asks for a task is ignored. */
export const asTask = (compiled: Compiled, row: RequestRow, params: Params): boolean =>
  isObject(params?.["task"]) && takesTasks(compiled, row)

const takesTasks = ({ definition }: Compiled, { task }: RequestRow): boolean =>
  task !== undefined && announced(definition.capabilities, pathOf(task.needs))

/** Why no handler is asked, when none is. */
export function unservable(compiled: Compiled, row: RequestRow, target: Target): Failure | undefined {
  switch (target._tag) {
    case "Tool":
      return unusable(compiled, row, target.name, target.task !== undefined)
    case "Prompt":
      return incomplete(compiled, target.name, target.arguments)
    case "Method":
      return undefined
  }
}

/** 2025-11-25 basic/utilities/tasks, Tool-Level Negotiation: a tool may forbid what its caller asks for, or insist on it. */
function unusable(compiled: Compiled, row: RequestRow, name: string, asTask: boolean): Failure | undefined {
  const tool = compiled.tools.get(name)
  if (tool === undefined) return { _tag: "ToolUnknown", name }
  const support = member(tool["execution"], "taskSupport") ?? "forbidden"
  if (asTask ? support !== "forbidden" : support !== "required" || !takesTasks(compiled, row)) return undefined
  const why = `${asTask ? "with" : "without"} a task is not what the tool ${name} supports`
  return { _tag: "MethodUnknown", method: "tools/call", why }
}

function incomplete(compiled: Compiled, name: string, given: object): Failure | undefined {
  const prompt = compiled.prompts.get(name)
  if (prompt === undefined) return { _tag: "PromptUnknown", name }
  const declared = Array.isArray(prompt["arguments"]) ? (prompt["arguments"] as ReadonlyArray<JsonObject>) : []
  const missing = declared.find((one) => one["required"] === true && !Object.hasOwn(given, one["name"] as string))
  return missing && { _tag: "ArgumentMissing", prompt: name, argument: missing["name"] as string }
}

/** The capabilities that a tool can not do without and the client did not declare. */
export function undeclared(
  { definition }: Compiled,
  { revision }: Spoken,
  peer: Peer,
  target: Target
): ReadonlyArray<string> {
  const { requires } = definition
  return target._tag === "Tool" && Object.hasOwn(requires, target.name)
    ? lacking(revision, peer, requires[target.name]!)
    : []
}
