/** Keeps the events of one session in the order in which they are said, whether or not the store takes its time. */
import type { EventId, EventStore } from "./event-store.js"
import type { Append } from "./session-outlet.js"

/** Nothing that it returns rejects: `failed` is told of what could not be kept, which has no id. */
export function appender(events: EventStore, session: string, failed: (error: unknown) => void): Append {
  let before: Promise<EventId> | undefined

  function lost(error: unknown): EventId {
    failed(error)
    return ""
  }

  function pending(append: Promise<EventId>): Promise<EventId> {
    const settled = append.catch(lost)
    before = settled
    void settled.then(() => {
      if (before === settled) before = undefined
    })
    return settled
  }

  return (via, text, last) => {
    const event = { text, last }
    if (before !== undefined) return pending(before.then(() => events.append(session, via, event)))
    try {
      const id = events.append(session, via, event)
      return typeof id === "string" ? id : pending(id)
    } catch (error) {
      return lost(error)
    }
  }
}
