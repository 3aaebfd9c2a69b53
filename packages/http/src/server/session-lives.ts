/** The sessions of one process: found by their ids, ended when nobody has used them for long, or to make room. */
import type { Change } from "@parley/server"
import type { Accepted } from "./accept.js"
import type { Exchange } from "./exchange.js"
import type { Settings } from "./options.js"
import { attempt } from "./reporter.js"
import { agrees, freshId, isInitialize, turnAway, turnStray } from "./session-admission.js"
import type { Common } from "./session-common.js"
import { LiveSession } from "./session-live.js"

/** Sessions, wherever they are kept. */
export interface Kept {
  readonly post: (exchange: Exchange, came: unknown, principal: string | undefined, accepts: Accepted) => void
  readonly get: (exchange: Exchange, principal: string | undefined) => void
  readonly delete: (exchange: Exchange, principal: string | undefined) => void
  /** A live server has changed. */
  readonly changed: (change: Change) => void
  readonly close: () => Promise<void>
  readonly count: () => number
}

/** So long a session is unused before it is made small, in ms. */
const restMs = 10_000

export function liveSessions(rest: Omit<Common, "over">, settings: Settings): Kept {
  const { sessionIdleMs, maxSessions, maxSessionsPerClient } = settings
  const { now, deadlines, reading } = rest
  const known = new Map<string, LiveSession>()
  const perClient = new Map<string, number>()
  const common: Common = Object.assign({ over }, rest)
  let stopped: (() => void) | undefined

  function begins(session: LiveSession): void {
    const { id, client } = session
    known.set(id, session)
    if (client !== undefined) perClient.set(client, (perClient.get(client) ?? 0) + 1)
    sweep()
  }

  function over({ id }: { readonly id: string }): void {
    const client = known.get(id)?.client
    if (!known.delete(id)) return
    attempt(() => reading.events.forget?.(id), rest.failed)
    const left = client === undefined ? 0 : perClient.get(client)! - 1
    if (left > 0) perClient.set(client!, left)
    else if (client !== undefined) perClient.delete(client)
    if (known.size === 0) stopped?.()
  }

  const idle = (session: LiveSession): number => (session.busy ? 0 : now() - session.idleSince)

  const end = (session: LiveSession): void => session.feed({ _tag: "PeerClosed" })

  /** One look at all of them now and then, rather than a timer for each. */
  const sweep = deadlines.every(Math.min(restMs, Math.ceil(sessionIdleMs / 4)), () => {
    for (const session of known.values()) {
      const unused = idle(session)
      if (unused >= sessionIdleMs) end(session)
      else if (unused >= restMs) session.shrink()
    }
    return known.size > 0
  })

  /** The session that it is for, if it is in force and its own. */
  function find(exchange: Exchange, principal: string | undefined): LiveSession | undefined {
    const session = known.get(exchange.header("mcp-session-id") ?? "")
    if (session === undefined || session.principal !== principal) return undefined
    if (idle(session) < sessionIdleMs) return session
    end(session)
    return undefined
  }

  function post(exchange: Exchange, came: unknown, principal: string | undefined, accepts: Accepted): void {
    const session = find(exchange, principal)
    if (session !== undefined) {
      if (agrees(exchange, session.peer?.revision, came)) session.post(exchange, came, accepts)
      return
    }
    if (isInitialize(came)) return open(exchange, came, principal, accepts)
    turnStray(exchange, came)
  }

  function open(exchange: Exchange, came: unknown, principal: string | undefined, accepts: Accepted): void {
    if (stopped !== undefined) return turnAway(exchange, "stopping", came)
    const client = principal ?? exchange.from
    const most = client === undefined ? 0 : (perClient.get(client) ?? 0)
    if (most >= maxSessionsPerClient && !makeRoom((session) => session.client === client))
      return turnAway(exchange, "yours", came)
    if (known.size >= maxSessions && !makeRoom(() => true)) return turnAway(exchange, "full", came)
    new LiveSession(common, freshId(), principal, client, begins).post(exchange, came, accepts)
  }

  /** Clients that go without a word leave sessions behind: the one that was unused for longest makes room. */
  function makeRoom(among: (session: LiveSession) => boolean): boolean {
    let oldest: LiveSession | undefined
    for (const session of known.values())
      if (!session.busy && among(session) && (oldest === undefined || session.idleSince < oldest.idleSince))
        oldest = session
    if (oldest !== undefined) end(oldest)
    return oldest !== undefined
  }

  /** The session that it is for; if there is none, that is answered. */
  function found(exchange: Exchange, principal: string | undefined): LiveSession | undefined {
    const session = find(exchange, principal)
    if (session !== undefined) return agrees(exchange, session.peer?.revision) ? session : undefined
    turnAway(exchange, exchange.header("mcp-session-id") === undefined ? "missing" : "gone")
    return undefined
  }

  return {
    post,
    get: (exchange, principal) => {
      const session = found(exchange, principal)
      if (session !== undefined && rest.crowd.full(exchange, principal)) return turnAway(exchange, "busy")
      void session?.get(exchange, exchange.header("last-event-id")).then((there) => {
        if (!there) turnAway(exchange, "lost")
      })
    },
    delete: (exchange, principal) => {
      const session = found(exchange, principal)
      if (session === undefined) return
      end(session)
      exchange.respond(204, {})
    },
    changed: (change) => {
      for (const session of known.values())
        if (change._tag === "Completed") session.completed(change.elicitationId)
        else if (session.listens) session.feed(change)
    },
    close: async () => {
      const done = new Promise<void>((resolve) => (stopped = resolve))
      for (const session of known.values()) session.feed({ _tag: "Stopping" })
      if (known.size > 0) await done
    },
    count: () => known.size
  }
}
