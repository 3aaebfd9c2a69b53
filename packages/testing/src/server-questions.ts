/** What a server's handlers ask and say beside their results, and what comes back. */
import type { JsonObject, LoggingLevel, RequestId } from "@parley/core"
import type { Input, Question } from "@parley/core/server"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import { names } from "./enveloped.js"
import type { Filter } from "./extensions.js"
import { broughtFilters } from "./extensions.js"
import type { Asked, LiveCall, ServerWorld } from "./server-world.js"
import { methodsOf, questionsOf } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** One question or several, mostly such as can be asked, with what the newest revision has. */
export function needsInput(choose: Choose, { call, id, revision, brought }: LiveCall): Input {
  const count = one(choose, [1, 1, 2, 3, 0, 8])
  // Half of the time such as any client can be asked that declares everything.
  const sound =
    choose(2) === 0 ? [...questionsOf(revision).keys()].filter((method) => askable.includes(method)) : askable
  const questions =
    brought.length > 0 && !rarely(choose, 4)
      ? brought.map(([key, method]) => question(choose, key, [method]))
      : Array.from({ length: count }, (_, at) => question(choose, rarely(choose, 12) ? "a" : `k${at}`, sound))
  return {
    _tag: "NeedsInput",
    call,
    id,
    questions,
    once: one<JsonObject>(choose, [{}, { a: 1 }, { "": [null] }])
  }
}

function question(choose: Choose, key: string, methods: ReadonlyArray<string>): Question {
  const method = one(choose, methods)
  const row = methodsOf("2025-11-25", "server").get(method)
  const params = row === undefined ? {} : (valueOf(row.params, choose) as JsonObject)
  if (method === "roots/list") return { key, method, params: undefined }
  return { key, method, params: methods === askable && rarely(choose, 6) ? broken(params, choose) : params }
}

const askable = [
  "roots/list",
  "elicitation/create",
  "elicitation/create",
  "sampling/createMessage",
  "sampling/createMessage",
  "ping",
  "tasks/get",
  "constructor"
]

/** The client answers, well or badly, or lets the time run out. */
export function answer(world: ServerWorld, choose: Choose, asked: Asked): Input {
  if (rarely(choose, 6)) return { _tag: "TimerFired", timer: { of: "ask", call: asked.id } }
  const late = rarely(choose, 12) && world.answered.length > 0
  return {
    _tag: "Received",
    json: reply(world, choose, late ? one(choose, world.answered) : asked),
    via: world.via(false)
  }
}

export function reply(world: ServerWorld, choose: Choose, { id, method }: Asked): JsonObject {
  const result = valueOf(methodsOf(world.scene.revision, "server").get(method)?.result, choose) as JsonObject
  switch (choose(8)) {
    case 5:
      return { jsonrpc: "2.0", id, result: broken(result, choose) }
    case 6:
      return { jsonrpc: "2.0", id, error: { code: -1, message: "User rejected sampling request" } }
    case 7:
      return { jsonrpc: "2.0", id: String(id), result }
    default:
      return { jsonrpc: "2.0", id, result }
  }
}

/** A reply that names its question and can not be read otherwise. */
export const brokenReply = (choose: Choose, { id }: Asked): JsonObject =>
  one<JsonObject>(choose, [
    { jsonrpc: "2.0", id, error: "no" },
    { jsonrpc: "2.0", id, result: 7 },
    { jsonrpc: "2.0", id, result: {}, error: { code: 1, message: "both" } },
    { jsonrpc: "2.0", id, error: { code: 1.5, message: "no" } },
    { jsonrpc: "2.0", id, error: { code: 1 } },
    { jsonrpc: "2.0", id },
    { jsonrpc: "1.0", id, result: {} },
    { id, result: {} }
  ])

/** What happens on the server's side whether anybody asked or not. */
export function news(world: ServerWorld, choose: Choose): Input {
  const ours = broughtFilters(world.definition)
  // Most of it is heard on a stream that asks for it, or nowhere.
  if (ours.length > 0 && world.streams.length > 0 && choose(3) > 0) return notified(world, choose)
  switch (choose(4)) {
    case 2:
      return logged(choose, undefined)
    case 3:
      return notified(world, choose)
    default:
      return { _tag: "Updated", uri: one(choose, [...world.scene.uris, "file:///nowhere"]) }
  }
}

/** What users may tell by themselves: all but what the machine tells for them. */
function notified({ definition, scene }: ServerWorld, choose: Choose): Input {
  const ours = broughtFilters(definition)
  if (ours.length > 0 && choose(4) > 0) {
    const [method, filter] = one(choose, ours)
    return { _tag: "Notified", method, params: telling(choose, filter, scene.uris) }
  }
  const method = one(choose, ["notifications/elicitation/complete", "notifications/tasks/status"])
  const params = valueOf(methodsOf("2025-11-25", "server").get(method)?.params, choose) as JsonObject
  return { _tag: "Notified", method, params: rarely(choose, 6) ? broken(params, choose) : params }
}

/** The params of a notification that a stream can ask for, mostly of something that there is. */
export function telling(choose: Choose, { params: shape, by }: Filter, uris: ReadonlyArray<string>): JsonObject {
  const params = shape === undefined ? {} : (valueOf(shape, choose) as JsonObject)
  const named = by === undefined ? params : { ...params, [by]: one(choose, [...names(uris, by), "file:///nowhere"]) }
  return rarely(choose, 6) ? broken(named, choose) : named
}

export const logged = (
  choose: Choose,
  about: { readonly call: number; readonly id: RequestId } | undefined
): Input => ({
  _tag: "Logged",
  level: one(choose, levels),
  data: one<unknown>(choose, ["d", { a: [1] }, null, undefined]),
  logger: one(choose, [undefined, "db"]),
  about
})

const levels: ReadonlyArray<LoggingLevel> = [
  "error",
  "info",
  "debug",
  "warning",
  "notice",
  "critical",
  "alert",
  "emergency"
]
