/** The client's side: a channel to a server that it starts as a child process, and ends with its whole tree. */
import type { Channel, ChannelEvents, Closed, Outgoing } from "@parley/driver"
import type { Child } from "./child.js"
import { child, MOMENT } from "./child.js"
import type { Inherit } from "./environment.js"
import type { Reader } from "./reader.js"
import { reader } from "./reader.js"
import type { Writer } from "./writer.js"
import { textOf, writer } from "./writer.js"

export interface CommandOptions {
  /** Variables for the server, on top of those it inherits; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * What the server inherits of this process's environment: `safe` (the default) is PATH, home, user, shell, terminal, language,
   * time zone and temporary folder, so that secrets do not leak into every server; `all` is everything, `none` nothing.
   */
  readonly inherit?: Inherit
  /** The server's working directory; this process's own by default. */
  readonly cwd?: string
  /** What becomes of the server's stderr: shown on ours (`inherit`, the default), only kept for the report of its death (`pipe`), or told line by line. */
  readonly stderr?: "inherit" | "pipe" | ((line: string) => void)
  /** The longest line accepted, in bytes; a longer one is discarded and reported. 64 MiB by default. */
  readonly limit?: number
  /** How long `close` waits after the end of input, and again after SIGTERM. 2,000 by default. */
  readonly graceMs?: number
  /**
   * Told once how the server's process left: its exit code, or the signal that ended it. It is told before `closed` when that is
   * why the channel closes, and before `close` settles in any case. Not told when it could not be started.
   */
  readonly exited?: (code: number | null, signal: string | null) => void
}

/**
 * Starts the command `name` when the channel is opened. On Windows a command such as `npx` is found as `npx.cmd`. The channel is
 * opened once; a function that calls `command` is what can be opened again, as `connect` takes it for servers that end when they
 * are asked what they speak: `connect(() => command("npx", ["some-server"]), ...)`.
 *
 * The server is gone when its process is: `closed` then says with what code or signal it left and its last lines on stderr,
 * after all it had written was handed up, and the rest of its process tree is ended. `close` ends its input, waits, asks the
 * tree to stop, waits, and kills what is left. A client that leaves without `close` kills the tree, unless it is killed itself.
 *
 * ```ts
 * import { connect } from "@parley/client"
 * import { command } from "@parley/stdio"
 *
 * const server = `process.stderr.write("API_KEY is not set"); process.exit(1)`
 * await connect(command("node", ["-e", server], { stderr: "pipe" }), {
 *   clientInfo: { name: "demo", version: "1.0.0" }
 * }).catch((error) => console.log(error.message)) // server/discover was not answered: the server (node -e ...) exited with code 1; its last lines on stderr: ...
 * ```
 */
export function command(name: string, args: ReadonlyArray<string> = [], options: CommandOptions = {}): Channel {
  const graceMs = options.graceMs ?? 2000
  let events: ChannelEvents | undefined
  let told = false
  let server: Child | undefined
  let reading: Reader | undefined
  let writing: Writer | undefined
  let closing: Promise<void> | undefined
  let starting: Promise<void> | undefined
  let early: Array<Outgoing> = []
  let doomed: Promise<void> | undefined

  const tell = (why: Closed): void => {
    if (told) return
    told = true
    reading?.stop()
    events?.closed(why)
  }

  /** One of its streams is useless, most often because it is dying, which is the better thing to report. */
  const mourn = (started: Child, how: string): void => {
    doomed ??= lament(started, how)
  }

  const lament = async (started: Child, how: string): Promise<void> => {
    const detail = await started.obituary(how)
    // What it wrote before comes first, also when somebody outside its tree keeps the stream open.
    if (reading !== undefined) await quiet(reading)
    // That it leaves while it is being closed is no news.
    if (closing === undefined) tell({ _tag: "Gone", detail })
  }

  const start = async (on: ChannelEvents): Promise<void> => {
    server = await child(name, args, options, graceMs, (detail) => tell({ _tag: "Gone", detail }))
    if (server === undefined) return
    const started = server
    writing = writer(started.stdin, () => mourn(started, "closed its standard input"))
    for (const out of early) void writing.send(out)
    early = []
    void started.swept.then(() => mourn(started, "exited"))
    if (closing !== undefined) return
    reading = reader(started.stdout, options.limit ?? 64 * 1024 * 1024, {
      frame: (frame) => on.frame(frame),
      ended: () => mourn(started, "closed its standard output")
    })
  }

  const shut = async (): Promise<void> => {
    reading?.stop()
    await starting
    if (server !== undefined) {
      // What it still writes is read and dropped, lest it blocks.
      server.stdout.resume()
      await writing?.flush(graceMs)
      server.stdin.end()
      await server.end(graceMs)
    }
    tell({ _tag: "Closed" })
  }

  return {
    cancels: "message",
    open(given) {
      if (events !== undefined) throw new TypeError(OPEN)
      if (closing !== undefined) return
      events = given
      starting = start(given)
    },
    send(out) {
      if (closing !== undefined || told) return
      if (writing !== undefined) return writing.send(out)
      early.push({ ...out, text: textOf(out) })
      return starting
    },
    abort() {},
    close: () => (closing ??= shut())
  }
}

/** Settles when nothing more is read, or nothing came for a moment although nobody kept it from coming. */
async function quiet(reading: Reader): Promise<void> {
  for (let before: number | undefined, seen; (seen = reading.seen()) !== undefined && seen !== before; before = seen)
    await new Promise((resolve) => setTimeout(resolve, MOMENT))
}

const OPEN = "This channel is open already, and its server started. Call command() once for each session."
