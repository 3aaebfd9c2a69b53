/** Runs the tests on every mutant and lists which were noticed. Exits 1 when one survives that nobody has argued for. */
import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { parseArgs } from "node:util"
import { root } from "../workspace.mjs"
import { workers } from "./config.mjs"
import { generate } from "./generate.mjs"

const { values: options } = parseArgs({
  options: {
    all: { type: "boolean" },
    list: { type: "boolean" },
    slice: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true },
    gates: { type: "boolean" }
  }
})

const all = generate()
const argued = readArguments()
const unknown = [...argued.keys()].filter((id) => !all.some((mutant) => mutant.id === id))
for (const id of unknown) console.error(`equivalents.md argues for a mutant that does not exist: ${id}`)

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
  process.exit(unknown.length === 0 ? 0 : 1)
}

if (chosen.length === 0) throw new Error("no mutant is left to run")

const started = performance.now()
const first = await start()
const { limit, loads } = await healthy(first)
const survivors = []
let done = 0
const queue = [...chosen]
await Promise.all(Array.from({ length: workers }, (_, index) => work(index === 0 ? first : undefined)))

const seconds = (performance.now() - started) / 1000
for (const mutant of survivors)
  console.log(`\nSURVIVED ${mutant.id}\n  ${where(mutant)}: became ${mutant.text || "nothing"}`)
console.log(
  `\n${chosen.length} of ${all.length} mutants run, ${chosen.length - survivors.length} killed, ${survivors.length} survived, ` +
    `${argued.size} argued equivalent, ${seconds.toFixed(0)} s`
)
process.exit(survivors.length === 0 && unknown.length === 0 ? 0 : 1)

async function work(given) {
  let worker = given ?? (await start())
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const began = performance.now()
    const tests = loads[mutant.file] ?? []
    const outcome =
      tests.length === 0
        ? { killed: false, by: "no test loads this file" }
        : await worker.judge({ ...mutant, tests }, limit)
    const ms = Math.round(performance.now() - began)
    done++
    const verdict = outcome.killed ? "killed  " : "SURVIVED"
    console.log(
      `${String(done).padStart(4)} ${verdict} ${String(ms).padStart(5)} ms  ${mutant.id}${outcome.by ? `  [${outcome.by}]` : ""}`
    )
    if (!outcome.killed) survivors.push(mutant)
    if (outcome.dead) worker = await start()
  }
  worker.stop()
}

/** Runs the tests unchanged: they must pass, and what they take bounds what a mutant may take. */
async function healthy(worker) {
  const began = performance.now()
  const outcome = await worker.judge({}, 300_000)
  const ms = performance.now() - began
  if (outcome.killed || outcome.passed === 0) {
    console.error(`the tests do not pass without a mutant: ${outcome.by ?? "no test ran"}`)
    process.exit(1)
  }
  console.log(`${outcome.passed} tests pass unchanged in ${Math.round(ms)} ms; ${chosen.length} mutants to go`)
  return { limit: ms * 6 + 5_000, loads: outcome.loads }
}

/** A worker that does not answer in time, or dies, has noticed the mutant: its code looped or crashed. */
async function start() {
  const child = fork(join(import.meta.dirname, "worker.mjs"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  const { ready } = await answer(child, 60_000)
  if (!ready) throw new Error("a worker did not start")
  return {
    judge: async (mutant, ms) => {
      child.send(mutant)
      const outcome = await answer(child, ms)
      if (outcome.dead) child.kill("SIGKILL")
      return outcome
    },
    stop: () => child.kill("SIGKILL")
  }
}

function answer(child, ms) {
  return new Promise((resolve) => {
    const settle = (outcome) => {
      clearTimeout(timer)
      child.off("message", settle)
      child.off("exit", exited)
      resolve(outcome)
    }
    const exited = (code) => settle({ killed: true, by: `the process died with ${code}`, dead: true })
    const timer = setTimeout(() => settle({ killed: true, by: "did not end", dead: true }), ms)
    child.on("message", settle)
    child.on("exit", exited)
  })
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

function where({ file, line }) {
  return `${relative(root, file)}:${line}`
}
