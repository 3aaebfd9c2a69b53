/** What only a server of 2026-07-28 says: results that ask, and streams. */
import type { Json, JsonObject, RequestId } from "@parley/core"
import { subscriptionId } from "./asker.js"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import type { ClientWorld } from "./client-world.js"
import { wish } from "./enveloped.js"
import { broughtFilters, filtersOf } from "./extensions.js"
import { notification } from "./message.js"
import { telling } from "./server-questions.js"
import { questionsOf } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** A result that asks: mostly what may be asked, sometimes nothing but another try, and sometimes what makes no sense. */
export function asking(world: ClientWorld, choose: Choose): JsonObject {
  const asked = Object.fromEntries(
    Array.from({ length: choose(3) + 1 }, () => [
      one(choose, ["guests", "guests#2", "__proto__", ""]),
      question(world, choose)
    ])
  )
  const resultType = "input_required"
  const state = choose(2) === 0 ? { requestState: one(choose, ["s", "", "t"]) } : {}
  switch (choose(8)) {
    case 5:
      return { resultType, requestState: "again" }
    case 6:
      return broken({ resultType, inputRequests: asked, ...state }, choose)
    case 7:
      return one<JsonObject>(choose, [
        { resultType },
        { resultType, inputRequests: {} },
        { resultType, inputRequests: {}, ...state }
      ])
    default:
      return { resultType, inputRequests: asked, ...state }
  }
}

function question(world: ClientWorld, choose: Choose): JsonObject {
  const known = questionsOf("2026-07-28")
  const declared = Object.keys(world.definition.capabilities)
  const all = [...known.keys()]
  const may = all.filter((method) => declared.includes(known.get(method)!.needs!.path))
  const method = one(choose, may.length > 0 && !rarely(choose, 8) ? may : [...all, "ping", "nope"])
  const shape = known.get(method)?.params
  const params = shape === undefined ? {} : (valueOf(shape, choose) as JsonObject)
  return { method, params: rarely(choose, 8) ? broken(params, choose) : params }
}

/** The end of a stream as its server tells it. */
export const ending = (choose: Choose, id: RequestId): JsonObject =>
  one<JsonObject>(choose, [
    { jsonrpc: "2.0", id, result: { resultType: "complete", _meta: { [subscriptionId]: id } } },
    { jsonrpc: "2.0", id, error: { code: -32603, message: "no" } },
    { jsonrpc: "2.0", id, result: { resultType: "complete" } },
    { jsonrpc: "2.0", id, result: {} },
    { jsonrpc: "2.0", id, result: { resultType: "input_required", requestState: "s" } }
  ])

/** Something about a stream that is open: its acknowledgement, what it tells of, or its end; mostly as it should be. */
export function onStream(world: ClientWorld, choose: Choose): JsonObject {
  const stream = one(choose, world.streams)
  const id = rarely(choose, 6) ? one<Json>(choose, [String(stream.id), 999, null, true]) : stream.id
  const tagged = (method: string, params: JsonObject): JsonObject => ({
    jsonrpc: "2.0",
    method,
    params: { ...params, _meta: { [subscriptionId]: id } }
  })
  const acknowledgement = (): JsonObject => {
    const filter = choose(3) > 0 ? stream.wanted : wish(world.scene, choose)
    return tagged("notifications/subscriptions/acknowledged", {
      notifications: rarely(choose, 8) ? broken(filter, choose) : filter
    })
  }
  if (!stream.acknowledged && choose(4) > 0) return acknowledgement()
  const flags = [...filtersOf(world.definition)].filter(
    ([, { by, extension }]) => by === undefined && extension === undefined
  )
  const changes = flags.map(([method]) => method)
  const wanted = flags.flatMap(([method, { member }]) => (stream.wanted[member] === true ? [method] : []))
  const ours = broughtFilters(world.definition)
  if (ours.length > 0 && choose(3) === 0) {
    const [method, filter] = one(choose, ours)
    return tagged(method, telling(choose, filter, world.scene.uris))
  }
  switch (choose(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return tagged(one(choose, [...changes, ...wanted, ...wanted]), {})
    case 4:
    case 5:
      return tagged("notifications/resources/updated", {
        uri: one(choose, ["file:///a", "file:///a/b", "file:///nowhere", ""])
      })
    case 6:
      return acknowledgement()
    case 7:
      return tagged("notifications/cancelled", { requestId: id })
    case 8:
      return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }
    default:
      return notification(world.scene, choose, "notifications/resources/updated")
  }
}
