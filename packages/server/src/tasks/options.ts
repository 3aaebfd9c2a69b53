/** What a server may be told of its tasks. */
import type { TaskStore } from "./store.js"

export interface TaskOptions {
  /** Where tasks are kept. Default: in memory, for this session. */
  readonly store?: TaskStore
  /** How long a task is kept when its caller does not say, in ms. Default 1 hour. */
  readonly ttlMs?: number
  /** How long a task is kept at most, in ms. Default 24 hours. */
  readonly maxTtlMs?: number
  /** How often a caller should ask, in ms. Default 1,000. */
  readonly pollMs?: number
  /** Tasks of this session that run at once; the next one is refused. Default 1,000. */
  readonly most?: number
  /** Tasks on one page of `tasks/list`. Default 100. */
  readonly pageSize?: number
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
}
