/** All mutants of the configured files, each an edit of one file under an id that outlives moved lines. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "../workspace.mjs"
import { branchMutants } from "./branches.mjs"
import { features, further, gates, tables } from "./config.mjs"
import { featureOptions, rowMutants } from "./rows.mjs"
import { parse } from "./syntax.mjs"

/** Throws when a configured file is missing or has nothing to mutate: a gate must not slip out of sight. */
export function generate() {
  const revisions = readdirSync(join(root, tables)).filter((name) => /^v.*\.ts$/.test(name))
  if (revisions.length === 0) throw new Error(`${tables} holds no revision`)
  const options = featureOptions(parse(features, readFileSync(join(root, features), "utf8")))
  const ofRows = (source, program) => rowMutants(source, program, options)
  const all = [
    ...revisions.flatMap((name) => mutantsOf(`${tables}/${name}`, ofRows)),
    ...filesUnder(gates).flatMap((file) => mutantsIn(file, branchMutants)),
    ...further.flatMap((file) => mutantsOf(file, branchMutants))
  ]
  return all.map((mutant, number) => Object.assign(mutant, { number }))
}

/** The file as the mutant has it. */
export function apply(source, { start, end, text }) {
  return source.slice(0, start) + text + source.slice(end)
}

/** In order, so that a slice is the same wherever it is drawn. */
function filesUnder(folder) {
  const names = readdirSync(join(root, folder), { recursive: true }).map((name) => name.replaceAll("\\", "/"))
  return names
    .filter((name) => name.endsWith(".ts"))
    .toSorted()
    .map((name) => `${folder}/${name}`)
}

function mutantsOf(file, mutate) {
  if (!existsSync(join(root, file))) throw new Error(`tools/mutants/config.mjs names ${file}, which does not exist`)
  const mutants = mutantsIn(file, mutate)
  if (mutants.length === 0) throw new Error(`${file} has nothing to mutate`)
  return mutants
}

function mutantsIn(file, mutate) {
  const path = join(root, file)
  const source = readFileSync(path, "utf8")
  const digest = digestOf(source)
  const seen = new Map()
  return mutate(source, parse(path, source)).map((edit) => {
    const id = `${file.replace("packages/core/src/", "")} ${edit.at}: ${brief(edit.what)}`
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    const line = source.slice(0, edit.start).split("\n").length
    const was = source.slice(edit.start, edit.end)
    return { ...edit, id: count === 1 ? id : `${id} (${count})`, file: path, name: file, line, was, digest }
  })
}

/** One line of at most 100 characters; what is cut off counts through a digest. */
function brief(what) {
  const line = what.replace(/\s+/g, " ")
  if (line.length <= 100) return line
  return `${line.slice(0, 90)}... ${digestOf(line).slice(0, 6)}`
}

const digestOf = (text) => createHash("sha256").update(text).digest("hex")
