/** Streams that clients ask for: acknowledged first, told what they asked for and we promised, and answered when they end (2026-07-28). */
import type { Problem } from "../check.js"
import { problem } from "../check.js"
import { announced } from "../definition.js"
import * as key from "../envelope.js"
import { announcesExtension } from "../extension.js"
import { told } from "../failure.js"
import type { JsonObject } from "../json.js"
import { member } from "../json.js"
import type { RequestId } from "../jsonrpc.js"
import { merged } from "../narrow.js"
import type { NotificationRow } from "../row.js"
import { isText, listOf } from "../stored.js"
import type { Trie } from "../trie.js"
import { empty, insert, lookup, remove, values } from "../trie.js"
import type { Compiled } from "./compiled.js"
import { isIn } from "./gate.js"
import { pathOf } from "./offers.js"
import type { Asker } from "./opening.js"
import { reported, tell, unsent } from "./outputs.js"
import { refuse, succeed } from "./reply.js"
import { stamped } from "./stamp.js"
import type { Listen, Next, Served, State } from "./state.js"
import { becoming } from "./state.js"
import type { Output, Via } from "./vocabulary.js"

/** Params are known to be well-formed. Where nothing can be honoured the stream is open all the same, and nothing comes. */
export function listen(compiled: Compiled, state: State, about: Served, params: JsonObject, asker: Asker): Next {
  const { salt, maxListens, maxSubscriptions } = compiled.limits
  if (state.listens.size >= maxListens)
    return refuse(compiled, state, about, { _tag: "TooManySubscriptions", limit: maxListens })
  const { id, via, method } = about
  const [honoured, wrong] = honouredOf(compiled, asker, params["notifications"] as JsonObject)
  if (wrong !== undefined) return refuse(compiled, state, about, { _tag: "ParamsInvalid", method, problem: wrong })
  const wanted = wantedOf(honoured, salt)
  if (wanted.size > maxSubscriptions)
    return refuse(compiled, state, about, { _tag: "TooManySubscriptions", limit: maxSubscriptions })
  const { name: revision } = asker.spoken.revision
  const stream: Listen = { id, via, method, order: state.next, revision, honoured, wanted }
  return [
    becoming(state, { listens: insert(state.listens, id, stream, salt), next: state.next + 1 }),
    [tagged("notifications/subscriptions/acknowledged", { notifications: honoured }, stream)]
  ]
}

/** What of the wish is declared, or what is wrong with it: the filters of extensions have no check of their own. */
function honouredOf({ definition }: Compiled, asker: Asker, wish: JsonObject): readonly [JsonObject, Problem?] {
  const { capabilities } = definition
  const honoured: Record<string, JsonObject[string]> = {}
  for (const row of Object.values(asker.spoken.revision.server)) {
    const { needs, extension, filter, by } = row as NotificationRow
    if (filter === undefined) continue
    if (needs !== undefined && !announced(capabilities, pathOf(needs))) continue
    if (extension !== undefined && !(announcesExtension(capabilities, extension) && isIn(asker, extension))) continue
    const wanted = member(wish, filter)
    if (wanted === undefined) continue
    if (by === undefined ? typeof wanted !== "boolean" : !areTexts(wanted))
      return [honoured, problem(`notifications.${filter}`, by === undefined ? "a boolean" : "an array of strings")]
    if (wanted !== false) honoured[filter] = wanted === true ? true : [...new Set(wanted as ReadonlyArray<string>)]
  }
  return [honoured]
}

const areTexts = listOf(isText)

/** Everything by name that the stream is to tell of. */
export const wantedOf = (honoured: JsonObject, salt: number): Trie<string> =>
  Object.entries(honoured)
    .flatMap(([filter, wanted]) =>
      Array.isArray(wanted) ? (wanted as ReadonlyArray<string>).map((one) => nameOf(filter, one)) : []
    )
    .reduce((all, name) => insert(all, name, name, salt), empty<string>())

const nameOf = (filter: string, one: unknown): string => `${filter}\n${String(one)}`

/** To each stream that asked for it, the oldest first. */
export const toListens = (
  compiled: Compiled,
  state: State,
  method: string,
  params: JsonObject = {}
): ReadonlyArray<Output> => listening(state).flatMap((stream) => toListen(compiled, stream, method, params))

function toListen(
  { spoken, limits }: Compiled,
  stream: Listen,
  method: string,
  params: JsonObject
): ReadonlyArray<Output> {
  const row = spoken.get(stream.revision)?.revision.server[method] as NotificationRow | undefined
  if (row === undefined) return []
  const filter = String(row.filter)
  const hears =
    row.by === undefined
      ? stream.honoured[filter] === true
      : lookup(stream.wanted, nameOf(filter, params[row.by]), limits.salt) !== undefined
  if (!hears) return []
  const wrong = row.params(params)
  return [wrong === undefined ? tagged(method, params, stream) : unsent(method, told(wrong))]
}

const listening = ({ listens }: State): ReadonlyArray<Listen> => values(listens).toSorted((a, b) => a.order - b.order)

const tagged = (method: string, params: JsonObject, { id, via }: Listen): Output =>
  tell(
    method,
    merged(params, { _meta: merged(params["_meta"] as JsonObject | undefined, { [key.subscriptionId]: id }) }),
    via
  )

/** The client wants no more of it: nothing more is said of it. Nothing when there is no such stream. */
export function unlisten(
  { limits }: Compiled,
  state: State,
  id: RequestId,
  reason: string | undefined
): Next | undefined {
  const stream = lookup(state.listens, id, limits.salt)
  if (stream === undefined) return undefined
  const listens = remove(state.listens, id, limits.salt)
  return [becoming(state, { listens }), [reported({ _tag: "Cancelled", id, method: stream.method, reason })]]
}

/** The streams of an exchange that is over are over. */
export function hungUp({ limits }: Compiled, state: State, via: Via): State {
  const gone = values(state.listens).filter((stream) => stream.via === via)
  return becoming(state, { listens: gone.reduce((listens, { id }) => remove(listens, id, limits.salt), state.listens) })
}

/**
 * We end them all. 2026-07-28 basic/patterns/subscriptions answers the request, basic/patterns/cancellation wants it cancelled:
 * where messages cancel, the answer goes first and then the other; where the end of an exchange cancels, that says it.
 */
export function endListens(compiled: Compiled, state: State): Next {
  const outputs: Array<Output> = []
  for (const stream of listening(state)) {
    const { id, via, method } = stream
    const { stamp } = compiled.spoken.get(stream.revision)!
    const result = stamped(stamp, method, { _meta: { [key.subscriptionId]: id } })
    outputs.push(...succeed(compiled, state, { via, batch: undefined, id, method, peer: undefined }, result)[1])
    if (compiled.limits.cancels === "message")
      outputs.push(tagged("notifications/cancelled", { requestId: id }, stream))
  }
  return [becoming(state, { listens: empty() }), outputs]
}
