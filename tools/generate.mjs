/** Writes every generated file; with `--check` writes nothing and fails naming each that is stale. */
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { generate as checks } from "./checks/generate.mjs"
import { generate as docs } from "./docs/generate.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const generators = [checks, docs]

const stale = []
for (const generate of generators)
  for (const [path, text] of await generate()) {
    const current = await readFile(root + path, "utf8").catch(() => undefined)
    if (current === text) continue
    stale.push(path)
    if (!process.argv.includes("--check")) await writeFile(root + path, text)
  }

if (process.argv.includes("--check") && stale.length > 0) {
  console.error(`stale, run pnpm generate:\n${stale.map((path) => `  ${path}`).join("\n")}`)
  process.exitCode = 1
} else console.log(stale.length === 0 ? "nothing was stale" : `written:\n  ${stale.join("\n  ")}`)
