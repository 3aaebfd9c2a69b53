/** Bundles a fixture with the sources it imports into files that plain node runs, so that tests need no build. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"
import { fixture } from "./pairs.js"

export interface Bundled {
  readonly path: string
  remove(): void
}

export async function bundled(name: string): Promise<Bundled> {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  const path = join(folder, basename(name, ".ts") + ".mjs")
  const bundle = await rolldown({
    input: fixture(name),
    platform: "node",
    logLevel: "warn",
    // One program is one file here, whatever could have been loaded later.
    checks: { ineffectiveDynamicImport: false },
    tsconfig: false,
    resolve: { conditionNames: ["@parley/source", "import", "node"] }
  })
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs"
  })
  await bundle.close()
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
