/** The core needs nothing of a platform, a replay notices what is otherwise, and the page is of the runtimes that there are. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createContext, runInContext } from "node:vm"
import { afterAll, beforeAll, expect, test } from "vitest"

interface Corpus {
  readonly conversations: ReadonlyArray<{ readonly side: string; readonly steps: Array<{ said: string }> }>
}
interface Found {
  readonly conversations: number
  readonly steps: number
  readonly moves: number
  readonly wrong: ReadonlyArray<string>
}
interface Judged {
  readonly ran: number
  readonly failed: ReadonlyArray<string>
  readonly excepted: ReadonlyArray<string>
}

// Plain JavaScript, as all tools.
const load = async <A>(name: string): Promise<A> => (await import(new URL(name, import.meta.url).href)) as A
const { bundled } = await load<{
  bundled: (name: string, platform: string, file?: string, global?: string) => Promise<string>
}>("bundled.mjs")
const { runtimes } = await load<{ runtimes: ReadonlyArray<{ name: string; version?: string }> }>("had.mjs")
const { exceptions, judged } = await load<{
  exceptions: ReadonlyArray<{ runtimes: ReadonlyArray<string>; file: string; why: string }>
  judged: (runtime: string, report: unknown, excepting: unknown) => Judged
}>("suites.mjs")
const { cell, columns } = await load<{
  cell: (verdict: unknown) => string
  columns: ReadonlyArray<readonly [name: string, head: string]>
}>("table.mjs")

const folder = mkdtempSync(join(tmpdir(), "runtimes-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let corpus: Corpus
let script: string
beforeAll(async () => {
  const file = join(folder, "record.mjs")
  await bundled("record", "node", file)
  corpus = (await load<{ record: (seed: number, each: number) => Corpus }>(file)).record(2, 3)
  script = await bundled("replay", "neutral", undefined, "replaying")
})

/** What of a new context is more than the language as the core may use it. */
const taken = `for (const name of ["Date", "Promise", "Intl", "WeakRef", "FinalizationRegistry", "Atomics", "SharedArrayBuffer", "WebAssembly", "console"])
  delete globalThis[name]
delete Math.random
let compiles = true
try { compiles = Function("return true")() } catch { compiles = false }
`

function replayed(given: Corpus): Found & { readonly left: string; readonly compiles: boolean } {
  const context = createContext({}, { codeGeneration: { strings: false, wasm: false } })
  runInContext(`${taken}\n${script}`, context)
  const run = "replaying.replay(JSON.parse(given))"
  context["given"] = JSON.stringify(given)
  return JSON.parse(
    runInContext(
      `JSON.stringify({ ...${run}, compiles, left: typeof Date + typeof Promise + typeof setTimeout })`,
      context
    )
  ) as Found & { left: string; compiles: boolean }
}

test("both machines replay every conversation where there is no clock, promise, chance, eval or platform", () => {
  const { wrong, conversations, steps, moves, left, compiles } = replayed(corpus)
  expect([left, compiles]).toEqual(["undefined".repeat(3), false])
  expect(wrong).toEqual([])
  expect(conversations).toBeGreaterThan(60)
  expect(steps).toBeGreaterThan(10 * conversations)
  expect(moves).toBeGreaterThan(conversations)
  expect(new Set(corpus.conversations.map(({ side }) => side))).toEqual(new Set(["server", "client"]))
})

test("one output that is otherwise is found, and told with where it was", () => {
  const broken = structuredClone(corpus)
  const at = broken.conversations.findIndex(({ steps }) => steps.some(({ said }) => said.includes('"Send"')))
  const step = broken.conversations[at]!.steps.findIndex(({ said }) => said.includes('"Send"'))
  const { steps } = broken.conversations[at]!
  steps[step]!.said = steps[step]!.said.replace('"Send"', '"Sent"')
  const { wrong } = replayed(broken)
  expect(wrong).toHaveLength(1)
  expect(wrong[0]).toMatch(new RegExp(`^server conversation ${at}, step ${step}: .*"Send".*, not .*"Sent"`))
})

test("a test may fail only where it is an exception, and then it has to", () => {
  const file = (status: string, ...assertionResults: ReadonlyArray<object>) => ({
    name: join(import.meta.dirname, "../../a.test.ts"),
    status,
    message: "it can not be read",
    assertionResults
  })
  const [good, bad] = [
    { fullName: "one", status: "passed" },
    { fullName: "two", status: "failed" }
  ]
  const excepting = [{ runtimes: ["Bun"], file: "a.test.ts", test: /two$/ }]
  const of = (runtime: string, ...testResults: ReadonlyArray<object>) => judged(runtime, { testResults }, excepting)
  expect(of("Bun", file("failed", good, bad))).toEqual({ ran: 2, failed: [], excepted: ["a.test.ts: two"] })
  expect(of("Deno", file("failed", good, bad)).failed).toEqual(["a.test.ts: two"])
  expect(of("Bun", file("passed", good, { ...bad, status: "passed" })).failed[0]).toContain("it passes")
  expect(of("Bun", file("failed")).failed[0]).toContain("it can not be read")
  expect(of("Bun").failed).toEqual(["no test ran"])
})

test("a cell says what a check came to", () => {
  expect(["ok", undefined, "Error: no"].map(cell)).toEqual(["ok", "–", "FAILED"])
  expect(cell({ ran: 2500, failed: [], excepted: ["a"] })).toBe("2,499 of 2,500")
  expect(cell({ ran: 2500, failed: ["a"], excepted: [] })).toBe("FAILED (1)")
})

test("docs/runtimes.md has a row for each runtime of its version, a column for each check, and nothing that failed", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/runtimes.md"), "utf8")
  for (const { name, version } of runtimes) {
    const title = version === undefined ? name : `${name.replace(/ \d+$/, "")} ${version} `
    expect(page).toMatch(new RegExp(`^\\| ${title}.*\\| ok `, "m"))
  }
  for (const [, head] of columns) expect(page).toContain(` | ${head} `)
  for (const { runtimes, file, why } of exceptions)
    expect(page).toContain(`- ${runtimes.join(", ")}, \`${file}\`: ${why}.`)
  expect(page).not.toContain("FAILED")
})
