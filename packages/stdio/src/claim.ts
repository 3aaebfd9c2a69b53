/** Remembers which streams carry a channel: a second one on them would take a part of the lines, and answer in between. */
import type { Readable, Writable } from "node:stream"

export interface Claim {
  /** The channel is closed. `untouched` says that nothing was read, so that another one may have the streams. */
  end(untouched: boolean): void
}

const carrying = new WeakMap<Readable | Writable, "open" | "closed">()

/** Throws when one of the streams carries a channel, or has carried one. */
export function claim(input: Readable, output: Writable): Claim {
  const before = carrying.get(input) ?? carrying.get(output)
  if (before !== undefined)
    throw new TypeError(
      `${before === "open" ? TWICE : AGAIN}, or give this call an \`input\` and an \`output\` of its own.`
    )
  for (const stream of [input, output]) carrying.set(stream, "open")
  return {
    end(untouched) {
      for (const stream of [input, output]) {
        if (untouched) carrying.delete(stream)
        else carrying.set(stream, "closed")
      }
    }
  }
}

const TWICE = "stdio() was called twice for the same streams, which carry one channel. Serve one server on it"
const AGAIN =
  "stdio() was called for streams whose channel was closed, and what that one had read ahead is lost. Keep the first channel open"
