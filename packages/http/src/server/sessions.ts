/** Sessions of 2025-03-26 to 2025-11-25 over many exchanges: whose they are, how many there are, and when they end. */
import type { ServerMachine } from "@parley/core/server"
import { systemClock } from "@parley/driver"
import type { Host } from "@parley/server/host"
import type { Accepted } from "./accept.js"
import { accepted } from "./accept.js"
import { memoryEvents } from "./event-memory.js"
import type { Exchange } from "./exchange.js"
import { legacySse } from "./legacy-sse.js"
import type { HttpOptions, Settings } from "./options.js"
import { settingsOf } from "./options.js"
import { freshTag, turnAway } from "./session-admission.js"
import { crowd } from "./session-crowd.js"
import type { Deadlines } from "./session-deadlines.js"
import { deadlines } from "./session-deadlines.js"
import type { Common } from "./session-common.js"
import { liveSessions } from "./session-lives.js"
import { reporter } from "./reporter.js"
import type { Reader, Reading } from "./session-reader.js"
import { sharedSessions } from "./session-shares.js"

export interface Sessions {
  /** What came by a POST and belongs to no request of 2026-07-28; `came` is its body, parsed. It is answered, now or later. */
  readonly post: (exchange: Exchange, came: unknown, principal: string | undefined, accepts: Accepted) => void
  /** A stream of the session's own, or the rest of one that was cut. */
  readonly get: (exchange: Exchange, principal: string | undefined) => void
  /** The client ends its session. */
  readonly delete: (exchange: Exchange, principal: string | undefined) => void
  /** Takes no further requests, answers those that were accepted (within `drainMs`), and ends what is served here. */
  readonly close: () => Promise<void>
  /** How many sessions this process knows of. */
  readonly count: () => number
}

/** Nothing may be given to it before the host is ready. `apart`: each exchange has timers of its own. */
export function sessions(host: Host, options: HttpOptions, apart = false): Sessions {
  const settings = settingsOf(options)
  const clock = options.clock ?? systemClock
  const { resumeMs } = settings
  const crashed = reporter(options.crashed ?? ((what, error) => console.error(`Failed: ${what}:`, error)))
  const all = deadlines(clock, apart)
  const reading: Reading = {
    events: options.events ?? memoryEvents({ resumeMs, clock }),
    patienceMs: options.events === undefined ? 0 : 250,
    open: keptAlive(all, settings)
  }
  const failed = (error: unknown): void => crashed("the keeping of a session", error)
  let machine: ServerMachine | undefined
  const common: Omit<Common, "over"> = {
    host,
    machine: () => (machine ??= host.machine("message")),
    reading,
    deadlines: all,
    now: clock.now,
    crowd: crowd(settings.maxStreamsPerClient),
    streamAfterMs: settings.streamAfterMs,
    resumeMs,
    storeMs: settings.storeMs,
    reports: options.report !== undefined,
    failed,
    // No two processes name their streams alike.
    tag: options.sessions === undefined ? "" : freshTag()
  }
  const kept =
    options.sessions === undefined
      ? liveSessions(common, settings)
      : sharedSessions(common, settings, options.sessions, options.drainMs)
  const older = settings.legacySse ? legacySse(host, settings, all, clock) : undefined
  const forget = host.onChange((change) => {
    machine = undefined
    kept.changed(change)
  })

  return {
    post: (exchange, came, principal, accepts) => {
      if (older?.post(exchange, came, principal) !== true) kept.post(exchange, came, principal, accepts)
    },
    get: (exchange, principal) => {
      if (!accepted(exchange.header("accept")).events) return turnAway(exchange, "unread")
      if (older?.get(exchange, principal) !== true) kept.get(exchange, principal)
    },
    delete: kept.delete,
    close: async () => {
      await Promise.all([kept.close(), older?.close()])
      forget()
      all.clear()
    },
    count: () => kept.count() + (older?.count() ?? 0)
  }
}

/** Open streams say from time to time that they are: proxies cut what is silent, and a client that is gone is found out. */
function keptAlive({ beats }: Deadlines, { keepAliveMs }: Settings): Reading["open"] {
  const open = beats(keepAliveMs)
  const newest = new Map<string, Reader>()
  const nameOf = (session: string, via: string): string => `${session} ${via}`
  return {
    add: (reader) => {
      open.add(reader)
      newest.set(nameOf(reader.session, reader.via), reader)
    },
    delete: (reader) => {
      open.delete(reader)
      const name = nameOf(reader.session, reader.via)
      if (newest.get(name) === reader) newest.delete(name)
    },
    at: (session, via) => newest.get(nameOf(session, via))
  }
}
