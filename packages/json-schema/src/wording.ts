/** The words for what is wrong with a value, by the keyword that it breaks: those of simple schemas. */

/** Nothing for a keyword that simple schemas have no wording for. */
export function wordingOf(keyword: string, limit: unknown): string | undefined {
  switch (keyword) {
    case "type":
      return expected([limit].flat())
    case "enum":
      return `expected one of ${(limit as Array<unknown>).slice(0, 20).map(text).join(", ")}`
    case "const":
      return `expected ${text(limit)}`
    default:
      return wordings[keyword]?.replace("#", () => String(limit))
  }
}

/** Of types by name, or of one. */
export const expected = (types: Iterable<unknown>): string => `expected ${[...types].map(kindOf).join(" or ")}`

export const missing = "missing"
export const unexpected = "not expected"
export const noAlternative = "matches none of the alternatives"
export const manyAlternatives = "matches more than one alternative where exactly one is allowed"
export const unfit = "does not match the schema"

const wordings: Readonly<Record<string, string | undefined>> = {
  minimum: "must be at least #",
  maximum: "must be at most #",
  exclusiveMinimum: "must be more than #",
  exclusiveMaximum: "must be less than #",
  pattern: "must match /#/",
  minLength: "must have at least # characters",
  maxLength: "must have at most # characters",
  minItems: "must have at least # items",
  maxItems: "must have at most # items"
}

const kindOf = (type: unknown): string =>
  type === "null" ? "null" : /^[aeiou]/.test(String(type)) ? `an ${String(type)}` : `a ${String(type)}`

function text(literal: unknown): string {
  const json = JSON.stringify(literal)
  return json.length > 80 ? `${json.slice(0, 80)}...` : json
}
