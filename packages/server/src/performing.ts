/** Does what one session's machine asks for: runs handlers, seals and opens, tells of what happens. */
import type { Peer, Report, RequestId } from "@parley/core"
import type { Input, Output } from "@parley/core/server"
import type { Sealer } from "@parley/driver"
import { calmly } from "./calmly.js"
import type { Server } from "./define.js"
import type { Crashed, Surroundings } from "./job.js"
import { runner } from "./run.js"
import type { Runner } from "./run.js"
import type { ClientNotification, ServeOptions } from "./serve-options.js"
import type { TaskOptions } from "./tasks/options.js"
import type { Tasks } from "./tasks/tasks.js"
import type { Visits } from "./visits.js"
import { visits } from "./visits.js"

type Extras = typeof import("./extras.js")

/** What the sessions of one host have in common. */
export interface Setting {
  readonly server: () => Server
  readonly options: ServeOptions
  readonly seals: Sealer
  readonly extra: Extras | undefined
  readonly crashed: Crashed
  readonly tracing: Surroundings["tracing"]
  readonly notice: (notification: ClientNotification) => void
}

/** How the reports of a session are told, or of several that are one conversation with whoever asks. */
export interface Voice {
  readonly number: number
  readonly say: (report: Report) => void
  readonly met: (peer: Peer) => void
}

/** One session, as those who do its work see it. */
export interface Performed {
  readonly feed: (input: Input) => void
  /** The client that opened it, if somebody did. */
  readonly peer: () => Peer | undefined
  /** Whether nobody reads at present: progress is then left out rather than kept. */
  readonly congested: () => boolean
  /** Whether what nobody asked for would be heard. Not there: it would. */
  readonly listens?: (() => boolean) | undefined
  /** Whether several processes serve it: the next run of a handler that asks may then be in another one. */
  readonly moves?: boolean | undefined
  /** A handler lets the exchange of its request go (`call.release`): the client comes back for the reply. */
  readonly release?: ((id: RequestId, retryMs: number | undefined) => void) | undefined
  /** One of its own when absent. */
  readonly voice?: Voice | undefined
}

export type Performable = Exclude<Output, { readonly _tag: "Send" | "StartTimer" | "StopTimer" | "Close" }>

export interface Performer {
  /** `because`: the input whose step put it out. What it carries as `context` reaches the handlers. */
  readonly perform: (output: Performable, because: Input) => void
  /** For what comes from outside of handlers, such as a live server's changes. */
  readonly visits: Visits
  readonly say: Voice["say"]
  /** Whether it remembers nothing: while no handler runs, another one does as well. */
  readonly quiet: () => boolean
  /** The session is over. */
  readonly end: () => Promise<void>
}

export function performing(setting: Setting, session: Performed): Performer {
  const { options, seals, extra, crashed, notice } = setting
  const { peer, moves, release } = session
  const { number, say, met } = session.voice ?? voiceOf(options.report, extra, peer)
  let unlogged: Set<string> | undefined
  // Handlers can only run once there is a session to feed.
  const feed = (input: Input): void => {
    // Progress that nobody reads in time is left out rather than kept.
    if (input._tag === "Progressed" && session.congested()) return
    if (input._tag === "Logged") logged(input.level)
    session.feed(input)
  }
  const visited = visits(feed)
  const surroundings: Surroundings = { feed, crashed, tracing: setting.tracing, visits: visited, session: number }
  let own: Promise<Tasks> | undefined
  let running: Runner | undefined
  const handlers = (): Runner =>
    (running ??= runner(setting.server, surroundings, () => (own ??= loadTasks(surroundings, options.tasks))))

  function perform(output: Performable, because: Input): void {
    switch (output._tag) {
      case "Invoke": {
        met(output.peer)
        const context = contextOf(because)
        if (context === undefined && moves === undefined && release === undefined) return handlers().invoke(output)
        const { _tag, call, id, target, peer, meta, progress, answers, once, principal } = output
        const around = { context, moves, release }
        const invoke = { _tag, call, id, target, peer, meta, progress, answers, once, principal, around }
        return handlers().invoke(invoke)
      }
      case "Interrupt":
        return handlers().interrupt(output.call, output.reason)
      case "Seal": {
        const { call, id, payload, bound } = output
        const sealed = (token: string | undefined): void => feed({ _tag: "Sealed", call, id, token })
        return void seals.seal(payload, bound).then(sealed, (error: unknown) => {
          crashed("the sealing of a question", error)
          sealed(undefined)
        })
      }
      case "Unseal": {
        const { call, id, token, bound } = output
        // What runs then runs for the request that brought the token.
        const context = contextOf(because)
        const unsealed = (payload: unknown): Input & Contextual => ({ _tag: "Unsealed", call, id, payload, context })
        return void seals.unseal(token, bound).then((payload) => feed(unsealed(payload)))
      }
      case "Notice":
        return notice({ method: output.method, params: output.params, peer: peer() })
      case "Report":
        return say(output.report)
    }
  }

  /** What keeps a log message from being told is reported once: a handler that says one says many. */
  function logged(level: unknown): void {
    const declared = "logging" in setting.server().definition.capabilities
    const why = declared ? extra?.levelRefused(level) : "logging was not declared; declare: { logging: true }"
    if (why === undefined || unlogged?.has(why)) return
    ;(unlogged ??= new Set()).add(why)
    say({ _tag: "Unsendable", method: "notifications/message", why })
  }

  const quiet = (): boolean =>
    (options.report === undefined || session.voice !== undefined) &&
    own === undefined &&
    unlogged === undefined &&
    visited.count() === 0

  return { perform, visits: visited, say, quiet, end: async () => (await own)?.close() }
}

export function voiceOf(report: ServeOptions["report"], extra: Extras | undefined, peer: Performed["peer"]): Voice {
  const number = ++sessions
  if (report === undefined) return { number, say: reportUnsent, met: unremarked }
  return Object.assign({ number }, extra!.acquaintances(calmly(report), number, peer))
}

const unremarked = (): void => undefined

/** Inputs that carry what a transport hands to handlers. */
interface Contextual {
  readonly context?: unknown
}

const contextOf = (input: Input): unknown => (input as Contextual).context

/** Most servers have none. */
async function loadTasks(surroundings: Surroundings, options: TaskOptions | undefined): Promise<Tasks> {
  const { tasks, unguessable } = await import("./tasks/tasks.js")
  return tasks(surroundings, unguessable(), options)
}

/** The first is 1. */
let sessions = 0

/** What could not be sent is a mistake in the handler; progress that does not increase is dropped as documented. */
const reportUnsent = calmly((report: Report): void => {
  if (report._tag !== "Unsendable" || report.method === "notifications/progress") return
  const what = report.method.startsWith("notifications/") ? "A" : "The result of a"
  console.error(`${what} ${report.method} was not sent: ${report.why}`)
})
