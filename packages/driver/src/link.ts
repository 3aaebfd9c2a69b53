/** Two channels joined in memory: what one side sends, the other reads, as text, soon after and never at once. */
import type { Channel, ChannelEvents, Closed, Outgoing } from "./channel.js"

export interface LinkOptions {
  /** How many characters may wait for the other side before `send` asks to wait. 65,536 by default. */
  readonly room?: number
}

/**
 * A pair of channels for tests and for embedding, without any I/O. Messages cross as text, so that nothing is shared between the
 * sides; frames are never handed up inside the call that sent them, and in the order in which they were sent. That is done in
 * microtasks, but for a pause now and then, so that timers and whatever else is due have their turn however much is said. A side
 * that closes leaves what it sent to be read: the other gets it, then `Gone`.
 */
export function link(options: LinkOptions = {}): [Channel, Channel] {
  const room = options.room ?? 65_536
  const left = side()
  const right = side()
  return [channel(left, right, room), channel(right, left, room)]
}

/** What waits for one side. */
interface Side {
  on: ChannelEvents | undefined
  texts: Array<string>
  /** How many of them were handed up. */
  read: number
  /** Characters in those that were not. */
  size: number
  /** How many of them were handed up since the last pause. */
  run: number
  /** A delivery is under way or due. */
  busy: boolean
  /** It was told that nothing more arrives. */
  closed: boolean
  /** What to tell once everything was read. */
  why: Closed | undefined
  /** The other side's wish to send more. */
  freed: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined
}

const side = (): Side => ({
  on: undefined,
  texts: [],
  read: 0,
  size: 0,
  run: 0,
  busy: false,
  closed: false,
  why: undefined,
  freed: undefined
})

const channel = (own: Side, other: Side, room: number): Channel => ({
  cancels: "message",
  open(on) {
    if (own.on !== undefined) return
    own.on = on
    wake(own, room)
  },
  send(out) {
    if (own.why?._tag === "Closed" || other.closed || other.why !== undefined) return
    const text = textOf(out)
    other.texts.push(text)
    other.size += text.length
    wake(other, room)
    if (other.size > room) return (other.freed ??= settler()).promise
  },
  abort() {},
  async close() {
    if (own.why?._tag === "Closed") return
    own.why = { _tag: "Closed" }
    other.why ??= { _tag: "Gone", detail: "the other side of the link was closed" }
    drop(own)
    tell(own)
    free(other)
    wake(other, room)
  }
})

function wake(to: Side, room: number): void {
  if (to.busy || to.closed || to.on === undefined) return
  to.busy = true
  queueMicrotask(() => deliver(to, room))
}

function deliver(to: Side, room: number): void {
  to.busy = false
  while (!to.closed && to.read < to.texts.length) {
    if (to.run++ === RUN) return pause(to, room)
    const text = to.texts[to.read++] as string
    if (to.read > SPENT && to.read * 2 > to.texts.length) {
      to.texts = to.texts.slice(to.read)
      to.read = 0
    }
    to.size -= text.length
    // Set while the frame is handled, so that what is sent meanwhile waits for its turn.
    to.busy = true
    const pending = to.on?.frame({ _tag: "Text", text, via: VIA })
    if (to.size <= room) free(to)
    if (pending !== undefined) {
      // A program without types may return anything.
      void Promise.resolve(pending).finally(() => deliver(to, room))
      return
    }
    to.busy = false
  }
  if (to.read === to.texts.length) drop(to)
  if (to.why !== undefined) tell(to)
}

/** Microtasks go before everything else: two sides that always have something to say would let nothing else happen. */
function pause(to: Side, room: number): void {
  to.busy = true
  to.run = 0
  soon(() => deliver(to, room))
}

/** In a task of its own, and without the delay that timers have. A channel that is open would keep a process alive. */
function soon(task: () => void): void {
  if (typeof MessageChannel === "undefined") return void setTimeout(task)
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener("message", () => {
    port1.close()
    task()
  })
  port1.start()
  port2.postMessage(undefined)
}

function tell(to: Side): void {
  if (to.closed) return
  to.closed = true
  free(to)
  if (to.why !== undefined) to.on?.closed(to.why)
}

function drop(to: Side): void {
  to.texts = []
  to.read = 0
  to.size = 0
}

function free(to: Side): void {
  const freed = to.freed
  to.freed = undefined
  freed?.resolve()
}

function settler(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve!: () => void
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const textOf = (out: Outgoing): string => out.text ?? JSON.stringify(out.message)

const VIA = "link"
/** So many texts are handed up before a pause. */
const RUN = 256
/** Handed-up texts are let go of when they are so many, and half of what is kept. */
const SPENT = 1024
