/** Whether JSON can say a value: what it can not would break the conversation where it is written. */

/** Deeper values are refused as circular ones are. */
const deepest = 1_000

/** Nothing when it can; else where it can not, and why. Members that JSON leaves out do no harm. */
export const unsayable = (value: unknown): string | undefined => odd(value, 0)?.replace(/^(\.|: )/, "")

function odd(value: unknown, depth: number): string | undefined {
  if (typeof value === "bigint") return ": a bigint"
  if (typeof value !== "object" || value === null) return undefined
  if (depth > deepest) return "...: circular, or too deep"
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return spoken(value)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const why = odd(value[i], depth + 1)
      if (why !== undefined) return depth > shown ? why : `[${i}]${why}`
    }
    return undefined
  }
  for (const key in value) {
    const member = (value as { readonly [key: string]: unknown })[key]
    if (typeof member === "string") continue
    const why = odd(member, depth + 1)
    if (why !== undefined) return depth > shown ? why : `.${key}${why}`
  }
  return undefined
}

/** How much of the way is told. */
const shown = 8

function spoken(value: object): string | undefined {
  try {
    JSON.stringify(value)
    return undefined
  } catch (error) {
    return `: ${String(error)}`
  }
}
