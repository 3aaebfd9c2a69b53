/** Walks a JSON value once: how deep, how large, and whether it is JSON at all. */
import { bounds } from "./bounds.js"

export interface Measured {
  nodes: number
  longestArray: number
  mostKeys: number
  longestKey: number
  /** A member is undefined, which JSON text leaves out. */
  holes: boolean
  /** What makes it not JSON, or too large to look at, if anything. */
  problem: { readonly message: string; readonly tooLarge: boolean } | undefined
  /** The keys that lead to the problem, the innermost first. */
  readonly keys: Array<string | number>
}

export function measure(value: unknown, most: number): Measured {
  const all: Measured = {
    nodes: 0,
    longestArray: 0,
    mostKeys: 0,
    longestKey: 0,
    holes: false,
    problem: undefined,
    keys: []
  }
  walk(value, 0, most, all)
  return all
}

function walk(value: unknown, depth: number, most: number, all: Measured): boolean {
  all.nodes++
  if (all.nodes > most) return wrong(all, `more than ${most} values`, true)
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true
  if (typeof value === "number") return Number.isFinite(value) || wrong(all, "expected a finite number", false)
  if (typeof value !== "object") return wrong(all, `expected a JSON value, not ${typeof value}`, false)
  if (depth >= bounds.valueDepth) return wrong(all, `nested more than ${bounds.valueDepth} deep`, true)
  if (Array.isArray(value)) {
    if (value.length > all.longestArray) all.longestArray = value.length
    for (let i = 0; i < value.length; i++) if (!walk(value[i], depth + 1, most, all)) return inside(all, i)
    return true
  }
  const keys = Object.keys(value)
  if (keys.length > all.mostKeys) all.mostKeys = keys.length
  for (const key of keys) {
    if (key.length > all.longestKey) all.longestKey = key.length
    const inner: unknown = (value as { readonly [key: string]: unknown })[key]
    if (inner === undefined) all.holes = true
    else if (!walk(inner, depth + 1, most, all)) return inside(all, key)
  }
  return true
}

function wrong(all: Measured, message: string, tooLarge: boolean): false {
  all.problem = { message, tooLarge }
  return false
}

function inside(all: Measured, key: string | number): false {
  all.keys.push(key)
  return false
}
