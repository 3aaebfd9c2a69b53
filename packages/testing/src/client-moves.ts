/** The next thing that happens to a client, drawn from where its conversation is. */
import type { Json, JsonObject, RequestId } from "@parley/core"
import type { Input } from "@parley/core/client"
import { schemas } from "@parley/core/schemas"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import type { ClientWorld, OpenAsk, Pending } from "./client-world.js"
import { hostile, named, notification, paramsOf, request, versions } from "./message.js"
import { dated, hasBatches, methodsOf } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** How a conversation begins: mostly the client opens and the server agrees. */
export function clientOpening(world: ClientWorld, choose: Choose): ReadonlyArray<() => Input> {
  const style = choose(12)
  if (style === 11) return []
  const open = (): Input => ({ _tag: "Open" })
  if (style === 10) return [open]
  const spoken = world.definition.revisions.map(({ name }) => name)
  return [
    open,
    () =>
      received(
        world,
        agreement(world, choose, style < 8 ? one(choose, [spoken[0]!, spoken[0]!, ...spoken]) : one(choose, versions))
      )
  ]
}

export function clientMove(world: ClientWorld, choose: Choose): Input {
  if (!world.opened && world.proposed !== undefined && choose(3) > 0) return received(world, opened(world, choose))
  if (world.asks.length > 0 && rarely(choose, 6)) return whileAsked(world, choose, one(choose, world.asks))
  const what = choose(100)
  if (what < 20) return call(world, choose)
  if (what < 40 && world.pending.length > 0) return received(world, answer(world, choose, one(choose, world.pending)))
  if (what < 59) return received(world, soundRequest(world, choose))
  if (what < 70 && world.asks.length > 0) return userAnswers(world, choose, one(choose, world.asks))
  if (what < 71 && world.over.length > 0) return userAnswers(world, choose, one(choose, world.over))
  if (what < 88) return received(world, soundNotification(world, choose))
  if (what < 92) return received(world, hostile(world.scene, choose))
  if (what < 95 || (what < 97 && hasBatches(world.revision))) return received(world, batch(world, choose))
  return control(world, choose)
}

/** What the server makes of the proposal. */
function opened(world: ClientWorld, choose: Choose): JsonObject {
  const id = world.proposed!.id
  const error = { code: -32602, message: "Unsupported protocol version" }
  switch (choose(8)) {
    case 6:
      return { jsonrpc: "2.0", id, error: { ...error, data: { supported: [one(choose, versions)], requested: "x" } } }
    case 7:
      return one<JsonObject>(choose, [
        { jsonrpc: "2.0", id, error },
        { jsonrpc: "2.0", id, result: {} }
      ])
    default:
      return agreement(world, choose, one(choose, [world.proposed!.version, ...versions]))
  }
}

function agreement(world: ClientWorld, choose: Choose, version: string): JsonObject {
  const revision = dated.find((name) => name === version) ?? "2025-11-25"
  const shapes = schemas[revision] as { readonly [name: string]: unknown }
  const capabilities =
    choose(3) > 0 ? everyServerCapability : (valueOf(shapes["ServerCapabilities"], choose) as JsonObject)
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

export const everyServerCapability: JsonObject = {
  experimental: { "io.example/x": {} },
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
}

function call(world: ClientWorld, choose: Choose): Input {
  const methods = [
    ...named(world.scene.revision, "client", "request"),
    "constructor",
    "server/discover",
    "notifications/initialized"
  ]
  const method = one(choose, methods)
  const known = methodsOf(world.scene.revision, "client").get(method)
  const params =
    known === undefined
      ? {}
      : paramsOf({ ...world.scene, from: "client", revision: world.scene.revision }, choose, method)
  world.nextCall += rarely(choose, 30) ? 0 : 1
  return {
    _tag: "Called",
    call: world.nextCall,
    method,
    params: rarely(choose, 10) ? broken(params, choose) : Object.keys(params).length === 0 ? undefined : params,
    timeoutMs: 1_000,
    totalMs: one(choose, [undefined, 10_000]),
    progress: choose(2) === 1
  }
}

function answer(world: ClientWorld, choose: Choose, { id, method }: Pending): JsonObject {
  const result = valueOf(methodsOf(world.scene.revision, "client").get(method)?.result, choose) as JsonObject
  switch (choose(8)) {
    case 4:
      return { jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }
    case 5:
      return { jsonrpc: "2.0", id, result: broken(result, choose) }
    case 6:
      return brokenReply(choose, id)
    default:
      return { jsonrpc: "2.0", id, result }
  }
}

function soundRequest(world: ClientWorld, choose: Choose): JsonObject {
  const message = request(world.scene, choose, one(choose, named(world.scene.revision, "server", "request")))
  if (!rarely(choose, 2)) return message
  const params = message["params"] as JsonObject | undefined
  return { ...message, params: { ...params, _meta: { progressToken: one<Json>(choose, [message["id"]!, "t", 0]) } } }
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

function soundNotification(world: ClientWorld, choose: Choose): JsonObject {
  // What refers to something that is under way is drawn more often: most of the time nothing is.
  if (world.asks.length > 0 && rarely(choose, 4)) return notification(world.scene, choose, "notifications/cancelled")
  if (world.pending.length > 0 && rarely(choose, 4)) return notification(world.scene, choose, "notifications/progress")
  return notification(world.scene, choose, one(choose, named(world.scene.revision, "server", "notification")))
}

function userAnswers(world: ClientWorld, choose: Choose, { ask, id, method }: OpenAsk): Input {
  if (choose(4) === 3)
    return { _tag: "Declined", ask, id, error: { code: -1, message: "User rejected sampling request" } }
  const result = valueOf(methodsOf(world.scene.revision, "server").get(method)?.result, choose) as JsonObject
  return { _tag: "Answered", ask, id, result: rarely(choose, 6) ? broken(result, choose) : result }
}

/** What a question may live through before it is answered: it takes its time, too much of it, or is taken back. */
function whileAsked(world: ClientWorld, choose: Choose, open: OpenAsk): Input {
  switch (choose(8)) {
    case 4:
    case 5:
      return { _tag: "TimerFired", timer: { of: "ask", call: open.ask } }
    case 6:
      return received(world, notification(world.scene, choose, "notifications/cancelled"))
    case 7:
      return world.over.length === 0 ? further(choose, open) : further(choose, one(choose, world.over))
    default:
      return further(choose, open)
  }
}

function further(choose: Choose, { ask, id }: OpenAsk): Input {
  const progress = one(choose, [1, 2, 3, 0, 0.5, 100, -1, Number.NaN, Infinity])
  const total = one(choose, [undefined, 100, Number.NaN])
  const message = one(choose, [undefined, "half way"])
  return { _tag: "AskProgressed", ask, id, progress, total, message, meta: one(choose, [undefined, { a: 1 }]) }
}

/** What users may tell by themselves, and what they may not. */
function news(choose: Choose): Input {
  const method = one(choose, ["notifications/tasks/status", "notifications/message", "notifications/nope"])
  const known = methodsOf("2025-11-25", "client").get(method)
  const params = known === undefined ? {} : (valueOf(known.params, choose) as JsonObject)
  return { _tag: "Notified", method, params: rarely(choose, 6) ? broken(params, choose) : params }
}

function batch(world: ClientWorld, choose: Choose): Json {
  return Array.from({ length: choose(5) }, (): Json => {
    const what = choose(10)
    if (what < 5) return soundRequest(world, choose)
    if (what < 6) return soundNotification(world, choose)
    if (what < 8 && world.pending.length > 0) return answer(world, choose, one(choose, world.pending))
    return hostile(world.scene, choose)
  })
}

function control(world: ClientWorld, choose: Choose): Input {
  const target = one(choose, [...world.pending.map(({ id }) => id as number), world.nextCall, 3])
  switch (choose(12)) {
    case 0:
    case 1:
    case 2:
      return world.timers.length === 0 ? { _tag: "Open" } : { _tag: "TimerFired", timer: one(choose, world.timers) }
    case 3:
    case 4:
    case 5:
      return rarely(choose, 3)
        ? { _tag: "Unsent", call: target, why: "a bigint" }
        : { _tag: "Abandoned", call: target, reason: one(choose, [undefined, "no longer needed"]) }
    case 6:
      return {
        _tag: "Garbled",
        why: one(choose, ["json", "utf8", "tooLarge"] as const),
        via: world.via(),
        detail: "Hello!"
      }
    case 7:
      return one<Input>(choose, [{ _tag: "RootsChanged" }, { _tag: "Open" }, news(choose)])
    case 8:
    case 9:
      return { _tag: "TimerFired", timer: { of: one(choose, ["request", "total", "ask"] as const), call: 3 } }
    case 10:
      return { _tag: "Stopping" }
    default:
      return { _tag: "PeerClosed", detail: "the server exited with code 1" }
  }
}

const received = (world: ClientWorld, json: Json): Input => ({ _tag: "Received", json, via: world.via() })
