/** The keywords that limit how large a number, how long a text or how many the items of an array are. */
import { spend } from "./bounds.js"
import type { Wanted } from "./wanted.js"
import { count, number } from "./wanted.js"

export interface Limit {
  readonly wanted: Wanted
  readonly fits: (value: unknown, limit: number) => boolean
  /** What is said of a value that does not fit, with `#` for the limit. */
  readonly words: string
}

const limited = (
  wanted: Wanted,
  size: (value: unknown, limit: number) => number | undefined,
  within: (size: number, limit: number) => boolean,
  words: string
): Limit => ({
  wanted,
  fits: (value, limit) => {
    const found = size(value, limit)
    return found === undefined || within(found, limit)
  },
  words
})

const itself = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
const items = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : undefined)

const atLeast = (size: number, limit: number): boolean => size >= limit
const atMost = (size: number, limit: number): boolean => size <= limit

/** In the order in which the library looks at them. */
export const limits: ReadonlyMap<string, Limit> = new Map([
  ["maxItems", limited(count, items, atMost, "must have at most # items")],
  ["minItems", limited(count, items, atLeast, "must have at least # items")],
  ["minimum", limited(number, itself, atLeast, "must be at least #")],
  ["maximum", limited(number, itself, atMost, "must be at most #")],
  ["exclusiveMinimum", limited(number, itself, (size, limit) => size > limit, "must be more than #")],
  ["exclusiveMaximum", limited(number, itself, (size, limit) => size < limit, "must be less than #")],
  ["minLength", limited(count, characters, atLeast, "must have at least # characters")],
  ["maxLength", limited(count, characters, atMost, "must have at most # characters")]
])

/** Where a pair of surrogates is one; not counted where it can not matter to the limit. */
function characters(text: unknown, limit: number): number | undefined {
  if (typeof text !== "string") return undefined
  const { length } = text
  if (length < limit || length > limit * 2) return length / 2 > limit ? limit + 1 : length
  spend(length >> 4)
  // A text that is not well-formed is counted as the library counts it: by its pairs.
  return length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}
