/** Reads TypeScript into a tree with offsets, and walks it. */
import { parseSync } from "rolldown/utils"

export function parse(file, source) {
  const { program, errors } = parseSync(file, source, { preserveParens: false })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  return program
}

/** Visits every node that exists at run time, parents first; `above` are its ancestors, nearest last. */
export function walk(node, visit, above = []) {
  if (node.type.startsWith("TS") && !unwrapped.has(node.type)) return
  visit(node, above)
  const inside = [...above, node]
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string") walk(child, visit, inside)
    }
  }
}

/** Type syntax around an expression that runs. */
const unwrapped = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"])
