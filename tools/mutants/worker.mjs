/** One process that keeps Vitest and everything it has read warm, and runs the tests on one mutant after another. */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { defaultServerConditions } from "vite"
import { createVitest } from "vitest/node"
import { root } from "../workspace.mjs"
import { others, tests } from "./config.mjs"
import { apply } from "./generate.mjs"

const conditions = ["@parley/source", ...defaultServerConditions]

/** The file the tests see in place of the one on disk. Type errors are no matter: types are only stripped. */
let mutated = { file: undefined, source: "" }

/**
 * How often each test file was the first to notice a kind of mutant: the next of its kind meets it first. Columns are of a kind
 * in all tables, branches when they are in one file.
 */
const noticed = new Map()
let kind = ""

let report = () => {}

const vitest = await createVitest(
  "test",
  {
    root,
    config: false,
    watch: false,
    include: tests,
    exclude: ["**/node_modules/**", ...others],
    pool: "threads",
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    bail: 1,
    silent: true,
    update: false,
    testTimeout: 30_000,
    passWithNoTests: false,
    setupFiles: [join(import.meta.dirname, "seed.mjs")],
    sequence: { sequencer: NoticersFirst() },
    reporters: [{ onTestModuleEnd: (module) => stopWhenBroken(module), onTestRunEnd: (...of) => report(...of) }]
  },
  {
    tsconfig: join(root, "tsconfig.base.json"),
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    server: { watch: null },
    logLevel: "silent",
    plugins: [
      {
        name: "parley-mutant",
        enforce: "pre",
        load: (id) => (id.split("?")[0] === mutated.file ? mutated.source : undefined)
      }
    ]
  }
)

const specifications = await vitest.globTestSpecifications()

process.on("message", (mutant) => {
  void judge(mutant).then((outcome) => process.send(outcome))
})

process.send({ ready: true })

async function judge(mutant) {
  const previous = mutated.file
  kind = mutant.what?.includes(":") ? mutant.file : String(mutant.what)
  mutated =
    mutant.file === undefined
      ? { file: undefined, source: "" }
      : { file: mutant.file, source: apply(readFileSync(mutant.file, "utf8"), mutant) }
  for (const file of [previous, mutated.file]) if (file !== undefined) vitest.invalidateFile(file)
  const outcome = new Promise((resolve) => {
    report = (modules, errors) => resolve(verdict(modules, errors))
  })
  const wanted = specifications.filter(({ moduleId }) => mutant.tests === undefined || mutant.tests.includes(moduleId))
  await vitest.runTestSpecifications(wanted, true)
  return mutant.file === undefined ? { ...(await outcome), loads: testsByFile() } : outcome
}

/** Which test files load a source file, after a run of them all: `{ [source]: [test, ...] }`. */
function testsByFile() {
  const ids = new Set(specifications.map(({ moduleId }) => moduleId))
  const found = {}
  for (const environment of vitest.projects.flatMap(({ vite }) => Object.values(vite.environments))) {
    for (const [file, modules] of environment.moduleGraph.fileToModulesMap) {
      const reached = new Set(modules)
      for (const module of reached) for (const importer of module.importers) reached.add(importer)
      const tests = [...reached].map((module) => module.file).filter((each) => ids.has(each))
      found[file] = [...new Set([...(found[file] ?? []), ...tests])]
    }
  }
  return found
}

/** To `bail`, a file of tests that does not load is no failure: all others would still run. */
function stopWhenBroken(module) {
  if (module.errors().length > 0) void vitest.cancelCurrentRun("test-failure")
}

function verdict(modules, errors) {
  let passed = 0
  for (const module of modules) {
    const name = module.relativeModuleId
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === "passed") passed++
      if (state === "failed") return notice(name, `${name} > ${test.fullName}`)
    }
    const [error] = module.errors()
    if (error !== undefined) return notice(name, `${name} did not load: ${error.message}`)
  }
  if (errors.length > 0) return { killed: true, by: `unhandled: ${errors[0].message}`, passed }
  return { killed: false, passed }
}

function notice(file, by) {
  const key = `${kind} ${file}`
  noticed.set(key, (noticed.get(key) ?? 0) + 1)
  return { killed: true, by: by.split("\n")[0] }
}

function NoticersFirst() {
  return class {
    shard(files) {
      return files
    }
    sort(files) {
      return files.toSorted((a, b) => rank(b) - rank(a))
    }
  }
}

function rank({ moduleId }) {
  const count = noticed.get(`${kind} ${relative(root, moduleId)}`) ?? 0
  const beside = moduleId.startsWith(kind.replace("/src/", "/test/").replace(/ts$/, ""))
  return count * 10 + (beside ? 5 : 0) - (moduleId.includes(".prop.") ? 1 : 0) - (moduleId.includes("/core/") ? 0 : 2)
}
