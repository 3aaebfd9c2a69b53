/** The gate: opened, in the table, declared, timely and well-formed, in that order. */
import { announcesExtension } from "../extension.js"
import type { Failure } from "../failure.js"
import { told } from "../failure.js"
import type { RequestRow, Row } from "../row.js"
import type { Compiled, Spoken } from "./compiled.js"
import { missing } from "./offers.js"
import type { Asker } from "./opening.js"
import type { Params, Phase } from "./state.js"

/** The row by which a request is served, or why it is not. */
export function admit(compiled: Compiled, asker: Asker, method: string, params: Params): RequestRow | Failure {
  const { spoken, moment } = asker
  const entry = spoken.entries.get(method)
  if (moment === "Unopened" && !beforeOpening(entry?.row))
    return { _tag: "NotInitialized", method, supported: compiled.supported }
  if (entry === undefined || entry.row.kind !== "request")
    return { _tag: "MethodUnknown", method, why: absence(compiled, spoken, entry?.row, method) }
  const { row, undeclared } = entry
  if (undeclared !== undefined) return { _tag: "MethodUndeclared", method, needs: undeclared }
  if (row.when === "opening" && moment !== "Unopened") return { _tag: "AlreadyInitialized" }
  if (row.when === "ready" && moment === "Opened" && compiled.definition.early === "refuse")
    return { _tag: "NotReady", method }
  const problem = row.params(params ?? none)
  if (problem !== undefined) return { _tag: "ParamsInvalid", method, problem }
  return row.extension === undefined || isIn(asker, row.extension)
    ? row
    : { _tag: "CapabilityMissing", asked: method, needs: [["extensions", row.extension]] }
}

/** Whether who asks has the extension. There are none before somebody has said who asks. */
export const isIn = ({ peer }: Pick<Asker, "peer">, extension: string): boolean =>
  announcesExtension(peer!.capabilities, extension)

/** Why a notification is ignored, when it is. */
export function unheard(compiled: Compiled, phase: Phase, method: string, params: Params): string | undefined {
  const { revision, entries } = spokenIn(compiled, phase)
  const row = entries.get(method)?.row
  if (row === undefined) return "no such notification in this revision"
  if (row.kind !== "notification") return "a request was sent without an id"
  if (phase._tag === "Unopened" && row.when !== "always") return "the session is not initialized"
  const why = row.needs && missing(compiled, revision, phase, row.needs)
  if (why !== undefined) return why
  if (row.when === "opened" && phase._tag !== "Opened") return "the session is initialized already"
  const problem = row.params(params ?? none)
  return problem && `its params are invalid: ${told(problem)}`
}

/** The revision in force between two sides that agreed on one, or before that the newest they can agree on. */
export const spokenIn = (compiled: Compiled, phase: Phase): Spoken =>
  "peer" in phase ? (compiled.spoken.get(phase.peer.revision) ?? compiled.newest) : compiled.newest

/** A message without params is judged as one with empty params. */
const none = {}

const beforeOpening = (row: Row | undefined): boolean =>
  row?.kind === "request" && (row.when === "opening" || row.when === "always")

function absence({ own, perRequest }: Compiled, { revision }: Spoken, row: Row | undefined, method: string): string {
  if (row !== undefined) return "is a notification, and was sent with an id"
  if (Object.hasOwn(revision.server, method)) return "is sent by servers, not to them"
  return `is not in ${revision.name}${own.has(method) ? `, only in ${perRequest.join(", ")}` : ""}`
}
