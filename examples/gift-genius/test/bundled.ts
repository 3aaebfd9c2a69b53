/** The programs of this package in a temporary folder, bundled from their sources, so that plain node runs them without a build. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

export interface Bundled {
  readonly conversation: string
  readonly remove: () => void
}

const root = fileURLToPath(new URL("..", import.meta.url))

export async function bundled(): Promise<Bundled> {
  const folder = mkdtempSync(join(tmpdir(), "gift-genius-"))
  cpSync(join(root, "data"), join(folder, "data"), { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  const bundle = await rolldown({
    input: { main: join(root, "src/main.ts"), conversation: join(root, "src/conversation.ts") },
    platform: "node",
    logLevel: "warn",
    tsconfig: false,
    resolve: { conditionNames: ["@parley/source", "import", "node"] }
  })
  // Flat, because the catalogue is looked for beside the folder of the file that reads it.
  await bundle.write({ dir: join(folder, "dist"), format: "esm", chunkFileNames: "[name]-[hash].js" })
  await bundle.close()
  return {
    conversation: join(folder, "dist/conversation.js"),
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
