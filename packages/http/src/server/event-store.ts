/** Where the events of streams are kept, so that a stream that was cut goes on where it was, also in another process. */

/** What one event says. */
export interface StreamEvent {
  /** One JSON text without line ends; empty for an event that says nothing, by which a stream begins or ends. */
  readonly text: string
  /** Whether the stream ends with it. */
  readonly last: boolean
}

export interface StoredEvent extends StreamEvent {
  readonly id: EventId
}

/** The store's own name for an event, unique within its stream: letters, digits, `-`, `_` and `.` only. */
export type EventId = string

/**
 * Keeps events by session and stream (`via`, a name that is unique within its session). What a process appends, every process
 * that tails the stream reads: this is how a reply reaches an exchange that another process holds.
 *
 * A store of your own should let go of events by itself: of a stream, some minutes after the event that is `last`; of a session,
 * when nothing was appended for as long as a session may be idle.
 */
export interface EventStore {
  /**
   * Keeps an event after those of its stream. Calls for one session are made one after the other; one that has not settled within
   * `storeMs` (10,000 ms) is given up. What it throws, or rejects with, is told to `crashed`: the event is then told to a client that is
   * connected to this process, without an id, and to nobody who comes back.
   */
  readonly append: (session: string, via: string, event: StreamEvent) => EventId | Promise<EventId>
  /**
   * The events of a stream after the one named, all of them and in order, first those that are kept, then those that come.
   * It ends after the one that is `last`, and when `signal` is aborted. Without `after` it begins at the beginning, and waits
   * where there is none yet. It throws when it can not keep this: the event is not known in that stream, or what came after it
   * is not kept any more.
   */
  readonly tail: (
    session: string,
    via: string,
    after: EventId | undefined,
    signal: AbortSignal
  ) => AsyncIterable<StoredEvent>
  /**
   * The session is over: nobody asks for its events again. Where sessions are shared it is asked 2 seconds after the end, by each
   * process that had to do with the session and learns of it; on Workers it may be later, when another session is next used.
   */
  readonly forget?: (session: string) => void | Promise<void>
}
