/** Turns a schema's syntax tree into one of a few plain shapes, and says which shapes are the same. */

/**
 * @typedef {{ kind: "piece", piece: string, text: string }
 *   | { kind: "literals", values: string[] }
 *   | { kind: "struct", members: { key: string, shape: Shape, optional: boolean }[] }
 *   | { kind: "array", item: Shape } | { kind: "map", item: Shape } | { kind: "union", types: Shape[] }} Shape
 */

const piece = (name, text) => ({ kind: "piece", piece: name, text })

/** Throws on what the wire has no use for, so that nothing is silently left unchecked. */
export function shapeOf(ast) {
  if (ast.encoding !== undefined) throw new Error(`a transformation has no plain check: ${ast._tag}`)
  const filters = (ast.checks ?? []).map((check) => check.annotations?.representation?.id)
  if (ast._tag !== "Number" && filters.length > 0) throw new Error(`unknown filter on ${ast._tag}`)
  switch (ast._tag) {
    case "String":
      return piece("string", "a string")
    case "Boolean":
      return piece("boolean", "a boolean")
    case "Null":
      return piece("nothing", "null")
    case "Unknown":
      return piece("anything", "a value")
    case "Number":
      return numberOf(ast, filters)
    case "Literal":
      return { kind: "literals", values: [text(ast.literal)] }
    case "Arrays":
      return arrayOf(ast)
    case "Objects":
      return objectOf(ast)
    case "Union":
      return unionOf(ast.types.map(shapeOf))
    default:
      throw new Error(`no plain check for ${ast._tag}`)
  }
}

function numberOf(ast, filters) {
  const named = filters.map((id) => id?.replace("effect/schema/", "")).join()
  if (named === "isFinite") return piece("number", "a number")
  if (named === "isInt") return piece("integer", "an integer")
  const range = ast.checks?.[1]?.annotations.representation.payload
  if (named === "isFinite,isBetween" && range.minimum === 0 && range.maximum === 1)
    return piece("share", "a number from 0 to 1")
  throw new Error(`no plain check for a number with filters "${named}"`)
}

function arrayOf(ast) {
  if (ast.elements.length > 0 || ast.rest.length !== 1) throw new Error("no plain check for a tuple")
  const item = shapeOf(ast.rest[0])
  return item.piece === "anything" ? piece("array", "an array") : { kind: "array", item }
}

function objectOf(ast) {
  if (ast.indexSignatures.length === 0) return structOf(ast)
  const [signature, ...others] = ast.indexSignatures
  if (others.length > 0 || signature.parameter._tag !== "String") throw new Error("no plain check for odd keys")
  const item = shapeOf(signature.type)
  // Every struct is open to its check; one that says so is open to senders too.
  if (ast.propertySignatures.length > 0 && item.piece === "anything")
    return Object.assign(structOf(ast), { open: true })
  if (ast.propertySignatures.length > 0) throw new Error("no plain check for a record beside members")
  return item.piece === "anything" ? piece("object", "an object") : { kind: "map", item }
}

function structOf(ast) {
  const members = ast.propertySignatures.map(({ name, type }) => {
    if (name in Object.prototype) throw new Error(`${name} would be read from the prototype`)
    return { key: name, shape: shapeOf(type), optional: type.context?.isOptional === true }
  })
  if (members.length === 0) throw new Error("Struct({}) accepts more than objects; use a Record")
  return { kind: "struct", members }
}

function unionOf(types) {
  if (types.every((type) => type.kind === "literals"))
    return { kind: "literals", values: types.flatMap((type) => type.values) }
  return { kind: "union", types }
}

function text(literal) {
  if (typeof literal !== "string") throw new Error("only literal texts have a plain check")
  return literal
}

/** Equal for two shapes exactly when they accept the same values for the same reasons. */
export function keyOf(shape) {
  switch (shape.kind) {
    case "piece":
      return shape.piece
    case "literals":
      return shape.values.map((value) => JSON.stringify(value)).join("|")
    case "struct":
      return `{${shape.members.map((m) => `${m.key}${m.optional ? "?" : ""}:${keyOf(m.shape)}`).join()}}`
    case "array":
      return `[${keyOf(shape.item)}]`
    case "map":
      return `<${keyOf(shape.item)}>`
    case "union":
      return `(${shape.types.map(keyOf).join("/")})`
  }
}
