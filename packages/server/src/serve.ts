/** Serves a declared server over a channel. */
import type { Definition, Report } from "@parley/core"
import type { Input, Output, ServerMachine, ServerState, ServerTimer } from "@parley/core/server"
import { serverMachine } from "@parley/core/server"
import type { Channel, Closed, Driver } from "@parley/driver"
import { drive } from "@parley/driver"
import type { Server } from "./define.js"
import type { Live } from "./live.js"
import type { Crashed } from "./run.js"
import { runner } from "./run.js"

export interface ServeOptions {
  /** How long running handlers may take to finish once the input has ended or `close` was called, in ms. Default 5,000. */
  readonly drainMs?: number
  /** Requests in flight from one client; the next one is refused. Default 16,384. */
  readonly maxInFlight?: number
  /**
   * Told of what the protocol sees: who connected, what was refused and why. Without it only results that were not valid, and
   * so not sent, are told, by `console.error`.
   */
  readonly report?: (report: Report) => void
  /** Told of what handlers throw. Without it the error goes to `console.error`; the client never sees it. */
  readonly crashed?: Crashed
}

export interface Serving {
  /**
   * Settles when the session is over and the channel closed. Rejects, with the channel closed and nothing sent, when the server
   * can not start because a schema was refused; the error names the tool. A program that does not look at it should not go on
   * as if it served: Node ends it with that error on stderr and code 1.
   */
  readonly closed: Promise<Closed>
  /** Takes no further requests, answers those that were accepted (within `drainMs`), and closes. Rejects when `closed` does. */
  readonly close: () => Promise<void>
}

/**
 * Serves until the client goes, or `close` is called. What was accepted before the end of the input is still answered.
 *
 * ```ts
 * import { link } from "@parley/driver"
 * import { defineServer, serve } from "@parley/server"
 *
 * const [near] = link()
 * const serving = serve(defineServer({ name: "empty", version: "1.0.0" }, []), near)
 * await serving.close()
 * ```
 */
export function serve(subject: Server | Live, channel: Channel, options: ServeOptions = {}): Serving {
  let driver: Driver<ServerState, Input, Output> | undefined
  let stopped = false
  const closed = current(subject)
    .ready.then(() => {
      driver = start(subject, channel, options)
      if (stopped) driver.feed({ _tag: "Stopping" })
      return driver.closed
    })
    .catch(async (error: unknown) => {
      await channel.close("the server could not start")
      throw error
    })
  return {
    closed,
    close: async () => {
      stopped = true
      driver?.feed({ _tag: "Stopping" })
      await closed
    }
  }
}

function start(subject: Server | Live, channel: Channel, options: ServeOptions): Driver<ServerState, Input, Output> {
  const machine = (): ServerMachine => machineFor(current(subject).definition, options)
  const crashed = calmly(options.crashed ?? ((tool, error) => console.error(`The tool ${tool} failed:`, error)))
  const report = calmly(options.report ?? reportUnsent)
  const unsent = calmly((error: unknown) =>
    options.crashed === undefined
      ? console.error("A reply could not be written as JSON, and an error was sent instead:", error)
      : options.crashed("a reply", error)
  )
  // Handlers can only run once there is a driver to feed.
  const handlers = runner(
    () => current(subject).tools,
    // Progress that nobody reads in time is left out rather than kept.
    (input) => (input._tag === "Progressed" && driver.congested() ? undefined : driver.feed(input)),
    crashed
  )

  function perform(output: Exclude<Output, { readonly _tag: "Send" | "StartTimer" | "StopTimer" | "Close" }>): void {
    switch (output._tag) {
      case "Invoke":
        return handlers.invoke(output)
      case "Interrupt":
        return handlers.interrupt(output.call, output.reason)
      case "Notice":
        return
      case "Report":
        return report(output.report)
    }
  }

  const driver: Driver<ServerState, Input, Output> = drive<ServerState, Input, Output, ServerTimer["of"]>({
    machine: machine(),
    channel,
    perform,
    unsent: (_, error) => unsent(error),
    ended: (why) => (why._tag === "Ended" ? { _tag: "Stopping" } : { _tag: "PeerClosed" })
  })
  if (subject._tag === "Live") {
    const forget = subject.onChange((families) => {
      driver.replace(machine())
      driver.feed({ _tag: "Changed", families })
    })
    void driver.closed.then(forget)
  }
  return driver
}

const current = (subject: Server | Live): Server => (subject._tag === "Live" ? subject.server : subject)

/** All sessions of one definition share one machine, however many tools it has. */
function machineFor(definition: Definition, { drainMs, maxInFlight }: ServeOptions): ServerMachine {
  const known = machines.get(definition) ?? new Map<string, ServerMachine>()
  machines.set(definition, known)
  const key = `${drainMs} ${maxInFlight}`
  const machine =
    known.get(key) ??
    serverMachine(definition, {
      salt: salt(),
      ...(drainMs === undefined ? {} : { drainMs }),
      ...(maxInFlight === undefined ? {} : { maxInFlight })
    })
  known.set(key, machine)
  return machine
}

const machines = new WeakMap<Definition, Map<string, ServerMachine>>()

/** Made when first needed: some platforms give out no randomness while modules load. */
let salted: number | undefined
const salt = (): number => (salted ??= crypto.getRandomValues(new Int32Array(1))[0]!)

/** What a user's listener throws ends nothing but its own turn. */
const calmly =
  <A extends ReadonlyArray<unknown>>(tell: (...args: A) => void) =>
  (...args: A): void => {
    try {
      tell(...args)
    } catch (error) {
      console.error(`A listener failed: ${inBrief(error)}`)
    }
  }

/** Even reading the message of what was thrown may throw. */
function inBrief(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return "what it threw can not be shown"
  }
}

/** A result that could not be sent is a mistake in the handler; progress that does not increase is dropped as documented. */
const reportUnsent = (report: Report): void => {
  if (report._tag === "Unsendable" && report.method !== "notifications/progress")
    console.error(`The result of a ${report.method} was not sent: ${report.why}`)
}
