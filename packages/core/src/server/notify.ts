/** What the client is told on the session's own stream: that a list or a resource changed, or a notification of the user's own. */
import { told } from "../failure.js"
import type { JsonObject } from "../json.js"
import { lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { spokenIn } from "./gate.js"
import { toListens } from "./listen.js"
import { wanted } from "./log.js"
import { missing } from "./offers.js"
import { ignored, inTurn, tell, unsent } from "./outputs.js"
import type { News, Next, Params, State } from "./state.js"
import { becoming } from "./state.js"
import type { Input } from "./vocabulary.js"

type Said<Tag> = Extract<Input, { readonly _tag: Tag }>

/** Lists changed: the client hears of it if we promised so, on every stream that asked for it, and on its session. */
export const announce = (compiled: Compiled, state: State, { families }: Said<"Changed">): Next =>
  inTurn(state, families, (now, family) => toAll(compiled, now, { method: `notifications/${family}/list_changed` }))

export const updated = (compiled: Compiled, state: State, { uri }: Said<"Updated">): Next =>
  toAll(compiled, state, { method: "notifications/resources/updated", uri })

function toAll(compiled: Compiled, state: State, news: News): Next {
  const heard = toListens(compiled, state, news.method, paramsOf(news))
  const [next, outputs] = toSession(compiled, state, news)
  return [next, [...heard, ...outputs]]
}

/** As soon as the session may hear anything, and if it is to hear of this. */
export function toSession(compiled: Compiled, state: State, news: News): Next {
  const { phase, subscriptions } = state
  const { method, uri } = news
  // Nobody has listed anything before the opening; the list is current by construction.
  if (!("peer" in phase)) return [state, []]
  const { revision } = spokenIn(compiled, phase)
  const row = revision.server[method]
  if (row === undefined || missing(compiled, revision, phase.peer, row.needs) !== undefined) return [state, []]
  if (uri !== undefined && lookup(subscriptions, uri, compiled.limits.salt) === undefined) return [state, []]
  if (phase._tag === "Ready") return [state, [tell(method, paramsOf(news), undefined)]]
  const { peer, held } = phase
  if (held.some((other) => other.method === method && other.uri === uri)) return [state, []]
  return [becoming(state, { phase: { _tag: "Opened", peer, held: [...held, news] } }), []]
}

const paramsOf = ({ uri }: News): Params => (uri === undefined ? undefined : { uri })

/** Dropped and reported where it may not be sent; a log message below the client's level is just dropped. */
export function notify(compiled: Compiled, state: State, { method, params }: Said<"Notified">): Next {
  const heard = toListens(compiled, state, method, params)
  const [next, outputs] = notifySession(compiled, state, method, params, heard.length > 0)
  return [next, [...heard, ...outputs]]
}

function notifySession(compiled: Compiled, state: State, method: string, params: JsonObject, heard: boolean): Next {
  if (state.phase._tag !== "Ready") return [state, []]
  const { revision } = spokenIn(compiled, state.phase)
  const row = revision.server[method]
  if (row?.kind !== "notification" && heard) return [state, []]
  if (row?.kind !== "notification")
    return ignored(state, method, undefined, `is not a notification of ${revision.name}`)
  const needs = missing(compiled, revision, state.phase.peer, row.needs)
  if (needs !== undefined) return ignored(state, method, undefined, `${needs} was not declared`)
  if (method === "notifications/message" && !wanted(state, String(params["level"]))) return [state, []]
  const problem = row.params(params)
  return [state, [problem === undefined ? tell(method, params, undefined) : unsent(method, told(problem))]]
}
