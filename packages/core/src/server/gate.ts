/** The gate: opened, in the table, declared, timely and well-formed, in that order. */
import { announcesExtension } from "../extension.js"
import type { Failure } from "../failure.js"
import type { Row } from "../row.js"
import type { Compiled, Spoken } from "./compiled.js"
import { missing } from "./offers.js"
import type { Asker } from "./opening.js"
import type { Params, Phase } from "./state.js"

/** The row by which a request is served or a notification heard, or why it is not. */
export function admit<Kind extends Row["kind"]>(
  compiled: Compiled,
  asker: Pick<Asker, "spoken" | "moment" | "peer">,
  kind: Kind,
  method: string,
  params: Params
): Extract<Row, { readonly kind: Kind }> | Failure {
  const { spoken, moment, peer } = asker
  const entry = spoken.entries.get(method)
  const row = entry?.row
  const undeclared = entry?.undeclared
  const when = row?.when
  const opens = row?.kind === kind && (when === "opening" || when === "always")
  if (moment === "Unopened" && !opens && compiled.handshake.length > 0)
    return { _tag: "NotInitialized", method, supported: compiled.supported }
  if (row?.kind !== kind) return { _tag: "MethodUnknown", method, why: absence(compiled, spoken, row, method) }
  const needs =
    undeclared ?? (kind === "notification" ? missing(compiled, spoken.revision, peer, row.needs) : undefined)
  if (needs !== undefined) return { _tag: "MethodUndeclared", method, needs }
  if (when === "opening" ? moment !== "Unopened" : when === "opened" && moment !== "Opened")
    return { _tag: "AlreadyInitialized" }
  if (when === "ready" && moment === "Opened" && kind === "request" && compiled.definition.early === "refuse")
    return { _tag: "NotReady", method }
  const problem = row.params(params ?? none)
  if (problem !== undefined) return { _tag: "ParamsInvalid", method, problem }
  return row.extension === undefined || isIn(asker, row.extension)
    ? (row as Extract<Row, { readonly kind: Kind }>)
    : { _tag: "CapabilityMissing", asked: method, needs: [["extensions", row.extension]] }
}

/** Whether who asks has the extension. There are none before somebody has said who asks. */
export const isIn = ({ peer }: Pick<Asker, "peer">, extension: string): boolean =>
  announcesExtension(peer!.capabilities, extension)

/** The revision in force between two sides that agreed on one, or before that the newest they can agree on. */
export const spokenIn = (compiled: Compiled, phase: Phase): Spoken =>
  "peer" in phase ? (compiled.spoken.get(phase.peer.revision) ?? compiled.newest) : compiled.newest

/** A message without params is judged as one with empty params. */
const none = {}

function absence({ own, perRequest }: Compiled, { revision }: Spoken, row: Row | undefined, method: string): string {
  if (row !== undefined) return `is a ${row.kind}, and was sent with${row.kind === "request" ? "out" : ""} an id`
  if (Object.hasOwn(revision.server, method)) return "is sent by servers, not to them"
  return `is not in ${revision.name}${own.has(method) ? `, only in ${perRequest.join(", ")}` : ""}`
}
