/** All the pages of a list. One malformed item does not hide the others; a walk without end ends with a named failure. */
import type { Check, JsonObject, Report } from "@parley/core"
import { told } from "@parley/core"
import { CallError } from "./error.js"

export interface Walk {
  readonly method: string
  /** The member of the result that holds the items. */
  readonly member: string
  readonly item: Check
  readonly maxPages: number
  /** For all the pages together. */
  readonly totalMs: number
  readonly now: () => number
  /** How often the server has said until now that the list changed. */
  readonly changes: () => number
  /** Fetches a page, in no more than `ms`. */
  readonly request: (params: JsonObject | undefined, ms: number) => Promise<JsonObject>
  readonly report: ((report: Report) => void) | undefined
}

/**
 * A list while it is fetched: its items one by one, the next page only when it is wanted. Each iteration begins anew.
 *
 * A list that changes meanwhile may give an item twice or not at all. When the server can not go on from where the iteration is,
 * because the list changed there, it rejects `CursorInvalid`: what was read stays read, and the whole list is to be had by
 * iterating again.
 */
export interface Listing<A> extends AsyncIterable<A> {
  /** The same, page by page. */
  readonly pages: () => AsyncIterable<ReadonlyArray<A>>
}

/** What all the pages of a walk have cost, however often it was begun. */
interface Spent {
  pages: number
  ms: number
}

/** Nobody has seen anything of a list that changes while it is gathered: it is gathered anew, at most three times. */
export async function walk<A>(walk: Walk): Promise<ReadonlyArray<A>> {
  const spent: Spent = { pages: 0, ms: 0 }
  for (let left = 3; ; left--) {
    const items: Array<A> = []
    const before = { pages: spent.pages, changes: walk.changes() }
    try {
      for await (const page of pagesOf<A>(walk, spent, items)) for (const item of page) items.push(item)
    } catch (error) {
      if (left === 0 || !lost(error)) throw error
      begunAnew(walk, "the server knows the cursor no longer")
      continue
    }
    // A single page is of one version, whichever that is.
    const pages = spent.pages - before.pages
    const mixed = pages > 1 && walk.changes() !== before.changes
    if (!mixed || left === 0 || spent.pages + pages > walk.maxPages) return items
    begunAnew(walk, "the list changed meanwhile")
  }
}

export const listing = <A>(walk: Walk): Listing<A> => ({
  pages: () => pagesOf<A>(walk),
  [Symbol.asyncIterator]: async function* () {
    for await (const page of pagesOf<A>(walk)) yield* page
  }
})

/** Cursors are never compared: only an absent or null `nextCursor` ends a walk. `found`: what a failure says was found. */
async function* pagesOf<A>(
  walk: Walk,
  // What the reader does with a page takes nothing from the time for the next one.
  spent: Spent = { pages: 0, ms: 0 },
  found: ReadonlyArray<unknown> = []
): AsyncGenerator<ReadonlyArray<A>, void, undefined> {
  const { method, maxPages, totalMs, now, request } = walk
  const first = spent.pages
  let cursor: unknown
  while (spent.pages < maxPages) {
    const before = now()
    const left = totalMs - spent.ms
    const result = await request(cursor === undefined ? undefined : { cursor: cursor as string }, left).catch(
      (error: unknown) => {
        spent.ms += now() - before
        if (timedOut(error) && spent.ms >= totalMs)
          throw new CallError({ _tag: "WalkTooLong", method, pages: spent.pages, ms: totalMs, items: found })
        const refused = cursor === undefined ? undefined : refusal(error)
        if (refused === undefined) throw error
        throw new CallError({ _tag: "CursorInvalid", method, pages: spent.pages - first, error: refused, items: found })
      }
    )
    spent.ms += now() - before
    spent.pages++
    yield sound(walk, result) as ReadonlyArray<A>
    cursor = result["nextCursor"] ?? undefined
    if (cursor === undefined) return
  }
  throw new CallError({ _tag: "WalkTooLong", method, pages: maxPages, ms: undefined, items: found })
}

function sound({ method, member, item, report }: Walk, result: JsonObject): ReadonlyArray<unknown> {
  return (result[member] as ReadonlyArray<unknown>).filter((candidate) => {
    const problem = item(candidate)
    if (problem === undefined) return true
    const why = `an item was left out: ${told(problem)} in ${brief(candidate)}`
    report?.({ _tag: "Ignored", method, id: undefined, why })
    return false
  })
}

const begunAnew = ({ method, report }: Walk, why: string): void =>
  report?.({ _tag: "Ignored", method, id: undefined, why: `the pages were dropped and the list is begun anew: ${why}` })

const timedOut = (error: unknown): boolean => error instanceof CallError && error.reason._tag === "TimedOut"

const lost = (error: unknown): boolean => error instanceof CallError && error.reason._tag === "CursorInvalid"

/** Every revision, server/utilities/pagination, Error Handling: an invalid cursor is answered with -32602. */
function refusal(error: unknown) {
  if (!(error instanceof CallError) || error.reason._tag !== "Answered") return undefined
  return error.reason.error.code === -32602 ? error.reason.error : undefined
}

const brief = (value: unknown): string => {
  try {
    const text = JSON.stringify(value) ?? "nothing"
    return text.length <= 200 ? text : `${text.slice(0, 200)}...`
  } catch {
    // It came as JSON; what reads it goes deeper than what writes it.
    return "something nested too deep to be shown"
  }
}
