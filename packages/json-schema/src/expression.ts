/** The structure of a regular expression, and how many ways a backtracking matcher may try on a text of a given length. */

/** Atoms match one character and keep their source; what they match is left to the platform. */
export type Expression =
  | { readonly _tag: "Atom"; readonly source: string }
  | { readonly _tag: "Sequence"; readonly parts: ReadonlyArray<Expression> }
  | { readonly _tag: "Choice"; readonly parts: ReadonlyArray<Expression> }
  | {
      readonly _tag: "Repeat"
      readonly body: Expression
      readonly min: number
      readonly max: number
    }
  | { readonly _tag: "Assert"; readonly what: "^" | "$" | "b" | "B" }
  | { readonly _tag: "Look"; readonly body: Expression }
  | { readonly _tag: "Back" }

/** Reads a source that the platform has accepted. Nothing when it has syntax that is not known here. */
export function parse(source: string): Expression | undefined {
  const reader: Reader = { source, at: 0, known: true }
  const expression = readChoice(reader, 0)
  return reader.known && reader.at === source.length ? expression : undefined
}

/** The binary logarithm of the number of ways to match from one place of a text of `length` characters, or more. */
export function ways(expression: Expression, length: number): number {
  switch (expression._tag) {
    case "Atom":
    case "Assert":
    case "Back":
      return 0
    case "Look":
      return ways(expression.body, length)
    case "Sequence":
      return expression.parts.reduce((sum, part) => sum + ways(part, length), 0)
    case "Choice": {
      const most = Math.max(...expression.parts.map((part) => ways(part, length)))
      return most + Math.log2(expression.parts.length)
    }
    case "Repeat": {
      const most = Math.max(expression.min, Math.min(expression.max, length))
      const inner = ways(expression.body, length)
      return Math.log2(most - expression.min + 1) + (inner === 0 ? 0 : inner * most)
    }
  }
}

/** True when it can only match at the start of a text. */
export const anchored = (expression: Expression): boolean =>
  expression._tag === "Sequence"
    ? expression.parts[0] !== undefined && anchored(expression.parts[0])
    : expression._tag === "Assert" && expression.what === "^"

interface Reader {
  readonly source: string
  at: number
  known: boolean
}

const nesting = 50

function readChoice(reader: Reader, depth: number): Expression {
  const parts = [readSequence(reader, depth)]
  while (reader.source[reader.at] === "|") {
    reader.at++
    parts.push(readSequence(reader, depth))
  }
  return parts.length === 1 ? parts[0]! : { _tag: "Choice", parts }
}

function readSequence(reader: Reader, depth: number): Expression {
  const parts: Array<Expression> = []
  while (reader.known && reader.at < reader.source.length) {
    const next = reader.source[reader.at]
    if (next === "|" || next === ")") break
    parts.push(readRepeats(readOne(reader, depth), reader))
  }
  return parts.length === 1 ? parts[0]! : { _tag: "Sequence", parts }
}

const repeat = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y

function readRepeats(body: Expression, reader: Reader): Expression {
  repeat.lastIndex = reader.at
  const found = repeat.exec(reader.source)
  if (found === null) return body
  reader.at = repeat.lastIndex
  const sign = found[0][0]
  if (sign === "*") return { _tag: "Repeat", body, min: 0, max: Infinity }
  if (sign === "+") return { _tag: "Repeat", body, min: 1, max: Infinity }
  if (sign === "?") return { _tag: "Repeat", body, min: 0, max: 1 }
  const min = Number(found[1])
  const max = found[2] === undefined ? min : found[3] === "" ? Infinity : Number(found[3])
  return { _tag: "Repeat", body, min, max }
}

// One character: an escape, a class, a dot or itself (a pair of surrogates is one).
const escape =
  /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|0(?!\d)|[^\dkbBpPxuc])/y
const group = /\((?:\?(?::|(=|!|<=|<!)|<[^>=!][^>]*>|(.)))?/y

function readOne(reader: Reader, depth: number): Expression {
  const { source, at } = reader
  const next = source[at]
  if (next === "^" || next === "$") {
    reader.at++
    return { _tag: "Assert", what: next }
  }
  if (next === "(") return readGroup(reader, depth)
  if (next === "[") return atom(reader, classEnd(source, at))
  if (next !== "\\") return atom(reader, at + (source.codePointAt(at)! > 0xffff ? 2 : 1))
  const after = source[at + 1]
  if (after === "b" || after === "B") {
    reader.at += 2
    return { _tag: "Assert", what: after }
  }
  escape.lastIndex = at
  if (escape.test(source)) return atom(reader, escape.lastIndex)
  const back = /\\(?:[1-9]\d*|k<[^>]+>)/y
  back.lastIndex = at
  reader.known = back.test(source)
  reader.at = back.lastIndex
  return { _tag: "Back" }
}

function readGroup(reader: Reader, depth: number): Expression {
  group.lastIndex = reader.at
  const found = group.exec(reader.source)
  reader.at = group.lastIndex
  if (found === null || found[2] !== undefined || depth >= nesting) {
    reader.known = false
    return { _tag: "Back" }
  }
  const body = readChoice(reader, depth + 1)
  if (reader.source[reader.at] !== ")") reader.known = false
  reader.at++
  return found[1] === undefined ? body : { _tag: "Look", body }
}

function atom(reader: Reader, end: number): Expression {
  const source = reader.source.slice(reader.at, end)
  reader.at = end
  return { _tag: "Atom", source }
}

function classEnd(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source[at] !== "]") at += source[at] === "\\" ? 2 : 1
  return at + 1
}
