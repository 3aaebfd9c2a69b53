/** Whether a pattern is a regular expression, and how it must be read. */
import { bounds } from "./bounds.js"
import { SchemaRefused } from "./refused.js"

/**
 * The `u` flag, or none where the source is only valid so. `native`: it will be run by the library, which knows the
 * `u` flag only. Throws `SchemaRefused`.
 */
export function flagsOf(source: string, at: string, native = false): "u" | "" {
  if (source.length > bounds.pattern)
    throw new SchemaRefused("size", at, `A pattern of more than ${bounds.pattern} characters`)
  if (valid(source, "u")) return "u"
  if (native || !valid(source, "")) throw new SchemaRefused("broken", at, `Not a regular expression: ${source}`)
  return ""
}

function valid(source: string, flags: string): boolean {
  try {
    return Boolean(new RegExp(source, flags))
  } catch {
    return false
  }
}
