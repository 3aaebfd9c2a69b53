/** JSON of values that a stranger nested deeper than a stack is high: no deeper than a limit is looked, and there it is cut. */

/** More levels than that are shown nowhere. */
export const DEEPEST = 500

/** With more of them than that, indenting would make a document many times as long. */
const INDENTED = 40

export const isTooDeep = (value: unknown): boolean => levels(value, DEEPEST + 1) > DEEPEST

/** JSON text, whatever it is: what is nested too deep is cut, which the text says in its place. */
export function written(value: unknown, indent = 0): string {
  const deep = levels(value, DEEPEST + 1)
  const kept = deep > DEEPEST ? cut(value, DEEPEST) : value
  try {
    return text(kept, deep > INDENTED ? 0 : indent)
  } catch {
    // Longer than a text can be, which it may not be without the spaces.
    return text(kept, 0)
  }
}

const text = (value: unknown, indent: number): string => JSON.stringify(value, undefined, indent) ?? "null"

/** At most `most`. */
function levels(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null || most === 0) return 0
  let deepest = 0
  for (const inner of Object.values(value)) deepest = Math.max(deepest, levels(inner, most - 1))
  return deepest + 1
}

function cut(value: unknown, left: number): unknown {
  if (typeof value !== "object" || value === null) return value
  if (left === 0) return `… (nested deeper than ${DEEPEST} levels)`
  if (Array.isArray(value)) return value.map((one) => cut(one, left - 1))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, left - 1)]))
}
