/** Values a schema accepts, read off its syntax tree, and the same values broken in one place. */
import fc from "fast-check"
import type { AST } from "effect/SchemaAST"

export type Path = ReadonlyArray<string | number>

/** Values as a peer's text would be read: what JSON can not hold is not in them. */
export const valid = (ast: AST): fc.Arbitrary<unknown> => anything(ast).map(json)

/** The value with one place deleted, replaced or wrapped, and where that was. */
export const broken = (ast: AST): fc.Arbitrary<{ value: unknown; at: Path }> =>
  fc
    .tuple(anything(ast).map(json), fc.nat(), fc.oneof(fc.constantFrom(...hostile), fc.jsonValue()))
    .map(([value, seed, by]) => {
      const places = [...paths(value)]
      const at = places[seed % places.length] ?? []
      return { value: json(replaced(value, at, by)), at }
    })

const deleted = Symbol("deleted")
const wrapped = Symbol("wrapped")

const hostile: ReadonlyArray<unknown> = [
  deleted,
  deleted,
  wrapped,
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  "",
  "text",
  "resource",
  "url",
  [],
  {},
  [null],
  { type: "text" },
  { type: { toString: 1 } },
  { constructor: 1, toString: "x" }
]

function anything(ast: AST): fc.Arbitrary<unknown> {
  switch (ast._tag) {
    case "String":
      return fc.string({ maxLength: 6 })
    case "Boolean":
      return fc.boolean()
    case "Null":
      return fc.constant(null)
    case "Literal":
      return fc.constant(ast.literal)
    case "Unknown":
      return fc.jsonValue({ maxDepth: 1 })
    case "Number":
      return number(ast)
    case "Arrays":
      return fc.array(anything(ast.rest[0]!), { maxLength: 3 })
    case "Objects":
      return object(ast)
    case "Union":
      return fc.oneof(...ast.types.map(anything))
    default:
      throw new Error(`no values for ${ast._tag}`)
  }
}

function number(ast: Extract<AST, { _tag: "Number" }>): fc.Arbitrary<number> {
  const filters = JSON.stringify(ast.checks?.map((check) => check.annotations?.["expected"]))
  if (filters.includes("integer")) return fc.oneof(fc.nat(9), fc.maxSafeInteger())
  if (filters.includes("between")) return fc.double({ min: 0, max: 1, noNaN: true })
  return fc.oneof(fc.nat(9), fc.double({ noNaN: true, noDefaultInfinity: true }))
}

function object(ast: Extract<AST, { _tag: "Objects" }>): fc.Arbitrary<unknown> {
  const [signature] = ast.indexSignatures
  if (signature !== undefined && ast.propertySignatures.length === 0)
    return fc.dictionary(key, anything(signature.type), { maxKeys: 3 })
  const members = ast.propertySignatures.map(({ name, type }) => [String(name), type] as const)
  const required = members.filter(([, type]) => type.context?.isOptional !== true)
  const known = fc.record(Object.fromEntries(members.map(([name, type]) => [name, anything(type)])), {
    requiredKeys: required.map(([name]) => name)
  })
  const names = new Set(members.map(([name]) => name))
  const unknown = fc.dictionary(
    fc.oneof(key, foreign).filter((name) => !names.has(name)),
    fc.jsonValue({ maxDepth: 1 }),
    { maxKeys: 1 }
  )
  return fc.tuple(unknown, known).map(([more, record]) => ({ ...more, ...record }))
}

const key = fc.oneof(
  fc.nat(99).map((n) => `x-${n}`),
  fc.constantFrom("constructor", "toString", "hasOwnProperty", "tools", "roots")
)

/** Members that other shapes and newer revisions have. */
const foreign = fc.constantFrom("title", "icons", "properties", "required", "structuredContent")

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown

function* paths(value: unknown, at: Path = []): Generator<Path> {
  yield at
  if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* paths(inner, [...at, Array.isArray(value) ? Number(name) : name])
}

function replaced(value: unknown, at: Path, by: unknown): unknown {
  const [first, ...rest] = at
  if (first === undefined) return by === deleted ? null : by === wrapped ? [value] : by
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => (index === first ? replaced(item, rest, by) : item))
    return rest.length === 0 && by === deleted ? items.filter((_, index) => index !== first) : items
  }
  const members = Object.entries(value as object)
    .filter(([name]) => !(name === first && rest.length === 0 && by === deleted))
    .map(([name, inner]): [string, unknown] => [name, name === first ? replaced(inner, rest, by) : inner])
  return Object.fromEntries(members)
}
