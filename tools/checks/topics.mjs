/** Loads the schemas, and reads from the dates in their names which revision has which. */
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

export const root = fileURLToPath(new URL("../../", import.meta.url))
const wire = `${root}packages/core/src/wire/`
// Inside the package, so that what is not bundled resolves from there.
const cache = `${root}packages/core/node_modules/.cache/checks/`

/** What is generated from the schemas stands beside them. */
const generated = ["index.ts", "shapes.ts"]

/**
 * Every schema as `{ topic, name, base, since, schema }`: `Tool_2025_06_18` is `Tool` since 2025-06-18, a name without
 * a date is there from the first, and one that begins small is a piece and no shape of its own.
 */
export async function load() {
  const modules = await topics()
  return Object.entries(modules).flatMap(([topic, module]) =>
    Object.entries(module)
      .filter(([name]) => /^[A-Z]/.test(name))
      .map(([name, schema]) => {
        const [, base, since = ""] = /^(.*?)(?:_(\d{4}_\d\d_\d\d))?$/.exec(name)
        return { topic, name, base, since, schema }
      })
  )
}

/** The shapes that no revision has from that date on. */
const gone = {
  "2026_07_28": [
    "InitializeParams",
    "InitializeResult",
    "EmptyResult",
    "SetLevelParams",
    "ResourceParams",
    "ElicitationCompleteParams",
    "ToolExecution",
    "Task",
    "TaskMetadata",
    "TaskStatus",
    "TaskParams",
    "TaskResult",
    "TaskStatusParams",
    "CreateTaskResult",
    "ListTasksResult",
    "TasksPage"
  ]
}

/** Each revision with the newest of every shape it has, `[["2025_06_18", [shape, ...]], ...]`, oldest first. */
export function revisions(shapes) {
  const dates = [...new Set(shapes.map(({ since }) => since))].filter((date) => date !== "").sort()
  return dates.map((date) => {
    const newest = new Map()
    for (const shape of shapes)
      if (shape.since <= date && shape.since >= (newest.get(shape.base)?.since ?? "")) newest.set(shape.base, shape)
    const ended = Object.entries(gone).flatMap(([end, bases]) => (end <= date ? bases : []))
    for (const base of ended) if (!newest.delete(base)) throw new Error(`${base} is gone and was never there`)
    return [date, [...newest.values()]]
  })
}

/** Bundled, so that no build is needed before. */
async function topics() {
  const names = (await readdir(wire))
    .filter((name) => name.endsWith(".ts") && !generated.includes(name))
    .map((name) => basename(name, ".ts"))
    .sort()
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(cache)
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(names.map((name) => [name, `${wire}${name}.ts`])),
      external: /^effect/,
      platform: "node",
      preserveEntrySignatures: "strict"
    })
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs" })
    await bundle.close()
    const modules = names.map(async (name) => [name, await import(pathToFileURL(`${folder}/${name}.mjs`).href)])
    return Object.fromEntries(await Promise.all(modules))
  } finally {
    await rm(folder, { recursive: true })
  }
}
