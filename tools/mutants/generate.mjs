/** All mutants of the configured files, each an edit of one file under an id that outlives moved lines. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "../workspace.mjs"
import { branchMutants } from "./branches.mjs"
import { features, gates, tables } from "./config.mjs"
import { featureOptions, rowMutants } from "./rows.mjs"
import { parse } from "./syntax.mjs"

/** Throws when a configured file is missing or a table has no rows: a gate must not slip out of sight. */
export function generate() {
  const revisions = readdirSync(join(root, tables)).filter((name) => /^v.*\.ts$/.test(name))
  if (revisions.length === 0) throw new Error(`${tables} holds no revision`)
  const options = featureOptions(parse(features, readFileSync(join(root, features), "utf8")))
  const ofRows = (source, program) => rowMutants(source, program, options)
  return [
    ...revisions.flatMap((name) => mutantsOf(`${tables}/${name}`, ofRows)),
    ...gates.flatMap((file) => mutantsOf(file, branchMutants))
  ]
}

/** The file as the mutant has it. */
export function apply(source, { start, end, text }) {
  return source.slice(0, start) + text + source.slice(end)
}

function mutantsOf(file, mutate) {
  const path = join(root, file)
  if (!existsSync(path)) throw new Error(`tools/mutants/config.mjs names ${file}, which does not exist`)
  const source = readFileSync(path, "utf8")
  const edits = mutate(source, parse(path, source))
  if (edits.length === 0) throw new Error(`${file} has nothing to mutate`)
  const seen = new Map()
  return edits.map((edit) => {
    const name = `${file.replace("packages/core/src/", "")} ${edit.at}: ${brief(edit.what)}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    const line = source.slice(0, edit.start).split("\n").length
    return { ...edit, id: count === 1 ? name : `${name} (${count})`, file: path, line }
  })
}

/** One line of at most 100 characters; what is cut off counts through a digest. */
function brief(what) {
  const line = what.replace(/\s+/g, " ")
  if (line.length <= 100) return line
  return `${line.slice(0, 90)}... ${createHash("sha256").update(line).digest("hex").slice(0, 6)}`
}
