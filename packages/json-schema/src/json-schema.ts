/** Validators from JSON Schema: the quick way where the keywords allow it, the library, loaded when first needed, elsewhere. */
import { allow, bounds, exhausted } from "./bounds.js"
import { dialectOf } from "./dialect.js"
import { loadLibrary, pluggedLibrary } from "./lazy.js"
import { oddity } from "./oddity.js"
import { isObject } from "./path.js"
import { SchemaRefused } from "./refused.js"
import type { Judge } from "./simple.js"
import { simple } from "./simple.js"
import { tell } from "./tell.js"
import type { Deferred, JsonSchema, SyncValidator, Validated } from "./validator.js"
import { deferred, invalid, unchecked, valid } from "./validator.js"

/**
 * Validates by a JSON Schema of 2020-12 (the default), 2019-09, draft-07 or draft-04, as `$schema` says.
 * `format` is an annotation and refuses nothing. Nothing is fetched, and `bounds` hold for schema and value, so a
 * schema from a stranger is as safe as one's own. Values are JSON: a member that is undefined counts as absent.
 * What is valid is handed on as it is. Throws `SchemaRefused`.
 *
 * Schemas of common keywords are judged at once and by themselves. For others (`$ref`, `allOf`, `not`, `pattern` and their
 * like) it is `Deferred` until the library is loaded (`libraryLoaded`), and `ready` then rejects with `SchemaRefused`. `@parley/json-schema/library` has the same function with the library at hand.
 *
 * ```ts
 * import { fromJsonSchema, isDeferred } from "@parley/json-schema"
 *
 * const made = fromJsonSchema({ type: "object", properties: { age: { type: "integer" } } })
 * const { validate } = isDeferred(made) ? await made.ready : made
 * validate({ age: "25" }) // => { ok: false, issues: [{ path: "age", message: "expected an integer" }] }
 * ```
 */
export function fromJsonSchema(schema: JsonSchema): SyncValidator | Deferred<unknown, SyncValidator> {
  const judge = quick(schema)
  if (judge !== undefined) return { jsonSchema: schema, validate: (value) => judged(judge, value) }
  const library = pluggedLibrary()
  if (library === undefined) return deferred(loadLibrary().then(() => fromJsonSchema(schema) as SyncValidator))
  return { jsonSchema: schema, validate: library.thorough(schema) }
}

/** What is large, or of the dialect in which a common keyword means something else, is the library's to judge or to refuse. */
function quick(schema: JsonSchema): Judge | undefined {
  if (!isObject(schema) || oddity(schema, bounds.subschemas, bounds.schemaDepth) !== undefined) return undefined
  const { $schema, ...rest } = schema
  return dialectOf($schema) === "4" ? undefined : simple(rest)
}

function judged(judge: Judge, value: unknown): Validated<unknown> {
  allow(bounds.work)
  try {
    return judge(value) ? valid(value) : invalid(tell(judge, value))
  } catch (error) {
    if (error !== exhausted) throw error
    return unchecked(exhausted.message)
  }
}

/** A peer's schema, which may be one that can not be used; that is news about the peer, not a reason to fail. */
export type PeerSchema =
  | { readonly _tag: "Checkable"; readonly validator: SyncValidator }
  | { readonly _tag: "Uncheckable"; readonly refused: SchemaRefused }

/**
 * As `fromJsonSchema`, for what came over the wire: never throws, and is a promise only while the library has to be loaded
 * for the schema.
 *
 * ```ts
 * import { fromPeer } from "@parley/json-schema"
 *
 * const schema = await fromPeer({ $schema: "https://example.com/mine", type: "object" })
 * schema._tag === "Uncheckable" && schema.refused.reason // => "dialect"
 * ```
 */
export function fromPeer(schema: unknown): PeerSchema | Promise<PeerSchema> {
  try {
    const made = fromJsonSchema(schema as JsonSchema)
    return "ready" in made ? made.ready.then(checkable, uncheckable) : checkable(made)
  } catch (error) {
    return uncheckable(error)
  }
}

const checkable = (validator: SyncValidator): PeerSchema => ({ _tag: "Checkable", validator })

function uncheckable(error: unknown): PeerSchema {
  if (error instanceof SchemaRefused) return { _tag: "Uncheckable", refused: error }
  throw error
}

/**
 * Whether the root says that it describes an object, as MCP wants it of input schemas always and of output schemas
 * before 2026-07-28.
 */
export const isObjectSchema = (schema: JsonSchema): boolean =>
  Object.hasOwn(schema, "type") && schema["type"] === "object"
