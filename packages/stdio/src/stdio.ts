/** The server's side: a channel over this process's own standard streams, and when that process ends. */
import type { Channel, ChannelEvents, Closed } from "@parley/driver"
import type { Readable, Writable } from "node:stream"
import { claim } from "./claim.js"
import type { Guard } from "./guard.js"
import { guard } from "./guard.js"
import type { Reader } from "./reader.js"
import { reader } from "./reader.js"
import type { Writer } from "./writer.js"
import { writer } from "./writer.js"

export interface StdioOptions {
  /** The longest line accepted, in bytes; a longer one is discarded and answered as unreadable. 64 MiB by default. */
  readonly limit?: number
  /** Read instead of stdin. A stream given here belongs to the channel, which destroys it on `close`. */
  readonly input?: Readable
  /** Written instead of stdout. A stream given here belongs to the channel, which ends it on `close`. */
  readonly output?: Writable
  /**
   * From now until the channel is closed, what else this process prints on stdout goes to stderr: `console.log` and all that
   * writes to `process.stdout`. Not so what a child process prints that inherited stdout. True by default.
   */
  readonly guardStdout?: boolean
  /**
   * The process lives as long as the channel: SIGTERM and SIGINT end the input, a second one exits at once with 128 + its
   * number, and after `close` the process exits with its `exitCode` or 0, whatever timers still run. True by default, unless
   * `input` or `output` is given. With false, signals and leaving are the program's own affair.
   */
  readonly exit?: boolean
  /** How long, once the input has ended or `close` was called, the reader of our output may take nothing. 5,000 by default. */
  readonly stallMs?: number
  /** The process to act on, for tests. */
  readonly process?: ProcessLike
}

/** What is needed of a process. */
export interface ProcessLike {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly exitCode?: number | string | null | undefined
  on(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown
  off(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown
  exit(code: number): unknown
}

/**
 * A channel over stdin and stdout: one message a line.
 *
 * End of input, SIGTERM and SIGINT report `Ended`; a reader of our output that went away reports `Gone`. Whoever runs the
 * channel then answers what it accepted and calls `close`, which writes everything out first. A given `text` is written as it
 * is, with line ends inside it turned into spaces.
 *
 * Streams carry one channel, so one process makes one over its own: a second call throws, also after the first was closed, for
 * what that one had read ahead is lost. Only one that was closed before it was opened, with `exit: false`, makes way.
 *
 * ```ts
 * import { defineServer, serve } from "@parley/server"
 * import { stdio } from "@parley/stdio"
 *
 * serve(defineServer({ name: "empty", version: "1.0.0" }, []), stdio())
 * ```
 */
export function stdio(options: StdioOptions = {}): Channel {
  const on = options.process ?? process
  const input = options.input ?? on.stdin
  const output = options.output ?? on.stdout
  const stallMs = options.stallMs ?? 5000
  const exit = options.exit ?? (options.input === undefined && options.output === undefined)
  const claimed = claim(input, output)
  let events: ChannelEvents | undefined
  let told = false
  // Not only once it is open: a program prints its greeting right after it has made the channel.
  const guarded: Guard | undefined =
    output === on.stdout && (options.guardStdout ?? true) ? guard(output, on.stderr) : undefined
  let reading: Reader | undefined
  let writing: Writer | undefined
  let closing: Promise<void> | undefined
  let signalled = false
  let unread = false

  const tell = (why: Closed): void => {
    if (told) return
    told = true
    reading?.stop()
    events?.closed(why)
  }

  const interrupted = (code: number) => (): void => {
    if (signalled) on.exit(code)
    signalled = true
    tell({ _tag: "Ended" })
  }
  const terminate = interrupted(128 + 15)
  const interrupt = interrupted(128 + 2)

  const shut = async (): Promise<void> => {
    reading?.stop()
    // Who took nothing for so long is not given as long again.
    await writing?.flush(unread ? 0 : stallMs)
    release()
    tell({ _tag: "Closed" })
    // Whoever awaits the end of the channel gets its turn before the process goes.
    if (exit) setImmediate(leave)
  }

  const leave = (): void => {
    on.off("SIGTERM", terminate)
    on.off("SIGINT", interrupt)
    on.exit(Number(on.exitCode ?? 0))
  }

  const release = (): void => {
    guarded?.lift()
    const untouched = events === undefined && !exit
    claimed.end(untouched)
    if (output !== on.stdout) output.end()
    if (input === on.stdin) {
      if (untouched) return
      input.pause()
      ;(input as { unref?: () => void }).unref?.()
    } else if ((input as unknown) !== output) input.destroy()
    else input.resume()
  }

  /** With its input at an end, a process lives only for whoever still reads its output. */
  const abandon = async (of: Writer): Promise<void> => {
    const stuck = await of.stalled(stallMs, () => told)
    if (!stuck || closing !== undefined) return
    unread = true
    tell({ _tag: "Gone", detail: "the input has ended and nobody reads the output" })
  }

  return {
    cancels: "message",
    open(given) {
      if (events !== undefined) throw new TypeError("This channel is open already. One channel carries one session.")
      if (closing !== undefined) return
      events = given
      if (exit) {
        on.on("SIGTERM", terminate)
        on.on("SIGINT", interrupt)
      }
      const out = writer(output, (failure) => tell({ _tag: "Gone", detail: broken(failure) }), guarded?.write)
      writing = out
      reading = reader(input, options.limit ?? 64 * 1024 * 1024, {
        frame: (frame) => given.frame(frame),
        foreseen: () => void abandon(out),
        ended: (failure) =>
          tell(
            failure === undefined ? { _tag: "Ended" } : { _tag: "Gone", detail: `reading failed: ${failure.message}` }
          )
      })
    },
    send(out) {
      if (closing === undefined) return writing?.send(out)
    },
    abort() {},
    close: () => (closing ??= shut())
  }
}

const broken = (failure: Error): string => `the reader of our output went away: ${failure.message}`
