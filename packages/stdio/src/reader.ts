/** Reads a stream line by line, hands each line up, and reads only a little ahead while the one above is busy. */
import type { Frame } from "@parley/driver"
import type { Readable } from "node:stream"
import type { Line } from "./lines.js"
import { lines } from "./lines.js"

export interface Above {
  frame(frame: Frame): void | Promise<void>
  /** Nothing more to read: the input ended, or failed. Comes after the last frame was handled, and not after `stop`. */
  ended(failure: Error | undefined): void
  /** The end, or the failure, was seen while something before it waits for the one above. Called once at most, before `ended`. */
  foreseen?(): void
}

export interface Reader {
  /** Hands nothing more up. The stream is left paused and no longer watched, but its errors are still caught. */
  stop(): void
  /** How many chunks came; `NaN` while somebody keeps it from reading, nothing once it has stopped or ended. */
  seen(): number | undefined
}

/** Everything that arrives on this channel comes by the one stream it has. */
export const VIA = "stdio"

/** Starts to read at once. */
export function reader(input: Readable, limit: number, above: Above): Reader {
  const framing = lines(limit)
  let waiting: ReadonlyArray<Line> = []
  let next = 0
  /** Read, but not yet split into lines: at most `AHEAD` while the one above is busy, so that the end behind it is seen. */
  let ahead: Array<Uint8Array> = []
  let weight = 0
  let handing = false
  let busy = false
  let foretold = false
  let stopped = false
  let chunks = 0
  let over: { readonly failure: Error | undefined } | undefined

  const arrived = (chunk: Uint8Array | string): void => {
    chunks++
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk
    ahead.push(bytes)
    weight += bytes.length + OVERHEAD
    if (!busy && !handing) handUp()
    else if (weight >= AHEAD) input.pause()
  }

  const handUp = (): void => {
    handing = true
    try {
      while (free() && (next < waiting.length || more())) {
        const pending = above.frame(frameOf(waiting[next++] as Line, limit))
        if (pending === undefined) continue
        busy = true
        // A frame handler that rejects is a bug above: it shows as an unhandled rejection, and reading goes on.
        // A program without types may return anything else.
        void Promise.resolve(pending).finally(freed)
      }
    } finally {
      handing = false
    }
    if (over === undefined || stopped) return
    if (busy) return foretell()
    stop()
    above.ended(over.failure)
  }

  const free = (): boolean => !busy && !stopped

  /** Puts the next lines in the place of those that were handed up; false when there are none. */
  const more = (): boolean => {
    for (let chunk; (chunk = ahead.shift()) !== undefined;) {
      weight -= chunk.length + OVERHEAD
      if (weight < AHEAD && input.isPaused()) input.resume()
      waiting = framing.push(chunk)
      next = 0
      if (waiting.length > 0) return true
    }
    // What a failing stream had not finished is no line.
    waiting = over !== undefined && over.failure === undefined ? framing.end() : []
    next = 0
    return waiting.length > 0
  }

  const freed = (): void => {
    busy = false
    if (!stopped) handUp()
  }

  const finish = (failure: Error | undefined): void => {
    if (over !== undefined || stopped) return
    over = { failure }
    if (busy) foretell()
    else if (!handing) handUp()
  }

  const foretell = (): void => {
    if (foretold) return
    foretold = true
    above.foreseen?.()
  }

  const ended = (): void => finish(undefined)
  const cut = (): void => finish(new Error("the input was closed before its end"))

  function stop(): void {
    if (stopped) return
    stopped = true
    waiting = []
    next = 0
    ahead = []
    input.off("data", arrived)
    input.off("end", ended)
    input.off("close", cut)
    input.pause()
  }

  input.on("error", finish)
  input.on("end", ended)
  input.on("close", cut)
  input.on("data", arrived)
  if (input.readableEnded) queueMicrotask(ended)
  else if (input.destroyed) queueMicrotask(cut)
  else input.resume()
  return { stop, seen: () => (stopped ? undefined : busy ? NaN : chunks) }
}

const frameOf = (line: Line, limit: number): Frame =>
  typeof line === "string"
    ? { _tag: "Text", text: line, via: VIA }
    : {
        _tag: "Garbled",
        why: line.why,
        via: VIA,
        detail: line.why === "utf8" ? NOT_UTF8 : `a line of more than ${limit} bytes`
      }

/** A pipe of a peer that has left holds less than this. */
const AHEAD = 1024 * 1024
/** What a chunk weighs beside its bytes, so that many tiny ones are no way around. */
const OVERHEAD = 256
const NOT_UTF8 = "a line that is not UTF-8"
