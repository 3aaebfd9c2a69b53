/** The thorough way: the library, on a copy of the schema that counts its work and matches patterns within bounds. */
import { format, validate as run } from "@cfworker/json-schema"
import { allow, bounds, exhausted, spend } from "./bounds.js"
import type { Declared } from "./declared.js"
import { declared } from "./declared.js"
import { effortOf } from "./effort.js"
import { explain } from "./explain.js"
import { keywords } from "./keyword.js"
import { isObject } from "./path.js"
import type { Pattern } from "./pattern.js"
import { patternOf } from "./pattern.js"
import type { Node } from "./reference.js"
import { resolved } from "./reference.js"
import { readTargets } from "./target.js"
import type { JsonSchema, SyncValidator } from "./validator.js"
import { invalid, unchecked, valid } from "./validator.js"

/** All that the copy needs to know about the value at hand. */
interface Value {
  mostKeys: number
  uniqueness: number
}

interface Copying {
  readonly read: Declared
  readonly value: Value
  readonly nodes: Array<Node>
  /** Of the keys of `patternProperties`. */
  longestKey: number
}

/** One unit of the library's work, in the units of `bounds.work`. */
const visit = 64

/** Throws `SchemaRefused`. */
export function thorough(schema: JsonSchema): SyncValidator["validate"] {
  const read = declared(schema)
  readTargets(read)
  format[patternFormat] = (text) => current === undefined || current.test(text)
  const copying: Copying = {
    read,
    value: { mostKeys: 0, uniqueness: 0 },
    nodes: [],
    longestKey: Infinity
  }
  const root = copy(schema, false, copying)
  const table = resolved(root, copying.nodes)
  return (value) => {
    const seen = effortOf(value)
    if (seen.odd !== undefined) {
      const { message, path, tooLarge } = seen.odd
      return tooLarge ? unchecked(message, path) : invalid([{ path, message }])
    }
    if (seen.longestKey > copying.longestKey) return unchecked(exhausted.message)
    copying.value.mostKeys = seen.mostKeys
    copying.value.uniqueness = (seen.longestArray * seen.nodes) / 128
    const instance: unknown = seen.holes ? JSON.parse(JSON.stringify(value)) : value
    try {
      allow(bounds.work + 8 * visit * seen.nodes)
      const first = run(instance, root, read.dialect, table, true)
      if (first.valid) return valid(value)
      // With room for it, once more for all that is wrong and not only the first of it.
      const { errors } = seen.nodes > 1_000 ? first : run(instance, root, read.dialect, table, false)
      return invalid(explain(errors, root, table, instance))
    } catch (error) {
      if (error === exhausted || error instanceof RangeError) return unchecked(exhausted.message)
      return unchecked(`the value can not be checked: ${String(error)}`)
    }
  }
}

// The library reads `format` once for each visit, asks its table for that format, and does nothing in between when a
// schema has no other keyword. So `format` counts the work, and a schema with a pattern alone is judged by our matcher.
const patternFormat = "parley:pattern"
let current: Pattern | undefined

/** Its own fields are private because the library takes every enumerable member for a keyword. */
class Counted {
  readonly #value: Value
  #weight = 1
  #keyed = 0
  #unique = false

  constructor(value: Value) {
    this.#value = value
  }

  /** Not a method: the copy may get any member by that name. */
  static weigh(one: Counted, weight: number, keyed: number, unique: boolean): void {
    one.#weight = weight
    one.#keyed = keyed
    one.#unique = unique
  }

  get format(): string | undefined {
    const { mostKeys, uniqueness } = this.#value
    spend(visit * (this.#weight + this.#keyed * mostKeys + (this.#unique ? uniqueness : 0)))
    return undefined
  }
}

class Patterned {
  readonly #pattern: Pattern

  constructor(pattern: Pattern) {
    this.#pattern = pattern
  }

  get source(): string {
    return this.#pattern.source
  }

  get format(): string {
    spend(visit)
    current = this.#pattern
    return patternFormat
  }
}

function copy(schema: unknown, same: boolean, copying: Copying): Node {
  if (!isObject(schema)) return schema as Node
  const counted = new Counted(copying.value)
  const node = counted as unknown as Node
  copying.nodes.push(node)
  let weight = 1
  for (const key of Object.keys(schema)) {
    const value = schema[key]
    if (value === undefined || key === "pattern" || key === "__proto__") continue
    if ((key === "id" || key === "$id") && !identifies(key, schema, copying.read)) continue
    const keyword = keywords.get(key)
    if (keyword?.silent === true) continue
    if (key === "id") node[key] = value
    else if (keyword === undefined) node[key] = copyUnknown(value, copying)
    else node[key] = copyWithin(key, value, copying)
    if (Array.isArray(value)) weight += value.length / 8
    if (key === "enum" || key === "const") weight += effortOf(value).nodes / 8
  }
  const { pattern, patternProperties, $dynamicAnchor } = schema
  // To a `$ref` it is an anchor like others.
  if (typeof $dynamicAnchor === "string") node["$anchor"] ??= $dynamicAnchor
  if (typeof pattern === "string") {
    const rest = Array.isArray(node["allOf"]) ? (node["allOf"] as Array<unknown>) : []
    node["allOf"] = [...rest, new Patterned(patternOf(pattern, ""))]
  }
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : []
  for (const source of patterns)
    copying.longestKey = Math.min(copying.longestKey, patternOf(source, "", true).quickUpTo)
  // A schema that applies beside others may be one of many that look at the same members.
  const keyed = patterns.length + (same ? 1 / 256 : 0)
  Counted.weigh(counted, weight, keyed, schema["uniqueItems"] === true)
  return node
}

/** Draft-04's name is not the others', and up to draft-07 a reference stands alone; the library reads both always. */
function identifies(key: string, schema: object, { dialect }: Declared): boolean {
  if (key === "id" && dialect !== "4") return false
  return (dialect !== "4" && dialect !== "7") || !Object.hasOwn(schema, "$ref")
}

function copyWithin(key: string, value: unknown, copying: Copying): unknown {
  const keyword = keywords.get(key)!
  const same = keyword.same === true || key === "$defs" || key === "definitions"
  switch (keyword.kind) {
    case "plain":
      return value
    case "schema":
    case "schemas":
    case "items":
      return Array.isArray(value) ? value.map((one) => copy(one, same, copying)) : copy(value, same, copying)
    case "map":
    case "dependencies": {
      const map = Object.create(null) as Node
      for (const name of Object.keys(value as object)) {
        const one = (value as Node)[name]
        if (one === undefined) continue
        map[name] = Array.isArray(one) ? one : copy(one, same, copying)
      }
      return map
    }
  }
}

/** A reference may lead to a schema in here, and the library looks for it where there are objects. */
function copyUnknown(value: unknown, copying: Copying): unknown {
  if (!isObject(value)) return undefined
  if (copying.read.schemas.has(value)) return copy(value, true, copying)
  const inner = Object.create(null) as Node
  for (const key of Object.keys(value)) if (isObject(value[key])) inner[key] = copyUnknown(value[key], copying)
  return inner
}
