/** The tests of core and driver, run by Vitest on the runtime itself. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { root } from "../workspace.mjs"

/**
 * Tests that ask something of the platform which these runtimes have otherwise. They have to fail there: one that passes again is to
 * be taken from this list.
 */
export const exceptions = [
  {
    runtimes: ["Bun"],
    file: "packages/driver/test/clock.test.ts",
    test: /holds the process only while it is told to$/,
    why: "it does not tell which timers hold the process, so the test can not see it"
  },
  {
    runtimes: ["Node 26", "Deno"],
    file: "packages/driver/test/unsendable.test.ts",
    test: /^a reply that holds something a hundred thousand deep /,
    why: "it writes JSON of any depth, so there is nothing that can not be sent"
  }
]

const LIMIT = 600_000

/** The same seed everywhere, so that the same conversations are drawn. */
const SEED = "7"

/** `{ ran, failed, excepted }`: how many tests ran, the names of those that failed, and the exceptions that were met. */
export async function suites({ name, flags = [] }, program, folder) {
  const report = join(folder, "suites.json")
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const how = ["run", "--project", "core", "--project", "driver", "--reporter=json", `--outputFile=${report}`]
  const env = { ...process.env, PARLEY_SEED: SEED }
  const child = spawn(program, [...flags, vitest, ...how], { cwd: root, env, stdio: "ignore" })
  const alarm = setTimeout(() => child.kill("SIGKILL"), LIMIT)
  await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", resolve)
  })
  clearTimeout(alarm)
  if (!existsSync(report)) throw new Error(`Vitest left no report within ${LIMIT / 1000} s`)
  return judged(name, JSON.parse(readFileSync(report, "utf8")), exceptions)
}

/** What a report of Vitest comes to on that runtime. */
export function judged(runtime, { testResults }, excepting) {
  const own = excepting.filter(({ runtimes }) => runtimes.includes(runtime))
  const found = { ran: 0, failed: [], excepted: [] }
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name)
    // A file that could not be read has no tests that could fail.
    if (status === "failed" && assertionResults.length === 0) found.failed.push(`${file}: ${message}`)
    for (const { fullName, status } of assertionResults) {
      const exception = own.find((one) => one.file === file && one.test.test(fullName))
      if (exception === undefined || status === "failed") found.ran++
      if (exception !== undefined && status === "passed")
        found.failed.push(`${file}: ${fullName}: it passes, and is among the exceptions in tools/runtimes/suites.mjs`)
      else if (exception !== undefined) found.excepted.push(`${file}: ${fullName}`)
      else if (status === "failed") found.failed.push(`${file}: ${fullName}`)
    }
  }
  if (found.ran === 0) found.failed.push("no test ran")
  return found
}
