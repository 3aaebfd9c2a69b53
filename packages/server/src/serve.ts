/** Serves a declared server over a channel. */
import type { Peer, Report } from "@parley/core"
import type { Input, Output, ServerMachine, ServerState, ServerTimer } from "@parley/core/server"
import type { Channel, Closed, Driver, Sealer } from "@parley/driver"
import { drive, sealer } from "@parley/driver"
import { calmly } from "./calmly.js"
import { known } from "./declared.js"
import type { Server } from "./define.js"
import type { Surroundings } from "./job.js"
import type { Live } from "./live.js"
import { machineFor } from "./machine-for.js"
import { runner } from "./run.js"
import type { ClientNotification, ServeOptions } from "./serve-options.js"
import { serveOptions } from "./serve-options.js"
import type { TaskOptions } from "./tasks/options.js"
import type { Tasks } from "./tasks/tasks.js"
import type { Visits } from "./visits.js"
import { visits } from "./visits.js"

export type { ClientNotification, ServeOptions }

export interface Serving {
  /**
   * Settles when the session is over and the channel closed. Rejects, with the channel closed and nothing sent, when the server
   * can not start because a schema was refused; the error names the tool. A program that does not look at it should not go on
   * as if it served: Node ends it with that error on stderr and code 1.
   */
  readonly closed: Promise<Closed>
  /** Takes no further requests, answers those that were accepted (within `drainMs`), and closes. Rejects when `closed` does. */
  readonly close: () => Promise<void>
  /** Tells this client that a page it was asked to send its user to was visited; nothing when it was not asked, and since 2026-07-28. */
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
 * @throws TypeError for an option that is none, or is of another kind, and as `sealer` does
 */
export function serve(subject: Server | Live, channel: Channel, options: ServeOptions = {}): Serving {
  known("serve", options, serveOptions)
  const { askMs = 600_000, seal, report } = options
  const seals = sealer({ name: current(subject).info.name, ttlMs: askMs, ...seal })
  let started: Started | undefined
  let stopped = false
  const closed = current(subject)
    .ready.then(() => {
      const { declare, extensions } = current(subject).options
      return declare || extensions || options.session || options.tracing || report ? import("./extras.js") : undefined
    })
    .then((extra) => {
      started = start(subject, channel, options, seals, extra)
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

function start(
  subject: Server | Live,
  channel: Channel,
  options: ServeOptions,
  { seal, unseal }: Sealer,
  extra: Extras | undefined
): Started {
  const crashed = calmly(options.crashed ?? ((what, error) => console.error(`The handler of ${what} failed:`, error)))
  const unkept = (error: unknown): void => crashed("the keeping of a session", error)
  const machine = (): ServerMachine => {
    const made = machineFor(current(subject).definition, options, channel.cancels)
    return options.session === undefined ? made : extra!.keeping(made, options.session, unkept)
  }
  const before = options.session && extra!.resumed(machine(), options.session)
  const unsent = calmly((error: unknown) =>
    options.crashed === undefined
      ? console.error("A reply could not be written as JSON, and an error was sent instead:", error)
      : options.crashed("a reply", error)
  )
  const session = ++sessions
  const heard = options.report && extra!.acquaintances(calmly(options.report), session, () => peerOf(driver))
  const say = heard?.say ?? calmly(reportUnsent)
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
        heard?.met(output.peer)
        return handlers.invoke(output)
      case "Interrupt":
        return handlers.interrupt(output.call, output.reason)
      case "Seal": {
        const { call, id, payload, bound } = output
        const sealed = (token: string | undefined): void => feed({ _tag: "Sealed", call, id, token })
        return void seal(payload, bound).then(sealed, (error: unknown) => {
          crashed("the sealing of a question", error)
          sealed(undefined)
        })
      }
      case "Unseal": {
        const { call, id, token, bound } = output
        return void unseal(token, bound).then((payload) => feed({ _tag: "Unsealed", call, id, payload }))
      }
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
  for (const { follow } of current(subject).extensions) follow(driver)
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
