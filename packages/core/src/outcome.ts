/** Whether a result may be sent: by its request's row, and on a page each item by its own check. */
import type { Check, Problem } from "./check.js"
import { problem, within } from "./check.js"
import { member } from "./json.js"
import type { Revision } from "./revision.js"
import type { RequestRow } from "./row.js"

/** `task`: the request was to be a task, and its result says which. */
export function unsendable(
  revision: Revision,
  row: RequestRow,
  method: string,
  result: unknown,
  task: boolean | undefined
): Problem | undefined {
  const check: Check = task && row.task !== undefined ? row.task.result : row.result
  const wrong = check(result) ?? (row.cacheable ? unkeepable(member(result, "ttlMs")) : undefined)
  if (wrong !== undefined || row.paginated === undefined) return wrong
  // A receiver forgives a bad item among good ones; a sender has no such excuse.
  const items = member(result, row.paginated) as ReadonlyArray<unknown>
  for (let at = 0; at < items.length; at++) {
    const inner = revision.items[method]?.(items[at])
    if (inner !== undefined) return within(row.paginated, within(at, inner))
  }
  return undefined
}

/** 2026-07-28 server/utilities/caching: a receiver takes a negative time for none, a sender never says one. */
const unkeepable = (ttlMs: unknown): Problem | undefined =>
  typeof ttlMs === "number" && ttlMs < 0 ? problem("ttlMs", "an integer from 0 on") : undefined
