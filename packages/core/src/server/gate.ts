/** The gate: opened, in the table, declared, timely and well-formed, in that order. */
import { announced } from "../definition.js"
import type { Failure } from "../failure.js"
import type { JsonObject } from "../json.js"
import type { NotificationRow, RequestRow } from "../row.js"
import type { Compiled, Entry, Spoken } from "./compiled.js"
import type { Phase } from "./state.js"

/** The row by which a request is served, or why it is not. */
export function admit(
  compiled: Compiled,
  phase: Phase,
  method: string,
  params: JsonObject | undefined
): RequestRow | Failure {
  const spoken = spokenIn(compiled, phase)
  const entry = spoken.entries.get(method)
  if (phase._tag === "Unopened" && !beforeOpening(entry))
    return { _tag: "NotInitialized", method, supported: compiled.supported }
  if (entry === undefined || entry.row.kind !== "request")
    return { _tag: "MethodUnknown", method, why: absence(spoken, entry, method) }
  const row = entry.row
  if (entry.undeclared !== undefined) return { _tag: "MethodUndeclared", method, needs: entry.undeclared }
  if (row.when === "opening" && phase._tag !== "Unopened") return { _tag: "AlreadyInitialized" }
  if (row.when === "ready" && phase._tag === "Opened" && compiled.definition.early === "refuse")
    return { _tag: "NotReady", method }
  const problem = row.params(params ?? none)
  return problem === undefined ? row : { _tag: "ParamsInvalid", method, problem }
}

/** The row by which a notification is heard, or why it is ignored. */
export function hear(
  compiled: Compiled,
  phase: Phase,
  method: string,
  params: JsonObject | undefined
): NotificationRow | string {
  const entry = spokenIn(compiled, phase).entries.get(method)
  if (entry === undefined) return "no such notification in this revision"
  if (entry.row.kind !== "notification") return "a request was sent without an id"
  if (phase._tag === "Unopened" && entry.row.when !== "always") return "the session is not initialized"
  if (entry.undeclared !== undefined) return `the capability ${entry.undeclared} was not declared`
  if (
    entry.needsOfClient !== undefined &&
    !("peer" in phase && announced(phase.peer.capabilities, entry.needsOfClient))
  )
    return `the client did not declare ${entry.needsOfClient}`
  if (entry.row.when === "opened" && phase._tag !== "Opened") return "the session is initialized already"
  const problem = entry.row.params(params ?? none)
  return problem === undefined ? entry.row : `its params are invalid at ${problem.at}: expected ${problem.expected}`
}

/** The revision in force, or before one is agreed the newest we speak. */
export const spokenIn = (compiled: Compiled, phase: Phase): Spoken =>
  "peer" in phase ? (compiled.spoken.get(phase.peer.revision) ?? compiled.newest) : compiled.newest

/** A message without params is judged as one with empty params. */
const none: JsonObject = {}

const beforeOpening = (entry: Entry | undefined): boolean =>
  entry !== undefined && entry.row.kind === "request" && (entry.row.when === "opening" || entry.row.when === "always")

function absence(spoken: Spoken, entry: Entry | undefined, method: string): string {
  if (entry !== undefined) return "is a notification, and was sent with an id"
  if (Object.hasOwn(spoken.revision.server, method)) return "is sent by servers, not to them"
  return `is not in ${spoken.revision.name}`
}
