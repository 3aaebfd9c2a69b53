/** One Vitest project per folder of packages/ and examples/, read from the file system, and one for all type tests. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { TestProjectConfiguration } from "vitest/config"
import { generateExamples } from "./tools/examples/generate.ts"

const root = import.meta.dirname

const folders = ["packages", "examples"].flatMap((parent) =>
  existsSync(join(root, parent))
    ? readdirSync(join(root, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && existsSync(join(root, parent, entry.name, "package.json")))
        .map((entry) => ({ name: entry.name, path: `${parent}/${entry.name}` }))
    : []
)

const run = folders.map(({ name, path }): TestProjectConfiguration => ({
  extends: true,
  test: { name, root: path, include: ["test/**/*.test.ts"] }
}))

/** Every `*.test-d.ts` in one compiler run: a compiler run a package would cost seconds each. */
const types: TestProjectConfiguration = {
  extends: true,
  test: {
    name: "types",
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      checker: "tsc",
      tsconfig: "./tools/examples/tsconfig.json",
      include: ["packages/*/test/**/*.test-d.ts", "tools/examples/.generated/*.ts"]
    }
  }
}

/** The examples of docstrings, READMEs and docs/, written anew from them; the ones that may run. */
generateExamples(root)
const examples: TestProjectConfiguration = {
  extends: true,
  test: { name: "examples", include: ["tools/examples/.generated/*.test.ts"] }
}

/** The tools' own tests. */
const tools: TestProjectConfiguration = {
  extends: true,
  test: { name: "tools", include: ["tools/**/*.test.ts"], exclude: ["**/.generated/**"] }
}

/** The programs of fixtures/, run from outside. */
const fixtures: TestProjectConfiguration = {
  extends: true,
  test: { name: "fixtures", include: ["fixtures/*/test/**/*.test.ts"] }
}

export default [...run, fixtures, examples, tools, types]
