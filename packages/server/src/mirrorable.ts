/** Looks at a tool's `x-mcp-header` where it is declared; loaded for those that have one. */
import { annotations } from "@parley/core"
import type { Validator } from "@parley/json-schema"

/**
 * 2026-07-28 server/tools, x-mcp-header: a client that speaks HTTP would have to leave the tool out.
 * @throws TypeError that names the tool and the property
 */
export function mirrorable(tool: string, validator: Validator): Validator {
  const found = annotations(validator.jsonSchema)
  if (!found.ok) throw new TypeError(`The input schema of tool ${tool} can not be used: ${found.error}`)
  return validator
}
