/** One session on one line, both sides alike: a text frame is a message. */
import type { Channel, ChannelEvents, Closed, Outgoing } from "@parley/driver"
import { reasonOf } from "./codes.js"
import type { Line, LineEvents } from "./line.js"

/** What channels of one kind have in common. */
export interface Manner {
  /** How long the peer may take nothing, or not answer, once the channel closes, in ms. */
  readonly closeMs: number
  /** The code by which it closes. */
  readonly code: () => number
  /** Told when the connection is no more. */
  readonly gone?: (channel: SocketChannel) => void
}

/** On whose behalf messages come, and what handlers get with them. */
export interface Came {
  readonly principal?: string | undefined
  readonly context?: unknown
}

/** When a silent line is pinged, and given up, in ms. */
export interface Patience {
  readonly silenceMs: number
}

export class SocketChannel implements Channel, LineEvents {
  readonly #line: Line
  readonly #manner: Manner
  readonly #whose: Came | undefined
  #on: ChannelEvents | undefined
  /** Came while the one before was handled, or before the channel was opened. */
  #queue: Array<string> = NONE
  /** How many of those were handed up. */
  #taken = 0
  #size = 0
  /** One is being handled, or nobody is there to handle it. */
  #busy = true
  #paused = false
  /** Why nothing more arrives; it is told after what came before. */
  #over: Closed | undefined
  #told = false
  #isClosed = false
  #closing: Promise<void> | undefined
  #room: { readonly promise: Promise<void>; readonly free: () => void } | undefined
  /** Waits for movement, while the channel closes. */
  #woken: (() => void) | undefined
  /** Whoever opened it was let go of, until something comes. */
  #rests = false
  #isMoved = false
  #waited = 0
  #lively = 0
  /** How far the line was at the last beat. */
  #came = 0
  #held = 0

  constructor(line: Line, manner: Manner, came?: Came) {
    this.#line = line
    this.#manner = manner
    this.#whose = came
    line.listen(this)
  }

  get cancels(): "message" {
    return "message"
  }

  open(on: ChannelEvents): void {
    if (this.#on !== undefined) throw new TypeError("This channel is open already. One channel carries one session.")
    if (this.#closing !== undefined) return
    this.#on = on
    // What woke it is handed up next.
    if (this.#rests) this.#rests = false
    else this.#next()
  }

  /** Whether nothing is under way by it. */
  get quiet(): boolean {
    const isOpen = this.#on !== undefined && this.#over === undefined && this.#closing === undefined
    return isOpen && !this.#busy && this.#room === undefined && this.#line.waiting() === 0
  }

  /** Lets go of whoever opened it: `wake` is called when something comes, and opens it once more. Only while it is quiet. */
  rest(): void {
    this.#on = undefined
    this.#rests = true
    this.#line.rest()
  }

  protected wake(): void {}

  send(out: Outgoing): void | Promise<void> {
    const text = textOf(out)
    if (this.#closing !== undefined || this.#over !== undefined) return
    this.#line.send(text)
    if (this.#line.waiting() <= ROOM) return
    return (this.#room ??= settler()).promise
  }

  abort(): void {}

  close(why = ""): Promise<void> {
    return (this.#closing ??= this.#shut(why))
  }

  /** Whether the peer still shows signs of life, and the asking for one. `now` in ms. */
  beat(now: number, { silenceMs }: Patience): void {
    if (this.#over !== undefined || this.#closing !== undefined) return
    const [waits, came, held] = [this.#line.waiting(), this.#line.received(), this.#line.held()]
    // Bytes of a message that takes its time are a sign of life: no pong can come between them.
    const moves = this.#isMoved || waits < this.#waited || held !== this.#held
    // Who is not read, or can not be asked, need not show anything.
    const mute = this.#paused || !this.#line.pings
    const heard = this.#line.heard()
    const lives = waits > 0 ? moves : heard || came !== this.#came || mute
    this.#waited = waits
    this.#came = came
    this.#held = held
    this.#isMoved = false
    if (lives || this.#lively === 0) this.#lively = now
    else if (now - this.#lively >= silenceMs) {
      const what = waits > 0 ? "took nothing of what was sent" : "gave no sign of life, and answered no ping"
      this.ended(`the other side ${what} for ${Math.round(now - this.#lively)} ms`)
      return this.#line.cut()
    }
    // Also while a message comes: whoever sends it may hear nothing else of us.
    if (!heard && waits === 0) this.#line.ping()
  }

  text(text: string): void {
    if (this.#over !== undefined || this.#closing !== undefined) return
    if (!this.#busy) {
      // What comes inside the call waits for its turn.
      this.#busy = true
      if (!this.#hand(text)) this.#next()
      return
    }
    if (this.#queue === NONE) this.#queue = [text]
    else this.#queue.push(text)
    this.#size += text.length
    if (!this.#paused) {
      this.#paused = true
      this.#line.pause()
    }
    // Where a platform can not stop reading, what it reads is bounded here.
    if (this.#size > AHEAD && this.#queue.length > 1) this.#refuse(1008, "too much was sent before it could be read")
  }

  wrong(code: 1003 | 1009, what: string): void {
    if (this.#over === undefined && this.#closing === undefined) this.#refuse(code, what)
  }

  moved(): void {
    this.#isMoved = true
    this.#woken?.()
    if (this.#room !== undefined && this.#line.waiting() <= ROOM) this.#free()
  }

  ended(detail: string): void {
    this.#over ??= { _tag: "Gone", detail }
    this.#free()
    this.#woken?.()
    if (!this.#busy && this.#closing === undefined) this.#tell(this.#over)
  }

  closed(): void {
    this.#isClosed = true
    this.ended("the connection is closed")
    this.#manner.gone?.(this)
  }

  /** Hands up what waits, until something takes its time; then what is to follow. */
  #next(): void {
    if (this.#told || this.#closing !== undefined) return
    while (this.#taken < this.#queue.length) {
      const text = this.#queue[this.#taken++]!
      this.#size -= text.length
      if (this.#taken > SPENT && this.#taken * 2 > this.#queue.length) this.#forget()
      if (this.#hand(text)) return
      if (this.#told || this.#closing !== undefined) return
    }
    if (this.#taken > 0) this.#forget()
    this.#busy = false
    if (this.#over !== undefined) return this.#tell(this.#over)
    if (!this.#paused) return
    this.#paused = false
    this.#line.resume()
  }

  #forget(): void {
    this.#queue = this.#taken < this.#queue.length ? this.#queue.slice(this.#taken) : NONE
    this.#taken = 0
  }

  /** Whether it is still being handled. */
  #hand(text: string): boolean {
    if (this.#rests) this.wake()
    const { principal, context } = this.#whose ?? NOBODY
    const pending = this.#on!.frame({ _tag: "Text", text, via: VIA, principal, context })
    if (pending === undefined) return false
    const freed = (): void => this.#next()
    pending.then(freed, freed)
    return true
  }

  /** The peer broke what holds on this line: it is told by the code. */
  #refuse(code: number, what: string): void {
    this.ended(`${what} (closed with ${code})`)
    this.#line.resume()
    this.#line.close(code, reasonOf(what))
    void this.#until(() => this.#isClosed).then((closed) => {
      if (!closed) this.#line.cut()
    })
  }

  async #shut(why: string): Promise<void> {
    this.#queue = NONE
    this.#taken = 0
    this.#free()
    // Its answer to the end has to be read, and what comes before that is dropped.
    this.#line.resume()
    const taken = await this.#until(() => this.#line.waiting() === 0 || this.#isClosed)
    if (taken && !this.#isClosed) {
      this.#line.close(this.#manner.code(), reasonOf(why))
      await this.#until(() => this.#isClosed)
    }
    if (!this.#isClosed) {
      this.#line.cut()
      await this.#until(() => this.#isClosed)
    }
    this.#tell({ _tag: "Closed" })
  }

  /** False when nothing moved for `closeMs` before it was so. */
  async #until(so: () => boolean): Promise<boolean> {
    while (!so()) {
      const before = this.#line.waiting()
      const moved = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), this.#manner.closeMs)
        this.#woken = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
      if (!moved && !so() && this.#line.waiting() >= before) return false
    }
    return true
  }

  #tell(why: Closed): void {
    if (this.#told) return
    this.#told = true
    this.#queue = NONE
    this.#taken = 0
    this.#on?.closed(why)
  }

  #free(): void {
    const room = this.#room
    this.#room = undefined
    room?.free()
  }
}

/** What goes out. Throws when the message is no JSON. */
export function textOf(out: Outgoing): string {
  const text: string | undefined = out.text ?? JSON.stringify(out.message)
  if (text === undefined) throw new TypeError("The message is no JSON: its toJSON gives nothing")
  return text
}

export function settler(): { readonly promise: Promise<void>; readonly free: () => void } {
  let free!: () => void
  const promise = new Promise<void>((resolve) => (free = resolve))
  return { promise, free }
}

/** Everything that arrives on this channel comes by the one line it has. */
export const VIA = "websocket"

const NOBODY: Came = {}
/** Most connections never have anything that waits. */
const NONE: Array<string> = []
/** What may wait for the system before the sender is told to wait, in bytes. */
const ROOM = 64 * 1024
/** Handed-up messages are let go of when they are so many, and half of what is kept. */
const SPENT = 1024
/** What may be read ahead where reading can not be stopped, beside one message, in characters. */
const AHEAD = 32 * 1024 * 1024
