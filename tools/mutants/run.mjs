/** Runs the tests on every mutant and lists which were noticed. Exits 1 when one survives that nobody has argued for. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { root } from "../workspace.mjs"
import { workers } from "./config.mjs"
import { generate } from "./generate.mjs"
import { isKnown, readLog, writeVerdict } from "./log.mjs"
import { ordering } from "./order.mjs"
import { profileBy } from "./profile.mjs"
import { startWorker } from "./workers.mjs"

const { values: options } = parseArgs({
  options: {
    all: { type: "boolean" },
    list: { type: "boolean" },
    slice: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true },
    gates: { type: "boolean" },
    quick: { type: "boolean" },
    resume: { type: "string" }
  }
})

const all = generate()
const argued = readArguments()
const unknown = [...argued.keys()].filter((id) => !all.some((mutant) => mutant.id === id))
for (const id of unknown) console.error(`equivalents.md argues for a mutant that does not exist: ${id}`)
if (unknown.length > 0) process.exitCode = 1

/** Where verdicts go without `--resume`: it says who noticed what, and is never a reason to leave a mutant out. */
const usualLog = join(root, "node_modules/.cache/mutants/log.jsonl")

/** What a file of tests may take with `--quick`, unless it is the likeliest. What survives may be noticed by the others. */
const quickMs = 1_000

/** With `--gates` the tables are left out: without the specification's schemas nothing can judge them. */
const chosen = choose(
  all.filter(
    ({ id }) =>
      !argued.has(id) &&
      !(options.gates && id.startsWith("revisions/")) &&
      (options.only === undefined || options.only.some((text) => id.includes(text)))
  )
)
if (options.list) {
  for (const mutant of chosen) console.log(`${where(mutant)}  ${mutant.id}`)
  console.log(`${chosen.length} of ${all.length} mutants, ${argued.size} argued equivalent`)
} else {
  // A worker is another process, which would keep this one.
  await run().catch((error) => {
    console.error(error)
    process.exit(2)
  })
}

async function run() {
  if (chosen.length === 0) throw new Error("no mutant is left to run")
  const log = readLog(options.resume ?? usualLog)
  const queue = options.resume === undefined ? [...chosen] : chosen.filter((mutant) => !isKnown(log, mutant))
  const started = performance.now()
  const ready = await Promise.all(Array.from({ length: workers }, startWorker))
  const profile = await profileBy(ready)
  const passed = Object.values(profile).reduce((sum, tests) => sum + tests.passed, 0)
  console.log(
    `${passed} tests pass unchanged, known after ${seconds(started)} s; ` +
      `${queue.length} mutants to go, ${chosen.length - queue.length} known by the log`
  )
  const survivors = await runAll(queue, ready, profile, ordering(profile, log))
  for (const mutant of survivors) {
    console.log(
      `\nSURVIVED ${mutant.id}\n  ${where(mutant)}\n  was    ${mutant.was}\n  became ${mutant.text || "nothing"}`
    )
  }
  console.log(
    `\n${chosen.length} of ${all.length} mutants, ${queue.length} run now, ${chosen.length - survivors.length} killed, ` +
      `${survivors.length} survived, ${argued.size} argued equivalent, ${seconds(started)} s`
  )
  if (survivors.length > 0) process.exitCode = 1
}

async function runAll(queue, ready, profile, order) {
  const survivors = []
  const count = queue.length
  let done = 0
  const limitOf = (test) => 10_000 + 5 * (profile[test]?.ms ?? 0)
  const work = async (worker) => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const began = performance.now()
      const tests = order
        .testsFor(mutant)
        .filter((test, at) => !options.quick || at === 0 || profile[test].ms <= quickMs)
      const outcome = await judge(mutant, tests, async (question) => {
        const answer = await worker.ask(question, limitOf)
        if (answer.dead) worker = await startWorker()
        const due = question.tests.reduce((sum, test) => sum + profile[test].passed, 0)
        return { ...answer, unfinished: !answer.killed && answer.passed !== due }
      })
      const ms = Math.round(performance.now() - began)
      writeVerdict(options.resume ?? usualLog, mutant, outcome, ms)
      if (outcome.killed) order.noticed(mutant, outcome.test)
      else survivors.push(mutant)
      done++
      const verdict = outcome.killed ? "killed  " : "SURVIVED"
      console.log(
        `${String(done).padStart(4)}/${count} ${verdict} ${String(ms).padStart(5)} ms  ${mutant.id}  [${outcome.by}]`
      )
    }
    worker.stop()
  }
  await Promise.all(ready.map(work))
  return survivors
}

/**
 * What ran before may have left something behind. In tests of the core, which only compute, nothing can; whoever else notices, or
 * what nobody caught, must do so again where nothing ran before.
 */
async function judge({ file, start, end, text, was, number }, tests, ask) {
  if (tests.length === 0) return { killed: false, by: "no test comes by" }
  const question = { file, start, end, text, tests }
  const outcome = await ask(question)
  if (outcome.unfinished) return judgedAnew(await ask({ ...question, fresh: true }))
  if (!outcome.killed) return { killed: false, by: `${tests.length} files of tests come by` }
  if (outcome.dead) return outcome
  if (outcome.test.startsWith("packages/core/") && !outcome.unhandled) {
    if (number % 25 === 0) expectHealth(await ask({ ...question, text: was, tests: [outcome.test] }), outcome.by)
    return outcome
  }
  const again = await ask({ ...question, tests: [outcome.test], fresh: true })
  return again.killed ? again : judgedAnew(await ask({ ...question, fresh: true }))
}

/** Now and then: the test that has noticed passes again when there is no mutant. */
function expectHealth({ killed, by }, noticed) {
  if (killed)
    throw new Error(`${noticed} noticed, and without a mutant ${by} fails too: this is a fault of tools/mutants`)
}

function judgedAnew(outcome) {
  if (outcome.unfinished)
    throw new Error("the tests did not all run, although none failed: this is a fault of tools/mutants")
  return outcome.killed ? outcome : { killed: false, by: "all that come by, in a new thread" }
}

/** The ids argued in equivalents.md: each a heading in backquotes with at least a line of argument below. */
function readArguments() {
  const text = readFileSync(join(import.meta.dirname, "equivalents.md"), "utf8")
  const found = new Map()
  for (const section of text.split(/^## /m).slice(1)) {
    const [, id, argument] = /^`+ ?(.*?) ?`+\n([\s\S]*)$/.exec(section) ?? []
    if (id === undefined || argument.trim() === "")
      throw new Error(`equivalents.md: no argument under ${section.split("\n")[0]}`)
    found.set(id, argument.trim())
  }
  return found
}

/** A slice is drawn anew for each seed, and is the same for the same seed. */
function choose(mutants) {
  if (options.all || options.slice === undefined) return mutants
  let state = Number(options.seed) >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const drawn = mutants.map((mutant) => ({ mutant, order: random() })).toSorted((a, b) => a.order - b.order)
  return drawn.slice(0, Number(options.slice)).map(({ mutant }) => mutant)
}

function where({ name, line }) {
  return `${name}:${line}`
}

function seconds(since) {
  return ((performance.now() - since) / 1000).toFixed(0)
}
