/** What is generated from the schemas in `packages/core/src/wire`: their index, their plain types, their plain checks. */
import { execFileSync } from "node:child_process"
import { declarations } from "./declare.mjs"
import { shapesOf } from "./emit.mjs"
import { framesOf } from "./frames.mjs"
import { indexOf, typeTestOf } from "./list.mjs"
import { load, revisions, root } from "./topics.mjs"

const core = "packages/core"

/** Path from the repository's root to what the file should hold. */
export async function generate() {
  const tables = revisions(await load())
  const files = new Map()
  files.set(`${core}/src/checks/shapes.ts`, shapesOf(tables))
  files.set(`tools/docs/frames.ts`, framesOf(tables))
  files.set(`${core}/src/wire/index.ts`, indexOf(tables))
  files.set(`${core}/src/wire/shapes.ts`, declarations(tables))
  files.set(`${core}/test/wire/shapes.test-d.ts`, typeTestOf(tables))
  return new Map([...files].map(([path, source]) => [path, format(path, source)]))
}

const format = (path, source) =>
  execFileSync(process.execPath, [`${root}node_modules/oxfmt/bin/oxfmt`, `--stdin-filepath=${path}`], {
    cwd: root,
    input: source,
    encoding: "utf8"
  })
