/** What a side declares: everything, or each capability and each part of one on its own. */
import type { JsonObject } from "@parley/core"
import type { Choose } from "./chance.js"

/** All that a client of 2026-07-28 can declare. */
export const everyCapability: JsonObject = {
  experimental: { "io.example/x": {} },
  roots: {},
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} }
}

/** All that a client has ever been able to declare by a handshake. */
export const everyClientCapability: JsonObject = {
  experimental: { "io.example/x": {} },
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } }
  }
}

/** The same of a server. */
export const everyServerCapability: JsonObject = {
  experimental: { "io.example/x": {} },
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
}

/** With the extensions of these identifiers. */
export const withExtensions = (all: JsonObject, extensions: ReadonlyArray<string>): JsonObject =>
  extensions.length === 0 ? all : { ...all, extensions: Object.fromEntries(extensions.map((id) => [id, {}])) }

/** In one case out of two all of it; else each member is there by a chance of its own, and so is each that it has. */
export const declared = (all: JsonObject, choose: Choose): JsonObject =>
  choose(2) === 0 ? all : some(all, coins(choose))

/** Of objects only: a flag that is there is meant. */
const some = (all: JsonObject, tails: () => boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      tails() ? [] : [[name, typeof value === "object" ? some(value as JsonObject, tails) : value]]
    )
  )

/** Sixteen coins are one choice, so that what is drawn afterwards finds numbers left on the tape. */
function coins(choose: Choose): () => boolean {
  let [bits, left] = [0, 0]
  return () => {
    if (left === 0) [bits, left] = [choose(2 ** 16), 16]
    const tails = bits % 2 === 1
    bits >>= 1
    left--
    return tails
  }
}
