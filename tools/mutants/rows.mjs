/** The mutants of a revision's table: each row deleted, and each of its columns removed or weakened in turn. */
import { walk } from "./syntax.mjs"

/** `{ at, what, start, end, text }` for every edit; `at` names the row, `what` the column and what became of it. */
export function rowMutants(source, program) {
  const edits = []
  walk(program, (node) => {
    if (node.type !== "Property" || node.method) return
    const row = rowOf(node.value)
    const at = keyOf(node)
    if (row !== undefined) edits.push(...mutateRow(source, node, row).map((edit) => ({ at, ...edit })))
    else if (at === "features") edits.push(...mutateFeatures(source, node.value))
  })
  return edits
}

function mutateRow(source, property, { kind, from, params, result, columns }) {
  const text = (node) => (node === undefined ? "{}" : source.slice(node.start, node.end))
  const call = property.value
  const anything = "() => undefined"
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
  const value = column.value
  const edits = [{ what: `${name} dropped`, start: column.start, end: afterComma(source, column.end), text: "" }]
  if (name === "needs" && value.type === "Literal") {
    const parts = value.value.split(".")
    if (parts.length > 2)
      edits.push({
        what: "needs weakened",
        start: value.start,
        end: value.end,
        text: JSON.stringify(parts.slice(0, -1).join("."))
      })
  }
  if (name === "when" && value.value !== "always")
    edits.push({ what: "when weakened", start: value.start, end: value.end, text: '"always"' })
  return edits
}

function mutateFeatures(source, object) {
  if (object.type !== "ObjectExpression") return []
  return object.properties.flatMap((property) => {
    const at = `features.${keyOf(property)}`
    const { value } = property
    if (value?.type === "Literal" && typeof value.value === "boolean")
      return [{ at, what: "negated", start: value.start, end: value.end, text: String(!value.value) }]
    if (value?.type !== "ArrayExpression") return []
    return value.elements.map((element) => ({
      at,
      what: `without ${source.slice(element.start, element.end)}`,
      start: element.start,
      end: afterComma(source, element.end),
      text: ""
    }))
  })
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
  return key.type === "Literal" ? String(key.value) : key.name
}

function afterComma(source, end) {
  const comma = /^\s*,/.exec(source.slice(end))
  return comma === null ? end : end + comma[0].length
}
