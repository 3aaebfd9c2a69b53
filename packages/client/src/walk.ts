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
  /** Fetches a page, in no more than `ms`. */
  readonly request: (params: JsonObject | undefined, ms: number) => Promise<JsonObject>
  readonly report: ((report: Report) => void) | undefined
}

/** Cursors are never compared: only an absent or null `nextCursor` ends a walk. */
export async function walk<A>(walk: Walk): Promise<ReadonlyArray<A>> {
  const { method, maxPages, totalMs, now, request } = walk
  const items: Array<A> = []
  const until = now() + totalMs
  let cursor: unknown
  for (let page = 0; page < maxPages; page++) {
    const result = await request(cursor === undefined ? undefined : { cursor: cursor as string }, until - now()).catch(
      (error: unknown) => {
        if (!timedOut(error) || now() < until) throw error
        throw new CallError({ _tag: "WalkTooLong", method, pages: page, ms: totalMs, items })
      }
    )
    keep(walk, items, result)
    cursor = result["nextCursor"] ?? undefined
    if (cursor === undefined) return items
  }
  throw new CallError({ _tag: "WalkTooLong", method, pages: maxPages, ms: undefined, items })
}

function keep({ method, member, item, report }: Walk, items: Array<unknown>, result: JsonObject): void {
  for (const candidate of result[member] as ReadonlyArray<unknown>) {
    const problem = item(candidate)
    if (problem === undefined) items.push(candidate)
    else
      report?.({
        _tag: "Ignored",
        method,
        id: undefined,
        why: `an item was left out: ${told(problem)} in ${brief(candidate)}`
      })
  }
}

const timedOut = (error: unknown): boolean => error instanceof CallError && error.reason._tag === "TimedOut"

const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`
}
