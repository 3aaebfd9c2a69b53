/** The lists that a server pages, walked with the client's limits. */
import type { Report, Revision } from "@parley/core"
import type { Clock } from "@parley/driver"
import type { ListOptions } from "./client.js"
import { checkOptions, listOptions } from "./options.js"
import type { Remembering } from "./remembering.js"
import { defaultTotalMs } from "./session.js"
import type { Listing, Walk } from "./walk.js"
import { listing as walked, walk } from "./walk.js"

export interface Limits {
  readonly maxPages: number
  readonly timeoutMs: number
  readonly clock: Clock
  /** How often this list turned out to be another one. */
  readonly changes: (method: string) => number
  readonly report: ((report: Report) => void) | undefined
}

export interface Lists {
  /** All items, from all pages. `member` is where a page has its items. */
  readonly list: <A>(method: string, member: string) => (options?: ListOptions) => Promise<ReadonlyArray<A>>
  /** The items one by one. */
  readonly iterate: <A>(method: string, member: string) => (options?: ListOptions) => Listing<A>
}

export function listing(revision: Revision, request: Remembering, limits: Limits): Lists {
  const walking = (method: string, member: string, options: ListOptions): Walk => {
    checkOptions(method, options, listOptions)
    const { maxPages, ...wishes } = options
    return {
      method,
      member,
      item: revision.items[method]!,
      maxPages: maxPages ?? limits.maxPages,
      totalMs: wishes.totalMs ?? defaultTotalMs,
      now: limits.clock.now,
      changes: () => limits.changes(method),
      request: (params, ms) =>
        request(method, params, {
          ...wishes,
          totalMs: ms,
          timeoutMs: Math.min(wishes.timeoutMs ?? limits.timeoutMs, ms)
        }),
      report: limits.report
    }
  }
  return {
    list:
      <A>(method: string, member: string) =>
      async (options = {}) =>
        walk<A>(walking(method, member, options)),
    iterate:
      <A>(method: string, member: string) =>
      (options = {}) =>
        walked<A>(walking(method, member, options))
  }
}
