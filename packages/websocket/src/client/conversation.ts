/** What was asked and not answered yet, and whether there is a session: what has to be known when a connection is lost. */
import type { RequestId } from "@parley/core"
import type { Outgoing } from "@parley/driver"

export class Conversation {
  /** Requests without a reply. */
  readonly asked = new Map<RequestId, Outgoing>()
  /** The `initialize` that is not answered yet. */
  opening: RequestId | undefined
  /** The server has answered something well. */
  met = false
  /** It did so to `initialize`: what follows belongs to a session, up to 2025-11-25. */
  session = false

  sent(out: Outgoing): void {
    for (const { id, method } of each(out.message)) {
      if (id === undefined || id === null || method === undefined) continue
      this.asked.set(id, out)
      if (method === "initialize") this.opening = id
    }
  }

  heard(json: unknown): void {
    for (const { id, method, result } of each(json)) {
      if (id === undefined || id === null || method !== undefined || !this.asked.delete(id)) continue
      if (result !== undefined) this.met = true
      if (id !== this.opening) continue
      this.opening = undefined
      if (result !== undefined) this.session = true
    }
  }
}

/** What of it is good in another session as well: requests that were not taken back. */
export function lasts(waiting: ReadonlyArray<Outgoing>): Array<Outgoing> {
  const cancelled = new Set(
    waiting.flatMap(({ message }) =>
      each(message).flatMap((one) => (one.method === "notifications/cancelled" ? [one.params?.requestId] : []))
    )
  )
  return waiting.filter(({ message }) => each(message).some((one) => isRequest(one) && !cancelled.has(one.id!)))
}

/** The ids of what asks for an answer. */
export const requestsIn = ({ message }: Outgoing): ReadonlyArray<RequestId> =>
  each(message).flatMap((one) => (isRequest(one) ? [one.id!] : []))

export const methodOf = ({ message }: Outgoing): unknown => (message as Part).method

const isRequest = ({ id, method }: Part): boolean => id !== undefined && id !== null && method !== undefined

interface Part {
  readonly id?: RequestId | null
  readonly method?: unknown
  readonly result?: unknown
  readonly params?: { readonly requestId?: RequestId }
}

const each = (json: unknown): ReadonlyArray<Part> =>
  (Array.isArray(json) ? json : [json]).filter((one) => typeof one === "object" && one !== null) as ReadonlyArray<Part>
