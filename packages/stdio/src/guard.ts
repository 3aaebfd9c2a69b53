/** Keeps stray output of the same process out of the protocol's stream. */
import type { Writable } from "node:stream"

export interface Guard {
  /** The stream's own `write`, for the protocol alone. */
  readonly write: Writable["write"]
  /** Puts things back as they were, unless somebody else has replaced `write` since. */
  lift(): void
}

/**
 * While it stands, `stream.write`, and so `console.log` and `console.info` on stdout, writes to `instead`.
 * What bypasses the stream object stays out of reach: a child process that inherited the descriptor, `fs.writeSync(1, ...)`.
 */
export function guard(stream: Writable, instead: Writable): Guard {
  const own = Object.getOwnPropertyDescriptor(stream, "write")
  const write: Writable["write"] = Reflect.get(stream, "write")
  const redirect = ((...args: Parameters<Writable["write"]>) => instead.write(...args)) as Writable["write"]
  stream.write = redirect
  return {
    write,
    lift() {
      if (stream.write !== redirect) return
      if (own === undefined) delete (stream as { write?: unknown }).write
      else Object.defineProperty(stream, "write", own)
    }
  }
}
