/** What is off about tools: what a model, or a client, will stumble over. */
import type { Tool } from "@parley/core"
import { line } from "./clean.js"
import type { Remark } from "./diagnosis.js"
import { isRecord } from "./schema.js"

export function toolRemarks(tools: ReadonlyArray<Tool>): ReadonlyArray<Remark> {
  return [
    ...repeated(tools.map(({ name }) => name)).map((name): Remark => ({
      weight: "wrong",
      text: `There are several tools called ${line(name)}: only one of them can be called.`
    })),
    ...remark("odd", tools.filter(contradictory), "says both that it only reads and that it may destroy"),
    ...remark("odd", tools.filter(demanding), "requires an argument that its schema does not describe"),
    // 2025-11-25 server/tools, Tool Names.
    ...remark(
      "note",
      tools.filter(({ name }) => !/^[\w.-]{1,128}$/.test(name)),
      "has a name that other clients may not take: letters, digits, _ - . and at most 128 of them are safe"
    ),
    ...remark(
      "note",
      tools.filter(({ description = "" }) => description.trim() === ""),
      "has no description, by which models choose"
    )
  ]
}

/** Those that stand there more than once, each once. */
export function repeated(names: ReadonlyArray<string>): ReadonlyArray<string> {
  const seen = new Set<string>()
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))]
}

function remark(weight: Remark["weight"], of: ReadonlyArray<Tool>, what: string): ReadonlyArray<Remark> {
  const names = [...new Set(of.map(({ name }) => line(name)))]
  if (names.length === 0) return []
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ""
  const shown = names.slice(0, 5).join(", ") + more
  return [{ weight, text: `${names.length === 1 ? "Tool" : "Each of the tools"} ${shown} ${what}.` }]
}

const contradictory = ({ annotations }: Tool): boolean =>
  annotations?.readOnlyHint === true && annotations.destructiveHint === true

function demanding({ inputSchema }: Tool): boolean {
  const { properties, required, additionalProperties } = inputSchema
  if (!Array.isArray(required) || (additionalProperties !== undefined && additionalProperties !== false)) return false
  const described = isRecord(properties) ? properties : {}
  return (required as ReadonlyArray<unknown>).some(
    (name) => typeof name === "string" && !Object.hasOwn(described, name)
  )
}
