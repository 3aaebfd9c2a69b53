/** The mutants of a gate: each branch negated or dropped, each refusal no longer returned. */
import { walk } from "./syntax.mjs"

/**
 * `{ at, what, start, end, text, seen }` for every edit; `at` names the function, `what` the branch and what became of it, and
 * what does not come by the node `seen` can not tell the mutant from the original.
 */
export function branchMutants(source, program) {
  const edits = []
  const text = (node) => source.slice(node.start, node.end)
  walk(program, (node, above) => {
    const at = functionName(above)
    const add = (what, { start, end }, replacement, seen = { start, end }) => {
      edits.push({ at, what, start, end, text: replacement, seen })
    }
    switch (node.type) {
      case "IfStatement":
        add(`if negated: ${text(node.test)}`, node.test, `!(${text(node.test)})`)
        add(`if never: ${text(node.test)}`, node.test, "false")
        if (node.alternate !== null) add(`if always: ${text(node.test)}`, node.test, "true")
        break
      case "ConditionalExpression":
        add(`negated: ${text(node.test)} ?`, node.test, `!(${text(node.test)})`)
        add(`first only: ${text(node.test)} ?`, node, `(${text(node.consequent)})`)
        add(`second only: ${text(node.test)} ?`, node, `(${text(node.alternate)})`)
        break
      case "LogicalExpression":
        add(`left dropped: ${text(node)}`, node, `(${text(node.right)})`)
        add(`right dropped: ${text(node)}`, node, `(${text(node.left)})`)
        break
      case "SwitchCase": {
        const [first] = node.consequent
        if (first === undefined) break
        const name = node.test === null ? "default" : text(node.test)
        const seen = { start: first.start, end: first.start }
        add(`case dropped: ${name}`, { start: first.start, end: node.end }, "break", seen)
        break
      }
      case "ReturnStatement":
        if (node.argument !== null && !aloneUnderIf(above) && !lastOfFunction(node, above))
          add(`return removed: ${text(node)}`, node, ";", node.argument)
        break
    }
  })
  return edits
}

/** `if (x) return y` and `if (x) { return y }`: dropping the branch is the same mutant. */
function aloneUnderIf(above) {
  const parent = above.at(-1)
  if (parent.type === "IfStatement" || parent.type === "SwitchCase") return true
  return parent.type === "BlockStatement" && parent.body.length === 1 && above.at(-2)?.type === "IfStatement"
}

function lastOfFunction(node, above) {
  const block = above.at(-1)
  return block.type === "BlockStatement" && block.body.at(-1) === node && /Function/.test(above.at(-2)?.type)
}

function functionName(above) {
  for (const [index, node] of [...above.entries()].toReversed()) {
    if (node.type === "FunctionDeclaration") return node.id.name
    const parent = above[index - 1]
    if (/^(Arrow)?Function/.test(node.type) && parent?.type === "VariableDeclarator") return parent.id.name
  }
  return "module"
}
