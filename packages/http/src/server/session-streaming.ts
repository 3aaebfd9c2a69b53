/** The streams of one session that this process holds: those of its exchanges, and its own. */
import type { Peer, RevisionName } from "@parley/core"
import type { Exchange } from "./exchange.js"
import { appender } from "./session-append.js"
import type { Common } from "./session-common.js"
import type { Append, Outlet } from "./session-outlet.js"
import type { EventId, StreamEvent } from "./event-store.js"
import { isTag } from "./session-admission.js"
import { Patience } from "./session-patience.js"
import { place, Reader } from "./session-reader.js"

/** The session's own stream. */
export interface Outward {
  readonly via: string
  /** Nobody while its client is away. */
  reader: Reader | undefined
}

/** Revisions whose streams begin with an event without data: 2025-11-25 basic/transports. Older clients would read it as a message. */
const primed: ReadonlySet<RevisionName> = new Set<RevisionName>(["2025-11-25"])

/** What a client that does not read hears of later: each thing once, and no more than this. */
const mostSpared = 10_000

/** Streams of a session that are remembered as having lost their ends. */
const mostTorn = 1_000

export abstract class Streaming {
  readonly id: string
  principal: string | undefined
  protected readonly common: Common
  #patience: Patience | undefined
  /** Where replies to what came by earlier exchanges go. */
  protected outlets: Map<string, Outlet> | undefined
  /** The session's own stream. */
  protected outward: Outward | undefined
  #append: Append | undefined
  /** What was not told to a client that did not read. */
  #spared: Set<string> | undefined
  /** Streams whose last event could not be kept: who comes back for it would wait for ever. */
  #torn: Set<string> | undefined
  #vias = 0
  /** Connections that are open: also one whose stream is whole, until its client has taken it. */
  #readers = 0

  constructor(common: Common, id: string, principal: string | undefined) {
    this.principal = principal
    this.common = common
    this.id = id
  }

  abstract get peer(): Peer | undefined
  /** What nobody asked for. Where nobody listens it is dropped. */
  protected abstract unasked(text: string): void
  /** The client does not read the session's own stream any more, at least for now. */
  protected abstract unheard(outward: Outward): void
  /** Something that was under way is not any more. */
  protected abstract rest(): void

  /** Whether its client hears by this process what nobody asked for. */
  get listens(): boolean {
    return this.outward !== undefined
  }

  /** Whether it does so by any process. */
  protected get hears(): boolean {
    return this.listens
  }

  protected get reads(): boolean {
    return this.#readers > 0
  }

  protected get primed(): boolean {
    return primed.has(this.peer?.revision as RevisionName)
  }

  /** Such names tell streams of the session's own from others. */
  protected nextOutward(): string {
    return `${this.nextVia()}_`
  }

  protected nextVia(): string {
    return `${this.common.tag}${(this.#vias++).toString(36)}`
  }

  /** How long this session's stores are waited for. */
  protected get patience(): Patience {
    const { deadlines, now, storeMs } = this.common
    return (this.#patience ??= new Patience(deadlines, now, storeMs))
  }

  /** Keeps an event. */
  protected get append(): Append {
    const { events } = this.common.reading
    return (this.#append ??= appender(events, this.id, this.patience, (...what) => this.#unkept(...what)))
  }

  /** Whoever reads it here is told all the same. */
  #unkept(via: string, { text, last }: StreamEvent, after: EventId | undefined, error: unknown): void {
    this.common.failed(error)
    this.common.reading.open.at(this.id, via)?.unkept(text, last, after)
    if (!last) return
    const torn = (this.#torn ??= new Set())
    torn.add(via)
    if (torn.size > mostTorn) for (const oldest of torn) return void torn.delete(oldest)
  }

  /** What a client that does not read was told before is told again once it reads. */
  protected outwards(text: string): void {
    if (this.outward?.reader?.slow !== true) return this.unasked(text)
    const spared = (this.#spared ??= new Set())
    if (spared.size < mostSpared) spared.add(text)
  }

  #tellSpared(): void {
    const spared = this.#spared
    this.#spared = undefined
    for (const text of spared ?? []) this.outwards(text)
  }

  /** A new stream of the session's own: what was there before it ends. */
  protected listen(exchange: Exchange, via = this.nextOutward()): void {
    const before = this.outward
    if (before !== undefined) void this.append(before.via, "", true)
    before?.reader?.end()
    const outward: Outward = { via, reader: undefined }
    this.outward = outward
    this.#attach(outward, this.#read(via, exchange, outward))
    void outward.reader?.follow(undefined)
    if (this.primed) void this.append(via, "", false)
  }

  #attach(outward: Outward, reader: Reader): void {
    const before = outward.reader
    outward.reader = reader.over ? undefined : reader
    reader.onEased = () => this.#tellSpared()
    before?.end()
    if (reader.over) this.unheard(outward)
  }

  /** A client comes back for the rest of a stream. Says whether that is kept; if not, nothing was answered. */
  protected async comeBack(exchange: Exchange, lastEventId: string): Promise<boolean> {
    const at = place(lastEventId)
    if (at === undefined) return false
    const { via, after } = at
    if (this.#torn?.has(via) === true) return false
    const patience = new Promise((done) =>
      this.common.deadlines.after(this.common.reading.patienceMs, () => done(undefined))
    )
    const outlet = this.outlets?.get(via)
    if (outlet !== undefined) {
      const there = await outlet.resume(exchange, after, patience)
      this.#endTorn(via)
      return there
    }
    const outward = this.outward?.via === via ? this.outward : undefined
    const reader = this.#read(via, exchange, outward)
    if (!(await reader.follow(after, patience))) return false
    if (outward !== undefined) this.#attach(outward, reader)
    this.#endTorn(via)
    return true
  }

  /** Its end may have been lost while its client came back. */
  #endTorn(via: string): void {
    if (this.#torn?.has(via) === true) this.common.reading.open.at(this.id, via)?.end()
  }

  /** Whether what a client comes back for was no reply: there is then something new to read. Names that were never given are nobody's. */
  protected wasOutward(lastEventId: string): boolean {
    const { tag } = this.common
    const via = place(lastEventId)?.via ?? ""
    if (!via.endsWith("_")) return false
    // Of another process it is not known how many it named.
    const digits = via.slice(tag.length, -1)
    if (!/^(0|[1-9a-z][\da-z]*)$/.test(digits)) return false
    return via.startsWith(tag) ? Number.parseInt(digits, 36) < this.#vias : isTag(via.slice(0, tag.length))
  }

  /** A connection begins; the returned function says that it has ended. */
  protected enter(): () => void {
    this.#readers++
    return () => {
      this.#readers--
      this.rest()
    }
  }

  #read(via: string, exchange: Exchange, outward: Outward | undefined): Reader {
    const uncounted = this.common.crowd.enter(exchange, this.principal)
    const leave = this.enter()
    let reader: Reader | undefined
    reader = new Reader(this.common.reading, this.id, via, exchange, () => {
      uncounted()
      leave()
      if (outward?.reader !== reader || reader === undefined) return
      outward!.reader = undefined
      this.unheard(outward!)
    })
    return reader
  }
}
