/** Whether a value could be the answer to a form's field, by all that clients are shown of the field. */
import type { JsonObject } from "@parley/core"

export function answers(value: unknown, field: JsonObject): boolean {
  switch (field["type"]) {
    case "boolean":
      return typeof value === "boolean"
    case "integer":
      return Number.isInteger(value) && within(value as number, field["minimum"], field["maximum"])
    case "number":
      return Number.isFinite(value) && within(value as number, field["minimum"], field["maximum"])
    case "array":
      return (
        Array.isArray(value) &&
        within(value.length, field["minItems"], field["maxItems"]) &&
        value.every((one) => among(one, field["items"] as JsonObject))
      )
    default:
      return (
        typeof value === "string" &&
        within(Array.from(value).length, field["minLength"], field["maxLength"]) &&
        among(value, field)
      )
  }
}

const within = (size: number, least: unknown, most: unknown): boolean =>
  !(size < Number(least ?? -Infinity)) && !(size > Number(most ?? Infinity))

/** Also where there is nothing to choose from: any text will do then. */
function among(value: unknown, { enum: plain, oneOf, anyOf }: JsonObject): boolean {
  const titled = (oneOf ?? anyOf) as ReadonlyArray<{ readonly const: unknown }> | undefined
  const options = titled?.map((one) => one.const) ?? (plain as ReadonlyArray<unknown> | undefined)
  return options?.includes(value) ?? true
}
