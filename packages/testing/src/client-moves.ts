/** The next thing that happens to a client, drawn from where its conversation is. */
import type { Json, JsonObject } from "@parley/core"
import type { Input } from "@parley/core/client"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import { agreement, answer, batch, opened, openedAgain, soundNotification, soundRequest } from "./client-server.js"
import type { ClientWorld, OpenAsk } from "./client-world.js"
import { broughtBy, tableOf } from "./extensions.js"
import { hostile, named, notification, paramsOf, versions } from "./message.js"
import { hasBatches, methodsOf, questionsOf, saysWhoAsks } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** How a conversation begins: mostly the client opens and the server agrees. */
export function clientOpening(world: ClientWorld, choose: Choose): ReadonlyArray<() => Input> {
  const style = choose(12)
  if (style === 11) return []
  const open = (): Input => ({ _tag: "Open" })
  if (style === 10) return [open]
  const spoken = world.definition.revisions.flatMap(({ name }) => (saysWhoAsks(name) ? [] : [name]))
  const version = (): string =>
    style < 8 && spoken.length > 0 ? one(choose, [spoken[0]!, spoken[0]!, ...spoken]) : one(choose, versions)
  return [
    open,
    (): Input => {
      if (world.opened) return call(world, choose)
      return received(world, world.probed === undefined ? agreement(world, choose, version()) : opened(world, choose))
    }
  ]
}

export function clientMove(world: ClientWorld, choose: Choose): Input {
  const waits = world.proposed !== undefined || world.probed !== undefined
  if (!world.opened && waits && choose(3) > 0) return whileOpening(world, choose)
  if (world.asks.length > 0 && rarely(choose, 6)) return whileAsked(world, choose, one(choose, world.asks))
  const modern = saysWhoAsks(world.revision)
  const inside = world.asks.filter(({ id }) => id === undefined)
  if (inside.length > 0 && rarely(choose, 2)) return userAnswers(world, choose, one(choose, inside))
  if (world.streams.length > 0 && rarely(choose, 4)) return received(world, soundNotification(world, choose))
  const what = choose(100)
  if (what < 20) return call(world, choose)
  // What is answered when it ends goes on for a while.
  const pending = rarely(choose, 4)
    ? world.pending
    : world.pending.filter(({ method }) => method !== "subscriptions/listen")
  if (what < 40 && pending.length > 0) return received(world, answer(world, choose, one(choose, pending)))
  if (what < (modern ? 43 : 52)) return received(world, soundRequest(world, choose))
  if (what < 65 && world.asks.length > 0) return userAnswers(world, choose, one(choose, world.asks))
  if (what < 66 && world.over.length > 0) return userAnswers(world, choose, one(choose, world.over))
  if (what < 88) return received(world, soundNotification(world, choose))
  if (what < 89) return received(world, openedAgain(world, choose))
  if (what < 92) return received(world, hostile(world.scene, choose))
  if (what < 95 || (what < 97 && hasBatches(world.revision))) return received(world, batch(world, choose))
  return control(world, choose)
}

/** The server replies, or is silent for so long that the other way is tried. */
const whileOpening = (world: ClientWorld, choose: Choose): Input =>
  rarely(choose, 6) ? { _tag: "TimerFired", timer: { of: "probe", call: 0 } } : received(world, opened(world, choose))

function call(world: ClientWorld, choose: Choose): Input {
  const { revision } = world.scene
  const methods = [
    ...named({ definition: world.definition, revision, from: "client" }, "request"),
    "constructor",
    "server/discover",
    "notifications/initialized"
  ]
  const extensions = [...broughtBy(world.definition).keys()]
  const often = ["subscriptions/listen", "tools/call", "resources/read", "prompts/get", ...extensions]
  const method = saysWhoAsks(revision) && choose(3) > 0 ? one(choose, often) : one(choose, methods)
  const known = tableOf(world.definition, revision, "client").get(method)
  const drawn = known === undefined ? {} : paramsOf({ ...world.scene, from: "client", revision }, choose, method)
  // What is said of the client is not the caller's to say, though it may have something to say there.
  const params = saysWhoAsks(revision) && !rarely(choose, 6) ? without(drawn, "_meta") : drawn
  world.nextCall = Math.max(world.nextCall, world.last) + (rarely(choose, 30) ? 0 : 1)
  const logLevel = rarely(choose, 6) ? one(choose, ["info", "debug", "loud"]) : undefined
  return {
    _tag: "Called",
    call: world.nextCall,
    method,
    params: rarely(choose, 10) ? broken(params, choose) : Object.keys(params).length === 0 ? undefined : params,
    timeoutMs: 1_000,
    totalMs: one(choose, [undefined, 10_000]),
    progress: choose(2) === 1,
    ...(logLevel === undefined ? {} : { logLevel })
  }
}

const without = (value: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))

function userAnswers(world: ClientWorld, choose: Choose, { ask, id, method }: OpenAsk): Input {
  if (choose(4) === 3)
    return { _tag: "Declined", ask, id, error: { code: -1, message: "User rejected sampling request" } }
  const result = valueOf(questionsOf(world.scene.revision).get(method)?.result, choose) as JsonObject
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

function control(world: ClientWorld, choose: Choose): Input {
  const target = one(choose, [
    ...world.pending.map(({ call }) => call),
    ...world.asks.flatMap(({ about }) => about ?? []),
    world.nextCall,
    3
  ])
  if (world.timers.some(({ of }) => of === "retry") && choose(2) === 0)
    return {
      _tag: "TimerFired",
      timer: one(
        choose,
        world.timers.filter(({ of }) => of === "retry")
      )
    }
  switch (choose(12)) {
    case 0:
    case 1:
    case 2:
      return world.timers.length === 0 ? { _tag: "Open" } : { _tag: "TimerFired", timer: one(choose, world.timers) }
    case 3:
    case 4:
    case 5:
      if (world.pending.length > 0 && rarely(choose, 2)) return refused(world, choose)
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

/** The transport says what becomes of a request, which may be over by then. */
const refused = (world: ClientWorld, choose: Choose): Input => ({
  _tag: "Refused",
  id: one(choose, [...world.pending.map(({ id }) => id), world.last + 1, undefined]),
  status: one(choose, [0, 400, 401, 404, 500]),
  body: "refused"
})

const received = (world: ClientWorld, json: Json): Input => ({ _tag: "Received", json, via: world.via() })
