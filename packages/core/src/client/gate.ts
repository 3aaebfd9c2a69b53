/** What the server may send us: in the table, declared by whoever must, and well-formed. */
import { announced } from "../definition.js"
import { announcesExtension } from "../extension.js"
import type { EitherFailure } from "../failure-of-either.js"
import type { JsonObject } from "../json.js"
import type { Revision } from "../revision.js"
import type { Need, NotificationRow, RequestRow } from "../row.js"
import type { Setup, Spoken } from "./definition.js"
import { amiss } from "./question.js"
import type { Phase } from "./state.js"

/** The row by which a request of the server's is served, or why it is not. */
export function admit(
  setup: Setup,
  phase: Phase,
  method: string,
  params: JsonObject | undefined
): RequestRow | EitherFailure {
  const revision = revisionIn(setup, phase)
  const row = revision.server[method]
  if (row?.kind !== "request") return { _tag: "MethodUnknown", method, why: absence(revision, method) }
  const needs = undeclared(setup, phase, row.needs)
  if (needs !== undefined) return { _tag: "MethodUndeclared", method, needs }
  // Every revision, basic/lifecycle: before the session is open a server sends no requests but pings.
  if (row.when !== "always" && phase._tag !== "Open") return { _tag: "NotReady", method }
  const problem = row.params(params ?? none) ?? amiss(revision, setup.definition.capabilities, method, params)
  return problem === undefined ? row : { _tag: "ParamsInvalid", method, problem }
}

/** The row by which a notification of the server's is heard, or why it is ignored. */
export function hear(
  setup: Setup,
  phase: Phase,
  method: string,
  params: JsonObject | undefined
): NotificationRow | string {
  const row = revisionIn(setup, phase).server[method]
  if (row === undefined) return "no such notification in this revision"
  if (row.kind !== "notification") return "a request was sent without an id"
  if (row.when !== "always" && phase._tag !== "Open") return "the session is not open"
  const missing = undeclared(setup, phase, row.needs) ?? unextended(setup, phase, row.extension)
  if (missing !== undefined) return `${row.needs ?? missing} was not declared`
  const problem = row.params(params ?? none)
  return problem === undefined ? row : `its params are invalid at ${problem.at}: expected ${problem.expected}`
}

/** The revision in force, or before one is agreed the one we would propose: only there a server may speak first. */
export function spokenIn({ spoken, legacy }: Setup, phase: Phase): Spoken {
  if (phase._tag === "Open") for (const one of spoken) if (one.revision.name === phase.peer.revision) return one
  return legacy[0] ?? spoken[0]!
}

export const revisionIn = (setup: Setup, phase: Phase): Revision => spokenIn(setup, phase).revision

/** A message without params is judged as one with empty params. */
export const none: JsonObject = {}

/** The extension that a row belongs to, when not both sides announced it. */
export function unextended(setup: Setup, phase: Phase, extension: string | undefined): string | undefined {
  if (extension === undefined) return undefined
  const sides = [setup.definition.capabilities, phase._tag === "Open" ? phase.peer.capabilities : none]
  return sides.every((side) => announcesExtension(side, extension)) ? undefined : `extensions.${extension}`
}

/** The path of a capability that whoever must did not announce. */
export function undeclared(setup: Setup, phase: Phase, need: Need | undefined): string | undefined {
  if (need === undefined) return undefined
  const path = need.slice("server.".length)
  if (need.startsWith("client.")) return announced(setup.definition.capabilities, path) ? undefined : path
  return phase._tag === "Open" && announced(phase.peer.capabilities, path) ? undefined : path
}

function absence(revision: Revision, method: string): string {
  if (revision.server[method] !== undefined) return "is a notification, and was sent with an id"
  if (revision.client[method] !== undefined) return "is sent by clients, not to them"
  return `is not in ${revision.name}`
}
