/** The page on embedding leaves out no word of the machines, nor one of a word's kinds. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync } from "rolldown/utils"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")
const page = readFileSync(join(root, "docs/embedding.md"), "utf8")
const [server, client] = page.split("\n## What a client is told")

/** Every `_tag` of the types named, with those of the types that they are made of. */
function tagsOf(side: "server" | "client", ...types: ReadonlyArray<string>): ReadonlyArray<string> {
  const file = `packages/core/src/${side}/vocabulary.ts`
  const { program } = parseSync(file, readFileSync(join(root, file), "utf8"))
  const declared = new Map<string, object>()
  for (const node of program.body) {
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node
    if (declaration?.type === "TSTypeAliasDeclaration") declared.set(declaration.id.name, declaration.typeAnnotation)
    if (declaration?.type === "TSInterfaceDeclaration") declared.set(declaration.id.name, declaration.body)
  }
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    const { type } = node as { type: string }
    if (type === "TSUnionType") (node as { types: ReadonlyArray<unknown> }).types.forEach(visit)
    if (type === "TSTypeReference") visit(declared.get((node as { typeName: { name: string } }).typeName.name))
    const members = type === "TSTypeLiteral" ? "members" : type === "TSInterfaceBody" ? "body" : undefined
    if (members === undefined) return
    for (const member of (node as Record<string, ReadonlyArray<Member>>)[members]!)
      if (member.key?.name === "_tag") found.add(member.typeAnnotation.typeAnnotation.literal.value)
  }
  for (const name of types) visit(declared.get(name))
  return [...found]
}

interface Member {
  readonly key?: { readonly name: string }
  readonly typeAnnotation: { readonly typeAnnotation: { readonly literal: { readonly value: string } } }
}

test.each([
  ["server", server!, 20, 10],
  ["client", client!, 16, 15]
] as const)("names every input and output of the %s, and runs each input", (side, part, inputs, outputs) => {
  const [given, put] = [tagsOf(side, "Input"), tagsOf(side, "Output")]
  // What the reader of types finds is what there is: fewer would be a test of nothing.
  expect([given.length, put.length]).toEqual([inputs, outputs])
  expect([...given, ...put].filter((tag) => !page.includes(`\`${tag}\``))).toEqual([])
  const code = [...part.matchAll(/^```ts.*\n([^]*?)^```/gm)].map(([, text]) => text).join("\n")
  expect(given.filter((tag) => !code.includes(`_tag: "${tag}"`))).toEqual([])
})

test("names every way in which a handler fails, and every timer", () => {
  expect(tagsOf("server", "CallFailure").filter((tag) => !server!.includes(`\`${tag}\``))).toEqual([])
  for (const side of ["server", "client"]) {
    const text = readFileSync(join(root, `packages/core/src/${side}/vocabulary.ts`), "utf8")
    const timers = [.../Timer<([^>]+)>$/m.exec(text)![1]!.matchAll(/"(\w+)"/g)].map(([, name]) => name!)
    expect(timers.length).toBeGreaterThan(1)
    expect(timers.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  }
})
