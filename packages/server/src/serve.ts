/** Serves a declared server over a channel. */
import type { JsonObject, Peer, Report } from "@parley/core"
import type { Input, Output, ServerMachine, ServerState, ServerTimer } from "@parley/core/server"
import type { Channel, Closed, Driver } from "@parley/driver"
import { drive } from "@parley/driver"
import { calmly } from "./calmly.js"
import type { Options } from "./declared.js"
import { known } from "./declared.js"
import type { Server } from "./define.js"
import type { Crashed, Surroundings } from "./job.js"
import type { KeptSession } from "./kept.js"
import type { Live } from "./live.js"
import type { Session } from "./logger.js"
import { machineFor } from "./machine-for.js"
import { runner } from "./run.js"
import type { TaskOptions } from "./tasks/options.js"
import type { Tasks } from "./tasks/tasks.js"
import type { Tracing } from "./tracing.js"
import type { Visits } from "./visits.js"
import { visits } from "./visits.js"

export interface ServeOptions {
  /** How long running handlers may take to finish once the input has ended or `close` was called, in ms. Default 5,000. */
  readonly drainMs?: number
  /** Requests in flight from one client; the next one is refused. Default 16,384. */
  readonly maxInFlight?: number
  /** How long a client may take to answer a question, in ms. Default 600,000. */
  readonly askMs?: number
  /**
   * Told of what the protocol sees: who connected, what was refused and why; `logger(write)` makes lines of it. Without it
   * only what handlers came to or said and could not be sent is told, by `console.error`.
   */
  readonly report?: (report: Report, session: Session) => void
  /** Told of what handlers throw. Without it the error goes to `console.error`; the client never sees it. */
  readonly crashed?: Crashed
  /** Told of what the client tells on its own, such as `notifications/roots/list_changed`. */
  readonly onNotification?: (notification: ClientNotification) => void
  /** How tasks are kept. Only for tools that may be tasks. */
  readonly tasks?: TaskOptions
  /**
   * Keeps the session's state elsewhere, so that another process can go on with it. A question goes on waiting for its answer
   * there, and what was to be done `once` is not done again. A handler that was running is run again where its tool says
   * `idempotentHint`; elsewhere the client is told that its call was interrupted. Tasks end with their process.
   */
  readonly session?: KeptSession
  /** Told of each run of a handler: `openTelemetry()` of `@parley/server/opentelemetry`, or a tracer of your own. */
  readonly tracing?: Tracing
}

const serveOptions = {
  drainMs: 0,
  maxInFlight: 1,
  askMs: 0,
  report: "a function",
  crashed: "a function",
  onNotification: "a function",
  tasks: { store: "an object", ttlMs: 0, maxTtlMs: 0, pollMs: 0, most: 1, pageSize: 1, clock: "a function" },
  session: { state: true, keep: "a function" },
  tracing: "an object"
} as const satisfies Options<ServeOptions> & {
  readonly tasks: Options<TaskOptions>
  readonly session: Options<KeptSession>
}

export interface ClientNotification {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly peer: Peer | undefined
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
  /** Tells this client that a page it was asked to send its user to was visited; nothing when it was not asked. */
  readonly completed: (elicitationId: string) => void
}

/**
 * Serves until the client goes, or `close` is called. What was accepted before the end of the input is still answered. While the
 * client does not read, progress is left out, of what changed and was updated it hears once it reads again, and logs are left
 * out beyond 4 MiB. What the functions among the options throw ends nothing: `console.error` tells of it.
 *
 * ```ts
 * import { link } from "@parley/driver"
 * import { defineServer, serve } from "@parley/server"
 *
 * const [near] = link()
 * const serving = serve(defineServer({ name: "empty", version: "1.0.0" }, []), near)
 * await serving.close()
 * ```
 *
 * @throws TypeError for an option that is none, or is of another kind
 */
export function serve(subject: Server | Live, channel: Channel, options: ServeOptions = {}): Serving {
  known("serve", options, serveOptions)
  let started: Started | undefined
  let stopped = false
  const closed = current(subject)
    .ready.then(() => {
      const { declare } = current(subject).options
      return declare || options.session || options.tracing ? import("./extras.js") : undefined
    })
    .then((extra) => {
      started = start(subject, channel, options, extra)
      if (stopped) started.driver.feed({ _tag: "Stopping" })
      return started.driver.closed
    })
    .catch(async (error: unknown) => {
      await channel.close("the server could not start")
      throw error
    })
  return {
    closed,
    close: async () => {
      stopped = true
      started?.driver.feed({ _tag: "Stopping" })
      await closed
    },
    completed: (elicitationId) => started?.visits.completed(elicitationId)
  }
}

interface Started {
  readonly driver: Driver<ServerState, Input, Output>
  readonly visits: Visits
}

type Extras = typeof import("./extras.js")

function start(subject: Server | Live, channel: Channel, options: ServeOptions, extra: Extras | undefined): Started {
  const crashed = calmly(options.crashed ?? ((what, error) => console.error(`The handler of ${what} failed:`, error)))
  const unkept = (error: unknown): void => crashed("the keeping of a session", error)
  const machine = (): ServerMachine => {
    const made = machineFor(current(subject).definition, options)
    return options.session === undefined ? made : extra!.keeping(made, options.session, unkept)
  }
  const before = options.session && extra!.resumed(machine(), options.session)
  const report = calmly(options.report ?? reportUnsent)
  const unsent = calmly((error: unknown) =>
    options.crashed === undefined
      ? console.error("A reply could not be written as JSON, and an error was sent instead:", error)
      : options.crashed("a reply", error)
  )
  const session = ++sessions
  const say = (said: Report): void => report(said, { number: session, peer: peerOf(driver) })
  const notice = calmly((notification: ClientNotification) => options.onNotification?.(notification))
  const unlogged = new Set<string>()
  // Handlers can only run once there is a driver to feed.
  const feed = (input: Input): void => {
    // Progress that nobody reads in time is left out rather than kept.
    if (input._tag === "Progressed" && driver.congested()) return
    if (input._tag === "Logged") logged(input.level)
    driver.feed(input)
  }
  const visited = visits(feed)
  const tracing = options.tracing && extra!.calmTracing(options.tracing)
  const surroundings = { feed, crashed, tracing, visits: visited, session }
  let own: Promise<Tasks> | undefined
  const handlers = runner(
    () => current(subject),
    surroundings,
    () => (own ??= loadTasks(surroundings, options.tasks))
  )

  function perform(output: Exclude<Output, { readonly _tag: "Send" | "StartTimer" | "StopTimer" | "Close" }>): void {
    switch (output._tag) {
      case "Invoke":
        return handlers.invoke(output)
      case "Interrupt":
        return handlers.interrupt(output.call, output.reason)
      case "Notice":
        return notice({ method: output.method, params: output.params, peer: peerOf(driver) })
      case "Report":
        return say(output.report)
    }
  }

  /** What keeps a log message from being told is reported once: a handler that says one says many. */
  function logged(level: unknown): void {
    const declared = "logging" in current(subject).definition.capabilities
    const why = declared ? extra?.levelRefused(level) : "logging was not declared; declare: { logging: true }"
    if (why === undefined || unlogged.has(why)) return
    unlogged.add(why)
    say({ _tag: "Unsendable", method: "notifications/message", why })
  }

  const driver: Driver<ServerState, Input, Output> = drive<ServerState, Input, Output, ServerTimer["of"]>({
    machine: machine(),
    channel,
    perform,
    ...(before && { state: before }),
    unsent: (_, error) => unsent(error),
    ...extra?.sparing((input) => driver.feed(input)),
    ended: (why) => (why._tag === "Ended" ? { _tag: "InputEnded" } : { _tag: "PeerClosed" })
  })
  // Nothing is read before this: a channel hands up what arrives later.
  if (before !== undefined) driver.feed({ _tag: "Resumed" })
  void driver.closed.then(async () => (await own)?.close())
  if (subject._tag === "Live") extra!.follow(subject, driver, machine, visited)
  return { driver, visits: visited }
}

/** Most servers have none. */
async function loadTasks(surroundings: Surroundings, options: TaskOptions | undefined): Promise<Tasks> {
  const { tasks } = await import("./tasks/tasks.js")
  return tasks(surroundings, crypto.randomUUID(), options)
}

/** The first is 1. */
let sessions = 0

function peerOf(driver: Driver<ServerState, Input, Output>): Peer | undefined {
  const { phase } = driver.state()
  return "peer" in phase ? phase.peer : undefined
}

const current = (subject: Server | Live): Server => (subject._tag === "Live" ? subject.server : subject)

/** What could not be sent is a mistake in the handler; progress that does not increase is dropped as documented. */
const reportUnsent = (report: Report): void => {
  if (report._tag !== "Unsendable" || report.method === "notifications/progress") return
  const what = report.method.startsWith("notifications/") ? "A" : "The result of a"
  console.error(`${what} ${report.method} was not sent: ${report.why}`)
}
