/** The pages of docs/ that the sources can write themselves, and the files and tables that are shown in others; bundled from the sources, so that no build is needed before. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("../../", import.meta.url))
// Inside the repository, so that what is not bundled resolves from there.
const cache = `${root}node_modules/.cache/docs/`

/** Path from the repository's root to what the file should hold. */
export async function generate() {
  const { pages } = await bundled(`${root}tools/docs/pages.ts`)
  const { included } = await bundled(`${root}tools/docs/included.ts`)
  const { tabled, tables } = await bundled(`${root}tools/docs/tables.ts`)
  const formatted = new Map([...tables()].map(([name, text]) => [name, format("docs/table.md", text)]))
  const tableOf = (name) => {
    const text = formatted.get(name)
    if (text === undefined) throw new Error(`There is no table ${name}; there are ${[...formatted.keys()].join(", ")}`)
    return text
  }
  const written = [...pages()].map(([path, text]) => [path, path.endsWith(".md") ? format(path, text) : text])
  const own = new Set(written.map(([path]) => path))
  const others = (await handwritten()).filter((path) => !own.has(path))
  const read = (path) => readFileSync(root + path, "utf8")
  return new Map([...written, ...others.map((path) => [path, tabled(included(read(path), read), tableOf)])])
}

/** Where files may be shown. */
async function handwritten() {
  const docs = await readdir(`${root}docs`, { recursive: true })
  return [
    "README.md",
    "examples/README.md",
    ...docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)
  ]
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
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "entry.mjs", chunkFileNames: "[name].mjs" })
    await bundle.close()
    return await import(pathToFileURL(`${folder}/entry.mjs`).href)
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
