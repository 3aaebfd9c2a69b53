/** A question while it is open: how far its answer is, and the end of it when that takes too long. */
import { internal, told as inWords } from "../failure-of-either.js"
import type { Json } from "../json.js"
import { narrowed } from "../narrow.js"
import { insert, lookup } from "../trie.js"
import { end, late, openAsk } from "./ask.js"
import type { Setup } from "./definition.js"
import { revisionIn } from "./gate.js"
import { reported, takenBack, tell } from "./outputs.js"
import { questionTimedOut } from "./rounds.js"
import type { Next, State } from "./state.js"
import { becoming, told } from "./state.js"
import type { AskProgressed } from "./vocabulary.js"

/** The server is told how far we are, when it asked to be and it is further than before. */
export function progressed(setup: Setup, state: State, input: AskProgressed): Next {
  if (input.id === undefined) return [state, []]
  const entry = openAsk(setup, state, input.ask, input.id)
  if (entry === undefined) return late(state, input.id)
  const method = "notifications/progress"
  const { progress, total, message, meta: _meta } = input
  if (entry.token === undefined || (entry.told !== undefined && progress <= entry.told)) return [state, []]
  const revision = revisionIn(setup, state.phase)
  const given = Object.entries({ progressToken: entry.token, progress, total, message, _meta })
  const params = narrowed(revision, "ProgressParams", Object.fromEntries(given.filter(isThere)))
  const problem = revision.client[method]!.params(params)
  if (problem !== undefined) return [state, [reported({ _tag: "Unsendable", method, why: inWords(problem) })]]
  const asked = insert(state.asked, entry.id, told(entry, progress), setup.limits.salt)
  return [becoming(state, { asked }), [tell(method, params, entry.via)]]
}

const isThere = ([, value]: readonly [string, Json | undefined]): boolean => value !== undefined

/** Nobody answered in time: the question is taken back from the user, and the server is told. */
export function timedOut(setup: Setup, state: State, ask: number): Next {
  const id = lookup(state.timed, ask, setup.limits.salt)
  const entry = id === undefined ? undefined : openAsk(setup, state, ask, id)
  if (entry === undefined) return questionTimedOut(setup, state, ask)
  const why = `not answered within ${entry.ms} ms`
  const error = internal(why)
  const [next, outputs] = end(setup, state, entry, { jsonrpc: "2.0", id: entry.id, error })
  return [next, [takenBack(ask, why), ...outputs, reported({ _tag: "Unsendable", method: entry.method, why })]]
}
