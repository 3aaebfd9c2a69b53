/** What is wanted of the server's notifications, asked for by one stream that is replaced when it changes (2026-07-28). */
import type { JsonObject, Peer, Report, Revision } from "@parley/core"
import { canonical } from "@parley/core"
import type { Alarm, Clock } from "@parley/driver"
import { CallError } from "./error.js"
import type { Request } from "./session.js"
import type { Watching } from "./subscriptions.js"
import type { Named } from "./filter.js"
import { filtering, filterOf, keyOf, serves } from "./filter.js"
import { untold } from "./untold.js"

export interface Streams extends Watching {
  /** Whoever listens to this notification wants it, until the returned function is called. `names`: what it is to tell of, where its filter is a list. */
  readonly on: (method: string, names?: ReadonlyArray<string>) => () => void
  /** There is another connection, by which the server tells nothing yet: what is wanted is asked for at once. */
  readonly back: () => void
  /** The session is over. */
  readonly close: () => void
}

export interface StreamsOptions {
  readonly peer: Peer
  readonly revision: Revision
  readonly request: Request
  readonly timeoutMs: number
  /** Whether the channel goes on over further connections: then a server that ends a stream may be about to come back. */
  readonly returns: boolean
  readonly report: ((report: Report) => void) | undefined
  /** Of this resource nothing more is told, though it was: the stream ended, with an error or without. */
  readonly lost: (uri: string, error: unknown) => void
  /** A stream that broke, or was ended, was replaced: what would have been told meanwhile is not known. */
  readonly missed: () => void
  readonly clock: Clock
}

/** Something that is wanted. */
interface Want extends Named {
  readonly timeoutMs: number
  /** How many want it. */
  count: number
  /** Waits to hear whether the server tells of it, when that is not known yet. */
  settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined
}

interface Stream {
  readonly stop: AbortController
  /** What it serves, in one text. */
  serves: string
  /** When it was acknowledged, in ms of the clock. */
  since: number
}

const method = "subscriptions/listen"
/** How a stream that broke, or was ended, is asked for anew: after so many ms, twice as many the next time, and so often in a row. */
const firstMs = 1_000
const longestMs = 30_000
const tries = 10
const unbegun = "the server ended the stream before it acknowledged it"
const updated = "notifications/resources/updated"
const nothing = canonical({})

/** Nothing where notifications come without being asked for in this way. */
export function streams(options: StreamsOptions): Streams | undefined {
  const { peer, revision, request, report } = options
  if (revision.client[method] === undefined) return undefined
  const wants = new Map<string, Want>()
  let open: Stream | undefined
  /** What the server would not serve at all, and is not asked for again as it is. */
  let refused: string | undefined
  let turning = false
  /** Another stream is about to take over. */
  let beginning = false
  /** Something is wanted of which the server was not told yet. */
  let fresh = false
  /** The server ended the last stream, and is asked for none until something is wanted anew, or the alarm rings. */
  let resting = false
  /** A stream broke, or was ended, and was not replaced yet. */
  let broken = false
  /** Tries in a row to begin one, none of which lasted. */
  let vain = 0
  let alarm: Alarm | undefined
  /** What was reported not to come. */
  const missed = new Set<string>()

  const declares = (method: string): boolean => untold(revision, peer, method) === undefined
  /** Somebody waits to hear of it, or reads it, and learns when it does not come. */
  const isWatched = ({ member, name }: Want): boolean => name !== undefined && member === filterOf(revision, updated)

  function add(member: string, name: string | undefined, timeoutMs: number): Want {
    const key = keyOf(member, name)
    const want = wants.get(key) ?? { member, name, timeoutMs, count: 0, settle: undefined }
    wants.set(key, want)
    want.count++
    fresh = true
    resting = false
    void turn()
    return want
  }

  function take(want: Want): void {
    if (--want.count > 0) return
    wants.delete(keyOf(want.member, want.name))
    void turn()
  }

  /** Until the server was told what is wanted. What is wanted in one moment is told at once. */
  async function turn(): Promise<void> {
    if (turning) return
    turning = true
    await Promise.resolve()
    for (;;) {
      const wanted = [...wants.values()]
      const filter = filtering(wanted)
      const serves = canonical(filter)
      if (serves === (open?.serves ?? nothing)) {
        for (const want of wanted) settled(want)
        break
      }
      if (serves === nothing) {
        leave()
        break
      }
      if (resting || (serves === refused && wanted.every(({ settle }) => settle === undefined))) break
      refused = undefined
      fresh = false
      beginning = true
      await begin(filter, wanted).catch((error: unknown) => {
        // Who waits to hear of it learns why, and may ask again.
        for (const want of wanted) if (want.settle !== undefined) miss(want, error)
        if (again(error, broken)) return
        refused = serves
        for (const want of wanted) if (wants.has(keyOf(want.member, want.name))) miss(want, error)
      })
      beginning = false
    }
    turning = false
  }

  /**
   * A server that ends a stream before it began restarts or is busy: it is asked again, later and later. So is for a stream that
   * broke (`had`: there was one): 2026-07-28 basic/transports/streamable-http, it is not taken up. And for one that ended cleanly:
   * who restarts ends it so as well (basic/patterns/subscriptions, Graceful Closure), and nobody would ever hear of a change again.
   */
  function again(error: unknown, had: boolean): boolean {
    const reason = error instanceof CallError ? error.reason : undefined
    const cut = had && (error === undefined || (reason?._tag === "Refused" && reason.status === 0))
    if (!(cut || (reason?._tag === "Closed" && reason.why === unbegun)) || wants.size === 0 || vain >= tries) {
      vain = 0
      broken = false
      return false
    }
    broken ||= cut
    alarm?.cancel()
    const ms = Math.round(Math.min(firstMs * 2 ** vain++, longestMs) * (1 + Math.random() / 4))
    alarm = options.clock.after(ms, () => {
      resting = false
      void turn()
    })
    resting = !fresh
    ignored(
      `${!cut ? unbegun : error === undefined ? "the server ended the stream" : "the stream broke"}; it is asked for again in ${ms} ms`
    )
    return true
  }

  /** Settles when it is acknowledged. Until then the one before serves, so that nothing is missed. */
  function begin(filter: JsonObject, wanted: ReadonlyArray<Want>): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream: Stream = { stop: new AbortController(), serves: nothing, since: 0 }
      const acknowledged = (honoured: JsonObject): void => {
        leave()
        open = stream
        // From now on it is this one that ends, in the same moment at the earliest.
        beginning = false
        resting = false
        stream.since = options.clock.now()
        if (broken) ignored("what would have been told before the stream was replaced is not known")
        if (broken) options.missed()
        broken = false
        alarm?.cancel()
        for (const want of wanted) {
          if (serves(honoured, want)) settled(want)
          else miss(want, undefined)
        }
        // Of a resource that is not honoured nothing comes, and no other stream is needed to leave it out.
        stream.serves = canonical(filtering(wanted.filter((want) => !isWatched(want) || serves(honoured, want))))
        resolve()
      }
      const timeoutMs = Math.max(...wanted.map((want) => want.timeoutMs))
      request(method, { notifications: filter }, { timeoutMs, signal: stream.stop.signal }, { acknowledged }).then(
        () => {
          // 2026-07-28 basic/patterns/subscriptions: the acknowledgement comes first. Where it came, this rejects nothing.
          reject(new CallError({ _tag: "Closed", method, why: unbegun }))
          over(stream, undefined)
        },
        (error: unknown) => {
          reject(error)
          over(stream, error)
        }
      )
    })
  }

  function leave(): void {
    const before = open
    open = undefined
    before?.stop.abort("something else is wanted")
  }

  function settled(want: Want): void {
    want.settle?.resolve()
    want.settle = undefined
  }

  /** The server will not tell of it: `error` says why it serves none of it, else it did not honour this. */
  function miss(want: Want, error: unknown): void {
    const { member, name, settle } = want
    const key = keyOf(member, name)
    if (!isWatched(want)) {
      const why = error === undefined ? "" : `: ${(error as Error).message}`
      if (!missed.has(key)) ignored(`the server does not tell of ${key}${why}`)
      missed.add(key)
      return
    }
    // The stream before goes on with what it told of.
    if (settle === undefined && error !== undefined && open !== undefined) return
    const reason = error ?? new CallError({ _tag: "Unwatchable", uri: name! })
    if (wants.get(key) === want) wants.delete(key)
    if (settle === undefined) options.lost(name!, reason)
    else settle.reject(reason)
    want.settle = undefined
  }

  function over(stream: Stream, error: unknown): void {
    if (open !== stream) return
    open = undefined
    if (options.clock.now() - stream.since >= longestMs) vain = 0
    if (beginning) return
    const closed = error instanceof CallError && error.reason._tag === "Closed"
    // Who watches a resource is told that it ended; where the server may be about to come back, that it goes on.
    const ended = error === undefined && !options.returns
    if (ended) unwatched(undefined)
    if (again(error, true)) return
    resting = !fresh
    if (!ended) unwatched(closed ? undefined : error)
    if (wants.size > 0 && !closed) ignored("the server ended the stream, and tells of no more changes")
  }

  /** Nothing is told any more of what was watched. */
  function unwatched(error: unknown): void {
    for (const [key, want] of wants) {
      // Who still waits to hear of it was not told by this one.
      if (!isWatched(want) || want.settle !== undefined) continue
      wants.delete(key)
      options.lost(want.name!, error)
    }
  }

  const ignored = (why: string): void => report?.({ _tag: "Ignored", method, id: undefined, why })

  return {
    on: (method, names) => {
      const member = filterOf(revision, method)
      if (member === undefined || method === updated || !declares(method)) return () => {}
      const wanted = (names === undefined ? [undefined] : [...new Set(names)]).map((name) =>
        add(member, name, options.timeoutMs)
      )
      return () => {
        for (const want of wanted.splice(0)) take(want)
      }
    },
    watch: (uri, wishes) =>
      new Promise<void>((resolve, reject) => {
        if (!declares(updated)) {
          const declared = Object.keys(peer.capabilities)
          return reject(new CallError({ _tag: "MethodUndeclared", method, needs: "resources.subscribe", declared }))
        }
        add(filterOf(revision, updated)!, uri, wishes.timeoutMs ?? options.timeoutMs).settle = { resolve, reject }
      }),
    back: () => {
      if (open !== undefined || beginning || wants.size === 0) return
      alarm?.cancel()
      resting = false
      refused = undefined
      broken = true
      void turn()
    },
    close: () => alarm?.cancel(),
    leave: async (uri) => {
      const want = wants.get(keyOf(filterOf(revision, updated)!, uri))
      if (want !== undefined) take(want)
    }
  }
}
