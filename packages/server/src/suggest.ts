/** Suggestions for an argument of a prompt or a variable of a template. */
import type { JsonObject } from "@parley/core"
import type { RunningCall } from "./running-call.js"
import type { Complete } from "./complete.js"
import { completion } from "./complete.js"
import type { Registry } from "./define.js"

/** The result; empty for an argument without suggestions, nothing when there is no such prompt or template. */
export async function suggest(registry: Registry, params: JsonObject, call: RunningCall): Promise<object | undefined> {
  const { name, value } = params["argument"] as { readonly name: string; readonly value: string }
  const complete = completer(registry, params["ref"] as JsonObject, name)
  if (complete === undefined) return undefined
  if (complete === "none") return completion([])
  const context = params["context"] as { readonly arguments?: { readonly [name: string]: string } } | undefined
  const suggested = await call.value(complete(value, context?.arguments ?? {}))
  return completion(suggested as ReadonlyArray<string>)
}

function completer(
  { prompts, resources, templates }: Registry,
  ref: JsonObject,
  argument: string
): Complete | "none" | undefined {
  if (ref["type"] === "ref/prompt") {
    const known = prompts.get(ref["name"] as string)?.options.arguments
    if (known === undefined) return prompts.has(ref["name"] as string) ? "none" : undefined
    return (Object.hasOwn(known, argument) ? known[argument]!.complete : undefined) ?? "none"
  }
  const template = templates.find(({ uriTemplate }) => uriTemplate.template === ref["uri"])
  if (template === undefined) return resources.has(ref["uri"] as string) ? "none" : undefined
  const known = template.options.complete ?? {}
  return Object.hasOwn(known, argument) ? known[argument]! : "none"
}
