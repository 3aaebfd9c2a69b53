/** Results that need not be asked for again: kept as long, and for whom, the server says (2026-07-28). */
import type { JsonObject, RequestRow, Revision } from "@parley/core"
import { canonical } from "@parley/core"
import type { Clock } from "@parley/driver"
import { systemClock } from "@parley/driver"
import { covers } from "./covers.js"
import { cacheOptions, checkOptions } from "./options.js"

export interface CacheOptions {
  /** How many results are kept; then the one goes that was wanted longest ago. Default 1,000. */
  readonly maxEntries?: number
  /** How much they may take in memory, in bytes, counted as two for each character of JSON. Default 32 MiB. */
  readonly maxBytes?: number
  /** Where time comes from, for tests. */
  readonly clock?: Clock
}

/**
 * Results that are kept. Several clients of one server may share it: what the server calls `public` is served to all of them,
 * what it calls `private` only where `authorization` is the same.
 */
export interface Cache {
  /** Forgets everything. */
  readonly clear: () => void
  /** How many results are kept, those among them that are served to nobody any more. */
  readonly size: () => number
}

/** What a client does with it. */
export interface Keeping extends Cache {
  /** What may be served, as a value of its own each time. */
  readonly find: (question: Question) => JsonObject | undefined
  /** The question is being asked: to be called when that is over, with the result if there is one that may be kept. */
  readonly asked: (question: Question) => (result?: JsonObject) => void
  /** What fits is served no more, and what comes of such questions that are being asked now is not kept. */
  readonly drop: (fits: Fits) => void
  /** How often what was known of this method turned out to be of the past. */
  readonly changes: (method: string) => number
}

export type Fits = (method: string, params: JsonObject | undefined) => boolean

/** A request for something that may be kept. */
export interface Question {
  readonly revision: Revision
  readonly method: string
  readonly params: JsonObject | undefined
  /** The authorization context. */
  readonly who: string
}

interface Entry {
  readonly question: Question
  readonly text: string
  /** When it stops being fresh. It is kept longer than that, to see whether what comes after it is the same. */
  readonly until: number
  readonly bytes: number
}

/** No server is taken at its word for longer, in ms. */
const longest = 24 * 60 * 60 * 1_000

/**
 * A cache to share between clients of one server, or to give other limits.
 *
 * ```ts
 * import { cache, connect } from "@parley/client"
 * import { link } from "@parley/driver"
 * import { defineServer, serve, tool } from "@parley/server"
 *
 * const kept = cache({ maxEntries: 100 })
 * const [near, far] = link()
 * serve(defineServer({ name: "greeter", version: "1.0.0" }, [tool("hello", {}, () => "Hello!")]), far)
 * const client = await connect(near, { clientInfo: { name: "demo", version: "1.0.0" }, cache: kept })
 * await client.close()
 * ```
 */
export function cache(options: CacheOptions = {}): Cache {
  checkOptions("cache", options, cacheOptions)
  return keeping(options)
}

export function keeping({ maxEntries = 1_000, maxBytes = 2 ** 25, clock = systemClock }: CacheOptions): Keeping {
  const kept = new Map<string, Entry>()
  const asking = new Set<{ readonly question: Question; spoiled: boolean }>()
  const changed = new Map<string, number>()
  let bytes = 0

  function remove(key: string): Entry | undefined {
    const entry = kept.get(key)
    if (entry === undefined) return undefined
    kept.delete(key)
    bytes -= entry.bytes
    return entry
  }

  function put(key: string, entry: Entry): void {
    kept.set(key, entry)
    bytes += entry.bytes
    for (const [oldest] of kept) {
      if (kept.size <= maxEntries && bytes <= maxBytes) return
      remove(oldest)
    }
  }

  function drop(fits: Fits): void {
    const methods = new Set<string>()
    for (const [key, { question }] of kept)
      if (fits(question.method, question.params)) {
        methods.add(question.method)
        remove(key)
      }
    for (const one of asking) {
      const { method, params } = one.question
      if (!fits(method, params)) continue
      methods.add(method)
      one.spoiled = true
    }
    for (const method of methods) changed.set(method, (changed.get(method) ?? 0) + 1)
  }

  function keep(question: Question, result: JsonObject): void {
    const own = keyOf(question, question.who)
    const open = keyOf(question, undefined)
    const before = [remove(own), remove(open)]
    const { method } = question
    const { paginated } = question.revision.client[method] as RequestRow
    const items = (page: JsonObject): string | undefined => written(page[paginated!])
    const differs = (old: Entry | undefined): boolean =>
      old !== undefined && items(JSON.parse(old.text) as JsonObject) !== items(result)
    // 2026-07-28 server/utilities/caching, Interaction with Pagination: pages from before and after a change do not go together.
    if (paginated !== undefined && before.some(differs)) drop((other) => other === method)
    const { ttlMs, cacheScope } = result
    if (typeof ttlMs !== "number" || !(ttlMs > 0)) return
    const text = written(result)
    if (text === undefined || 2 * text.length > maxBytes) return
    const until = clock.now() + Math.min(ttlMs, longest)
    put(cacheScope === "public" ? open : own, { question, text, until, bytes: 2 * text.length })
  }

  return {
    clear: () => drop(() => true),
    size: () => kept.size,
    find: (question) => {
      for (const key of [keyOf(question, question.who), keyOf(question, undefined)]) {
        const entry = kept.get(key)
        if (entry === undefined || clock.now() >= entry.until) continue
        kept.delete(key)
        kept.set(key, entry)
        return JSON.parse(entry.text) as JsonObject
      }
      return undefined
    },
    asked: (question) => {
      const one = { question, spoiled: false }
      asking.add(one)
      return (result) => {
        if (asking.delete(one) && result !== undefined && !one.spoiled) keep(question, result)
      }
    },
    drop,
    changes: (method) => changed.get(method) ?? 0
  }
}

/** The authorization context of a client that says nothing of it: its own. */
export const stranger = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-")

/** `who` is undefined for what is everybody's. */
function keyOf({ revision, method, params }: Question, who: string | undefined): string {
  const { _meta: _, ...given } = params ?? {}
  return canonical([revision.name, method, who ?? null, given])
}

/** What reads JSON goes deeper than what writes it; what is nested that deep is not kept. */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** What a notification says is of the past. */
export function outdated(revision: Revision, method: string, params: JsonObject | undefined): Fits {
  if (method === "notifications/resources/updated") {
    const uri = params!["uri"] as string
    // What lies below it may be a part of it, whichever of the two is read.
    return (asked, read) => {
      const other = read?.["uri"] as string
      return asked === "resources/read" && (covers(uri, other) || covers(other, uri))
    }
  }
  return (asked) => listChanged(asked) === method && (revision.client[asked] as RequestRow).paginated !== undefined
}

/** The notification that a list is another now. `resources/templates/list` is of the resources' family. */
export const listChanged = (method: string): string =>
  `notifications/${method.slice(0, method.indexOf("/"))}/list_changed`
