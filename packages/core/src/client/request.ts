/** A request goes out: with what it must say of us, under an id of its own, and with a limit to the wait. */
import * as key from "../envelope.js"
import type { JsonObject } from "../json.js"
import { keeping } from "../narrow.js"
import { insert, remove } from "../trie.js"
import type { Setup, Spoken } from "./definition.js"
import { spokenIn } from "./gate.js"
import { send, start } from "./outputs.js"
import type { Next, Sent, State } from "./state.js"
import { becoming, sentBecoming } from "./state.js"

/** `params` are what the caller gave. */
export function request(setup: Setup, state: State, sent: Sent, params: JsonObject | undefined): Next {
  const { id, call, method, timeoutMs, level, progress, restarts } = sent
  const spoken = spokenIn(setup, state)
  const token = progress || restarts ? id : undefined
  const said =
    spoken.envelope === undefined && token === undefined
      ? params
      : withMembers(params, { _meta: metaOf(spoken, params, token, level) })
  return [
    becoming(state, { sent: insert(state.sent, id, sent, state.salt), last: id }),
    [
      send(said === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params: said }),
      start({ of: "request", call }, timeoutMs)
    ]
  ]
}

/** The request is made once more, which is another request: under a new id, and with another token for its progress. */
export function again(setup: Setup, state: State, sent: Sent, change: Partial<Sent>): Next {
  const { salt } = state
  const id = state.last + 1
  const next = sentBecoming(sent, Object.assign({ id }, change))
  const without = becoming(state, {
    sent: remove(state.sent, sent.id, salt),
    renamed: insert(state.renamed, sent.call, id, salt)
  })
  return request(setup, without, next, next.params)
}

/** What is said beside the params: what the caller says there stays, but for what is ours to say. */
export function metaOf(
  { envelope, revision }: Spoken,
  params: JsonObject | undefined,
  token: number | undefined,
  level: string | undefined
): JsonObject {
  const given = params?.["_meta"] as JsonObject | undefined
  if (envelope !== undefined && given === undefined && token === undefined && level === undefined) return envelope
  const ours: Record<string, JsonObject[string]> = {}
  if (token !== undefined) ours["progressToken"] = token
  if (level !== undefined && revision.features.logs === "request") ours[key.logLevel] = level
  return withMembers(given, Object.assign(ours, envelope))
}

/** Only those members that are there. */
export const given = (members: object): JsonObject => keeping(members, (_, value) => value !== undefined)

/** A copy with some members set. What was named `__proto__` stays a member, which assignment would not let it. */
export const withMembers = (value: JsonObject | undefined, members: JsonObject): JsonObject =>
  value !== undefined && Object.hasOwn(value, "__proto__")
    ? Object.fromEntries([...Object.entries(value), ...Object.entries(members)])
    : Object.assign({}, value, members)
