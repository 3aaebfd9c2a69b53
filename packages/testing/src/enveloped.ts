/** What a request says of its client since 2026-07-28: whole, in part, and as it never should be. */
import type { Json, JsonObject, RequestId } from "@parley/core"
import { schemas } from "@parley/core/schemas"
import { clientCapabilities, clientInfo, logLevel, protocolVersion } from "./asker.js"
import type { Choose } from "./chance.js"
import { one, rarely } from "./chance.js"
import { own } from "./envelope.js"
import { declared, everyCapability, withExtensions } from "./declaring.js"
import { extensionsOf, filtersOf } from "./extensions.js"
import type { Scene } from "./message.js"
import { valueOf } from "./value.js"

const shapes = schemas["2026-07-28"]

/** Whole, of a client that can be asked everything, or by chance anything. */
export function envelope({ revision, definition }: Scene, choose: Choose): JsonObject {
  const hears = choose(4)
  return {
    [protocolVersion]: revision,
    ...(hears % 2 === 1 ? { [logLevel]: valueOf(shapes.LoggingLevel, choose) as Json } : {}),
    ...(hears > 1 ? { progressToken: one<RequestId>(choose, ["t", 0, "u"]) } : {}),
    [clientCapabilities]: rarely(choose, 8)
      ? odd(choose, extensionsOf(definition))
      : declared(withExtensions(everyCapability, extensionsOf(definition)), choose),
    ...(choose(2) === 0 ? { [clientInfo]: valueOf(shapes.Implementation, choose) as JsonObject } : {}),
    ...(rarely(choose, 8) ? one<JsonObject>(choose, besides) : {})
  }
}

/** With settings of all kinds, and extensions that are not announced by what they say. */
function odd(choose: Choose, extensions: ReadonlyArray<string>): JsonObject {
  const capabilities = valueOf(shapes.ClientCapabilities, choose) as JsonObject
  const settings = extensions.map((id) => [id, one<Json>(choose, [true, {}, null, { a: 1 }])] as const)
  return settings.length === 0 ? capabilities : { ...capabilities, extensions: Object.fromEntries(settings) }
}

const besides: ReadonlyArray<JsonObject> = [
  { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  { "io.example/k": [null] },
  { traceparent: 7 },
  { "io.modelcontextprotocol/related-task": { taskId: "a" } }
]

/** The same request of somebody newer or older: it is whole, but for its version, which hardly anybody speaks or which is not named. */
export function ofAnother(message: JsonObject, choose: Choose): JsonObject {
  const params = own(message, "params") as JsonObject
  const meta = own(params, "_meta") as JsonObject
  const version = one(choose, ["2099-01-01", "2025-11-25", undefined, ""])
  const said = version === undefined ? without(meta, protocolVersion) : { ...meta, [protocolVersion]: version }
  return { ...message, params: { ...params, _meta: said } }
}

/** The same request, and what it says of its client broken or gone. */
export function brokenEnvelope(message: JsonObject, choose: Choose): JsonObject {
  const params = (own(message, "params") ?? {}) as JsonObject
  const meta = (own(params, "_meta") ?? {}) as JsonObject
  switch (choose(12)) {
    case 0:
      return { ...message, params: one<JsonObject>(choose, [{}, { ...params, _meta: {} }]) }
    case 1:
      return { ...message, params: { ...params, _meta: one<Json>(choose, [7, null, [], "text"]) } }
    case 2:
      return Object.fromEntries(Object.entries(message).filter(([key]) => key !== "params"))
    default:
      return { ...message, params: { ...params, _meta: brokenMeta(meta, choose) } }
  }
}

const without = (meta: JsonObject, ...keys: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => !keys.includes(key)))

function brokenMeta(meta: JsonObject, choose: Choose): JsonObject {
  switch (choose(10)) {
    case 0:
      return without(meta, protocolVersion)
    case 1:
      return without(meta, clientCapabilities)
    case 2:
      return without(meta, protocolVersion, clientCapabilities)
    case 3:
      return { ...meta, [protocolVersion]: one<Json>(choose, ["1999-01-01", "2025-11-25", "", 7, null]) }
    case 4:
      return { ...meta, [clientCapabilities]: one<Json>(choose, [null, [], "all", 7, true]) }
    // That is forgiven: what is not understood counts as not declared.
    case 5:
      return {
        ...meta,
        [clientCapabilities]: one<JsonObject>(choose, [
          { roots: true, elicitation: "yes" },
          { sampling: { tools: 7 } },
          { elicitation: { form: [] }, io: {} }
        ])
      }
    case 6:
      return { ...meta, [clientInfo]: one<Json>(choose, [null, 7, {}, { name: "a" }, { name: "a", version: 7 }]) }
    case 7:
      return { ...meta, [logLevel]: one<Json>(choose, ["loud", 7, null, ""]) }
    case 8:
      return { ...meta, progressToken: one<Json>(choose, [1.5, null, {}, true]) }
    default:
      return { [one(choose, [logLevel, clientInfo, "io.modelcontextprotocol/related-task", "progressToken"])]: "info" }
  }
}

/** What a stream is to tell of: mostly much. */
export function wish({ uris, definition }: Scene, choose: Choose): JsonObject {
  const some = (all: ReadonlyArray<string>): Json => Array.from({ length: choose(4) + 1 }, () => one(choose, all))
  return Object.fromEntries(
    [...filtersOf(definition).values()].flatMap(({ member, by }) => {
      const style = choose(4)
      if (style === 3) return []
      return [[member, by === undefined ? style < 2 : some([...names(uris, by), "file:///nowhere"])]]
    })
  )
}

/** What there is to tell of by name: resources, and for an extension what both sides happen to know. */
export const names = (uris: ReadonlyArray<string>, by: string | undefined): ReadonlyArray<string> =>
  by === "uri" ? uris : ["a", "b", "__proto__"]
