/** Requests made once more with the answers that the server asked for, as its client would and as it never should; and what was sealed for them. */
import type { Json, JsonObject, RequestId } from "@parley/core"
import type { Input } from "@parley/core/server"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import { own } from "./envelope.js"
import { envelope } from "./enveloped.js"
import type { Scene } from "./message.js"
import { paramsOf } from "./message.js"
import type { Round, ServerWorld } from "./server-world.js"
import { questionsOf } from "./specification.js"
import { broken, valueOf } from "./value.js"

/** Half of them as they should be. */
export function retry(world: ServerWorld, scene: Scene, choose: Choose): Input {
  const round = one(choose, world.rounds)
  const { message, principal, token } = round
  const before = own(message, "params") as JsonObject
  const inputResponses = answers(scene, choose, round)
  const params = { ...before, _meta: envelope(scene, choose), inputResponses, requestState: token }
  const id = scene.fresh()
  const again = (other: object, who = principal): Input =>
    Object.assign(
      {
        _tag: "Received" as const,
        json: { ...message, id, params: present({ ...params, ...other }) },
        via: world.via(false)
      },
      who === undefined ? {} : { principal: who }
    )
  const method = String(message["method"])
  switch (choose(14)) {
    case 7:
      return again({ requestState: `${token}x` })
    case 8:
      return again({ requestState: one(choose, world.rounds).token })
    case 9:
      return again({}, principal === "ann" ? "bob" : "ann")
    case 10:
      return again({ arguments: { another: "one" } })
    case 11:
      return again({ ...paramsOf(scene, choose, method), requestState: token, inputResponses })
    case 12:
      world.brings.set(id, round.asked)
      return again({ requestState: undefined })
    case 13:
      return again({ inputResponses: undefined })
    default:
      return again({})
  }
}

/** A request that brings answers to what was not asked yet. */
export function foretelling(world: ServerWorld, scene: Scene, choose: Choose, message: JsonObject): JsonObject {
  const asked = Array.from(
    { length: one(choose, [1, 2]) },
    (_, at) => [`k${at}`, one(choose, [...questionsOf(scene.revision).keys()])] as const
  )
  world.brings.set(message["id"] as RequestId, asked)
  const params = message["params"] as JsonObject
  return { ...message, params: { ...params, inputResponses: answers(scene, choose, { asked }) } }
}

const present = (params: object): JsonObject =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))

/** All of them or some, now and then a bad one, and one that nobody asked for. */
function answers({ revision }: Scene, choose: Choose, { asked }: Pick<Round, "asked">): JsonObject {
  const given = asked.flatMap(([key, method]): ReadonlyArray<readonly [string, Json]> => {
    if (rarely(choose, 5)) return []
    const result = valueOf(questionsOf(revision).get(method)?.result, choose) as JsonObject
    return [[key, rarely(choose, 8) ? broken(result, choose) : result]]
  })
  return Object.fromEntries(
    rarely(choose, 6) ? [...given, ["nobody asked", { action: "accept" }]] : given
  ) as JsonObject
}

/** It is sealed or opened; or that fails, comes too late, or brings what no server has sealed. */
export function sealDone({ vault }: ServerWorld, choose: Choose): Input {
  const late = rarely(choose, 12) && vault.done.length > 0
  const output = one(choose, late ? vault.done : vault.due)
  const { call, id } = output
  if (!late) vault.finish(output)
  const fails = rarely(choose, 8)
  if (output._tag === "Seal") return { _tag: "Sealed", call, id, token: fails ? undefined : vault.seal(output) }
  return { _tag: "Unsealed", call, id, payload: fails ? one<unknown>(choose, payloads) : vault.open(output) }
}

/** Too old, or what this server never sealed. */
const payloads: ReadonlyArray<unknown> = [
  undefined,
  undefined,
  null,
  {},
  7,
  { asked: 7, answers: {}, once: {}, logged: 0 }
]
