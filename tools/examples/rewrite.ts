/** Turns an example into a test: imports stay on top, the rest becomes the body, `value // => expected` an assertion. */
import { parseSync } from "rolldown/utils"

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The text of a test module. `given` are imports the example may do without: a docstring has its own file's exports
 * in scope. An example that imports `test` from Vitest is a test module already.
 */
export function rewrite(name: string, code: string, given = ""): string {
  const { program, comments, errors } = parseSync("example.ts", code)
  if (errors[0] !== undefined) throw new Error(`${name}: ${errors[0].message}`)
  const edits: Array<Edit> = []
  const imports: Array<string> = [given]
  const ownTests = program.body.some((node) => node.type === "ImportDeclaration" && node.source.value === "vitest")
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      imports.push(code.slice(node.start, node.end))
      edits.push({ start: node.start, end: node.end, text: "" })
    } else if (node.type === "ExportNamedDeclaration" && node.declaration !== null) {
      edits.push({ start: node.start, end: node.declaration.start, text: "" })
    } else if (node.type === "ExportDefaultDeclaration") {
      edits.push({ start: node.start, end: node.declaration.start, text: "void " })
    }
  }
  const statements = statementsOf(program)
  for (const comment of comments) {
    const expected = /^\s*=>\s*(.+)$/.exec(comment.value)?.[1]
    if (comment.type !== "Line" || expected === undefined) continue
    const subject = statements
      .filter(({ end }) => end <= comment.start && !code.slice(end, comment.start).includes("\n"))
      .toSorted((a, b) => b.end - a.end || b.start - a.start)[0]
    if (subject === undefined) throw new Error(`${name}: nothing stands before // => ${expected}`)
    edits.push(...assertion(code, subject, expected))
  }
  const body = edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)
  if (ownTests) return `${given}${code}\n`
  return [
    'import { expect as $expect, test as $test } from "vitest"',
    ...imports,
    `$test(${JSON.stringify(name)}, async () => {`,
    body,
    "})",
    ""
  ].join("\n")
}

/** The import of those exports of a source file that the example names without importing or declaring them. */
export function exportsInScope(source: string, specifier: string, code: string): string {
  const declared = new Set(
    parseSync("example.ts", code).program.body.flatMap((node) => {
      if (node.type === "ImportDeclaration") return node.specifiers.map(({ local }) => local.name)
      return namesOf(node.type === "ExportNamedDeclaration" ? node.declaration : node)
    })
  )
  const wanted = parseSync("source.ts", source)
    .program.body.flatMap((node) => (node.type === "ExportNamedDeclaration" ? namesOf(node.declaration) : []))
    .filter((name) => !declared.has(name) && new RegExp(`\\b${name}\\b`).test(code))
  return wanted.length === 0 ? "" : `import { ${wanted.join(", ")} } from "${specifier}"\n`
}

function namesOf(node: unknown): ReadonlyArray<string> {
  if (node === null) return []
  const { type, id, declarations } = node as {
    readonly type: string
    readonly id?: { readonly name: string }
    readonly declarations?: ReadonlyArray<{ readonly id: { readonly name?: string } }>
  }
  if (type === "VariableDeclaration") return declarations!.flatMap((one) => one.id.name ?? [])
  return type === "FunctionDeclaration" && id !== undefined ? [id.name] : []
}

interface Statement {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly expression?: { readonly start: number; readonly end: number }
  readonly declarations?: ReadonlyArray<{
    readonly id: { readonly start: number; readonly end: number }
  }>
}

function assertion(code: string, subject: Statement, expected: string): ReadonlyArray<Edit> {
  if (subject.expression !== undefined) {
    const { start, end } = subject.expression
    return [
      {
        start: subject.start,
        end: subject.end,
        text: `;$expect(${code.slice(start, end)}).toEqual(${expected})`
      }
    ]
  }
  const id = subject.declarations?.at(-1)?.id
  if (id === undefined) throw new Error(`// => ${expected} follows neither a value nor a declaration`)
  const name = code.slice(id.start, id.end).replace(/:.*$/s, "")
  return [{ start: subject.end, end: subject.end, text: `\n;$expect(${name}).toEqual(${expected})\n` }]
}

/** Every expression statement and declaration, at any depth. */
function statementsOf(program: object): ReadonlyArray<Statement> {
  const found: Array<Statement> = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(visit)
      return
    }
    if (typeof node !== "object" || node === null || !("type" in node)) return
    if (node.type === "ExpressionStatement" || node.type === "VariableDeclaration") found.push(node as Statement)
    Object.values(node).forEach(visit)
  }
  visit((program as { readonly body: unknown }).body)
  return found
}
