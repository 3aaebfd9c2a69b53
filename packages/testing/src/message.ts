/** Messages of one side, as that side would send them, and as it never should. */
import type { Json, JsonObject, RequestId, Revision, RevisionName } from "@parley/core"
import { schemas } from "@parley/core/schemas"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import { declared, everyClientCapability, withExtensions } from "./declaring.js"
import { own } from "./envelope.js"
import { brokenEnvelope, envelope, wish } from "./enveloped.js"
import { extensionsOf, tableOf } from "./extensions.js"
import type { Method, Side } from "./specification.js"
import { byHandshake, dated, methodsOf, saysWhoAsks } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** What drawing a message needs to know of the conversation. */
export interface Scene {
  /** Who sends. */
  readonly from: Side
  /** Whose revisions are spoken, with the extensions of both sides. */
  readonly definition: { readonly revisions: ReadonlyArray<Revision> }
  readonly revision: RevisionName
  /** An id that was not used before. */
  readonly fresh: () => RequestId
  /** Ids that were used before, whether their requests are under way or not. */
  readonly used: ReadonlyArray<RequestId>
  /** Ids of requests that are under way. */
  readonly live: ReadonlyArray<RequestId>
  readonly tools: ReadonlyArray<string>
  /** Prompts by name, with the arguments that each requires. */
  readonly prompts: ReadonlyArray<readonly [name: string, required: ReadonlyArray<string>]>
  /** Resources that there are, or that were spoken of. */
  readonly uris: ReadonlyArray<string>
  readonly cursors: ReadonlyArray<string>
  /** Progress tokens of requests of the other side. */
  readonly tokens: ReadonlyArray<RequestId>
}

/** The methods of a kind that a side has in a revision, with those of extensions. */
export function named(
  { definition, revision, from }: Pick<Scene, "definition" | "revision" | "from">,
  kind: Method["kind"]
): ReadonlyArray<string> {
  const table = tableOf(definition, revision, from)
  const found = known[kind].get(table) ?? [...table].flatMap(([name, one]) => (one.kind === kind ? [name] : []))
  known[kind].set(table, found)
  return found
}

/** Those that refer to nothing, and may come at any time: to be drawn more often than others. */
export const told = (scene: Scene): ReadonlyArray<string> =>
  named(scene, "notification").filter((method) => /changed|updated|message/.test(method))

const known = {
  request: new WeakMap<object, ReadonlyArray<string>>(),
  notification: new WeakMap<object, ReadonlyArray<string>>()
}

/** A request as the revision has it, with valid params. */
export function request(scene: Scene, choose: Choose, method: string): JsonObject {
  const id = scene.fresh()
  const params = paramsOf(scene, choose, method)
  return Object.keys(params).length === 0 && choose(2) === 0
    ? { jsonrpc: "2.0", id, method }
    : { jsonrpc: "2.0", id, method, params }
}

export function notification(scene: Scene, choose: Choose, method: string): JsonObject {
  const params = paramsOf(scene, choose, method)
  return Object.keys(params).length === 0 ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }
}

/** Params that the revision's schema accepts, about things that exist where that matters. */
export function paramsOf(scene: Scene, choose: Choose, method: string): JsonObject {
  const row = tableOf(scene.definition, scene.revision, scene.from).get(method)
  if (row === undefined) return {}
  const _meta = row.kind === "request" && isEnveloped(scene) ? envelope(scene, choose) : undefined
  const params = about(scene, choose, method, valueOf(row.params, choose) as JsonObject)
  // What comes with a request made once more is drawn from what it is made once more for.
  return _meta === undefined ? params : { ...without(without(params, "requestState"), "inputResponses"), _meta }
}

const isEnveloped = ({ from, revision }: Scene): boolean => from === "client" && saysWhoAsks(revision)

function about(scene: Scene, choose: Choose, method: string, params: JsonObject): JsonObject {
  switch (method) {
    case "subscriptions/listen":
      return { ...params, notifications: wish(scene, choose) }
    case "tools/call":
      return { ...params, name: scene.tools.length === 0 ? "a" : one(choose, scene.tools) }
    case "prompts/get":
      return { ...params, ...promptParams(scene, choose) }
    case "resources/read":
    case "resources/subscribe":
    case "resources/unsubscribe":
    case "notifications/resources/updated":
      return { ...params, uri: one(choose, [...scene.uris, "file:///nowhere"]) }
    case "notifications/cancelled":
      return { ...params, requestId: withdrawable(scene, choose) }
    case "notifications/progress":
      return { ...params, progressToken: one(choose, [...scene.tokens, "nobody"]) }
    default:
      return "cursor" in params && !rarely(choose, 4) ? { cursor: one(choose, ["", ...scene.cursors]) } : params
  }
}

/** Mostly a request that is under way. */
const withdrawable = ({ live, used }: Scene, choose: Choose): RequestId =>
  live.length > 0 && choose(3) > 0 ? one(choose, live) : one(choose, [...live, ...used, "nobody"])

function promptParams({ prompts }: Scene, choose: Choose): JsonObject {
  const [name, required] = one(choose, prompts.length === 0 ? [["a", []] as const] : prompts)
  const given = rarely(choose, 8) ? required.slice(1) : required
  return { name, arguments: Object.fromEntries(given.map((key) => [key, "x"])) }
}

/** Proposes a revision, usually one there is, with capabilities as a client of it announces them. */
export function initialize(scene: Scene, choose: Choose, version: string): JsonObject {
  const revision = dated.find((name) => name === version) ?? "2025-11-25"
  const shapes = schemas[revision] as { readonly [name: string]: unknown }
  const capabilities = rarely(choose, 8)
    ? (valueOf(shapes["ClientCapabilities"], choose) as JsonObject)
    : declared(withExtensions(everyClientCapability, extensionsOf(scene.definition)), choose)
  const careless = rarely(choose, 12)
    ? { ...capabilities, roots: one(choose, [true, null, { listChanged: "yes" }]) }
    : capabilities
  const params = {
    protocolVersion: version,
    capabilities: careless as JsonObject,
    clientInfo: valueOf(shapes["Implementation"], choose) as JsonObject
  }
  return { jsonrpc: "2.0", id: scene.fresh(), method: "initialize", params }
}

export const versions = [...byHandshake.toReversed(), "2026-07-28", "1999-01-01", ""]

/** What no peer should send, and every peer must survive. */
export function hostile(scene: Scene, choose: Choose): Json {
  // A server of 2026-07-28 has no requests of its own.
  const methods = named(scene, "request")
  const plain = (): JsonObject => request(scene, choose, one(choose, methods.length === 0 ? ["ping"] : methods))
  if (isEnveloped(scene) && choose(3) === 0) return brokenEnvelope(plain(), choose)
  const params = (others: JsonObject): JsonObject =>
    isEnveloped(scene) && choose(4) > 0 ? { _meta: envelope(scene, choose), ...others } : others
  switch (choose(20)) {
    case 0:
      return { ...plain(), id: one(choose, [null, 1.5, true, {}, [], 2 ** 53, -(2 ** 53), 1e300]) as Json }
    case 1:
      return { ...plain(), id: one(choose, [...scene.live, ...scene.used, "1", 1, "", 0, -7]) }
    case 2:
      return without(plain(), one(choose, ["jsonrpc", "method", "id"]))
    case 3:
      return { ...plain(), jsonrpc: one(choose, ["1.0", 2, null]) as Json }
    case 4:
      return { ...plain(), method: one(choose, prototypeNames) }
    case 5:
      return { ...plain(), method: "tools/call", params: params({ name: one(choose, prototypeNames), arguments: {} }) }
    case 6:
      return { ...plain(), params: one(choose, [[], [1], "p", null, 7, true]) as Json }
    case 7: {
      const sound = plain()
      return { ...sound, params: broken((own(sound, "params") ?? { _meta: {} }) as JsonObject, choose) }
    }
    case 8:
      return { ...plain(), method: one(choose, named(scene, "notification")) }
    case 9:
      return without(plain(), "id")
    case 10: {
      const other = scene.from === "client" ? "server" : "client"
      return { ...plain(), method: one(choose, [...tableOf(scene.definition, scene.revision, other).keys()]) }
    }
    case 11:
      return {
        ...plain(),
        method: one(choose, ["server/discover", "subscriptions/listen", "tasks/get", "elicitation/create", "nope", ""])
      }
    case 12:
      return { ...plain(), params: params({ name: "x".repeat(rarely(choose, 8) ? 50_000 : 500) }) }
    case 13:
      return {
        ...plain(),
        params: params({ name: "a", arguments: { deep: nested(rarely(choose, 8) ? 2_000 : 50) } })
      }
    case 14:
      return { ...plain(), result: {}, ...(rarely(choose, 2) ? { error: { code: 1, message: "" } } : {}) }
    case 15:
      return one<Json>(choose, [null, 7, "text", true, [], [[]], [null], {}, { jsonrpc: "2.0" }])
    case 16:
      return reply(scene, choose)
    case 17:
      return { ...plain(), params: params({ name: "a", uri: "file:///a", ...one<JsonObject>(choose, oddRetries) }) }
    case 18:
      return { ...plain(), method: one(choose, [...methodsOf("2025-11-25", scene.from).keys()]) }
    default:
      return notification(scene, choose, one(choose, ["notifications/nope", ...named(scene, "notification")]))
  }
}

/** A reply to nothing, or to what was answered already; sometimes broken. */
function reply(scene: Scene, choose: Choose): JsonObject {
  const id = one<Json>(choose, [...scene.used, "nobody", null, 1.5])
  return one<JsonObject>(choose, [
    { jsonrpc: "2.0", id, result: {} },
    { jsonrpc: "2.0", id, error: { code: -32603, message: "no" } },
    { jsonrpc: "2.0", error: { code: -32700, message: "no" } },
    { jsonrpc: "2.0", id, error: { code: 1.5, message: "no" } },
    { jsonrpc: "2.0", id, error: { code: 1 } },
    { jsonrpc: "2.0", id, error: 5 },
    { jsonrpc: "2.0", id, result: 5 },
    { id, result: {} },
    { jsonrpc: "2.0", id, result: {}, error: { code: 1, message: "both" } }
  ])
}

const oddRetries: ReadonlyArray<JsonObject> = [
  { requestState: 7 },
  { requestState: null, inputResponses: {} },
  { requestState: "nobody sealed this" },
  { requestState: "x".repeat(200_000) },
  { inputResponses: null },
  { inputResponses: [] },
  { inputResponses: { a: 7 } }
]

const prototypeNames = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "isPrototypeOf"]

function nested(depth: number): Json {
  let value: Json = 0
  for (let left = depth; left > 0; left--) value = left % 2 === 0 ? [value] : { a: value }
  return value
}

const without = (value: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
