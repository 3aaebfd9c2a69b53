/** Whether a value is what a wire schema says and nothing beside: the schema's syntax tree walked with every object closed. */
import type { Check } from "@parley/core"

/** As much of a schema's tree as wire schemas use. */
export interface Tree {
  readonly _tag: string
  readonly checks?: ReadonlyArray<{
    readonly annotations?: { readonly representation?: { readonly id?: string } }
  }>
  readonly literal?: unknown
  readonly types?: ReadonlyArray<Tree>
  readonly rest?: ReadonlyArray<Tree>
  readonly propertySignatures?: ReadonlyArray<{
    readonly name: string
    readonly type: Tree & { readonly context?: { readonly isOptional?: boolean } }
  }>
  readonly indexSignatures?: ReadonlyArray<{ readonly type: Tree }>
}

export const treeOf = (schema: unknown): Tree => (schema as { readonly ast: Tree }).ast

/** Extensions have checks where the specification has schemas. */
export const isCheck = (schema: unknown): schema is Check => typeof schema === "function" && !("ast" in schema)

/** The path of the first thing that is wrong, or nothing. `schema` is one of `@parley/core/schemas`, or an extension's check. */
export const misfit = (schema: unknown, value: unknown): string | undefined => judged(schema, value, false)

/** Whether a receiver may take the value for what the schema says, with members that it does not know. */
export const fits = (schema: unknown, value: unknown): boolean => judged(schema, value, true) === undefined

function judged(schema: unknown, value: unknown, open: boolean): string | undefined {
  if (!isCheck(schema)) return found(treeOf(schema), value, "", open)
  const problem = schema(value)
  return problem && `/${problem.at}`
}

function found(tree: Tree, value: unknown, path: string, open = false): string | undefined {
  switch (tree._tag) {
    case "String":
      return typeof value === "string" ? undefined : path
    case "Boolean":
      return typeof value === "boolean" ? undefined : path
    case "Null":
      return value === null ? undefined : path
    case "Unknown":
      return undefined
    case "Number":
      return isNumber(tree, value) ? undefined : path
    case "Literal":
      return value === tree.literal ? undefined : path
    case "Union":
      return inUnion(tree.types!, value, path, open)
    case "Arrays":
      return inArray(tree.rest![0]!, value, path, open)
    case "Objects":
      return inObject(tree, value, path, open)
    default:
      throw new TypeError(`Wire schemas have no ${tree._tag}`)
  }
}

function isNumber({ checks }: Tree, value: unknown): boolean {
  if (typeof value !== "number" || !Number.isFinite(value)) return false
  const ids = (checks ?? []).map((check) => check.annotations?.representation?.id ?? "")
  if (ids.some((id) => id.endsWith("isInt"))) return Number.isSafeInteger(value)
  return ids.some((id) => id.endsWith("isBetween")) ? value >= 0 && value <= 1 : true
}

/** Of several that do not fit, the one that came furthest says why. */
function inUnion(types: ReadonlyArray<Tree>, value: unknown, path: string, open: boolean): string | undefined {
  let furthest = path
  for (const type of types) {
    const at = found(type, value, path, open)
    if (at === undefined) return undefined
    if (at.length > furthest.length) furthest = at
  }
  return furthest
}

function inArray(item: Tree, value: unknown, path: string, open: boolean): string | undefined {
  if (!Array.isArray(value)) return path
  for (const [index, one] of (value as ReadonlyArray<unknown>).entries()) {
    const at = found(item, one, `${path}/${index}`, open)
    if (at !== undefined) return at
  }
  return undefined
}

function inObject(
  { propertySignatures = [], indexSignatures = [] }: Tree,
  value: unknown,
  path: string,
  open: boolean
): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return path
  for (const { name, type } of propertySignatures)
    if (!Object.hasOwn(value, name) && type.context?.isOptional !== true) return `${path}/${name}`
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const type = propertySignatures.find(({ name }) => name === key)?.type ?? indexSignatures[0]?.type
    // An object of which nothing is said is open.
    if (type === undefined && (open || propertySignatures.length === 0)) continue
    const at = type === undefined ? `${path}/${key}` : found(type, member, `${path}/${key}`, open)
    if (at !== undefined) return at
  }
  return undefined
}
