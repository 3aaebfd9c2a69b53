/** Keeps the events of one session in the order in which they are said, whether or not the store takes its time. */
import type { EventId, EventStore, StreamEvent } from "./event-store.js"
import type { Append } from "./session-outlet.js"
import type { Patience } from "./session-patience.js"

/** What could not be kept, and the event of its stream that was kept before it. */
export type Unkept = (via: string, event: StreamEvent, after: EventId | undefined, error: unknown) => void

/** Nothing that it returns rejects: `unkept` is told of what could not be kept, which has no id. */
export function appender(events: EventStore, session: string, patience: Patience, unkept: Unkept): Append {
  let before: Promise<EventId> | undefined
  /** Of streams that go on, the newest event that was kept. */
  let newest: Map<string, EventId> | undefined

  function kept(via: string, { last }: StreamEvent, id: EventId): EventId {
    if (last) newest?.delete(via)
    else (newest ??= new Map()).set(via, id)
    return id
  }

  function lost(via: string, event: StreamEvent, error: unknown): EventId {
    const after = newest?.get(via)
    if (event.last) newest?.delete(via)
    unkept(via, event, after, error)
    return ""
  }

  function pending(via: string, event: StreamEvent, append: Promise<EventId>): Promise<EventId> {
    const settled = append.then(
      (id) => kept(via, event, id),
      (error: unknown) => lost(via, event, error)
    )
    before = settled
    void settled.then(() => {
      if (before === settled) before = undefined
    })
    return settled
  }

  return (via, text, last) => {
    const event = { text, last }
    const append = (): EventId | Promise<EventId> => events.append(session, via, event)
    if (before !== undefined)
      return pending(
        via,
        event,
        before.then(() => patience.with(append))
      )
    try {
      const id = append()
      return typeof id === "string"
        ? kept(via, event, id)
        : pending(
            via,
            event,
            patience.with(() => id)
          )
    } catch (error) {
      return lost(via, event, error)
    }
  }
}
