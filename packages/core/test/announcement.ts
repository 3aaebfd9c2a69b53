/** Announcements that lack one thing. */
import type { JsonObject } from "../src/json.js"

/** All of it, except one capability such as `tools`, or one part of one such as `resources.subscribe`. */
export function without(announced: JsonObject, needs: string): JsonObject {
  const [family, part] = needs.split(".") as [string, string | undefined]
  const others = Object.entries(announced).filter(([name]) => name !== family)
  if (part === undefined) return Object.fromEntries(others)
  const rest = Object.entries(announced[family] as JsonObject).filter(([name]) => name !== part)
  return Object.fromEntries([...others, [family, Object.fromEntries(rest)]])
}
