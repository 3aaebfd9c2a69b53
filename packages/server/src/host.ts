/** Serves one server over many channels: what they have in common is made once. */
import type { Peer } from "@parley/core"
import type { Input, Output, ServerMachine, ServerState, ServerTimer } from "@parley/core/server"
import type { Channel, Closed, Clock, Driver } from "@parley/driver"
import { drive, sealer } from "@parley/driver"
import { calmly } from "./calmly.js"
import type { Server } from "./define.js"
import type { Crashed } from "./job.js"
import type { KeptSession } from "./kept.js"
import type { Change, Live } from "./live.js"
import { machineFor } from "./machine-for.js"
import type { Performed, Performer, Setting, Voice } from "./performing.js"
import { performing, voiceOf } from "./performing.js"
import type { ServeOptions } from "./serve-options.js"

export interface Host {
  /** Settles when channels can be served. Rejects when a schema was refused; the error names the tool. */
  readonly ready: Promise<void>
  /** The server as it is now. */
  readonly server: () => Server
  /** The machine of the server as it is now, the same one for all sessions. */
  readonly machine: (cancels: Channel["cancels"]) => ServerMachine
  /**
   * Serves a channel, from now on.
   * @throws TypeError before `ready`, and for a kept session that can not be gone on with
   */
  readonly serve: (channel: Channel, hosting?: Hosting) => Hosted
  /**
   * Does the work of a session whose machine somebody else steps: give it every output that is none of `Send`, `StartTimer`,
   * `StopTimer` and `Close`, with the input that led to it.
   */
  readonly performer: (session: Performed) => Performer
  /**
   * The same for all machines at once whose one request stands for itself (2026-07-28), and that are numbered through: no two of
   * them may have had a call of one number. Not there where each is to be served as a channel.
   */
  readonly together?: ((session: Performed) => Performer) | undefined
  /** For channels that are one conversation in reports, and for what a transport refuses by itself. To be asked for once `ready`. */
  readonly voice: () => Voice
  /** Tells `crashed`, or the console, of what the user's own functions throw. */
  readonly crashed: Crashed
  /** Calls back after each change of a live server, until the returned function is called. */
  readonly onChange: (changed: (change: Change) => void) => () => void
}

/** How one channel is served. */
export interface Hosting {
  /** Where to go on from; a session that begins where absent. Feed `Resumed` when what ran there is to be settled. */
  readonly state?: ServerState | undefined
  readonly session?: KeptSession | undefined
  /** Whether it hears of a live server's changes, and of what extensions tell. Default true; without it there is nothing to clean up. */
  readonly follow?: boolean | undefined
  readonly release?: Performed["release"]
  readonly voice?: Performed["voice"]
  /** Told what a step comes to, before any of it is done. */
  readonly stepped?: ((outputs: ReadonlyArray<Output>) => void) | undefined
  readonly clock?: Clock | undefined
  /** In place of the server's own: a machine that does more than that, and who does its work already. Not for what follows, or is kept. */
  readonly running?: { readonly machine: ServerMachine; readonly performer: Performer } | undefined
}

export interface Hosted {
  /** Settles when the session is over and the channel closed. Never rejects. */
  readonly closed: Promise<Closed>
  readonly feed: (input: Input) => void
  /** The state after the last step. */
  readonly state: () => ServerState
  /** Whether the channel has asked to wait. */
  readonly congested: () => boolean
  /** Tells this client that a page it was asked to send its user to was visited. */
  readonly completed: (elicitationId: string) => void
  /**
   * To be asked while nothing is in flight: whether no more has to be remembered of the session than its state, to be gone on with by
   * `Hosting.state`. If so it hears of no change any more.
   */
  readonly rest: () => boolean
}

/**
 * What `serve` makes for its channel, made once for many: for transports where each client, or each request, comes by a channel
 * of its own. Options are taken as they are; `known` with `serveOptions` looks at them.
 *
 * ```ts
 * import { link } from "@parley/driver"
 * import { defineServer } from "@parley/server"
 * import { host } from "@parley/server/host"
 *
 * const hosting = host(defineServer({ name: "empty", version: "1.0.0" }, []))
 * await hosting.ready
 * const [near] = link()
 * const { closed, feed } = hosting.serve(near)
 * feed({ _tag: "Stopping" })
 * await closed // => { _tag: "Closed" }
 * ```
 *
 * @throws TypeError as `sealer` does
 */
export function host(subject: Server | Live, options: ServeOptions = {}): Host {
  const { askMs = 600_000, seal, report } = options
  const current = (): Server => (subject._tag === "Live" ? subject.server : subject)
  const seals = sealer({ name: current().info.name, ttlMs: askMs, ...seal })
  const crashed = calmly(options.crashed ?? ((what, error) => console.error(`The handler of ${what} failed:`, error)))
  const unkept = (error: unknown): void => crashed("the keeping of a session", error)
  const unsent = calmly((_: unknown, error: unknown) =>
    options.crashed === undefined
      ? console.error("A reply could not be written as JSON, and an error was sent instead:", error)
      : options.crashed("a reply", error)
  )
  const notice: Setting["notice"] = calmly((notification) => options.onNotification?.(notification))
  let setting: Setting | undefined
  const make = (extra: Setting["extra"]): void => {
    const tracing = options.tracing && extra!.calmTracing(options.tracing)
    setting = { server: current, options, seals, extra, crashed, tracing, notice }
  }
  const ready = current().ready.then(() => {
    const { declare, extensions } = current().options
    const more = declare || extensions || options.session || options.tracing || report
    return more ? import("./extras.js").then(make) : make(undefined)
  })
  // Whoever serves learns of it there.
  ready.catch(() => undefined)
  const made = (): Setting => {
    if (setting === undefined) throw new TypeError("The host is not ready: await host.ready first")
    return setting
  }
  const machine = (cancels: Channel["cancels"]): ServerMachine => machineFor(current().definition, options, cancels)

  function serve(channel: Channel, hosting: Hosting = {}): Hosted {
    const { extra } = made()
    const { session, follow = true, release, voice, stepped, clock, running } = hosting
    const plain = (): ServerMachine => running?.machine ?? machine(channel.cancels)
    const own = (): ServerMachine => (session === undefined ? plain() : extra!.keeping(plain(), session, unkept))
    const before = session && extra!.resumed(own(), session)
    const state = before ?? hosting.state
    const feed = (input: Input): void => driver.feed(input)
    const peer = (): Peer | undefined => peerOf(driver)
    const performer =
      running?.performer ?? performing(made(), { feed, peer, congested: () => driver.congested(), release, voice })
    const driver: Driver<ServerState, Input, Output> = drive<ServerState, Input, Output, ServerTimer["of"]>({
      machine: own(),
      channel,
      perform: performer.perform,
      stepped,
      ...(state && { state }),
      ...(clock && { clock }),
      unsent,
      ...extra?.sparing(feed),
      ended,
      hungUp
    })
    // Nothing is read before this: a channel hands up what arrives later.
    if (before !== undefined) feed({ _tag: "Resumed" })
    const { closed, state: now, congested } = driver
    const { completed } = performer.visits
    let forget: (() => void) | undefined
    const rest = (): boolean => {
      const may = !session && current().extensions.length === 0 && performer.quiet()
      if (may) forget?.()
      return may
    }
    if (follow) {
      void closed.then(performer.end)
      for (const extension of current().extensions) extension.follow(driver, performer.say)
      if (subject._tag === "Live") forget = extra!.follow(subject, driver, own, performer.visits)
    }
    return { closed, feed, state: now, congested, completed, rest }
  }

  const performer = (session: Performed): Performer => performing(made(), session)

  return {
    ready,
    server: current,
    machine,
    serve,
    performer,
    together: performer,
    voice: () => voiceOf(report, made().extra, () => undefined),
    crashed,
    onChange: (changed) => (subject._tag === "Live" ? subject.onChange(changed) : () => undefined)
  }
}

const ended = (why: Closed): Input => (why._tag === "Ended" ? { _tag: "InputEnded" } : { _tag: "PeerClosed" })

const hungUp = (via: string): Input => ({ _tag: "ExchangeClosed", via })

function peerOf(driver: Driver<ServerState, Input, Output>): Peer | undefined {
  const { phase } = driver.state()
  return "peer" in phase ? phase.peer : undefined
}
