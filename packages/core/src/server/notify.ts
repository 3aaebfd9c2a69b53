/** What the client is told on the session's own stream: that a list or a resource changed, or a notification of the user's own. */
import type { Family } from "../definition.js"
import { announced } from "../definition.js"
import { told } from "../failure.js"
import type { JsonObject } from "../json.js"
import { lookup } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { spokenIn } from "./gate.js"
import { toListens } from "./listen.js"
import { wanted } from "./log.js"
import { missing } from "./offers.js"
import { ignored, tell, unsent } from "./outputs.js"
import type { Next, State } from "./state.js"
import { becoming } from "./state.js"

/** Lists changed: the client hears of it if we promised so, on every stream that asked for it, and on its session. */
export function announce(compiled: Compiled, state: State, families: ReadonlyArray<Family>): Next {
  const heard = promised(compiled, families).flatMap((method) => toListens(compiled, state, method))
  const [next, outputs] = announceToSession(compiled, state, families)
  return [next, [...heard, ...outputs]]
}

const promised = ({ definition }: Compiled, families: ReadonlyArray<Family>): ReadonlyArray<string> =>
  families
    .filter((family) => announced(definition.capabilities, `${family}.listChanged`))
    .map((family) => `notifications/${family}/list_changed`)

/** As soon as the session may hear anything. */
export function announceToSession(compiled: Compiled, state: State, families: ReadonlyArray<Family>): Next {
  const { phase } = state
  if (phase._tag === "Opened") {
    const { peer, updated } = phase
    const changed = [...new Set([...phase.changed, ...families])]
    return [becoming(state, { phase: { _tag: "Opened", peer, changed, updated } }), []]
  }
  // Nobody has listed anything before the opening; the list is current by construction.
  if (phase._tag !== "Ready") return [state, []]
  const { server } = spokenIn(compiled, phase).revision
  return [
    state,
    promised(compiled, families)
      .filter((method) => method in server)
      .map((method) => tell(method, undefined, undefined))
  ]
}

export function updated(compiled: Compiled, state: State, uri: string): Next {
  const heard = toListens(compiled, state, resourceUpdated, { uri })
  const [next, outputs] = updatedForSession(compiled, state, uri)
  return [next, [...heard, ...outputs]]
}

const resourceUpdated = "notifications/resources/updated"

export function updatedForSession(compiled: Compiled, state: State, uri: string): Next {
  const { phase, subscriptions } = state
  if (lookup(subscriptions, uri, compiled.limits.salt) === undefined) return [state, []]
  if (phase._tag === "Opened" && !phase.updated.includes(uri)) {
    const { peer, changed } = phase
    return [becoming(state, { phase: { _tag: "Opened", peer, changed, updated: [...phase.updated, uri] } }), []]
  }
  if (phase._tag !== "Ready") return [state, []]
  return [state, [tell(resourceUpdated, { uri }, undefined)]]
}

/** Dropped and reported where it may not be sent; a log message below the client's level is just dropped. */
export function notify(compiled: Compiled, state: State, method: string, params: JsonObject): Next {
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
  const why = row.needs && missing(compiled, revision, state.phase, row.needs)
  if (why !== undefined) return ignored(state, method, undefined, why)
  if (method === "notifications/message" && !wanted(state, String(params["level"]))) return [state, []]
  const problem = row.params(params)
  return [state, [problem === undefined ? tell(method, params, undefined) : unsent(method, told(problem))]]
}
