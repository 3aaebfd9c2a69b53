/** The arguments of a tool, one a line, as its schema declares them. */
import type { Tool } from "@parley/core"

export interface Argument {
  readonly name: string
  readonly type: string
  readonly need: "required" | "optional"
  readonly description: string
}

export function argumentsOf({ inputSchema }: Tool): ReadonlyArray<Argument> {
  const required = (inputSchema["required"] ?? []) as ReadonlyArray<string>
  const properties = (inputSchema["properties"] ?? {}) as {
    readonly [name: string]: { readonly type?: string; readonly description?: string }
  }
  return Object.entries(properties).map(([name, { type = "anything", description = "" }]) => ({
    name,
    type,
    need: required.includes(name) ? "required" : "optional",
    description
  }))
}
