/** A JSON Schema as rows that a person can read: name, type, whether required, default, description. */
import type { JsonObject } from "@parley/core"
import { brief, line } from "./clean.js"
import { written } from "./depth.js"

/** An object of which only some members are known. */
export type Members = { readonly [key: string]: unknown }

export interface Field {
  /** How deep it is nested; 0 for the schema's own properties. */
  readonly depth: number
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** As JSON; undefined when there is none. */
  readonly byDefault: string | undefined
  readonly description: string
}

/** The properties of an object schema, nested ones after their parent. Nothing for a schema that lists none. */
export const fieldsOf = (schema: Members): ReadonlyArray<Field> =>
  properties(schema, { root: schema, left: WORK }, []).slice(0, ROWS)

/** In words, such as `string[]`, `"a" | "b"` or `integer 1..10`. */
export const typeOf = (schema: unknown, root: Members = {}): string => named(schema, { root, left: WORK }, 0)

/** The schema that references point into, and how much more is looked at: references can make a small schema endless. */
interface Within {
  readonly root: Members
  left: number
}

const DEEP = 4
/** Levels of a schema that contains itself. */
const AGAIN = 1
const ROWS = 200
const WORK = 2_000

/** `around`: the schemas that it stands in; one that contains itself is shown once more, and no further. */
function properties(schema: Members, within: Within, around: ReadonlyArray<Members>): ReadonlyArray<Field> {
  const depth = around.length
  if (around.includes(schema) && depth > AGAIN) return []
  const listed = schema["properties"]
  if (!isRecord(listed) || depth > DEEP || within.left <= 0) return []
  const required = Array.isArray(schema["required"]) ? (schema["required"] as ReadonlyArray<unknown>) : []
  return Object.entries(listed)
    .slice(0, ROWS)
    .flatMap(([name, given]) => {
      if (within.left <= 0) return []
      const field = resolved(given, within.root)
      const row: Field = {
        depth,
        name: line(name),
        type: named(given, within, 0),
        required: required.includes(name),
        byDefault: isRecord(field) && field["default"] !== undefined ? line(written(field["default"])) : undefined,
        description: isRecord(field) ? describe(field, given) : ""
      }
      return [row, ...inner(field, within, [...around, schema])]
    })
}

/** What is inside an object, or inside each item of an array of them. */
function inner(field: unknown, within: Within, around: ReadonlyArray<Members>): ReadonlyArray<Field> {
  if (!isRecord(field) || within.left-- <= 0) return []
  if (isRecord(field["properties"])) return properties(field, within, around)
  if (field["items"] !== undefined) return inner(resolved(field["items"], within.root), within, around)
  const several = alternatives(field).map((one) => resolved(one, within.root))
  const objects = several.filter((one) => isRecord(one) && isRecord(one["properties"]))
  return objects.length === 1 ? inner(objects[0], within, around) : []
}

/** A description beside a `$ref` is nearer than that of what it refers to. */
function describe(field: Members, given: unknown): string {
  const near = isRecord(given) ? given["description"] : undefined
  const text = near ?? field["description"] ?? field["title"]
  return typeof text === "string" ? line(text) : ""
}

function named(given: unknown, within: Within, depth: number): string {
  if (given === false) return "nothing"
  const schema = resolved(given, within.root)
  if (!isRecord(schema) || depth > DEEP || within.left-- <= 0) return "any"
  if (schema["const"] !== undefined) return brief(schema["const"])
  if (Array.isArray(schema["enum"])) return choices(schema["enum"] as ReadonlyArray<unknown>)
  const several = alternatives(schema)
  if (several.length > 0 && schema["properties"] === undefined)
    return unique(several.map((one) => named(one, within, depth + 1))).join(" | ")
  const type = schema["type"]
  if (Array.isArray(type))
    return unique(
      (type as ReadonlyArray<unknown>).map((one) => named({ ...schema, type: one as string }, within, depth + 1))
    ).join(" | ")
  switch (typeof type === "string" ? type : guessed(schema)) {
    case "array":
      return listOf(schema, within, depth)
    case "object":
      return mapOf(schema, within, depth)
    case "string":
      return `string${typeof schema["format"] === "string" ? ` (${line(schema["format"])})` : range(schema["minLength"], schema["maxLength"], " chars")}`
    case "number":
    case "integer":
      return String(type) + range(schema["minimum"], schema["maximum"], "")
    default:
      return typeof type === "string" ? line(type) : "any"
  }
}

function listOf(schema: Members, within: Within, depth: number): string {
  const length = range(schema["minItems"], schema["maxItems"], " items")
  const prefix = schema["prefixItems"]
  if (Array.isArray(prefix))
    return `[${(prefix as ReadonlyArray<unknown>).map((one) => named(one, within, depth + 1)).join(", ")}]`
  if (schema["items"] === undefined) return `array${length}`
  const item = named(schema["items"], within, depth + 1)
  return `${/[ |]/.test(item) ? `(${item})` : item}[]${length}`
}

function mapOf(schema: Members, within: Within, depth: number): string {
  const more = schema["additionalProperties"]
  const open = isRecord(more) && schema["properties"] === undefined
  return open ? `object of ${named(more, within, depth + 1)}` : "object"
}

const MANY = 8

function choices(values: ReadonlyArray<unknown>): string {
  const shown = values.slice(0, MANY).map((value) => line(written(value)))
  return shown.join(" | ") + (values.length > MANY ? ` | … ${values.length - MANY} more` : "")
}

function range(from: unknown, to: unknown, unit: string): string {
  const [low, high] = [typeof from === "number" ? from : undefined, typeof to === "number" ? to : undefined]
  if (high !== undefined && Math.abs(high) >= Number.MAX_SAFE_INTEGER) return range(from, undefined, unit)
  if (low !== undefined && low <= -Number.MAX_SAFE_INTEGER) return range(undefined, to, unit)
  if (low === undefined && high === undefined) return ""
  if (low === undefined) return ` ≤ ${high}${unit}`
  return high === undefined ? ` ≥ ${low}${unit}` : ` ${low}..${high}${unit}`
}

const alternatives = (schema: Members): ReadonlyArray<unknown> =>
  [schema["anyOf"], schema["oneOf"]].find(Array.isArray) ?? []

const guessed = (schema: Members): string =>
  schema["properties"] !== undefined ? "object" : schema["items"] === undefined ? "any" : "array"

/** Follows references within the same schema; what can not be followed stands for anything. */
function resolved(given: unknown, root: Members): unknown {
  let schema = given
  for (let steps = 0; isRecord(schema) && typeof schema["$ref"] === "string"; steps++) {
    if (steps > DEEP || !schema["$ref"].startsWith("#")) return {}
    schema = pointed(schema["$ref"].slice(1), root)
  }
  return schema
}

function pointed(pointer: string, root: Members): unknown {
  let at: unknown = root
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return {}
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
