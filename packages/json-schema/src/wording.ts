/** The words for what is wrong with a value, by the keyword that it breaks: those of simple schemas. */
import { limits } from "./limit.js"

/** Nothing for a keyword that simple schemas have no wording for. */
export function wordingOf(keyword: string, limit: unknown): string | undefined {
  switch (keyword) {
    case "type":
      return expected([limit].flat())
    case "enum":
      return `expected one of ${(limit as Array<unknown>).slice(0, 20).map(text).join(", ")}`
    case "const":
      return `expected ${text(limit)}`
    case "pattern":
      return `must match /${limit as string}/`
    default:
      return limits.get(keyword)?.words.replace("#", String(limit))
  }
}

/** Of types by name, or of one. */
export const expected = (types: Iterable<unknown>): string => `expected ${[...types].map(kindOf).join(" or ")}`

export const missing = "missing"
export const unexpected = "not expected"
export const noAlternative = "matches none of the alternatives"
export const manyAlternatives = "matches more than one alternative where exactly one is allowed"
export const unfit = "does not match the schema"

const kindOf = (type: unknown): string =>
  type === "null" ? "null" : /^[aeiou]/.test(String(type)) ? `an ${String(type)}` : `a ${String(type)}`

function text(literal: unknown): string {
  const json = JSON.stringify(literal)
  return json.length > 80 ? `${json.slice(0, 80)}...` : json
}
