/** The streams of one session that this process holds: those of its exchanges, and its own. */
import type { Peer, RevisionName } from "@parley/core"
import type { Exchange } from "./exchange.js"
import { appender } from "./session-append.js"
import type { Common } from "./session-common.js"
import type { Append, Outlet } from "./session-outlet.js"
import { isTag } from "./session-admission.js"
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

export abstract class Streaming {
  readonly id: string
  principal: string | undefined
  protected readonly common: Common
  /** Where replies to what came by earlier exchanges go. */
  protected outlets: Map<string, Outlet> | undefined
  /** The session's own stream. */
  protected outward: Outward | undefined
  #append: Append | undefined
  /** What was not told to a client that did not read. */
  #spared: Set<string> | undefined
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

  /** Keeps an event. */
  protected get append(): Append {
    return (this.#append ??= appender(this.common.reading.events, this.id, this.common.failed))
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
    const patience = new Promise((done) =>
      this.common.deadlines.after(this.common.reading.patienceMs, () => done(undefined))
    )
    const outlet = this.outlets?.get(via)
    if (outlet !== undefined) return outlet.resume(exchange, after, patience)
    const outward = this.outward?.via === via ? this.outward : undefined
    const reader = this.#read(via, exchange, outward)
    if (!(await reader.follow(after, patience))) return false
    if (outward !== undefined) this.#attach(outward, reader)
    return true
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
