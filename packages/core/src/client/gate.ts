/** What the server may send us: in the table, declared by whoever must, and well-formed. */
import { announced } from "../definition.js"
import { announcesExtension } from "../extension.js"
import type { EitherFailure } from "../failure-of-either.js"
import type { JsonObject } from "../json.js"
import type { Revision } from "../revision.js"
import type { Need, Row } from "../row.js"
import type { Setup, Spoken } from "./definition.js"
import { amiss, rowOf } from "./question.js"
import type { State } from "./state.js"

/** The row by which a request of the server's is served, or a notification heard, or why it is not. */
export function admit<Kind extends Row["kind"]>(
  setup: Setup,
  state: State,
  kind: Kind,
  method: string,
  params: JsonObject | undefined
): Extract<Row, { readonly kind: Kind }> | EitherFailure {
  const revision = revisionIn(setup, state)
  const row = rowOf(revision, method)
  if (row?.kind !== kind) return { _tag: "MethodUnknown", method, why: absence(revision, method, kind) }
  const needs = undeclared(setup, state, row.needs) ?? unextended(setup, state, row.extension)
  if (needs !== undefined) return { _tag: "MethodUndeclared", method, needs }
  // Every revision, basic/lifecycle: before the session is open a server sends no requests but pings.
  if (row.when !== "always" && state.phase._tag !== "Open") return { _tag: "NotReady", method }
  const problem = row.params(params ?? none) ?? amiss(revision, setup.definition.capabilities, method, params)
  return problem === undefined
    ? (row as Extract<Row, { readonly kind: Kind }>)
    : { _tag: "ParamsInvalid", method, problem }
}

function absence({ name, server, client }: Revision, method: string, kind: Row["kind"]): string {
  if (server[method] !== undefined)
    return kind === "request"
      ? "is a notification, and was sent with an id"
      : "is a request, and was sent without an id"
  return client[method] === undefined ? `is not in ${name}` : "is sent by clients, not to them"
}

/** The revision in force, or before one is agreed the one we would propose: only there a server may speak first. */
export function spokenIn({ spoken, legacy }: Setup, { phase }: State): Spoken {
  if (phase._tag === "Open") for (const one of spoken) if (one.revision.name === phase.peer.revision) return one
  return legacy[0] ?? spoken[0]!
}

export const revisionIn = (setup: Setup, state: State): Revision => spokenIn(setup, state).revision

/** A message without params is judged as one with empty params. */
export const none: JsonObject = {}

/** What the server announced: nothing, before the session is open. */
const theirs = ({ phase }: State): JsonObject => (phase._tag === "Open" ? phase.peer.capabilities : none)

/** The extension that a row belongs to, when not both sides announced it. */
export function unextended(setup: Setup, state: State, extension: string | undefined): string | undefined {
  if (extension === undefined) return undefined
  const sides = [setup.definition.capabilities, theirs(state)]
  return sides.every((side) => announcesExtension(side, extension)) ? undefined : `extensions.${extension}`
}

/** The path of a capability that whoever must did not announce. */
export function undeclared(setup: Setup, state: State, need: Need | undefined): string | undefined {
  if (need === undefined) return undefined
  const path = need.slice("server.".length)
  const side = need.startsWith("client.") ? setup.definition.capabilities : theirs(state)
  return announced(side, path) ? undefined : path
}
