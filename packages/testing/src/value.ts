/** Values that a wire schema accepts, drawn by walking its syntax tree, and the same values with one thing broken. */
import type { JsonObject } from "@parley/core"
import type { SchemaCheck } from "@parley/json-schema"
import { drawnFrom } from "./arguments.js"
import type { Choose } from "./chance.js"
import { one } from "./chance.js"
import type { Tree } from "./shape.js"
import { isCheck, treeOf } from "./shape.js"

/** A value of the schema. `schema` is one of `@parley/core/schemas`, or an extension's check: of one without a schema nothing is known. */
export function valueOf(schema: unknown, choose: Choose): unknown {
  if (!isCheck(schema)) return drawn(treeOf(schema), choose)
  const made = (schema as Partial<SchemaCheck>).jsonSchema?.()
  return made === undefined ? {} : drawnFrom(made, choose)
}

/** The value with one member missing, of another type, or null; sometimes one level further in. */
export function broken(value: JsonObject, choose: Choose): JsonObject {
  const keys = Object.keys(value)
  if (keys.length === 0) return { _meta: 7 }
  const key = one(choose, keys)
  const inner = value[key]
  // What is empty has nothing to break, and what is added to it may be no mistake.
  if (choose(3) === 2 && isFilled(inner)) return replaced(value, key, broken(inner, choose))
  const other = one(choose, [undefined, 7.5, "seven", true, null, [], {}, [[]]])
  return other === undefined
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    : replaced(value, key, other)
}

const isFilled = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

function drawn(tree: Tree, choose: Choose): unknown {
  switch (tree._tag) {
    case "String":
      return one(choose, texts)
    case "Boolean":
      return choose(2) === 1
    case "Null":
      return null
    case "Unknown":
      return one(choose, oddments)
    case "Number":
      return number(tree, choose)
    case "Literal":
      return tree.literal
    case "Union":
      return drawn(one(choose, tree.types!), choose)
    case "Arrays":
      return Array.from({ length: choose(3) }, () => drawn(tree.rest![0]!, choose))
    case "Objects":
      return object(tree, choose)
    default:
      throw new TypeError(`Wire schemas have no ${tree._tag}`)
  }
}

function number({ checks }: Tree, choose: Choose): number {
  const ids = (checks ?? []).map((check) => check.annotations?.representation?.id ?? "")
  if (ids.some((id) => id.endsWith("isInt"))) return one(choose, integers)
  if (ids.some((id) => id.endsWith("isBetween"))) return one(choose, shares)
  return one(choose, numbers)
}

function object({ propertySignatures, indexSignatures }: Tree, choose: Choose): JsonObject {
  const entries: Array<[string, unknown]> = []
  for (const { name, type } of propertySignatures ?? [])
    if (type.context?.isOptional !== true || choose(3) === 2) entries.push([name, drawn(type, choose)])
  for (const { type } of indexSignatures ?? [])
    for (let left = choose(3); left > 0; left--) entries.push([one(choose, names), drawn(type, choose)])
  return Object.fromEntries(entries) as JsonObject
}

const replaced = (value: JsonObject, key: string, by: unknown): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, old]) => [name, name === key ? by : old])) as JsonObject

const texts = ["a", "", "x y", "ünï", "\u{1f600}", "after:a", '\u0000\n"', "__proto__", "1", "file:///a"]
const names = ["a", "b", "constructor", "__proto__", "", "progressToken.", "io.example/k"]
const integers = [0, 1, -7, 42, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const numbers = [0, 1, -1.5, 0.1, 1e21, 5e-324]
const shares = [0, 1, 0.5]
const oddments = [0, "a", {}, [], null, false, { a: { b: [1, "c"] } }, [[[]]]]
