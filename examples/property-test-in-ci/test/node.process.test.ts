/** What is shown for Node's own test runner runs there, on what the build made. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const example = join(import.meta.dirname, "..")

describe.skipIf(!existsSync(join(example, "dist", "server.js")))("node --test", () => {
  it("passes on the built server", () => {
    const { status, stdout } = spawnSync(process.execPath, ["--test", "test/node.test.mjs"], {
      cwd: example,
      encoding: "utf8"
    })
    expect(stdout).toMatch(/pass 2/)
    expect(status).toBe(0)
  })
})
