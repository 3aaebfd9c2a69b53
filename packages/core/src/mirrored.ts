/** `x-mcp-header`: which arguments of a tool are said in headers too, where a transport has headers (2026-07-28 basic/transports/streamable-http). */
import { isObject, member } from "./json.js"
import type { Result } from "./result.js"
import { err, ok } from "./result.js"

/** An argument that is said in a header too. */
export interface Mirrored {
  /** The header's whole name, as the schema spells it: `Mcp-Param-Region`. */
  readonly header: string
  /** Where the argument is: the names of properties, from the outermost in. */
  readonly path: ReadonlyArray<string>
  readonly type: "string" | "integer" | "boolean"
}

/**
 * The arguments that a tool's `inputSchema` wants in headers, or why its annotations are invalid, in words. A client that speaks
 * HTTP has to do without such a tool (Schema Extension), and a server must not have one.
 *
 * ```ts
 * import { annotations } from "@parley/core"
 *
 * const region = { type: "string", "x-mcp-header": "Region" }
 * annotations({ type: "object", properties: { region } }) // => { ok: true, value: [{ header: "Mcp-Param-Region", path: ["region"], type: "string" }] }
 * annotations({ type: "object", items: region }) // => { ok: false, error: "x-mcp-header is only for properties of properties, and stands at items" }
 * ```
 */
export function annotations(inputSchema: unknown): Result<ReadonlyArray<Mirrored>, string> {
  const found: Array<Mirrored> = []
  const names = new Set<string>()
  // What nests is a peer's: no depth of it may end the stack.
  const open: Array<Place> = [{ schema: inputSchema, path: [], at: "", reachable: true }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { schema, path, at, reachable } = place
    if (!isObject(schema)) continue
    if (Object.hasOwn(schema, "x-mcp-header")) {
      const name = schema["x-mcp-header"]
      const type = typeOf(schema["type"])
      if (!reachable || path.length === 0)
        return err(`x-mcp-header is only for properties of properties, and stands at ${at || "the top"}`)
      if (typeof name !== "string" || !token.test(name))
        return err(`x-mcp-header at ${at} is no name for a header: ${shown(name)}`)
      if (type === undefined)
        return err(
          `x-mcp-header at ${at} is only for a string, an integer or a boolean, not for ${shown(schema["type"])}`
        )
      if (names.has(name.toLowerCase())) return err(`x-mcp-header at ${at} is there twice: ${shown(name)}`)
      names.add(name.toLowerCase())
      found.push({ header: `Mcp-Param-${name}`, path, type })
    }
    const inside = insideOf(place, schema)
    for (let last = inside.length - 1; last >= 0; last--) open.push(inside[last]!)
  }
  return ok(found)
}

/**
 * What stands there in the arguments, as a header says it before it is encoded. Nothing where there is no value, or null: then
 * the header is left out.
 */
export function valueAt(args: unknown, { path }: Mirrored): string | undefined {
  let value = args
  for (const name of path) value = member(value, name)
  if (typeof value === "string" || typeof value === "boolean") return String(value)
  return Number.isSafeInteger(value) ? String(value) : undefined
}

interface Place {
  readonly schema: unknown
  readonly path: ReadonlyArray<string>
  readonly at: string
  /** From the top by `properties` alone. */
  readonly reachable: boolean
}

/** The schemas that stand in a schema. What is data there, such as `default`, holds none. */
function insideOf({ path, at, reachable }: Place, schema: { readonly [key: string]: unknown }): ReadonlyArray<Place> {
  const inside: Array<Place> = []
  const prefix = at === "" ? "" : `${at}.`
  for (const [key, value] of Object.entries(schema)) {
    if (Array.isArray(value) && single.has(key))
      for (const [index, one] of (value as ReadonlyArray<unknown>).entries())
        inside.push({ schema: one, path, at: `${prefix}${key}.${index}`, reachable: false })
    else if (single.has(key)) inside.push({ schema: value, path, at: `${prefix}${key}`, reachable: false })
    else if (named.has(key) && isObject(value))
      for (const [name, one] of Object.entries(value)) {
        const own = key === "properties"
        inside.push({
          schema: one,
          path: [...path, name],
          at: own ? `${prefix}${name}` : `${prefix}${key}.${name}`,
          reachable: reachable && own
        })
      }
  }
  return inside
}

/** Keywords that hold a schema or a list of them, and those that hold schemas by name. */
const single = words(
  "items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames " +
    "contentSchema allOf anyOf oneOf not if then else"
)
const named = words("properties patternProperties dependentSchemas dependencies $defs definitions")

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "))
}

/** One of the three, which may be null too: then there is no value to say. */
function typeOf(type: unknown): Mirrored["type"] | undefined {
  const types: ReadonlyArray<unknown> = Array.isArray(type) ? type.filter((one) => one !== "null") : [type]
  const [only] = types
  return types.length === 1 && (only === "string" || only === "integer" || only === "boolean") ? only : undefined
}

/** RFC 9110, 5.6.2: what a header's name is made of. */
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80))
  if (value === undefined) return "nothing"
  return Array.isArray(value) ? "an array" : isObject(value) ? "an object" : String(value)
}
