/** What a request says of its client, broken: refused before anybody looks at what it asks for. */
import type { Json, JsonObject } from "@parley/core"
import { clientCapabilities, clientInfo, logLevel, protocolVersion } from "../asker.js"
import type { Choose } from "../chance.js"
import { one } from "../chance.js"

export function torn(meta: JsonObject, choose: Choose): JsonObject {
  const { [clientCapabilities]: _, ...rest } = meta
  return one<JsonObject>(choose, [
    rest,
    { ...meta, [protocolVersion]: one(choose, ["1999-01-01", "2025-11-25"]) },
    { ...meta, [clientCapabilities]: one<Json>(choose, [7, null, []]) },
    { ...meta, [clientInfo]: one<Json>(choose, [7, { name: "a" }]) },
    { ...meta, [logLevel]: one<Json>(choose, ["loud", 7]) }
  ])
}
