/** The lists that a server pages, walked with the client's limits. */
import type { JsonObject, Report, Revision } from "@parley/core"
import type { Clock } from "@parley/driver"
import type { ListOptions } from "./client.js"
import type { CallOptions } from "./session.js"
import { defaultTotalMs } from "./session.js"
import type { Walk } from "./walk.js"

export interface Limits {
  readonly maxPages: number
  readonly timeoutMs: number
  readonly clock: Clock
  /** How often the server has sent this notification. */
  readonly times: (method: string) => number
  readonly report: ((report: Report) => void) | undefined
}

type Request = (method: string, params: JsonObject | undefined, options: CallOptions) => Promise<JsonObject>

/** How to walk one list. `member` is where a page has its items. */
export const walkOf =
  (revision: Revision, request: Request, limits: Limits) =>
  (method: string, member: string, { maxPages, ...wishes }: ListOptions): Walk => ({
    method,
    member,
    item: revision.items[method]!,
    maxPages: maxPages ?? limits.maxPages,
    totalMs: wishes.totalMs ?? defaultTotalMs,
    now: limits.clock.now,
    changes: () => limits.times(listChanged(method)),
    request: (params, ms) =>
      request(method, params, {
        ...wishes,
        totalMs: ms,
        timeoutMs: Math.min(wishes.timeoutMs ?? limits.timeoutMs, ms)
      }),
    report: limits.report
  })

/** `resources/templates/list` is of the resources' family. */
const listChanged = (method: string): string => `notifications/${method.slice(0, method.indexOf("/"))}/list_changed`
