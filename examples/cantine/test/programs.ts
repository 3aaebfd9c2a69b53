/** The programs of this example in a temporary folder, bundled from the sources, so that plain node runs them without a build. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rolldown } from "rolldown"

export interface Programs {
  readonly path: (name: string) => string
  readonly remove: () => void
}

export async function programs(...names: ReadonlyArray<string>): Promise<Programs> {
  const folder = mkdtempSync(join(tmpdir(), "cantine-"))
  for (const name of names) {
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
  return { path: (name) => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
