/** The library at hand: importing this file makes every JSON Schema be judged at once. */
import * as eventual from "./json-schema.js"
import type { PeerSchema } from "./json-schema.js"
import { plugInLibrary } from "./lazy.js"
import { patternOf } from "./pattern.js"
import { thorough } from "./thorough.js"
import { below } from "./refused.js"
import type { JsonSchema, SyncValidator } from "./validator.js"
import { want } from "./wanted.js"

plugInLibrary({
  thorough,
  matcher: (pattern, key, at) => {
    want({ expected: "a string", fits: (value) => typeof value === "string" }, pattern, key, at)
    return patternOf(pattern as string, below(at, key)).test
  }
})

/**
 * As `fromJsonSchema` of `@parley/json-schema`, and never `Deferred`.
 *
 * ```ts
 * import { fromJsonSchema } from "@parley/json-schema/library"
 *
 * const { validate } = fromJsonSchema({ not: { type: "string" } })
 * validate("a") // => { ok: false, issues: [{ path: "", message: "matches what is excluded" }] }
 * ```
 */
export const fromJsonSchema = eventual.fromJsonSchema as (schema: JsonSchema) => SyncValidator

/** As `fromPeer` of `@parley/json-schema`, and never a promise. */
export const fromPeer = eventual.fromPeer as (schema: unknown) => PeerSchema
