import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "worker-"))
const imports: Record<string, ReadonlyArray<string>> = {}
beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  for (const [input, file] of [
    ["../worker.mjs", "worker.js"],
    ["no-eval.mjs", "no-eval.js"]
  ] as const) {
    const bundle = await rolldown({
      input: join(import.meta.dirname, input),
      platform: "browser",
      logLevel: "silent",
      tsconfig: false,
      resolve: { conditionNames: ["@parley/source", "import"] }
    })
    const { output } = await bundle.write({ file: join(folder, file), format: "esm", codeSplitting: false })
    imports[file] = output[0].imports
    await bundle.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("is one file that imports nothing, so nothing of Node", () => {
  expect(imports["worker.js"]).toEqual([])
})

it("serves both eras where nothing may be compiled, judges arguments, and has its bindings", async () => {
  const flags = ["--disallow-code-generation-from-strings", join(folder, "no-eval.js")]
  const worker = pathToFileURL(join(folder, "worker.js")).href
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, worker])
  const greeted = { said: "Good day, Ada", refused: true }
  expect(JSON.parse(stdout)).toEqual({
    compiles: false,
    seen: [
      { revision: "2026-07-28", ...greeted },
      { revision: "2025-11-25", ...greeted }
    ]
  })
})

it("is what workerd is told to run", () => {
  const config = readFileSync(join(import.meta.dirname, "../worker.capnp"), "utf8")
  const build = readFileSync(join(import.meta.dirname, "../build.mjs"), "utf8")
  const embedded = /embed "([^"]+)"/.exec(config)?.[1]
  expect(embedded).toBeDefined()
  expect(build).toContain(`"${embedded!}"`)
})
