/** Walks a JSON value once: whether it is JSON at all, and small enough to be looked at. */
import { bounds } from "./bounds.js"
import { pathOf } from "./path.js"
import type { Issue } from "./validator.js"

/** What makes a value not JSON, or too large to look at. */
export interface Oddity extends Issue {
  readonly tooLarge: boolean
}

/** Nothing when the value is JSON of `most` values and `deepest` levels at most. `seen` is told of each array and object. */
export function oddity(
  value: unknown,
  most: number = Infinity,
  deepest: number = bounds.valueDepth,
  seen?: (inner: object) => void
): Oddity | undefined {
  let left = most
  /** The keys that lead to what is odd, the innermost first. */
  const keys: Array<string | number> = []

  function walk(value: unknown, deeper: number): Omit<Oddity, "path"> | undefined {
    if (left-- <= 0) return { message: `more than ${most} values`, tooLarge: true }
    if (typeof value === "string" || typeof value === "boolean" || value === null) return undefined
    if (typeof value === "number")
      return Number.isFinite(value) ? undefined : { message: "expected a finite number", tooLarge: false }
    if (typeof value !== "object") return { message: `expected a JSON value, not ${typeof value}`, tooLarge: false }
    if (deeper === 0) return { message: `nested more than ${deepest} deep`, tooLarge: true }
    seen?.(value)
    const names = Array.isArray(value) ? value.keys() : Object.keys(value)
    for (const name of names) {
      const inner: unknown = (value as { readonly [key: string | number]: unknown })[name]
      // JSON text leaves it out of an object.
      if (inner === undefined && typeof name === "string") continue
      const odd = walk(inner, deeper - 1)
      if (odd === undefined) continue
      keys.push(name)
      return odd
    }
    return undefined
  }

  const odd = walk(value, deepest)
  return odd && { ...odd, path: pathOf(keys.toReversed(), value) }
}
