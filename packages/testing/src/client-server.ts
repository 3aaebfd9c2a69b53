/** What a server says to a client: how it opens, replies and speaks by itself, and how it should not. */
import type { Json, JsonObject, RequestId } from "@parley/core"
import { schemas } from "@parley/core/schemas"
import { serverInfo } from "./asker.js"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import { asking, ending, onStream } from "./client-modern.js"
import type { ClientWorld, Pending } from "./client-world.js"
import { declared, everyServerCapability, withExtensions } from "./declaring.js"
import { extensionsOf, othersOf, tableOf } from "./extensions.js"
import { hostile, named, notification, request, told, versions } from "./message.js"
import { byRequest, dated, mayAskInside, saysWhoAsks } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** What the server makes of the proposal, or of being asked what it is. */
export function opened(world: ClientWorld, choose: Choose): JsonObject {
  const { proposed, probed } = world
  const spoken = world.definition.revisions.map(({ name }) => name)
  if (probed !== undefined && (proposed === undefined || choose(2) === 0)) return found(world, choose, probed.id)
  const { id, version } = proposed!
  const error = { code: -32602, message: "Unsupported protocol version" }
  switch (choose(8)) {
    case 6:
      return { jsonrpc: "2.0", id, error: { ...error, data: { supported: [one(choose, versions)], requested: "x" } } }
    case 7:
      return one<JsonObject>(choose, [
        { jsonrpc: "2.0", id, error },
        {
          jsonrpc: "2.0",
          id,
          error: { code: -32022, message: "no", data: { supported: byRequest, requested: version } }
        },
        { jsonrpc: "2.0", id, result: {} }
      ])
    default:
      return agreement(world, choose, one(choose, [version, ...spoken, ...versions]))
  }
}

/** Whether it is one that the client opens by asking, one that does not know the question, or one that makes no sense. */
function found(world: ClientWorld, choose: Choose, id: RequestId): JsonObject {
  const error = (code: number, data?: Json): JsonObject => ({
    jsonrpc: "2.0",
    id,
    error: { code, message: "no", ...(data === undefined ? {} : { data }) }
  })
  const refused = (supported: Json): JsonObject => error(-32022, { supported, requested: "2026-07-28" })
  if (choose(3) < 2) return { jsonrpc: "2.0", id, result: discovery(choose, [...byRequest], world) }
  switch (choose(9) + 5) {
    case 5:
      return { jsonrpc: "2.0", id, result: discovery(choose, [one(choose, versions), one(choose, versions)], world) }
    case 6:
      return {
        jsonrpc: "2.0",
        id,
        result: one<JsonObject>(choose, [{}, { supportedVersions: "2026-07-28" }, { tools: [] }])
      }
    case 7:
      return { jsonrpc: "2.0", id, result: broken(discovery(choose, [...byRequest], world), choose) }
    case 8:
      return refused([...byRequest])
    case 9:
      return refused([one(choose, versions), one(choose, versions)])
    case 10:
      return error(-32022, one<Json>(choose, [null, [], { supported: "2026-07-28" }, { supported: [7] }]))
    case 11:
      return error(one(choose, [-32020, -32021]))
    case 12:
      return brokenReply(choose, id)
    default:
      return error(one(choose, [-32601, -32600, -32602, -32000, -32004]))
  }
}

/** What the client had to open with is answered once more, whatever was made of the first answer. */
export const openedAgain = (world: ClientWorld, choose: Choose): JsonObject => {
  const id = one(choose, [1, 2, 3])
  return one<JsonObject>(choose, [
    { jsonrpc: "2.0", id, result: discovery(choose, [...byRequest], world) },
    { jsonrpc: "2.0", id, error: { code: -32022, message: "no", data: { supported: [...byRequest], requested: "x" } } },
    { jsonrpc: "2.0", id, result: {} }
  ])
}

function discovery(choose: Choose, supportedVersions: ReadonlyArray<string>, world: ClientWorld): JsonObject {
  const shapes = schemas["2026-07-28"]
  const said = valueOf(shapes.DiscoverResult, choose) as JsonObject
  const capabilities = announced(choose, shapes.ServerCapabilities, extensionsOf(world.definition))
  const _meta = choose(3) > 0 ? { [serverInfo]: valueOf(shapes.Implementation, choose) as JsonObject } : {}
  return { ...said, resultType: "complete", supportedVersions, capabilities, _meta }
}

/** Everything, or by chance anything. */
const announced = (choose: Choose, shape: unknown, extensions: ReadonlyArray<string>): JsonObject =>
  rarely(choose, 8)
    ? (valueOf(shape, choose) as JsonObject)
    : declared(withExtensions(everyServerCapability, extensions), choose)

export function agreement(world: ClientWorld, choose: Choose, version: string): JsonObject {
  const revision = dated.find((name) => name === version) ?? "2025-11-25"
  const shapes = schemas[revision] as { readonly [name: string]: unknown }
  const capabilities = announced(choose, shapes["ServerCapabilities"], extensionsOf(world.definition))
  const careless = rarely(choose, 12)
    ? { ...capabilities, tools: one(choose, [true, null, { listChanged: 1 }]) }
    : capabilities
  const result = {
    protocolVersion: version,
    capabilities: careless as JsonObject,
    serverInfo: valueOf(shapes["Implementation"], choose) as JsonObject
  }
  return { jsonrpc: "2.0", id: world.proposed?.id ?? 1, result }
}

/** A reply to something that is under way. */
export function answer(world: ClientWorld, choose: Choose, pending: Pending): JsonObject {
  const { id, method } = pending
  const { revision } = world.scene
  const others = othersOf(world.definition, method)
  if (others.length > 0 && choose(3) > 0) {
    const { type, check } = one(choose, others)
    return { jsonrpc: "2.0", id, result: { ...(valueOf(check, choose) as JsonObject), resultType: type } }
  }
  // A call may be of a method that is none.
  const known = tableOf(world.definition, revision, "client").get(method)
  const result = known === undefined ? {} : (valueOf(known.result, choose) as JsonObject)
  if (mayAskInside(revision, method) && choose(3) > 0) return { jsonrpc: "2.0", id, result: asking(world, choose) }
  if (saysWhoAsks(revision) && method === "subscriptions/listen") return ending(choose, id)
  switch (choose(9)) {
    case 4:
      return { jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }
    case 5:
      return { jsonrpc: "2.0", id, result: broken(result, choose) }
    case 6:
      return brokenReply(choose, id)
    case 7:
      return {
        jsonrpc: "2.0",
        id,
        error: { code: -32022, message: "no", data: { supported: [one(choose, versions)], requested: "x" } }
      }
    case 8:
      return {
        jsonrpc: "2.0",
        id,
        result: { ...result, resultType: one<Json>(choose, ["bogus", "input_required", 7, null]) }
      }
    default:
      return { jsonrpc: "2.0", id, result }
  }
}

/** A reply that names its call and can not be read otherwise. */
const brokenReply = (choose: Choose, id: RequestId): JsonObject =>
  one<JsonObject>(choose, [
    { jsonrpc: "2.0", id, error: "no" },
    { jsonrpc: "2.0", id, result: 7 },
    { jsonrpc: "2.0", id, result: {}, error: { code: 1, message: "both" } },
    { jsonrpc: "2.0", id, error: { code: 1.5, message: "no" } },
    { jsonrpc: "2.0", id, error: { code: 1 } },
    { jsonrpc: "1.0", id, result: {} },
    { id, result: {} }
  ])

/** A request as the revision has it; since 2026-07-28 there are none, and one of before is sent all the same. */
export function soundRequest(world: ClientWorld, choose: Choose): JsonObject {
  const { revision } = world.scene
  const scene = saysWhoAsks(revision) ? { ...world.scene, revision: "2025-11-25" as const } : world.scene
  const message = request(scene, choose, one(choose, named(scene, "request")))
  if (!rarely(choose, 2)) return message
  const params = message["params"] as JsonObject | undefined
  return { ...message, params: { ...params, _meta: { progressToken: one<Json>(choose, [message["id"]!, "t", 0]) } } }
}

export function soundNotification(world: ClientWorld, choose: Choose): JsonObject {
  if (world.streams.length > 0 && choose(3) > 0) return onStream(world, choose)
  // What refers to something that is under way is drawn more often: most of the time nothing is.
  if (world.asks.length > 0 && rarely(choose, 4)) return notification(world.scene, choose, "notifications/cancelled")
  if (world.pending.length > 0 && rarely(choose, 3)) return notification(world.scene, choose, "notifications/progress")
  return notification(world.scene, choose, one(choose, [...named(world.scene, "notification"), ...told(world.scene)]))
}

export function batch(world: ClientWorld, choose: Choose): Json {
  return Array.from({ length: choose(5) }, (): Json => {
    const what = choose(10)
    if (what < 5) return soundRequest(world, choose)
    if (what < 6) return soundNotification(world, choose)
    if (what < 8 && world.pending.length > 0) return answer(world, choose, one(choose, world.pending))
    return hostile(world.scene, choose)
  })
}
