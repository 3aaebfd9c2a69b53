/** The way back for what came by one POST: one JSON text, or a stream that may outlive its connection. */
import { read } from "@parley/core"
import type { Accepted } from "./accept.js"
import type { EventId } from "./event-store.js"
import type { Exchange, Headers } from "./exchange.js"
import { lastWords, turnAway } from "./session-admission.js"
import type { Reading } from "./session-reader.js"
import { Reader } from "./session-reader.js"
import { json, statusOf } from "./session-text.js"

export interface OutletOf {
  readonly reading: Reading
  readonly session: string
  readonly via: string
  /** What came. */
  readonly came: unknown
  readonly accepts: Accepted
  /** Whether its stream begins with an event that says nothing, so that the client can come back for the rest. */
  readonly primed: boolean
  /** Whether what is said goes on being said here when the client has gone: it may come back. */
  readonly stays: boolean
  /** Keeps an event; one after the other. */
  readonly append: Append
  /** A connection begins; the returned function says that it has ended. */
  readonly enters: () => () => void
  /** What was said for it elsewhere, before its reply, and can not be said here. */
  readonly astray: (text: string) => void
  /** Nothing more is to be said here. */
  readonly done: () => void
  /** Settles when nothing is done here any more of which others hear; nothing where that is so. */
  readonly working: () => Promise<void> | undefined
}

export type Append = (via: string, text: string, last: boolean) => EventId | Promise<EventId>

export class Outlet {
  readonly #of: OutletOf
  #reader: Reader
  /** Whether it is a stream: there is then something to come back for. */
  #streams = false
  /** Whether it waits for a reply that may be kept elsewhere. */
  #awaits = false
  #done = false
  /** Whoever waits until nothing more is done for a client that has gone. */
  #left: Array<() => void> | undefined

  constructor(of: OutletOf, exchange: Exchange) {
    this.#of = of
    this.#reader = this.#read(exchange)
  }

  get came(): unknown {
    return this.#of.came
  }

  /** Whether nothing more is to be said here. */
  get over(): boolean {
    return this.#done
  }

  /** Whether what is kept elsewhere is found here. */
  get reads(): boolean {
    return this.#streams || this.#awaits
  }

  /** Whether its client hears, now or later, what is said before the reply. */
  get hears(): boolean {
    return this.#streams || (this.#of.accepts.events && !this.#reader.over)
  }

  get slow(): boolean {
    return this.#reader.slow
  }

  get hopeless(): boolean {
    return this.#reader.hopeless
  }

  /** `status`, `headers`: for a reply that is all there is to say. */
  send(status: number, headers: Headers, text: string, last: boolean): void {
    if (this.#done) return
    if (!this.#of.accepts.json) void this.stream()
    if (last && !this.#streams) this.#reader.answer((exchange) => exchange.respond(status, headers, text))
    else this.#say(text, last)
    if (last) this.#finish()
  }

  /** The answer is a stream from now on. The event that it begins with, if it begins now and with one that says nothing. */
  stream(): EventId | Promise<EventId> | undefined {
    if (this.#streams || this.#done || this.#reader.over) return undefined
    if (!this.#of.accepts.events) return this.#await()
    this.#streams = true
    const primed = this.#of.primed ? this.#of.append(this.#of.via, "", false) : undefined
    void this.#reader.follow(undefined)
    return primed
  }

  /** Who takes no stream is answered by the last event of the one that others write. */
  #await(): undefined {
    if (this.#awaits || this.#of.stays) return
    this.#awaits = true
    void this.#reader.last(this.#of.astray).then((text) => {
      this.#awaits = false
      if (text === undefined || this.#done) return
      if (text === "") return this.end("withdrawn")
      this.#reader.answer((exchange) => exchange.respond(statusOf(JSON.parse(text), this.came), json, text))
      this.#finish()
    })
  }

  /** Lets the connection go: the client comes back for the rest. Nothing where it could not. */
  release(retryMs: number | undefined): void {
    const { primed, accepts } = this.#of
    if (!primed || !accepts.events || this.#done || this.#reader.over) return
    const reader = this.#reader
    const cut = (at: EventId): void => reader.cutAfter(at, retryMs)
    const at = this.stream() ?? this.#of.append(this.#of.via, "", false)
    if (typeof at === "string") cut(at)
    else void at.then(cut)
  }

  /** The client has come back. Says whether the events after that one are kept; if not, it was not answered. */
  async resume(exchange: Exchange, after: EventId, patience: Promise<unknown>): Promise<boolean> {
    const reader = this.#read(exchange)
    if (!(await reader.follow(after, patience))) return false
    // One message goes to one connection.
    const before = this.#reader
    this.#reader = reader
    before.end()
    return true
  }

  /** There is no reply, and there will be none: the session has ended, or the client has withdrawn what it asked. */
  end(why: "gone" | "withdrawn"): void {
    if (this.#done) return
    const envelope = read(this.came)
    const id = envelope._tag === "Request" ? envelope.message.id : undefined
    if (this.#streams) this.#say(lastWords(why, id), true)
    else if (why === "withdrawn" && this.#of.accepts.events) this.#reader.end()
    else this.#reader.answer((exchange) => turnAway(exchange, why, why === "gone" ? this.came : undefined))
    this.#finish()
  }

  /** This process does not serve it any more: the client finds the rest elsewhere, or is told to make the request again. */
  leave(refuse: (exchange: Exchange) => void): void {
    if (this.#streams) this.#reader.end()
    else this.#reader.answer(refuse)
    this.#finish()
  }

  #read(exchange: Exchange): Reader {
    const { reading, session, via, stays, enters } = this.#of
    const leaves = enters()
    let reader: Reader | undefined
    const closed = (): void => {
      leaves()
      if (!stays && reader === this.#reader) this.#finish()
    }
    const working = (): Promise<void> | undefined =>
      this.#done ? this.#of.working() : new Promise((resolve) => void (this.#left ??= []).push(resolve))
    reader = new Reader(reading, session, via, exchange, closed, working)
    return reader
  }

  #say(text: string, last: boolean): void {
    void this.stream()
    // Only the reply is of use to who takes no stream; who went before there was anything to come back for does not come back.
    if (!this.#streams) return
    this.#reader.comes(text.length)
    void this.#of.append(this.#of.via, text, last)
  }

  #finish(): void {
    if (this.#done) return
    this.#done = true
    this.#of.done()
    for (const left of this.#left ?? []) left()
  }
}
