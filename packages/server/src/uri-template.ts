/** RFC 6570 read: a template's parts, and which values of its variables make it into a URI. */
import type { Node, Program } from "./uri-match.js"
import { matching } from "./uri-match.js"

export interface UriTemplate {
  readonly template: string
  /** The names of its variables, in order. */
  readonly variables: ReadonlyArray<string>
  /**
   * The values, decoded, when the URI fits; nothing when it does not. A variable that is absent has no member, one that
   * explodes is a list. Time grows with the URI's length and the template's, never faster.
   */
  readonly match: (uri: string) => { readonly [variable: string]: string | ReadonlyArray<string> } | undefined
}

interface Expression {
  readonly operator: Operator
  readonly variables: ReadonlyArray<Variable>
}

interface Variable {
  readonly name: string
  readonly explode: boolean
  readonly limit: number | undefined
}

interface Operator {
  readonly first: string
  readonly separator: string
  readonly named: boolean
  /** Whether a value may be written with reserved characters. */
  readonly reserved: boolean
  /** Whether nothing at all may stand for the expression, and for a value. */
  readonly optional: boolean
}

const operator = (first: string, separator: string, named = false, reserved = false, optional = true): Operator => ({
  first,
  separator,
  named,
  reserved,
  optional
})

/** RFC 6570 appendix A. A simple expression that is left out would make a URI too, but hardly one that is meant. */
const operators: ReadonlyMap<string, Operator> = new Map([
  ["", operator("", ",", false, false, false)],
  ["+", operator("", ",", false, true, false)],
  ["#", operator("#", ",", false, true)],
  [".", operator(".", ".")],
  ["/", operator("/", "/")],
  [";", operator(";", ";", true)],
  ["?", operator("?", "&", true)],
  ["&", operator("&", "&", true)]
])

/** @throws TypeError when it is no template, names a variable twice, or is too long */
export function uriTemplate(template: string): UriTemplate {
  const parts = parsed(template)
  const expressions = parts.filter((part): part is Expression => typeof part !== "string")
  const flat = expressions.flatMap(({ operator, variables }) => variables.map((one) => ({ ...one, operator })))
  const variables = flat.map(({ name }) => name)
  const twice = variables.find((name, i) => variables.indexOf(name) !== i)
  if (twice !== undefined) throw new TypeError(`The template ${template} has the variable ${twice} twice`)
  const program = compiled(parts)
  if (program.nodes.length > 2_000) throw new TypeError(`The template ${template} is too long`)
  return {
    template,
    variables,
    match: (uri) => {
      const groups = uri.length > longest ? undefined : matching(program, uri, variables.length)
      return groups && values(flat, groups)
    }
  }
}

/** Longer URIs match no template. */
const longest = 8_192

function parsed(template: string): ReadonlyArray<string | Expression> {
  const parts: Array<string | Expression> = []
  let from = 0
  for (const { 0: whole, 1: inside, index } of template.matchAll(/\{([^{}]*)\}/g)) {
    parts.push(template.slice(from, index), read(inside!, template))
    from = index + whole.length
  }
  parts.push(template.slice(from))
  if (parts.some((part) => typeof part === "string" && /[{}]/.test(part)))
    throw new TypeError(`The template ${template} has a brace that is not closed`)
  return parts.filter((part) => part !== "")
}

function read(inside: string, template: string): Expression {
  const found = /^([+#./;?&]?)([\w.%,:*]+)$/.exec(inside)
  if (found === null) throw new TypeError(`The template ${template} has {${inside}}, which is no expression`)
  const variables = found[2]!.split(",").map((spec): Variable => {
    const parts = /^([\w.%]+)(\*|:[1-9]\d{0,3})?$/.exec(spec)
    if (parts === null) throw new TypeError(`The template ${template} has {${inside}}, where ${spec} is no variable`)
    const limit = parts[2]?.startsWith(":") === true ? Number(parts[2].slice(1)) : undefined
    return { name: parts[1]!, explode: parts[2] === "*", limit }
  })
  return { operator: operators.get(found[1]!)!, variables }
}

/** The graph that a URI is led through, from its end to its beginning: each node knows where it goes on. */
function compiled(parts: ReadonlyArray<string | Expression>): Program {
  const nodes: Array<Node> = []
  const add = (node: Node): number => nodes.push(node) - 1
  let next = add({ _tag: "End" })
  let group = parts.reduce((sum, part) => (typeof part === "string" ? sum : sum + part.variables.length), 0)
  for (const part of parts.toReversed()) {
    if (typeof part === "string") next = add({ _tag: "Text", texts: spelled(part), next })
    else next = expression(nodes, add, part, (group -= part.variables.length), next)
  }
  return { nodes, start: next }
}

type Add = (node: Node) => number

/** RFC 6570 2.1 and 3.1: what a URI can not hold is written with percent signs. */
const spelled = (text: string): ReadonlyArray<string> => [
  ...new Set([text, text.replace(/[^\u0021-\u007e]|["<>\\^`|]/gu, (odd) => encodeURIComponent(odd))])
]

/** Any of the variables may be absent; the first that is there comes behind `first`, each other one behind a separator. */
function expression(
  nodes: Array<Node>,
  add: Add,
  { operator, variables }: Expression,
  group: number,
  next: number
): number {
  const { first, separator, optional } = operator
  const text = (text: string, next: number): number => (text === "" ? next : add({ _tag: "Text", texts: [text], next }))
  let nothing = next
  let something = next
  for (const [i, variable] of [...variables.entries()].toReversed()) {
    const there = value(nodes, add, operator, variable, group + i, variables.length, i, something)
    const begins = text(first, there)
    nothing = optional || i > 0 ? add({ _tag: "Fork", first: begins, second: nothing }) : begins
    something = add({ _tag: "Fork", first: text(separator, there), second: something })
  }
  return nothing
}

function value(
  nodes: Array<Node>,
  add: Add,
  { separator, named, reserved, optional }: Operator,
  { name, explode, limit }: Variable,
  group: number,
  among: number,
  at: number,
  next: number
): number {
  const apart = explode || (among > 1 && !(reserved && at === among - 1))
  const unit = { _tag: "Unit", reserved, but: apart ? separator : "", list: !explode && among === 1 } as const
  const end = add({ _tag: "Save", slot: 2 * group + 1, next })
  // Filled in when there is something to go back to.
  const again = explode ? add({ _tag: "Fork", first: end, second: end }) : end
  let item = again
  if (limit !== undefined && limit <= 200) {
    for (let i = 0; i < limit; i++) {
      const one = add({ ...unit, next: item })
      item = optional || i < limit - 1 ? add({ _tag: "Fork", first: one, second: again }) : one
    }
  } else {
    const loop = add({ _tag: "Fork", first: again, second: again })
    const one = add({ ...unit, next: loop })
    nodes[loop] = { _tag: "Fork", first: one, second: again }
    item = optional ? loop : one
  }
  if (named) {
    const valued = add({ _tag: "Text", texts: ["="], next: item })
    item = add({ _tag: "Text", texts: spelled(name), next: add({ _tag: "Fork", first: valued, second: again }) })
  }
  if (explode)
    nodes[again] = { _tag: "Fork", first: add({ _tag: "Text", texts: [separator], next: item }), second: end }
  return add({ _tag: "Save", slot: 2 * group, next: item })
}

function values(
  variables: ReadonlyArray<Variable & { readonly operator: Operator }>,
  groups: ReadonlyArray<string | undefined>
): { [variable: string]: string | ReadonlyArray<string> } | undefined {
  const found: { [variable: string]: string | ReadonlyArray<string> } = Object.create(null) as {}
  try {
    for (const [i, { name, explode, operator }] of variables.entries()) {
      const text = groups[i]
      if (text === undefined) continue
      const bare = (item: string): string =>
        decodeURIComponent(operator.named ? item.slice(item.indexOf("=") + 1 || item.length) : item)
      found[name] = explode ? text.split(operator.separator).map(bare) : bare(text)
    }
  } catch {
    // A percent sign that encodes nothing: no template makes such a URI.
    return undefined
  }
  return found
}
