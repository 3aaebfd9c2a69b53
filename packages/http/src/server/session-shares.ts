/** The sessions that this process has to do with, of those that several processes serve. */
import type { Accepted } from "./accept.js"
import type { Exchange } from "./exchange.js"
import type { Settings } from "./options.js"
import { attempt } from "./reporter.js"
import { agrees, freshId, isInitialize, turnAway, turnStray } from "./session-admission.js"
import type { Common } from "./session-common.js"
import type { Kept } from "./session-lives.js"
import { SharedSession } from "./session-shared.js"
import type { Admit, Came } from "./session-written.js"
import type { SessionStore } from "./store.js"

/** So long the last events of a session that has ended may still be read, in ms. */
const lastWordsMs = 2_000

/** So much later than it is due here a store may forget a session, in ms. */
const slackMs = 1_000

/** So long the stores may take to keep what interrupted handlers are answered with, in ms. */
const drainedMs = 1_000

export function sharedSessions(
  rest: Omit<Common, "over">,
  { sessionIdleMs }: Settings,
  store: SessionStore,
  drainMs = 5_000
): Kept {
  const { now, deadlines } = rest
  const known = new Map<string, SharedSession>()
  /** Those that are not written yet. */
  const opening = new Set<SharedSession>()
  let stopped: (() => void) | undefined
  const common: Common = Object.assign(
    {
      over: ({ id }: { readonly id: string }, everywhere: boolean) => {
        known.delete(id)
        if (everywhere) forgetLater(id)
        settle()
      }
    },
    rest
  )

  /** Those that have ended, the longest first, with when they did. Other processes may still have to read how their streams end. */
  const ended = new Map<string, number>()

  function forgetLater(id: string): void {
    forgetOverdue()
    ended.set(id, now())
    deadlines.after(lastWordsMs, () => forget(id))
  }

  function forget(id: string): void {
    if (ended.delete(id)) attempt(() => rest.reading.events.forget?.(id), rest.failed)
  }

  /** Those whose timers have gone with the requests that made them. */
  function forgetOverdue(): void {
    for (const [id, at] of ended) {
      if (now() - at < lastWordsMs) return
      forget(id)
    }
  }

  /** While this process stops: whether nothing is under way here. */
  function settle(): void {
    if (stopped !== undefined && ![...known.values()].some((session) => session.works)) stopped()
  }

  function session(id: string): SharedSession {
    const there = known.get(id) ?? new SharedSession(common, store, sessionIdleMs, id, settle)
    known.set(id, there)
    sweep()
    forgetOverdue()
    return there
  }

  /** What is in use stays in the store; what is not is let go of here. */
  const sweep = deadlines.every(Math.min(60_000, Math.ceil(sessionIdleMs / 4)), () => {
    for (const session of known.values())
      if (session.busy) session.touch()
      else if (now() - session.idleSince >= sessionIdleMs + slackMs) session.expire()
    return known.size > 0
  })

  const admit =
    (exchange: Exchange, principal: string | undefined, came?: unknown): Admit =>
    ({ state, principal: own }) => {
      if (own !== principal) return "gone"
      const revision = "peer" in state.phase ? state.phase.peer.revision : undefined
      return agrees(exchange, revision, came) ? undefined : "answered"
    }

  function post(exchange: Exchange, came: unknown, principal: string | undefined, accepts: Accepted): void {
    if (stopped !== undefined) return turnAway(exchange, "stopping", came)
    const id = exchange.header("mcp-session-id")
    if (id === undefined && !isInitialize(came)) return turnStray(exchange, came)
    if (id === undefined) return open(exchange, came, principal, accepts)
    const at = session(id)
    const current = at.currentOf(exchange, came, accepts)
    void at.step(at.received(current, principal), current, admit(exchange, principal, came)).then((outcome) => {
      if (outcome === "gone" && isInitialize(came)) return open(exchange, came, principal, accepts)
      answer(exchange, outcome, came)
    })
  }

  function open(exchange: Exchange, came: unknown, principal: string | undefined, accepts: Accepted): void {
    const made = new SharedSession(common, store, sessionIdleMs, freshId(), settle)
    opening.add(made)
    void made.begin(made.currentOf(exchange, came, accepts), principal).then((begun) => {
      opening.delete(made)
      if (!begun) return
      known.set(made.id, made)
      sweep()
    })
  }

  function answer(exchange: Exchange, came: Came, what?: unknown): void {
    if (came !== "done" && came !== "answered") turnAway(exchange, came, what)
  }

  /** Settles when nothing is under way here, or when that time is over. */
  function rested(ms: number): Promise<void> {
    const done = new Promise<void>((resolve) => (stopped = resolve))
    const forget = deadlines.after(ms, stopped!)
    settle()
    return done.finally(forget)
  }

  /** Those without an id are answered. */
  function named(exchange: Exchange): SharedSession | undefined {
    const id = exchange.header("mcp-session-id")
    const why = stopped !== undefined ? "stopping" : id === undefined ? "missing" : undefined
    if (why === undefined) return session(id!)
    turnAway(exchange, why)
    return undefined
  }

  return {
    post,
    get: (exchange, principal) => {
      if (rest.crowd.full(exchange, principal)) return turnAway(exchange, "busy")
      const at = named(exchange)
      void at?.get(exchange, exchange.header("last-event-id"), admit(exchange, principal)).then((came) => {
        answer(exchange, came)
      })
    },
    delete: (exchange, principal) => {
      const at = named(exchange)
      void at?.step({ _tag: "PeerClosed" }, undefined, admit(exchange, principal)).then((came) => {
        if (came === "done") exchange.respond(204, {})
        else answer(exchange, came)
      })
    },
    changed: (change) => {
      for (const session of known.values())
        if (change._tag === "Completed") session.completed(change.elicitationId)
        else if (session.listens) session.feed(change)
    },
    close: async () => {
      await rested(drainMs)
      // What still runs is answered as it is where sessions are kept in this process.
      for (const session of known.values()) session.drained()
      await rested(drainedMs)
      for (const session of [...known.values(), ...opening]) session.leave()
    },
    count: () => known.size
  }
}
