/** What the server is told without having asked, beside what the machine tells by itself. */
import { told } from "../failure-of-either.js"
import type { JsonObject } from "../json.js"
import type { Setup } from "./definition.js"
import { revisionIn, undeclared } from "./gate.js"
import { ignored, reported, tell } from "./outputs.js"
import type { Next, State } from "./state.js"
import type { Output } from "./vocabulary.js"

/** Not sent, and reported, where it may not be. */
export function notify(setup: Setup, state: State, method: string, params: JsonObject): Next {
  if (state.phase._tag !== "Open") return [state, []]
  const revision = revisionIn(setup, state.phase)
  const row = revision.client[method]
  if (row?.kind !== "notification" || row.when === "opened")
    return ignored(state, method, undefined, `is not a notification to send in ${revision.name}`)
  const needs = undeclared(setup, state.phase, row.needs)
  if (needs !== undefined) return ignored(state, method, undefined, `${needs} was not declared`)
  const problem = row.params(params)
  if (problem !== undefined) return [state, [reported({ _tag: "Unsendable", method, why: told(problem) })]]
  return [state, [tell(method, params)]]
}

/** Told to those who can hear it, if we declared that we would. */
export function rootsChanged(setup: Setup, { phase }: State): ReadonlyArray<Output> {
  const method = "notifications/roots/list_changed"
  const row = revisionIn(setup, phase).client[method]
  return phase._tag === "Open" && row !== undefined && undeclared(setup, phase, row.needs) === undefined
    ? [tell(method)]
    : []
}
