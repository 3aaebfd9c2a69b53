/** The next thing that happens to a server, drawn from where its conversation is. */
import type { Json, JsonObject, RevisionName } from "@parley/core"
import type { CallFailure, Input, Target } from "@parley/core/server"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import { ofAnother } from "./enveloped.js"
import { othersOf, tableOf } from "./extensions.js"
import type { Scene } from "./message.js"
import { hostile, initialize, named, notification, request, told, versions } from "./message.js"
import { answer, brokenReply, logged, needsInput, news, reply } from "./server-questions.js"
import { foretelling, retry, sealDone } from "./server-retries.js"
import type { Asked, LiveCall, ServerWorld } from "./server-world.js"
import { hasBatches, mayAskInside, methodsOf, saysWhoAsks } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** How a conversation begins: mostly by a handshake in one of the revisions, whole or in part. */
export function opening(world: ServerWorld, choose: Choose): ReadonlyArray<Input> {
  const style = choose(12)
  // Where no handshake is needed, some conversations have none, or a late one.
  if (style === 11 || (world.modern !== undefined && choose(4) === 3)) return []
  const spoken = world.definition.revisions.map(({ name }) => name).filter((name) => !saysWhoAsks(name))
  if (spoken.length === 0) return [received(world, request(world.modern!, choose, "server/discover"))]
  const version = style < 8 ? one(choose, spoken) : one(choose, versions)
  const first = received(world, initialize(world.scene, choose, version))
  const early = rarely(choose, 4) ? meanwhile(world, choose) : []
  if (style === 10) return [first, ...early]
  return [first, ...early, received(world, { jsonrpc: "2.0", method: "notifications/initialized" })]
}

/** What may come about between the opening and the moment from which the client hears of it. */
function meanwhile(world: ServerWorld, choose: Choose): ReadonlyArray<Input> {
  const uri = one(choose, world.scene.uris)
  const subscribe = { jsonrpc: "2.0", id: world.scene.fresh(), method: "resources/subscribe", params: { uri } }
  const happened: ReadonlyArray<Input> = [{ _tag: "Updated", uri }, changed(choose), logged(choose, undefined)]
  return [received(world, subscribe), one(choose, happened), one(choose, happened)]
}

const changed = (choose: Choose): Input => ({
  _tag: "Changed",
  families: one(choose, [["tools"], ["resources", "prompts"], ["tools", "resources", "prompts"], []] as const)
})

export function move(world: ServerWorld, choose: Choose): Input {
  if (world.vault.due.length > 0 && choose(3) < 2)
    return rarely(choose, 6) ? whileSealing(world, choose) : sealDone(world, choose)
  if (world.asked.length > 0 && rarely(choose, 12)) return whileAsked(world, choose, one(choose, world.asked))
  if (world.streams.length > 0 && rarely(choose, 10)) return choose(2) === 0 ? changed(choose) : news(world, choose)
  const what = choose(100)
  if (what < 50 && !(what > 35 && world.asked.length > 0)) return asks(world, choose)
  if (what < 50) return answer(world, choose, one(choose, world.asked))
  if (what < 72 && world.live.length > 0) return handlerDone(world, choose, one(choose, world.live))
  if (what < 74 && world.over.length > 0) return handlerDone(world, choose, one(choose, world.over))
  if (what < 76) return news(world, choose)
  if (what < 86) return received(world, soundNotification(world, choose), rarely(choose, 4))
  if (what < 93) return from(received(world, hostile(speaker(world, choose), choose), rarely(choose, 4)), choose)
  if (what < 96 || (what < 99 && hasBatches(world.revision))) return received(world, batch(world, choose))
  return control(world, choose)
}

/** What a request may live through while what it remembers is sealed or opened. */
function whileSealing(world: ServerWorld, choose: Choose): Input {
  switch (choose(7)) {
    case 0:
    case 1:
    case 2:
      return { _tag: "Resumed" }
    case 3:
      return changed(choose)
    case 4:
      return { _tag: "Stopping" }
    case 5:
      return { _tag: "ExchangeClosed", via: world.via(true) }
    default:
      return received(world, notification(world.modern!, choose, "notifications/cancelled"))
  }
}

/** What a question may live through before it is answered. */
function whileAsked(world: ServerWorld, choose: Choose, asked: Asked): Input {
  switch (choose(8)) {
    case 0:
    case 1:
      return changed(choose)
    case 2:
    case 3:
      return received(world, brokenReply(choose, asked))
    case 4:
      return { _tag: "Resumed" }
    case 5:
      return { _tag: "InputEnded" }
    case 6:
      return { _tag: "Stopping" }
    default:
      return received(world, notification(world.scene, choose, "notifications/cancelled"))
  }
}

/** A request as somebody would make it, and what its transport knows of him. */
function asks(world: ServerWorld, choose: Choose): Input {
  const scene = speaker(world, choose)
  if (scene === world.modern && world.rounds.length > 0 && choose(2) === 0) return retry(world, scene, choose)
  return from(received(world, soundRequest(world, scene, choose)), choose)
}

/** Who speaks: the client that opened the session, or one that says with every request who it is. */
function speaker({ definition, scene, modern }: ServerWorld, choose: Choose): Scene {
  if (modern === undefined) return scene
  return definition.revisions.every(({ name }) => saysWhoAsks(name)) || choose(2) === 1 ? modern : scene
}

function from(input: Input, choose: Choose): Input {
  const principal = rarely(choose, 4) ? one(choose, ["ann", "bob"]) : undefined
  const header = rarely(choose, 16) ? one(choose, ["2026-07-28", "2025-11-25", "nope"]) : undefined
  return Object.assign({}, input, principal && { principal }, header && { header })
}

function soundRequest(world: ServerWorld, scene: Scene, choose: Choose): JsonObject {
  const method = one(choose, named(scene, "request"))
  if (scene === world.modern) {
    const whole = request(scene, choose, method)
    if (rarely(choose, 12)) return ofAnother(whole, choose)
    const brings = mayAskInside(scene.revision, method) && rarely(choose, 3)
    return brings ? foretelling(world, scene, choose, whole) : whole
  }
  if (world.revision === undefined && !rarely(choose, 4)) return initialize(scene, choose, one(choose, versions))
  const message =
    method === "initialize" ? initialize(scene, choose, one(choose, versions)) : request(scene, choose, method)
  if (!rarely(choose, 4)) return message
  const params = message["params"] as JsonObject | undefined
  const progressToken = one<Json>(choose, [message["id"]!, "t", 0])
  return { ...message, params: { ...params, _meta: { progressToken } } }
}

function soundNotification(world: ServerWorld, choose: Choose): JsonObject {
  const scene = speaker(world, choose)
  if (scene.live.length > 0 && choose(3) === 0) return notification(scene, choose, "notifications/cancelled")
  return notification(scene, choose, one(choose, [...named(scene, "notification"), ...told(scene)]))
}

function handlerDone(world: ServerWorld, choose: Choose, live: LiveCall): Input {
  const { call, id } = live
  switch (choose(12)) {
    case 5:
      return { _tag: "Failed", call, id, failure: one(choose, failures) }
    case 8:
    case 9:
    case 10:
      return needsInput(choose, live)
    case 11:
      return logged(choose, { call, id })
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
      const result = resultOf(world, choose, live)
      const whole = rarely(choose, 6)
        ? one<unknown>(choose, [broken(result, choose), undefined, null, "text", []])
        : result
      return { _tag: "Succeeded", call, id, result: whole }
    }
  }
}

/** Handlers do not know which revision is in force, nor which extensions: they return what a newer one has, or an extension. */
function resultOf({ definition }: ServerWorld, choose: Choose, { target, revision }: LiveCall): JsonObject {
  const method = methodOf(target)
  const others = othersOf(definition, method)
  if (others.length > 0 && choose(2) === 1) {
    const { type, check } = one(choose, others)
    return { resultType: type, ...(valueOf(check, choose) as JsonObject) }
  }
  const newer = one<RevisionName>(choose, [saysWhoAsks(revision) ? revision : "2025-11-25", "2026-07-28"])
  const known = tableOf(definition, newer, "client").get(method) ?? methodsOf("2025-11-25", "client").get(method)
  return known === undefined ? {} : (valueOf(known.result, choose) as JsonObject)
}

function methodOf(target: Target): string {
  switch (target._tag) {
    case "Tool":
      return "tools/call"
    case "Prompt":
      return "prompts/get"
    case "Method":
      return target.method
  }
}

const failures: ReadonlyArray<CallFailure> = [
  { _tag: "Crashed" },
  { _tag: "ResourceUnknown", uri: "file:///nowhere" },
  { _tag: "Told", text: "no such day" },
  { _tag: "CapabilityMissing", needs: ["roots", "elicitation.url"], text: "it needs your roots, and pages" },
  { _tag: "Chosen", code: -32002, message: "Resource not found", data: { uri: "file:///a" } },
  { _tag: "Chosen", code: -32042, message: "Visit a page first", data: { elicitations: [] } },
  { _tag: "Chosen", code: -32022, message: "No" },
  { _tag: "Chosen", code: -32099, message: "No" },
  { _tag: "Chosen", code: 7, message: "No" }
]

function batch(world: ServerWorld, choose: Choose): Json {
  return Array.from({ length: choose(5) }, (): Json => {
    const what = choose(10)
    if (what < 5) return soundRequest(world, speaker(world, choose), choose)
    if (what < 6) return soundNotification(world, choose)
    if (what < 7 && world.asked.length > 0) return reply(world, choose, one(choose, world.asked))
    if (what === 7) return initialize(world.scene, choose, "2025-03-26")
    return hostile(world.scene, choose)
  })
}

function control(world: ServerWorld, choose: Choose): Input {
  switch (choose(12)) {
    case 0:
    case 1:
      return changed(choose)
    case 2:
      return { _tag: "ExchangeClosed", via: world.via(true, choose(4)) }
    case 3:
    case 4:
      return { _tag: "Garbled", why: one(choose, ["json", "utf8", "tooLarge"] as const), via: world.via(false) }
    case 5:
    case 6:
      return { _tag: "Resumed" }
    case 7:
    case 8:
      return {
        _tag: "TimerFired",
        timer: one(choose, [
          { of: "drain", call: 0 },
          { of: "ask", call: choose(30) }
        ] as const)
      }
    case 9:
      return { _tag: "Stopping" }
    case 10:
      return { _tag: "InputEnded" }
    default:
      return { _tag: "PeerClosed" }
  }
}

const received = (world: ServerWorld, json: Json, reuse = false): Input => ({
  _tag: "Received",
  json,
  via: world.via(reuse)
})
