/** Requests whose results may be kept: answered by what is at hand, else by the server (2026-07-28). */
import type { JsonObject, RequestRow, Revision } from "@parley/core"
import type { Keeping } from "./cache.js"
import { inBrief } from "./calmly.js"
import { CallError } from "./error.js"
import type { CallOptions, Request } from "./session.js"

export interface FreshOptions extends CallOptions {
  /** Asks the server also where it said that what it answered the last time is still good. Default false. */
  readonly fresh?: boolean
}

export type Remembering = (method: string, params: JsonObject | undefined, options: FreshOptions) => Promise<JsonObject>

export function remembering(
  revision: Revision,
  request: Request,
  cache: Keeping | undefined,
  who: string
): Remembering {
  return (method, params, { fresh, ...wishes }) => {
    const row = revision.client[method] as RequestRow | undefined
    if (cache === undefined || row?.cacheable !== true) return request(method, params, wishes)
    const question = { revision, method, params, who }
    const found = fresh === true ? undefined : cache.find(question)
    if (found !== undefined)
      return wishes.signal?.aborted === true ? gone(method, wishes.signal) : Promise.resolve(found)
    const over = cache.asked(question)
    const answered = (result: JsonObject, rounds: number | undefined): void =>
      // 2026-07-28 server/utilities/caching, Cache Key: what depends on the user's answers MUST NOT be kept.
      over(rounds === undefined ? result : undefined)
    return request(method, params, wishes, { answered }).catch((error: unknown) => {
      over()
      // The same, Interaction with Pagination: with one cursor that is not known any more all pages go.
      if (params?.["cursor"] !== undefined && error instanceof CallError && error.code === -32602)
        cache.drop((other) => other === method)
      throw error
    })
  }
}

const gone = (method: string, { reason }: AbortSignal): Promise<never> =>
  Promise.reject(new CallError({ _tag: "Abandoned", method, reason: inBrief(reason) }))
