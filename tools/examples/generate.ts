/** Writes every example of the docstrings, the READMEs and docs/ as a test under `.generated/`. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Fence } from "./fences.ts"
import { fencesOfMarkdown, fencesOfSource } from "./fences.ts"
import { exportsInScope, rewrite } from "./rewrite.ts"

/**
 * Examples that run are `*.test.ts`, those that are only type-checked `*.test-d.ts`. Files that are
 * right already are not touched, and those of examples that are gone are removed.
 */
export function generateExamples(root: string): void {
  const folder = join(root, "tools/examples/.generated")
  mkdirSync(folder, { recursive: true })
  const wanted = new Map(filesOf(root).flatMap((file) => testsOf(root, file)))
  for (const name of readdirSync(folder)) if (!wanted.has(name)) rmSync(join(folder, name), { force: true })
  for (const [name, text] of wanted) {
    const path = join(folder, name)
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text)
  }
}

function testsOf(root: string, file: string): ReadonlyArray<readonly [name: string, text: string]> {
  const text = readFileSync(join(root, file), "utf8")
  const fences: ReadonlyArray<Fence> = file.endsWith(".md") ? fencesOfMarkdown(text) : fencesOfSource(text)
  return fences.map(({ line, code, runs }, index) => {
    const stem = file
      .replace(/\.(md|ts)$/, "")
      .replaceAll("/src/", "/")
      .replaceAll("/", "-")
    return [
      `${stem}-${index + 1}.${runs ? "test" : "test-d"}.ts`,
      testOf(`${file}:${line}`, code, file.endsWith(".md") ? undefined : { file, text })
    ]
  })
}

/** An example that can not be read is a failing test, not a failing start of all tests. */
function testOf(
  name: string,
  code: string,
  source: { readonly file: string; readonly text: string } | undefined
): string {
  try {
    if (source === undefined) return rewrite(name, code)
    const specifier = `../../../${source.file.replace(/\.ts$/, ".js")}`
    return rewrite(name, code, exportsInScope(source.text, specifier, code))
  } catch (error) {
    return `throw new Error(${JSON.stringify(String(error))})\n`
  }
}

function filesOf(root: string): ReadonlyArray<string> {
  const under = (folder: string, wanted: RegExp): ReadonlyArray<string> =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
          .map((name) => `${folder}/${name}`)
          .filter((name) => wanted.test(name) && !name.includes("/node_modules/"))
      : []
  const packages = existsSync(join(root, "packages")) ? readdirSync(join(root, "packages")) : []
  return [
    "README.md",
    ...under("docs", /\.md$/),
    ...packages.flatMap((name) => [`packages/${name}/README.md`, ...under(`packages/${name}/src`, /\.ts$/)])
  ]
    .filter((file) => existsSync(join(root, file)))
    .toSorted()
}
