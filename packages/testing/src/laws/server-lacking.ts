/** What needs more than its client declared is refused, and the client is told what it would have to declare (2026-07-28 basic, Error Codes). */
import type { RevisionName } from "@parley/core"
import type { Question } from "@parley/core/server"
import type { Fields } from "../envelope.js"
import { codeOf, fields, own, succeeded } from "../envelope.js"
import { announces, tableOf } from "../extensions.js"
import type { Violation } from "../invariant.js"
import { brief } from "../invariant.js"
import type { Entry, Ledger, Reply } from "../ledger.js"
import { announcedBy } from "../ledger.js"
import type { ServerRun } from "../run.js"
import { fits } from "../shape.js"
import { isOffered, mayAskInside, questionsOf } from "../specification.js"

/** The names that lead to a capability: an extension's identifier is one name. */
type Path = ReadonlyArray<string>

/** What the tool can not do without, and the client did not declare. */
export const lacking = (entry: Entry, tool: string): ReadonlyArray<string> =>
  requiredBy(entry, tool).filter((path) => !isOffered(entry.revision, entry.client, path))

const requiredBy = ({ definition }: Entry, tool: string): ReadonlyArray<string> =>
  (own(definition.requires, tool) ?? []) as ReadonlyArray<string>

interface Lacking {
  /** All that is needed. */
  readonly needed: ReadonlyArray<Path>
  /** And what of it was not declared. */
  readonly missing: ReadonlyArray<Path>
  /** Whether nothing else is wrong, which may be said first. */
  readonly sound: boolean
}

/**
 * Part of 2: by -32021 and nothing else, be it another error or a result that says so in words; and by that only where
 * something is missing. The error names all of that, and nothing that the client has declared.
 */
export function* lackingSaid(run: ServerRun, ledger: Ledger, entry: Entry, reply: Reply): Iterable<Violation> {
  const { asker, read, call } = entry
  if (asker === undefined) return
  const { at, message } = reply
  const code = codeOf(message)
  const { needed, missing, sound } = call === undefined ? untried(run, ledger, entry) : tried(run, entry, at)
  if (code !== -32021) {
    if (missing.length > 0 && sound)
      yield {
        at,
        why: `${read.method} needs ${named(missing)}, and who did not declare it was answered with ${said(message)}`
      }
    return
  }
  const told = own(own(own(message, "error"), "data"), "requiredCapabilities")
  const ends = leaves(told)
  if (missing.length === 0)
    yield { at, why: `${read.method} was refused with -32021, and its client declared what it needs` }
  else if (missing.some((path) => under(told, path) === undefined) || !ends.every((path) => isAmong(path, needed)))
    yield { at, why: `what is missing is ${named(missing)}, and the client was told ${brief(told)}` }
  else if (call === undefined && ends.some((path) => isSaid(entry.client, path)))
    yield { at, why: `the client was told to declare ${brief(told)}, and has declared some of that` }
}

const nothing: Lacking = { needed: [], missing: [], sound: true }

/** Before any handler runs: the extension of a method, and what a tool is declared to need. */
function untried(run: ServerRun, ledger: Ledger, entry: Entry): Lacking {
  const { definition } = run
  const { read, client, revision } = entry
  const sound = isSound(run, entry)
  const extension = tableOf(definition, revision!, "client").get(read.method)?.extension
  if (extension !== undefined) {
    const path = ["extensions", extension]
    const isAnnounced = announces(announcedBy(ledger, definition), extension)
    return isAnnounced && !announces(client, extension) ? { needed: [path], missing: [path], sound } : nothing
  }
  if (read.method !== "tools/call") return nothing
  const name = String(own(read.params, "name"))
  return { needed: requiredBy(entry, name).map(split), missing: lacking(entry, name).map(split), sound }
}

/** What the handler wanted to ask, or said that it needs, in the step that ended its request. */
function tried({ steps, options }: ServerRun, { revision, client, call, read }: Entry, at: number): Lacking {
  const input = steps[at]!.input
  if (!("call" in input) || input.call !== call || input.id !== read.id) return nothing
  if (input._tag === "Failed" && input.failure._tag === "CapabilityMissing") {
    const needed = input.failure.needs.map(split)
    return { needed, missing: needed, sound: true }
  }
  if (input._tag !== "NeedsInput") return nothing
  const { questions } = input
  const needed = questions.flatMap((question) => neededBy(revision!, question))
  const isFew =
    options.maxQuestions === undefined || (questions.length === 1 && own(read.params, "requestState") === undefined)
  const areKnown =
    needed.length === questions.length && new Set(questions.map(({ key }) => key)).size === questions.length
  return {
    needed: needed.map(split),
    missing: needed.filter((path) => !isOffered(revision, client, path)).map(split),
    sound: mayAskInside(revision!, read.method) && isFew && areKnown
  }
}

/** A page needs a flag of its own. */
function neededBy(revision: RevisionName, { method, params }: Question): ReadonlyArray<string> {
  const needs = questionsOf(revision).get(method)?.needs?.path
  if (needs === undefined) return []
  return [method === "elicitation/create" && params?.["mode"] === "url" ? "elicitation.url" : needs]
}

const split = (path: string): Path => path.split(".")

/** Whether nothing else is wrong with it: a tool that is there, params of the right shape, and nothing sealed that might be wrong. */
function isSound({ definition }: ServerRun, { read, revision, definition: now }: Entry): boolean {
  const { method, params = {} } = read
  const known = tableOf(definition, revision!, "client").get(method)
  if (known === undefined || !fits(known.params, params)) return false
  return method !== "tools/call" || now.tools.some(({ name }) => name === own(params, "name"))
}

const named = (paths: ReadonlyArray<Path>): string => paths.map((path) => path.join(".")).join(", ")

const said = (message: Fields): string => (succeeded(message) ? "a result" : brief(codeOf(message)))

const under = (tree: unknown, path: Path): unknown => path.reduce((inner, name) => own(inner, name), tree)

/** The names that lead to each end of a tree. */
const leaves = (tree: unknown): ReadonlyArray<Path> =>
  Object.entries(fields(tree)).flatMap(([name, inner]) => {
    const further = leaves(inner)
    return further.length === 0 ? [[name]] : further.map((path) => [name, ...path])
  })

/** An extension is announced by settings, everything else by a flag as well. */
function isSaid(client: unknown, path: Path): boolean {
  const value = under(client, path)
  return (typeof value === "object" && value !== null) || (value === true && path[0] !== "extensions")
}

/** It may say more closely what would do. */
const isAmong = (path: Path, needed: ReadonlyArray<Path>): boolean =>
  needed.some((one) => one.every((name, index) => name === path[index]))
