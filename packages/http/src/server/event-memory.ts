/** Events kept in memory, within bounds: beyond them the oldest of a session go, but for those that somebody is about to read. */
import type { Alarm, Clock } from "@parley/driver"
import { systemClock } from "@parley/driver"
import type { EventId, EventStore, StoredEvent, StreamEvent } from "./event-store.js"

export interface MemoryEventsOptions {
  /** Events kept of one session. Default 1,000. */
  readonly maxEvents?: number
  /** Characters kept of one session, counted as two bytes each. Default 1 MiB. */
  readonly maxEventBytes?: number
  /** How long a stream's events are kept after its end, in ms. Default 300,000, as that of `listen`. */
  readonly resumeMs?: number
  readonly clock?: Clock
}

export interface MemoryEvents extends EventStore {
  readonly append: (session: string, via: string, event: StreamEvent) => EventId
  readonly forget: (session: string) => void
  /** How many sessions, streams and events are kept. */
  readonly size: () => { readonly sessions: number; readonly streams: number; readonly events: number }
}

interface Log {
  readonly streams: Map<string, Stream>
  /** The number of the next event: no two of a session have the same. */
  next: number
  events: number
  bytes: number
}

interface Stream {
  events: Array<StoredEvent>
  /** How many of its events are not kept any more. */
  dropped: number
  ended: boolean
  /** Those who wait for more. */
  readonly waiting: Set<() => void>
  /** How far those who read it have come. */
  readonly cursors: Set<Cursor>
}

interface Cursor {
  /** The place of the next event to be read, counted from the stream's first. */
  at: number
}

/**
 * An event store for one process. What a reader has not come to yet is kept beyond the bounds: whoever appends has to see to it
 * that a reader who is slow does not fall behind for ever. The newest event is kept however large it is.
 *
 * ```ts
 * import { memoryEvents } from "@parley/http/server"
 *
 * const events = memoryEvents({ maxEvents: 100 })
 * const first = events.append("session", "stream", { text: "1", last: false })
 * events.append("session", "stream", { text: "2", last: true })
 * const texts: Array<string> = []
 * for await (const event of events.tail("session", "stream", first, new AbortController().signal)) texts.push(event.text)
 * texts // => ["2"]
 * ```
 */
export function memoryEvents(options: MemoryEventsOptions = {}): MemoryEvents {
  const { maxEvents = 1_000, maxEventBytes = 1024 * 1024, resumeMs = 300_000, clock = systemClock } = options
  const logs = new Map<string, Log>()
  /** Streams that have ended, the longest first. */
  const ended: Array<{ readonly session: string; readonly via: string; readonly at: number }> = []
  let alarm: Alarm | undefined

  function append(session: string, via: string, { text, last }: StreamEvent): EventId {
    const log = logs.get(session) ?? { streams: new Map<string, Stream>(), next: 1, events: 0, bytes: 0 }
    logs.set(session, log)
    const stream = streamOf(log, via)
    const id = String(log.next++)
    if (stream.ended) return id
    stream.events.push({ id, text, last })
    log.events++
    log.bytes += 2 * text.length
    if (last) {
      stream.ended = true
      ended.push({ session, via, at: clock.now() + resumeMs })
      ringAt(ended[0]!.at)
    }
    while (log.events > 1 && (log.events > maxEvents || log.bytes > maxEventBytes) && dropOldest(log));
    wake(stream)
    return id
  }

  function dropOldest(log: Log): boolean {
    let oldest: Stream | undefined
    for (const stream of log.streams.values()) {
      const first = stream.events[0]
      if (first === undefined || isAhead(stream)) continue
      if (oldest === undefined || Number(first.id) < Number(oldest.events[0]!.id)) oldest = stream
    }
    const gone = oldest?.events.shift()
    if (gone === undefined) return false
    oldest!.dropped++
    log.events--
    log.bytes -= 2 * gone.text.length
    return true
  }

  /** Whether its first event is still to be read by somebody. */
  function isAhead({ cursors, dropped }: Stream): boolean {
    for (const { at } of cursors) if (at <= dropped) return true
    return false
  }

  async function* tail(session: string, via: string, after: EventId | undefined, signal: AbortSignal) {
    const log = logs.get(session)
    let stream = log?.streams.get(via)
    const cursor: Cursor = { at: 0 }
    if (after !== undefined) {
      const known = stream?.events.findIndex(({ id }) => id === after) ?? -1
      if (known < 0) throw unknown(after)
      cursor.at = stream!.dropped + known + 1
    }
    // Whoever waits for a stream that has not begun is told when it does.
    stream ??= begun(session, via)
    // Where it begins with what is not kept any more, nobody is to wait for it.
    if (cursor.at < stream.dropped) throw unknown(after ?? "none")
    stream.cursors.add(cursor)
    try {
      while (!signal.aborted) {
        const event = stream.events[cursor.at - stream.dropped]
        if (event !== undefined) {
          cursor.at++
          yield event
          if (event.last) return
        } else if (stream.ended) return
        else await more(stream, signal)
      }
    } finally {
      stream.cursors.delete(cursor)
      // One that was only waited for has nothing in it.
      if (stream.events.length + stream.dropped + stream.cursors.size === 0) leave(session, via, stream)
    }
  }

  /** Of a session without streams nothing is kept; it may go on. */
  function leave(session: string, via: string, stream: Stream): void {
    const log = logs.get(session)
    if (log?.streams.get(via) !== stream) return
    log.streams.delete(via)
    if (log.streams.size === 0) logs.delete(session)
  }

  function begun(session: string, via: string): Stream {
    const log = logs.get(session) ?? { streams: new Map<string, Stream>(), next: 1, events: 0, bytes: 0 }
    logs.set(session, log)
    return streamOf(log, via)
  }

  function sweep(): void {
    alarm = undefined
    const now = clock.now()
    let due = 0
    while (due < ended.length && ended[due]!.at <= now) {
      const { session, via } = ended[due++]!
      const log = logs.get(session)
      const stream = log?.streams.get(via)
      if (stream?.ended !== true) continue
      for (const { text } of stream.events) log!.bytes -= 2 * text.length
      log!.events -= stream.events.length
      leave(session, via, stream)
    }
    ended.splice(0, due)
    if (ended[0] !== undefined) ringAt(ended[0].at)
  }

  /** An alarm for the stream that ended first is one for all. */
  function ringAt(time: number): void {
    if (alarm !== undefined) return
    alarm = clock.after(Math.max(1, time - clock.now()), sweep)
    alarm.hold(false)
  }

  function forget(session: string): void {
    for (const stream of logs.get(session)?.streams.values() ?? []) {
      stream.ended = true
      wake(stream)
    }
    logs.delete(session)
    if (logs.size > 0) return
    ended.length = 0
    alarm?.cancel()
    alarm = undefined
  }

  function size() {
    let [streams, events] = [0, 0]
    for (const log of logs.values()) {
      streams += log.streams.size
      events += log.events
    }
    return { sessions: logs.size, streams, events }
  }

  return { append, tail, forget, size }
}

function streamOf(log: Log, via: string): Stream {
  const known = log.streams.get(via)
  if (known !== undefined) return known
  const stream: Stream = { events: [], dropped: 0, ended: false, waiting: new Set(), cursors: new Set() }
  log.streams.set(via, stream)
  return stream
}

function wake(stream: Stream): void {
  for (const told of stream.waiting) told()
}

/** Until there is more, or nobody wants it. */
const more = (stream: Stream, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.waiting.delete(done)
      signal.removeEventListener("abort", done)
      resolve()
    }
    stream.waiting.add(done)
    signal.addEventListener("abort", done)
  })

const unknown = (id: string): Error => new Error(`what came after event ${id} is not kept`)
