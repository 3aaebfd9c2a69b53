/** One connection by which a client reads one stream: the answer to a POST, or to a GET. */
import type { EventId, EventStore, StoredEvent } from "./event-store.js"
import type { Exchange, Stream } from "./exchange.js"
import { attempt } from "./reporter.js"
import { sseComment, sseEvent, streamHeaders } from "./sse.js"

/** What all connections of an endpoint have in common. */
export interface Reading {
  readonly events: EventStore
  /** How long a client that comes back waits for word that what it wants is not kept, in ms. */
  readonly patienceMs: number
  readonly open: Open
}

/** Those that are open, for whoever keeps them alive. */
export interface Open {
  readonly add: (reader: Reader) => void
  readonly delete: (reader: Reader) => void
  /** The newest one that reads that stream. */
  readonly at: (session: string, via: string) => Reader | undefined
}

/** What could not be kept, and the event that is to be read before it. */
interface Unkept {
  readonly text: string
  readonly last: boolean
  readonly after: EventId | undefined
}

/** Texts that the store may yet bring, though it said that it has not kept them. */
const mostTold = 100

/** Characters that may wait for a client. */
const stalled = 65_536

/** After how long a client that was let go may come back, in ms. */
const retryMs = 1_000

export class Reader {
  readonly #reading: Reading
  readonly session: string
  readonly via: string
  readonly #exchange: Exchange
  #abort: AbortController | undefined
  #stream: Stream | undefined
  /** The last event of this connection, and when the client may come back for the next. */
  #cut: { readonly at: EventId; readonly retryMs: number } | undefined
  #closed: (() => void) | undefined
  /** Called each time that a client which was slow is so no more. */
  onEased: (() => void) | undefined
  #over = false
  #written: EventId | undefined
  #writtenText: string | undefined
  /** What is to be said though it was not kept, in its turn. */
  #unkept: Array<Unkept> | undefined
  /** What was said though it was not kept. */
  #told: Array<string> | undefined
  /** Characters that were kept and not yet written. */
  #behind = 0

  /**
   * `closed` is called once: the connection has ended, whoever ended it. `working` is asked when its client has gone, and gives a
   * promise where work goes on for what it came for.
   */
  constructor(
    reading: Reading,
    session: string,
    via: string,
    exchange: Exchange,
    closed: () => void,
    working: () => Promise<void> | undefined = nothing
  ) {
    this.#reading = reading
    this.session = session
    this.via = via
    this.#exchange = exchange
    this.#closed = closed
    exchange.onGone(() => {
      this.#close()
      return working()
    })
  }

  /** Whether nobody reads here any more. */
  get over(): boolean {
    return this.#over
  }

  /** Whether the client reads more slowly than there is to read: progress and the like is better left out. */
  get slow(): boolean {
    return !this.#over && this.#behind > stalled
  }

  /** Whether it is so far behind that even logs are left out. */
  get hopeless(): boolean {
    return !this.#over && this.#behind > 64 * stalled
  }

  /** So many characters were kept, to be read here. */
  comes(characters: number): void {
    this.#behind += characters
  }

  /** Answers at once and whole, where nothing was answered yet. */
  answer(how: (exchange: Exchange) => void): void {
    if (this.#over || this.#stream !== undefined) return
    this.#over = true
    how(this.#exchange)
    this.#close()
  }

  /**
   * Answers with a stream of the events after the one named, until the last of them. `patience`: how long to wait, before the
   * answer begins, for word that they are not kept. Says, as the answer begins, whether they are; if not, nothing is answered.
   */
  async follow(after: EventId | undefined, patience?: Promise<unknown>): Promise<boolean> {
    const { signal } = (this.#abort = new AbortController())
    this.#written = after
    const tail = tailOf(this.#reading.events, this.session, this.via, after, signal)
    const first = tail.next()
    first.catch(() => undefined)
    if (patience !== undefined) {
      try {
        await Promise.race([first, patience])
      } catch {
        this.#close()
        return false
      }
    }
    this.begin()
    void this.#pump(tail, first)
    return true
  }

  async #pump(tail: AsyncIterator<StoredEvent>, first: Promise<IteratorResult<StoredEvent>>): Promise<void> {
    let next = first
    try {
      for (;;) {
        const { done, value } = await next
        if (done === true || this.#over) break
        await this.#write(value)
        this.#catchUp()
        if (this.#over || value.last) break
        next = tail.next()
      }
    } catch {
      // What came between is not kept any more: the client learns of it when it comes back.
    }
    this.#catchUp(true)
    this.end()
    // What was read of it is told; how it ends is its own affair.
    attempt(() => tail.return?.(), ignored)
  }

  /** The last event, whichever process keeps it; `other` is given those before. Nothing where it can not be read. */
  async last(other: (text: string) => void): Promise<string | undefined> {
    const { signal } = (this.#abort = new AbortController())
    try {
      for await (const { text, last } of this.#reading.events.tail(this.session, this.via, undefined, signal))
        if (last) return text
        else if (text !== "") other(text)
    } catch {
      // Whoever writes the next event finds out.
    }
    return undefined
  }

  begin(): void {
    if (this.#over || this.#stream !== undefined) return
    this.#stream = this.#exchange.stream(200, streamHeaders)
    this.#reading.open.add(this)
    // Headers may wait for the first words.
    void this.#stream.write(sseComment)
  }

  /**
   * The store has not kept it, and will not bring it here: it is said all the same, after what was kept before it, and without an id,
   * since nobody could come back for it.
   */
  unkept(text: string, last: boolean, after: EventId | undefined): void {
    // The store has kept it after all, and was faster to bring it than to say that it had not.
    if (text !== "" && text === this.#writtenText && after !== this.#written) {
      this.#written = after
      return
    }
    ;(this.#unkept ??= []).push({ text, last, after })
    this.#catchUp()
  }

  /** `late`: also what should have waited for something that did not come. */
  #catchUp(late = false): void {
    for (let next = this.#unkept?.[0]; next !== undefined && !this.#over; next = this.#unkept?.[0]) {
      const { text, last, after } = next
      if (!late && after !== undefined && after !== this.#written) return
      this.#unkept!.shift()
      this.#tell(text)
      if (last) this.end()
    }
  }

  #tell(text: string): void {
    if (text === "") return
    const told = (this.#told ??= [])
    if (told.push(text) > mostTold) told.shift()
    const taken = (): void => this.#caughtUp(text.length)
    const room = this.#stream!.write(sseEvent(text))
    if (room === undefined) taken()
    else void room.then(taken)
  }

  /** What the store brings though it said otherwise. */
  #wasTold(text: string): boolean {
    const at = this.#told?.indexOf(text) ?? -1
    if (at >= 0) this.#told!.splice(at, 1)
    return at >= 0
  }

  #caughtUp(characters: number): void {
    const { slow } = this
    this.#behind = Math.max(0, this.#behind - characters)
    if (slow && !this.slow) this.onEased?.()
  }

  /** Ends the connection with that event, and asks the client to come back for what follows. */
  cutAfter(at: EventId, after = retryMs): void {
    this.#cut = { at, retryMs: after }
    if (this.#written !== at || this.#over) return
    void this.#stream!.write(`retry: ${after}\n\n`)
    this.end()
  }

  keepAlive(): void {
    void this.#stream?.write(sseComment)
    this.#catchUp(true)
  }

  /** There is nothing more to read here. */
  end(): void {
    if (this.#over) return
    this.begin()
    this.#over = true
    this.#stream!.end()
    this.#close()
  }

  #write({ id, text, last }: StoredEvent): void | Promise<void> {
    if (text !== "" && this.#wasTold(text)) return
    this.#caughtUp(text.length)
    const cut = this.#cut?.at === id ? this.#cut : undefined
    // 2025-11-25 basic/transports: an event without data primes the client to come back.
    const retry = cut?.retryMs ?? (text === "" ? retryMs : undefined)
    if (text === "" && last) return
    const room = this.#stream!.write(sseEvent(text, { id: `${this.via}.${id}`, retry }))
    this.#written = id
    this.#writtenText = text
    if (cut !== undefined) this.end()
    return room
  }

  #close(): void {
    this.#over = true
    this.#reading.open.delete(this)
    this.#abort?.abort()
    const closed = this.#closed
    this.#closed = undefined
    closed?.()
  }
}

/** A store that throws at once is one that throws when it is read. */
function tailOf(events: EventStore, ...what: Parameters<EventStore["tail"]>): AsyncIterator<StoredEvent> {
  try {
    return events.tail(...what)[Symbol.asyncIterator]()
  } catch (error) {
    return { next: () => Promise.reject(error) }
  }
}

const ignored = (): void => undefined

const nothing = (): undefined => undefined

/** The stream and the event that a client's `Last-Event-ID` names; nothing when it names none. */
export function place(lastEventId: string): { readonly via: string; readonly after: EventId } | undefined {
  const dot = lastEventId.indexOf(".")
  if (dot < 1 || !/^[\w.-]{3,256}$/.test(lastEventId)) return undefined
  return { via: lastEventId.slice(0, dot), after: lastEventId.slice(dot + 1) }
}
