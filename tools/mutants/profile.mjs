/** What each file of tests takes, which mutants it comes by and what it loads; kept for as long as neither it nor a source changes. */
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "../workspace.mjs"

const kept = join(root, "node_modules/.cache/mutants/profile.json")

/** What makes the marks and runs the tests: when it changes, nothing is kept. */
const makers = ["branches", "config", "generate", "marks", "rows", "seed", "syntax", "worker"]

/** For each file of tests. Throws when one does not pass without a mutant. */
export async function profileBy(workers) {
  const { tests } = workers[0]
  const sources = digestOfSources()
  const digests = Object.fromEntries(tests.map((name) => [name, digestOf([name], sources)]))
  const known = readKept()
  const profile = Object.fromEntries(tests.map((name) => [name, known[name]]))
  const missing = tests.filter((name) => known[name]?.digest !== digests[name])
  const work = async (worker) => {
    for (let name = missing.shift(); name !== undefined; name = missing.shift()) {
      const found = await worker.ask({ profile: name }, () => 600_000)
      if (found.profile === undefined) throw new Error(`the tests do not pass without a mutant: ${found.by}`)
      profile[name] = Object.assign({ digest: digests[name] }, found.profile)
      keep(profile)
    }
  }
  await Promise.all(workers.map(work))
  return profile
}

function keep(profile) {
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, JSON.stringify(profile))
}

function readKept() {
  try {
    return JSON.parse(readFileSync(kept, "utf8"))
  } catch {
    return {}
  }
}

/** Of all that tests may read, but the files of tests themselves. */
function digestOfSources() {
  const names = readdirSync(join(root, "packages"), { recursive: true }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !/(^|\/)(node_modules|dist)\//.test(name)
  )
  return digestOf([
    ...names.toSorted().map((name) => `packages/${name}`),
    ...makers.map((name) => `tools/mutants/${name}.mjs`)
  ])
}

function digestOf(names, start = "") {
  const hash = createHash("sha256").update(start)
  for (const name of names)
    hash
      .update(name)
      .update("\0")
      .update(readFileSync(join(root, name)))
      .update("\0")
  return hash.digest("hex")
}
