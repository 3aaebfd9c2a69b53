/** A form's schema as clients can show it: flat, and only with the members that elicitation has. */
import type { JsonObject } from "@parley/core"
import type { JsonSchema } from "@parley/json-schema"
import { answers } from "./field-answer.js"

/**
 * What a form can not say of a field, such as a pattern, is left out: the answer is judged by the whole schema.
 * @throws TypeError when a field is neither a text, a number, a boolean nor a choice, its default is no answer to it, or what
 * is required is none of them
 */
export function flatForm(schema: JsonSchema): JsonObject {
  const fields = schema["properties"]
  if (!isObject(fields)) throw new TypeError("A form needs an object schema with properties")
  const properties = Object.entries(fields).map(([name, field]) => [name, flatField(name, field)] as const)
  for (const [name, field] of properties)
    if (field["default"] !== undefined && !answers(field["default"], field))
      throw new TypeError(
        `The form's field ${name} has a default that does not fit it: ${JSON.stringify(field["default"])}`
      )
  const required = schema["required"]
  for (const name of Array.isArray(required) ? (required as ReadonlyArray<string>) : [])
    if (!Object.hasOwn(fields, name)) throw new TypeError(`The form requires ${name}, which is none of its fields`)
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(Array.isArray(required) && required.length > 0 ? { required: required as ReadonlyArray<string> } : {})
  }
}

const labels = ["title", "description", "default"]

const kinds: { readonly [type: string]: ReadonlyArray<string> } = {
  boolean: ["type", ...labels],
  number: ["type", ...labels, "minimum", "maximum"],
  integer: ["type", ...labels, "minimum", "maximum"],
  text: ["type", ...labels, "minLength", "maxLength", "format"],
  choice: ["type", ...labels, "enum", "enumNames", "oneOf"],
  several: ["type", ...labels, "minItems", "maxItems", "items"]
}

const formats: ReadonlyArray<unknown> = ["email", "uri", "date", "date-time"]

function flatField(name: string, field: unknown): JsonObject {
  if (!isObject(field)) throw unflat(name)
  const { type } = field
  // Nobody who fills it in would see which numbers there are.
  if ((type === "number" || type === "integer") && ("enum" in field || "const" in field)) throw unflat(name)
  if (type === "boolean" || type === "number" || type === "integer") return only(kinds[type]!, field)
  if (type === "array") {
    const items = isObject(field["items"]) ? choices(field["items"]) : undefined
    if (items === undefined) throw unflat(name)
    const titled = items["oneOf"]
    const kept = titled === undefined ? { type: "string", enum: items["enum"] } : { anyOf: titled }
    return only(kinds["several"]!, { ...field, items: kept })
  }
  if (type !== undefined && type !== "string") throw unflat(name)
  const choice = choices(field)
  if (choice !== undefined) return only(kinds["choice"]!, { ...field, oneOf: undefined, ...choice, type: "string" })
  if (type === undefined || "enum" in field || "oneOf" in field || "anyOf" in field) throw unflat(name)
  const { format } = field
  return only(kinds["text"]!, { ...field, format: formats.includes(format) ? format : undefined })
}

/** The texts to choose from, with or without titles. */
function choices(field: { readonly [key: string]: unknown }): { [key: string]: unknown } | undefined {
  const options = field["const"] === undefined ? field["enum"] : [field["const"]]
  if (Array.isArray(options)) return options.length > 0 && options.every(isText) ? { enum: options } : undefined
  const titled = field["oneOf"] ?? field["anyOf"]
  if (!Array.isArray(titled) || titled.length === 0) return undefined
  const read = titled.map((one: unknown) =>
    isObject(one) && isText(one["const"]) ? { const: one["const"], title: one["title"] ?? one["const"] } : undefined
  )
  return read.every((one) => one !== undefined) ? { oneOf: read } : undefined
}

const only = (members: ReadonlyArray<string>, field: { readonly [key: string]: unknown }): JsonObject =>
  Object.fromEntries(
    Object.entries(field).filter(([key, value]) => members.includes(key) && value !== undefined)
  ) as JsonObject

const unflat = (name: string): TypeError =>
  new TypeError(`The form's field ${name} must be a text, a number, a boolean or a choice of texts: forms are flat`)

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === "string"
