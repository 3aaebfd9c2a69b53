/** Patterns that can not hang: the platform's matcher where that is proven quick, a linear one elsewhere. */
import { allowance, exhausted } from "./bounds.js"
import type { Expression } from "./expression.js"
import { anchored, parse, ways } from "./expression.js"
import type { Matcher } from "./linear.js"
import { linear } from "./linear.js"
import { flagsOf } from "./flags.js"

export interface Pattern {
  readonly source: string
  /** Longest text the platform's matcher is trusted with. */
  readonly quickUpTo: number
  /** Throws `exhausted` when the text can not be matched within the bounds. */
  readonly test: Matcher
}

/** With the flags of `flagsOf`. Throws `SchemaRefused` as that does. */
export function patternOf(source: string, at: string, native = false): Pattern {
  const flags = flagsOf(source, at, native)
  // Without the flag a pair of surrogates is two characters, which the reading below does not know.
  const expression = flags === "u" || !/[\ud800-\udfff]/.test(source) ? parse(source) : undefined
  const costs = expression === undefined ? [] : costsOf(expression)
  const quickUpTo = costs.length === 0 ? 0 : 2 ** (costs.length - 1)
  const regex = new RegExp(source, flags)
  let slow: Matcher | undefined | null = null
  const test = (text: string): boolean => {
    const cost = text.length <= quickUpTo ? costs[bitsOf(text.length)] : undefined
    if (cost !== undefined && allowance(cost)) return quick(regex, text)
    if (slow === null) slow = expression && linear(expression, flags)
    if (slow === undefined) throw exhausted
    return slow(text)
  }
  return { source, quickUpTo, test }
}

/** The platform may find an expression too large only when it is run. */
function quick(regex: RegExp, text: string): boolean {
  try {
    return regex.test(text)
  } catch {
    throw exhausted
  }
}

/** What a text may cost at worst, by the binary logarithm of its length, as far as that may be afforded. */
function costsOf(expression: Expression): ReadonlyArray<number> {
  const costs: Array<number> = []
  for (let bits = 0; bits <= 20; bits++) {
    const starts = anchored(expression) ? 0 : bits
    const cost = ways(expression, 2 ** bits) + starts
    if (cost > 18) break
    costs.push(2 ** cost)
  }
  return costs
}

/** The least power of two that is not below the length. */
const bitsOf = (length: number): number => (length <= 1 ? 0 : 32 - Math.clz32(length - 1))
