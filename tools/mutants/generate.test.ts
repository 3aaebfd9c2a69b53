/** No branch of the core escapes the mutants, wherever it stands: files are found in the tree, and read here without a parser. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { generate } from "./generate.mjs"

const root = join(import.meta.dirname, "../..")
const core = "packages/core/src"
const mutants = generate()
const files = readdirSync(join(root, core), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts")
)

test("every file of the core that branches is mutated", () => {
  const mutated = new Set(mutants.map(({ name }) => name))
  const branching = files
    .map((name) => `${core}/${name}`)
    .filter((name) => branches(readFileSync(join(root, name), "utf8")))
  expect(branching.length).toBeGreaterThan(50)
  expect(branching.filter((name) => !mutated.has(name))).toEqual([])
})

test("the same tree has the same mutants, each with an id and a number of its own", () => {
  expect(generate()).toEqual(mutants)
  expect(mutants.map(({ number }) => number)).toEqual([...mutants.keys()])
  const ids = mutants.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test("each mutant is another text than the original", () => {
  expect(mutants.filter(({ was, text }) => was === text).map(({ id }) => id)).toEqual([])
})

/** Whether there is something to decide outside of comments and texts. Types decide with ` extends `, which is left out. */
function branches(source: string): boolean {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
    .replace(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '""')
    .replace(/^(?:export )?type [\s\S]*?(?=^\S)/gm, "")
  return /\bif \(|\bswitch \(|&&|\|\||\?\?|\s\? /.test(code)
}
