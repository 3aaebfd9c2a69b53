/** Arguments for a tool, drawn from its JSON Schema: such as it takes, as far as the schema can be followed. */
import type { Json, JsonObject } from "@parley/core"
import type { Choose } from "./chance.js"
import { one } from "./chance.js"

/** A value that the schema is likely to accept; whether it does is for a validator to say. */
export const drawnFrom = (schema: unknown, choose: Choose): Json => drawn({ root: schema, choose }, schema, 0)

interface Drawing {
  readonly root: unknown
  readonly choose: Choose
}

function drawn(drawing: Drawing, schema: unknown, depth: number): Json {
  const { choose } = drawing
  if (typeof schema !== "object" || schema === null) return one<Json>(choose, ["a", 0, true, null, {}, []])
  const node = schema as JsonObject
  if (typeof node["$ref"] === "string") return drawn(drawing, pointed(drawing.root, node["$ref"]), depth + 1)
  if ("const" in node) return node["const"] as Json
  if (isList(node["enum"])) return one(choose, node["enum"])
  for (const key of ["anyOf", "oneOf"])
    if (isList(node[key]))
      return drawn(drawing, Object.assign({}, node, { [key]: undefined }, one(choose, node[key]) as JsonObject), depth)
  if (isList(node["allOf"]))
    return drawn(
      drawing,
      Object.assign({}, node, { allOf: undefined }, ...(node["allOf"] as ReadonlyArray<object>)),
      depth
    )
  const type = isList(node["type"]) ? one(choose, node["type"]) : (node["type"] ?? likely(node))
  switch (type) {
    case "object":
      return object(drawing, node, depth)
    case "array":
      return array(drawing, node, depth)
    case "integer":
    case "number":
      return number(choose, node, type === "integer")
    case "boolean":
      return choose(2) === 1
    case "null":
      return null
    case "string":
      return text(choose, node)
    default:
      return one<Json>(choose, ["a", 0, true, null, {}, []])
  }
}

function likely(node: JsonObject): string | undefined {
  if ("properties" in node || "required" in node) return "object"
  if ("items" in node) return "array"
  return "minLength" in node || "pattern" in node ? "string" : undefined
}

function object(drawing: Drawing, node: JsonObject, depth: number): JsonObject {
  const required = isList(node["required"]) ? node["required"] : []
  const properties = Object.entries((node["properties"] ?? {}) as JsonObject)
  const kept = properties.filter(([name]) => required.includes(name) || (depth < 6 && drawing.choose(2) === 1))
  return Object.fromEntries(kept.map(([name, schema]) => [name, drawn(drawing, schema, depth + 1)]))
}

function array(drawing: Drawing, node: JsonObject, depth: number): ReadonlyArray<Json> {
  const least = numberOf(node["minItems"]) ?? 0
  const most = Math.max(least, Math.min(numberOf(node["maxItems"]) ?? least + 3, least + 3))
  const count = depth > 6 ? least : least + drawing.choose(most - least + 1)
  const ahead = isList(node["prefixItems"]) ? node["prefixItems"] : []
  return Array.from({ length: Math.max(count, ahead.length) }, (_, at) =>
    drawn(drawing, ahead[at] ?? node["items"], depth + 1)
  )
}

function number(choose: Choose, node: JsonObject, whole: boolean): number {
  const step = numberOf(node["multipleOf"]) ?? (whole ? 1 : 0.5)
  const low = numberOf(node["minimum"]) ?? (numberOf(node["exclusiveMinimum"]) ?? NaN) + step
  const high = numberOf(node["maximum"]) ?? (numberOf(node["exclusiveMaximum"]) ?? NaN) - step
  const from = Number.isNaN(low) ? (Number.isNaN(high) ? 0 : high - 10 * step) : low
  const to = Number.isNaN(high) ? from + 10 * step : high
  const first = Math.ceil(from / step) * step
  const steps = Math.max(0, Math.min(1_000, Math.floor((to - first) / step)))
  const inside = first + choose(steps + 1) * step
  const odd = [-1, 1e6, 0, -0.5]
  return Number.isNaN(low) && Number.isNaN(high) && choose(4) === 3 ? Math.round(one(choose, odd)) : inside
}

const formats: { readonly [format: string]: string } = {
  date: "2025-06-18",
  time: "12:00:00Z",
  "date-time": "2025-06-18T12:00:00Z",
  email: "a@example.com",
  uri: "https://example.com/a",
  uuid: "00000000-0000-4000-8000-000000000000"
}

function text(choose: Choose, node: JsonObject): string {
  const { format } = node
  if (typeof format === "string" && Object.hasOwn(formats, format)) return formats[format]!
  const least = numberOf(node["minLength"]) ?? 0
  const most = numberOf(node["maxLength"]) ?? Infinity
  // Lengths count characters, not halves of them.
  const drawn = Array.from(one(choose, texts))
  while (drawn.length < least) drawn.push("a")
  return drawn.slice(0, most).join("")
}

const texts = ["a", "", "x y", "ünï", "\u{1f600}", '\u0000\n"', "__proto__", "1", "2025-06-18", "../../etc/passwd"]

function pointed(root: unknown, reference: string): unknown {
  let at = root
  for (const step of reference.split("/").slice(1)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined
  }
  return at
}

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

const isList = (value: unknown): value is ReadonlyArray<Json> => Array.isArray(value) && value.length > 0
