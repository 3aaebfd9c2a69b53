import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { afterAll, expect, it } from "vitest"

// Bundled from the sources, so that plain node runs both without a build.
const folder = mkdtempSync(join(tmpdir(), "message-port-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("client.mjs has the worker count, and both leave", async () => {
  for (const name of ["client.mjs", "server.mjs"]) {
    const bundle = await rolldown({
      input: join(import.meta.dirname, "..", name),
      platform: "node",
      logLevel: "warn",
      tsconfig: false,
      resolve: { conditionNames: ["@parley/source", "import", "node"] }
    })
    await bundle.write({ file: join(folder, name), format: "esm", codeSplitting: false })
    await bundle.close()
  }
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "client.mjs")])
  expect(stdout).toBe("primes: Counts primes, off the main thread\n78498 primes below 1000000\n")
})
