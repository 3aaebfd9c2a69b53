/** One process that keeps Vitest and everything it has read warm, and runs the tests on one mutant after another. */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { defaultServerConditions } from "vite"
import { createVitest } from "vitest/node"
import { root } from "../workspace.mjs"
import { others, tests } from "./config.mjs"
import { apply, generate } from "./generate.mjs"
import { marked } from "./marks.mjs"
import { kept, renew } from "./thread.mjs"

const conditions = ["@parley/source", ...defaultServerConditions]

/** After so many mutants what they left behind is thrown away. */
const renewal = 200

/** What the tests see in place of what is on disk, by file. Type errors are no matter: types are only stripped. */
let sources = new Map()

let report = () => {}

const vitest = await createVitest(
  "test",
  {
    root,
    config: false,
    watch: false,
    include: tests,
    exclude: ["**/node_modules/**", ...others],
    pool: kept,
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    bail: 1,
    silent: true,
    update: false,
    testTimeout: 120_000,
    passWithNoTests: false,
    setupFiles: [join(import.meta.dirname, "seed.mjs")],
    reporters: [{ onTestRunEnd: (...of) => report(...of) }]
  },
  {
    tsconfig: join(root, "tsconfig.base.json"),
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    server: { watch: null },
    logLevel: "silent",
    plugins: [{ name: "parley-mutant", enforce: "pre", load: (id) => sources.get(id.split("?")[0]) }]
  }
)

const specifications = new Map(
  (await vitest.globTestSpecifications()).map((specification) => [
    relative(root, specification.moduleId),
    specification
  ])
)

let judged = 0

/** All sources with marks, once they were needed. */
let marks

process.on("message", ({ profile, ...mutant }) => {
  void (profile === undefined ? judge(mutant) : profileOf(profile)).then((outcome) => process.send(outcome))
})

// Whoever started it is gone.
process.on("disconnect", () => process.exit())

process.send({ ready: true, tests: [...specifications.keys()] })

/** Runs the tests, in their order, until one of them notices the mutant. */
async function judge({ fresh, tests, ...mutant }) {
  if (fresh || judged % renewal === renewal - 1) await renew()
  judged++
  show(new Map([[mutant.file, apply(readFileSync(mutant.file, "utf8"), mutant)]]))
  let passed = 0
  // One at a time: after a failure Vitest would still load all the files that are left.
  for (const name of tests) {
    const outcome = await run(name)
    if (outcome.killed) return outcome
    passed += outcome.passed
  }
  return { killed: false, passed }
}

/**
 * Runs a file of tests on its own, without a mutant: it must pass. What it takes, which mutants it comes by, and which source
 * files it loads.
 */
async function profileOf(name) {
  // Shown anew each time, so that what runs while a module loads is seen in each file of tests that loads it.
  show((marks ??= markedSources()))
  const began = performance.now()
  const { killed, by, passed, reached } = await run(name)
  if (killed) return { by }
  return { profile: { ms: Math.round(performance.now() - began), passed, reached, loads: loadedBy(name) } }
}

function markedSources() {
  const found = new Map()
  for (const [file, mutants] of mutantsByFile()) {
    const placed = mutants.filter(({ seen }) => seen !== undefined)
    if (placed.length > 0) found.set(file, marked(readFileSync(file, "utf8"), placed))
  }
  return found
}

function mutantsByFile() {
  const found = new Map()
  for (const mutant of generate()) found.set(mutant.file, [...(found.get(mutant.file) ?? []), mutant])
  return found
}

/** The tests see these sources from now on: whatever was shown before or is shown now is read anew, with all that import it. */
function show(next) {
  const changed = [...sources.keys(), ...next.keys()]
  sources = next
  for (const file of changed) {
    vitest.invalidateFile(file)
    for (const importer of reaching(file)) vitest.watcher.invalidates.add(importer)
  }
}

async function run(name) {
  process.send({ running: name })
  const outcome = new Promise((resolve) => {
    report = (modules, errors) => resolve(verdict(modules, errors))
  })
  await vitest.runTestSpecifications([specifications.get(name)], true)
  return outcome
}

/** A file and all that import it, straight or not. */
function reaching(file) {
  const found = new Set([file])
  for (const environment of vitest.projects.flatMap(({ vite }) => Object.values(vite.environments))) {
    const modules = new Set(environment.moduleGraph.getModulesByFile(file) ?? [])
    for (const module of modules) {
      if (module.file !== null) found.add(module.file)
      for (const importer of module.importers) modules.add(importer)
    }
  }
  return found
}

/** Which files of mutants a file of tests loads, once it ran. */
function loadedBy(name) {
  const files = [...mutantsByFile().keys()]
  return files.filter((file) => reaching(file).has(join(root, name))).map((file) => relative(root, file))
}

function verdict([module], errors) {
  const test = module.relativeModuleId
  const because = (text) => ({ killed: true, test, by: `${test} ${text}`.split("\n")[0] })
  let passed = 0
  for (const each of module.children.allTests()) {
    const { state } = each.result()
    if (state === "failed") return because(`> ${each.fullName}`)
    if (state === "passed") passed++
  }
  const [error] = module.errors()
  if (error !== undefined) return because(`did not load: ${error.message}`)
  if (errors.length > 0) return { ...because(`failed: ${errors[0].message}`), unhandled: true }
  return { killed: false, passed, reached: module.meta().reached ?? [] }
}
