/** What the server is told without having asked, beside what the machine tells by itself. */
import { told } from "../failure-of-either.js"
import type { Setup } from "./definition.js"
import { revisionIn, undeclared } from "./gate.js"
import { ignored, tell, withheld } from "./outputs.js"
import type { Next, State } from "./state.js"
import type { Input } from "./vocabulary.js"

type Notified = Extract<Input, { readonly _tag: "Notified" }>

/** Not sent, and reported, where it may not be. */
export function notify(setup: Setup, state: State, { method, params }: Notified): Next {
  if (state.phase._tag !== "Open") return [state, []]
  const revision = revisionIn(setup, state)
  const row = revision.client[method]
  if (row?.kind !== "notification" || row.when === "opened")
    return ignored(state, `is not a notification to send in ${revision.name}`, undefined, method)
  const needs = undeclared(setup, state, row.needs)
  if (needs !== undefined) return ignored(state, `${needs} was not declared`, undefined, method)
  const problem = row.params(params)
  if (problem !== undefined) return [state, [withheld(method, told(problem))]]
  return [state, [tell(method, params)]]
}

/** Told to those who can hear it, if we declared that we would. */
export function rootsChanged(setup: Setup, state: State): Next {
  const method = "notifications/roots/list_changed"
  const row = revisionIn(setup, state).client[method]
  const heard = state.phase._tag === "Open" && row !== undefined && undeclared(setup, state, row.needs) === undefined
  return [state, heard ? [tell(method)] : []]
}
