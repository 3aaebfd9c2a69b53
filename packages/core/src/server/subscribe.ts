/** Which resources the client wants to hear of. */
import type { JsonObject } from "../json.js"
import { insert, lookup, remove } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { refuse, succeed } from "./reply.js"
import type { Next, Served, State } from "./state.js"
import { becoming } from "./state.js"

/** Subscribing twice is the same as once. Whether there is such a resource is not asked: it may come to be. */
export function subscribe(compiled: Compiled, state: State, about: Served, params: JsonObject): Next {
  const uri = params["uri"] as string
  const { salt, maxSubscriptions: limit } = compiled.limits
  if (state.subscriptions.size >= limit && lookup(state.subscriptions, uri, salt) === undefined)
    return refuse(compiled, state, about, { _tag: "TooManySubscriptions", limit })
  const subscriptions = insert(state.subscriptions, uri, uri, salt)
  return succeed(compiled, becoming(state, { subscriptions }), about, {}, "{}")
}

export function unsubscribe(compiled: Compiled, state: State, about: Served, params: JsonObject): Next {
  const subscriptions = remove(state.subscriptions, params["uri"] as string, compiled.limits.salt)
  return succeed(compiled, becoming(state, { subscriptions }), about, {}, "{}")
}
