/** How much work a value is for the library, as far as its size and shape tell. */
import type { Oddity } from "./oddity.js"
import { oddity } from "./oddity.js"

export interface Effort {
  readonly nodes: number
  readonly longestArray: number
  readonly mostKeys: number
  readonly longestKey: number
  /** A member is undefined, which JSON text leaves out. */
  readonly holes: boolean
  readonly odd: Oddity | undefined
}

export function effortOf(value: unknown): Effort {
  let [nodes, longestArray, mostKeys, longestKey, holes] = [1, 0, 0, 0, false]
  const odd = oddity(value, undefined, undefined, (inner) => {
    if (Array.isArray(inner)) {
      nodes += inner.length
      longestArray = Math.max(longestArray, inner.length)
      return
    }
    const keys = Object.keys(inner)
    nodes += keys.length
    mostKeys = Math.max(mostKeys, keys.length)
    for (const key of keys) {
      longestKey = Math.max(longestKey, key.length)
      holes ||= (inner as { readonly [key: string]: unknown })[key] === undefined
    }
  })
  return { nodes, longestArray, mostKeys, longestKey, holes, odd }
}
