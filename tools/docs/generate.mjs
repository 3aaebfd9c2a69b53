/** The pages of docs/ that the sources can write themselves; bundled from the sources, so that no build is needed before. */
import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("../../", import.meta.url))
// Inside the repository, so that what is not bundled resolves from there.
const cache = `${root}node_modules/.cache/docs/`

/** Path from the repository's root to what the file should hold. */
export async function generate() {
  const { pages } = await bundled(`${root}tools/docs/pages.ts`)
  return new Map([...pages()].map(([path, text]) => [path, path.endsWith(".md") ? format(path, text) : text]))
}

async function bundled(input) {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(cache)
  try {
    const bundle = await rolldown({
      input,
      external: /^effect(\/|$)/,
      platform: "node",
      resolve: { conditionNames: ["@parley/source", "node", "import", "default"] }
    })
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "pages.mjs", chunkFileNames: "[name].mjs" })
    await bundle.close()
    return await import(pathToFileURL(`${folder}/pages.mjs`).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const format = (path, source) =>
  execFileSync(process.execPath, [`${root}node_modules/oxfmt/bin/oxfmt`, `--stdin-filepath=${path}`], {
    cwd: root,
    input: source,
    encoding: "utf8"
  })
