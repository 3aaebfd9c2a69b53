/** What every result says since 2026-07-28: that it is complete, whose it is, and for how long it may be kept. */
import type { Caching, Definition } from "../definition.js"
import * as key from "../envelope.js"
import type { JsonObject } from "../json.js"
import { isObject } from "../json.js"
import { merged, narrowed } from "../narrow.js"
import type { Revision } from "../revision.js"
import type { RequestRow } from "../row.js"
import { bare } from "../row.js"
import { prepared } from "../text.js"

export interface Stamp {
  /** What a complete result says, beside what its handler does. */
  readonly complete: { readonly resultType: "complete"; readonly _meta: JsonObject }
  /** For how long and for whom it may be kept where it does not say so, by the methods whose results may be kept at all. */
  readonly kept: { readonly [method: string]: Caching }
}

const unkept: Caching = { ttlMs: 0, cacheScope: "private" }

/** Nothing where results say no more than they are asked for. */
export function stampOf(revision: Revision, { info, caching }: Definition): Stamp | undefined {
  if (revision.features.stamps === "none") return undefined
  const kept: Record<string, Caching> = {}
  for (const [method, row] of Object.entries(revision.client)) if ((row as RequestRow).cacheable) kept[method] = unkept
  for (const [method, { ttlMs, cacheScope }] of Object.entries(caching)) {
    if (!Object.hasOwn(kept, method)) throw new TypeError(`caching: no result of ${method} is ever kept`)
    if (!Number.isSafeInteger(ttlMs) || ttlMs < 0 || (cacheScope !== "public" && cacheScope !== "private"))
      throw new TypeError(`caching: ${method} needs ttlMs, whole ms from 0 on, and cacheScope, "public" or "private"`)
    kept[method] = { ttlMs, cacheScope }
  }
  const _meta = prepared({ [key.serverInfo]: narrowed(revision, revision.info, info) })
  return { complete: { resultType: "complete", _meta }, kept: bare(kept) }
}

/** A result that says another type keeps it, and says nothing of being kept. `once`: whatever the result says, it may not be kept. */
export function stamped(stamp: Stamp | undefined, method: string, result: JsonObject, once = false): JsonObject {
  if (stamp === undefined) return result
  const { complete, kept } = stamp
  const { resultType = "complete", _meta: own } = result
  const hints = resultType === "complete" ? kept[method] : undefined
  if (hints === undefined && own === undefined && resultType === "complete") return merged(result, complete)
  const _meta = isObject(own) ? merged(own, complete._meta) : complete._meta
  return merged(hints, result, { resultType, _meta }, once && hints !== undefined ? unkept : undefined)
}
