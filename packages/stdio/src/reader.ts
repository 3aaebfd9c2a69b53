/** Reads a stream line by line, hands each line up, and reads no further while the one above is busy. */
import type { Frame } from "@parley/driver"
import type { Readable } from "node:stream"
import type { Line } from "./lines.js"
import { lines } from "./lines.js"

export interface Above {
  frame(frame: Frame): void | Promise<void>
  /** Nothing more to read: the input ended, or failed. Comes after the last frame was handled, and not after `stop`. */
  ended(failure: Error | undefined): void
}

export interface Reader {
  /** Hands nothing more up. The stream is left paused and no longer watched, but its errors are still caught. */
  stop(): void
  /** Settles when it has stopped or ended, or when there was nothing to read for `ms` although nobody kept it from reading. */
  quiet(ms: number): Promise<void>
}

/** Everything that arrives on this channel comes by the one stream it has. */
export const VIA = "stdio"

/** Starts to read at once. */
export function reader(input: Readable, limit: number, above: Above): Reader {
  const framing = lines(limit)
  let waiting: ReadonlyArray<Line> = []
  let next = 0
  let busy = false
  let stopped = false
  let chunks = 0
  let over: { readonly failure: Error | undefined } | undefined

  const arrived = (chunk: Uint8Array | string): void => {
    chunks++
    const more = framing.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
    waiting = next < waiting.length ? [...waiting.slice(next), ...more] : more
    next = 0
    if (!busy) handUp()
  }

  const handUp = (): void => {
    while (next < waiting.length) {
      const pending = above.frame(frameOf(waiting[next++] as Line, limit))
      if (stopped) return
      if (pending === undefined) continue
      busy = true
      input.pause()
      // A frame handler that rejects is a bug above: it shows as an unhandled rejection, and reading goes on.
      void pending.finally(freed)
      return
    }
    if (over === undefined) return
    stop()
    above.ended(over.failure)
  }

  const freed = (): void => {
    busy = false
    if (stopped) return
    handUp()
    if (!busy && !stopped) input.resume()
  }

  const finish = (failure: Error | undefined): void => {
    if (over !== undefined || stopped) return
    over = { failure }
    // What a failing stream had not finished is no line.
    if (failure === undefined) waiting = [...waiting.slice(next), ...framing.end()]
    else waiting = waiting.slice(next)
    next = 0
    if (!busy) handUp()
  }

  const ended = (): void => finish(undefined)
  const cut = (): void => finish(new Error("the input was closed before its end"))

  function stop(): void {
    if (stopped) return
    stopped = true
    waiting = []
    next = 0
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
  return {
    stop,
    async quiet(ms) {
      let seen = -1
      const unquiet = (): boolean => !stopped && (busy || seen !== chunks)
      while (unquiet()) {
        seen = chunks
        await new Promise((resolve) => setTimeout(resolve, ms))
      }
    }
  }
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

const NOT_UTF8 = "a line that is not UTF-8"
