/** The mutants of a revision's table: each row deleted, and each of its columns removed or weakened in turn. */
import { walk } from "./syntax.mjs"

/** What takes the place of a check. */
const anything = "() => undefined"

/**
 * `{ at, what, start, end, text }` for every edit; `at` names the row, `what` the column and what became of it. `options` has for
 * a feature the values it may have, as `featureOptions` finds them.
 */
export function rowMutants(source, program, options) {
  const edits = []
  walk(program, (node) => {
    if (node.type !== "Property" || node.method) return
    const row = rowOf(node.value)
    const at = keyOf(node)
    if (row !== undefined) edits.push(...mutateRow(source, node, row).map((edit) => ({ at, ...edit })))
    else if (at === "features") edits.push(...mutateFeatures(source, node.value, options))
    else if (at === "items") edits.push(...mutateItems(node.value))
    else if (at === "place") edits.push(mutatePlace(node.value))
  })
  return edits
}

/** The literals that each feature is one of, by its name: `Features` of the program that declares it. */
export function featureOptions(program) {
  const { body } = program.body.map((node) => node.declaration).find((node) => node?.id?.name === "Features")
  const types = body.body.map(({ key, typeAnnotation }) => [key.name, typeAnnotation.typeAnnotation])
  const unions = types.filter(([, { type }]) => type === "TSUnionType")
  return new Map(unions.map(([name, { types }]) => [name, types.map(({ literal }) => valueOf(literal))]))
}

const valueOf = (node) => (node.type === "UnaryExpression" ? -node.argument.value : node.value)

function mutateRow(source, property, { kind, from, params, result, columns }) {
  const text = (node) => (node === undefined ? "{}" : source.slice(node.start, node.end))
  const call = property.value
  const edits = [
    { what: "row deleted", start: property.start, end: afterComma(source, property.end), text: "" },
    {
      what: "from flipped",
      start: from.start,
      end: from.end,
      text: from.value === "client" ? '"server"' : '"client"'
    },
    { what: "params unchecked", start: params.start, end: params.end, text: anything },
    kind === "request" ? { what: "result unchecked", start: result.start, end: result.end, text: anything } : undefined,
    {
      what: `kind no longer ${kind}`,
      start: call.start,
      end: call.end,
      text:
        kind === "request"
          ? `notification(${text(from)}, ${text(params)}, ${text(columns)})`
          : `request(${text(from)}, ${text(params)}, ${anything}, ${text(columns)})`
    }
  ]
  for (const column of columns?.properties ?? []) edits.push(...mutateColumn(source, column))
  return edits.filter((edit) => edit !== undefined)
}

function mutateColumn(source, column) {
  const name = keyOf(column)
  const { value } = column
  return [
    { what: `${name} dropped`, start: column.start, end: afterComma(source, column.end), text: "" },
    ...(name === "needs" ? weakenNeed(name, value) : []),
    ...(name === "when" && value.value !== "always"
      ? [{ what: "when weakened", start: value.start, end: value.end, text: '"always"' }]
      : []),
    ...(name === "task" ? mutateTask(value) : []),
    ...(name === "resultTypes" ? mutateResultTypes(value) : [])
  ]
}

/** Without the last part of its path, where the party and a capability are left. */
function weakenNeed(name, { value, start, end }) {
  const parts = value.split(".")
  if (parts.length <= 2) return []
  return [{ what: `${name} weakened`, start, end, text: JSON.stringify(parts.slice(0, -1).join(".")) }]
}

function mutateTask({ properties }) {
  return properties.flatMap((property) =>
    keyOf(property) === "needs"
      ? weakenNeed("task.needs", property.value)
      : [{ what: "task.result unchecked", start: property.value.start, end: property.value.end, text: anything }]
  )
}

function mutateResultTypes({ properties }) {
  return properties.map((property) => {
    const { start, end } = property.value
    return { what: `resultTypes.${keyOf(property)} unchecked`, start, end, text: anything }
  })
}

function mutateFeatures(source, { properties }, options) {
  return properties.flatMap((property) => {
    const name = keyOf(property)
    const at = `features.${name}`
    const { value } = property
    const now = (other) => ({
      at,
      what: `now ${other}`,
      start: value.start,
      end: value.end,
      text: JSON.stringify(other)
    })
    if (typeof value.value === "boolean") return [now(!value.value)]
    if (value.type === "ArrayExpression") return value.elements.map((element) => withoutElement(source, at, element))
    const others = (options.get(name) ?? []).filter((option) => option !== valueOf(value))
    if (others.length === 0) throw new Error(`tools/mutants/rows.mjs does not know what else features.${name} may be`)
    return others.map(now)
  })
}

function withoutElement(source, at, { start, end }) {
  return { at, what: `without ${source.slice(start, end)}`, start, end: afterComma(source, end), text: "" }
}

function mutateItems({ properties }) {
  return properties.map((property) => {
    const { start, end } = property.value
    return { at: `items.${keyOf(property)}`, what: "unchecked", start, end, text: anything }
  })
}

/** A page stands beside another one then: what is newer than it comes in, or what it brought is gone. */
function mutatePlace({ value, start, end }) {
  return { at: "place", what: "moved", start, end, text: String(value === 0 ? 1 : value - 1) }
}

/** The parts of `request(from, params, result, columns)` or `notification(from, params, columns)`. */
function rowOf(node) {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return undefined
  const [from, params, third, fourth] = node.arguments
  if (from?.type !== "Literal" || params === undefined) return undefined
  if (node.callee.name === "request") return { kind: "request", from, params, result: third, columns: fourth }
  if (node.callee.name === "notification") return { kind: "notification", from, params, columns: third }
  return undefined
}

function keyOf({ key }) {
  if (key === undefined)
    throw new Error("a row's columns are spread into it, where no mutant finds them: write them out")
  return key.type === "Literal" ? String(key.value) : key.name
}

function afterComma(source, end) {
  const comma = /^\s*,/.exec(source.slice(end))
  return comma === null ? end : end + comma[0].length
}
