/** The next thing that happens to a server, drawn from where its conversation is. */
import type { Json, JsonObject } from "@parley/core"
import type { CallFailure, Input } from "@parley/core/server"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import { hostile, initialize, named, notification, request, versions } from "./message.js"
import type { LiveCall, ServerWorld } from "./server-world.js"
import { hasBatches, methodsOf } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** How a conversation begins: mostly by a handshake in one of the revisions, whole or in part. */
export function opening(world: ServerWorld, choose: Choose): ReadonlyArray<Input> {
  const style = choose(12)
  if (style === 11) return []
  const spoken = world.definition.revisions.map(({ name }) => name)
  const version = style < 8 ? one(choose, spoken) : one(choose, versions)
  const first = received(world, initialize(world.scene, choose, version))
  return style === 10 ? [first] : [first, received(world, { jsonrpc: "2.0", method: "notifications/initialized" })]
}

export function move(world: ServerWorld, choose: Choose): Input {
  const what = choose(100)
  if (what < 50) return received(world, soundRequest(world, choose))
  if (what < 72 && world.live.length > 0) return handlerDone(world, choose, one(choose, world.live))
  if (what < 74 && world.over.length > 0) return handlerDone(world, choose, one(choose, world.over))
  if (what < 82) return received(world, soundNotification(world, choose), rarely(choose, 4))
  if (what < 93) return received(world, hostile(world.scene, choose), rarely(choose, 4))
  if (what < 96 || (what < 99 && hasBatches(world.revision))) return received(world, batch(world, choose))
  return control(world, choose)
}

function soundRequest(world: ServerWorld, choose: Choose): JsonObject {
  const { scene, revision } = world
  if (revision === undefined && !rarely(choose, 4)) return initialize(scene, choose, one(choose, versions))
  const method = one(choose, named(scene.revision, "client", "request"))
  const message =
    method === "initialize" ? initialize(scene, choose, one(choose, versions)) : request(scene, choose, method)
  if (!rarely(choose, 4)) return message
  const params = message["params"] as JsonObject | undefined
  const progressToken = one<Json>(choose, [message["id"]!, "t", 0])
  return { ...message, params: { ...params, _meta: { progressToken } } }
}

function soundNotification(world: ServerWorld, choose: Choose): JsonObject {
  if (world.live.length > 0 && choose(2) === 0) return notification(world.scene, choose, "notifications/cancelled")
  return notification(world.scene, choose, one(choose, named(world.scene.revision, "client", "notification")))
}

function handlerDone(world: ServerWorld, choose: Choose, { call, id, target }: LiveCall): Input {
  switch (choose(8)) {
    case 5:
      return { _tag: "Failed", call, id, failure: one(choose, failures) }
    case 6:
      return { _tag: "ArgumentsRefused", call, id, why: "a: expected a number" }
    case 7:
      return {
        _tag: "Progressed",
        call,
        id,
        progress: one(choose, [0, 1, 0.5, 100, -1, Number.NaN, Infinity]),
        total: one(choose, [undefined, 100, Number.NaN]),
        message: one(choose, [undefined, "half way"])
      }
    default: {
      const method = target._tag === "Tool" ? "tools/call" : target.method
      const result = valueOf(methodsOf(world.scene.revision, "client").get(method)?.result, choose) as JsonObject
      const whole = rarely(choose, 6)
        ? one<unknown>(choose, [broken(result, choose), undefined, null, "text", []])
        : result
      return { _tag: "Succeeded", call, id, result: whole }
    }
  }
}

const failures: ReadonlyArray<CallFailure> = [
  { _tag: "Crashed" },
  { _tag: "Told", text: "no such day" },
  { _tag: "Chosen", code: -32002, message: "Resource not found", data: { uri: "file:///a" } }
]

function batch(world: ServerWorld, choose: Choose): Json {
  return Array.from({ length: choose(5) }, (): Json => {
    const what = choose(10)
    if (what < 5) return soundRequest(world, choose)
    if (what < 7) return soundNotification(world, choose)
    if (what === 7) return initialize(world.scene, choose, "2025-03-26")
    return hostile(world.scene, choose)
  })
}

function control(world: ServerWorld, choose: Choose): Input {
  switch (choose(12)) {
    case 0:
    case 1:
      return { _tag: "Changed", families: one(choose, [["tools"], ["resources", "prompts"], []] as const) }
    case 2:
      return { _tag: "ExchangeClosed", via: world.via(true) }
    case 3:
    case 4:
      return { _tag: "Garbled", why: one(choose, ["json", "utf8", "tooLarge"] as const), via: world.via(false) }
    case 5:
    case 6:
      return { _tag: "Resumed" }
    case 7:
    case 8:
      return { _tag: "TimerFired", timer: { of: "drain", call: 0 } }
    case 9:
    case 10:
      return { _tag: "Stopping" }
    default:
      return { _tag: "PeerClosed" }
  }
}

const received = (world: ServerWorld, json: Json, reuse = false): Input => ({
  _tag: "Received",
  json,
  via: world.via(reuse)
})
