/**
 * The machines and the adapters on every runtime: `pnpm runtimes`. `--only Bun,Deno` for some; `--fast` leaves out the test suites
 * of core and driver; `--write` keeps the table in docs/runtimes.md. Ends with 1 when something failed, with 2 when a runtime
 * could not be had.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs, promisify } from "node:util"
import { bundled } from "./runtimes/bundled.mjs"
import { inChromium } from "./runtimes/chromium.mjs"
import { had, runtimes } from "./runtimes/had.mjs"
import { exceptions, suites } from "./runtimes/suites.mjs"
import { cell, columns, page, table } from "./runtimes/table.mjs"
import { inWorkerd } from "./runtimes/workerd.mjs"
import { root } from "./workspace.mjs"

const options = { only: { type: "string" }, fast: { type: "boolean" }, write: { type: "boolean" } }
const { only, fast = false, write = false } = read()
const folder = mkdtempSync(join(tmpdir(), "parley-runtimes-"))
const rows = []
const wrong = []
const missing = []
try {
  const corpus = await recorded()
  await bundled("command", "node", join(folder, "command.mjs"))
  for (const runtime of chosen()) await look(runtime, corpus)
  console.log(`\n${table(rows)}`)
  for (const line of wrong) console.error(`wrong: ${line}`)
  for (const line of missing) console.error(`could not be had: ${line}`)
  if (write) keep(corpus)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = wrong.length > 0 ? 1 : missing.length > 0 ? 2 : 0

function read() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    console.error(`${error.message}\nruntimes [--only NAME,NAME] [--fast] [--write]`)
    process.exit(2)
  }
}

function chosen() {
  const names = only?.split(",").map((name) => name.trim())
  const unknown = names?.filter((name) => !runtimes.some((one) => one.name === name)) ?? []
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(", ")}: ${runtimes.map(({ name }) => name).join(", ")}`)
    process.exit(2)
  }
  return runtimes.filter(({ name }) => names?.includes(name) ?? true)
}

async function recorded() {
  const file = join(folder, "record.mjs")
  await bundled("record", "node", file)
  const { record } = await import(pathToFileURL(file).href)
  const corpus = record(1)
  writeFileSync(join(folder, "corpus.json"), JSON.stringify(corpus))
  return corpus
}

async function look(runtime, corpus) {
  const { name } = runtime
  const began = performance.now()
  const { program, version, why } = await had(runtime)
  if (program === undefined) return void missing.push(`${name}: ${why}`)
  const verdicts = await checked(runtime, program, corpus).catch((error) => ({ replay: String(error.message) }))
  const { evaluates, ...rest } = verdicts
  if (evaluates === true) wrong.push(`${name}: strings can be made into code, which was to be forbidden`)
  rows.push({ name, version, verdicts: rest })
  for (const [check, verdict] of Object.entries(rest)) {
    const failures = typeof verdict === "object" ? verdict.failed : verdict === "ok" ? [] : [verdict]
    for (const failure of failures) wrong.push(`${name}, ${check}: ${failure}`)
  }
  const said = columns.flatMap(([column, head]) => (column in rest ? [`${head}: ${cell(rest[column])}`] : []))
  console.log(`${name} (${version}, ${Math.round((performance.now() - began) / 1000)} s)  ${said.join("; ")}`)
}

async function checked(runtime, program, corpus) {
  if (runtime.kind === "workerd") return inWorkerd(program, corpus, folder)
  if (runtime.kind === "chromium") return inChromium(program, corpus, folder)
  const words = [...(runtime.flags ?? []), join(folder, "command.mjs"), join(folder, "corpus.json")]
  const { stdout } = await promisify(execFile)(program, words, { timeout: 300_000 })
  const found = JSON.parse(stdout)
  return fast ? found : { suites: await suites(runtime, program, folder), ...found }
}

/** Only what is whole and right is kept. */
function keep({ conversations }) {
  if (wrong.length > 0 || rows.length < runtimes.length || fast)
    return console.error(
      "docs/runtimes.md is left as it is: not every runtime was had, or not every check was made or held"
    )
  const size = { conversations: conversations.length, steps: conversations.flatMap(({ steps }) => steps).length }
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(join(root, "docs/runtimes.md"), page(rows, size, exceptions, today))
}
