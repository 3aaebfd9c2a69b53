/** All of a server's connections: who gets one, how many there are, whether they live, and their end. */
import { systemClock } from "@parley/driver"
import type { Live, Server } from "@parley/server"
import type { Host } from "@parley/server/host"
import { host } from "@parley/server/host"
import type { Line } from "../line/line.js"
import type { Came } from "../line/socket-channel.js"
import { SocketChannel } from "../line/socket-channel.js"
import type { Owner, Served } from "./connection.js"
import { Connection } from "./connection.js"
import { guard } from "./guards.js"
import { offersOf } from "../line/offers.js"
import type { Asked, Authentication, SocketOptions } from "./options.js"

export interface Refused {
  readonly _tag: "Refused"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Let {
  readonly _tag: "Let"
  /** The subprotocol that was chosen. */
  readonly protocol: string | undefined
  readonly came: Came
  /** By what its connections are counted. */
  readonly client: string | undefined
}

export interface Gate {
  /** Settles when connections can be served. Rejects when a schema was refused; the error names the tool. */
  readonly ready: Promise<void>
  /** Never rejects. */
  readonly judge: (asked: Asked) => Promise<Refused | Let>
  /** Serves an open connection. Once the gate is closing, or full, it is closed at once. */
  readonly serve: (line: Line, one: Let) => void
  /** Takes no more connections, answers the requests that were accepted (within `drainMs`), and closes all. */
  readonly close: () => Promise<void>
  /** Connections that are open. */
  readonly count: () => number
}

/** Options are taken as they are; `checkOptions` looks at them. */
export function gate(subject: Server | Live | Host, options: SocketOptions): Gate {
  const { authenticate, clock = systemClock, heartbeatMs = 30_000, silenceMs = 60_000, closeMs = 2_000 } = options
  const { maxConnections = 10_000, maxConnectionsPerClient = 100 } = options
  const hosting = "performer" in subject ? subject : host(subject, options)
  const refuses = guard(options)
  const open = new Set<Connection>()
  /** Those whose sessions do not rest. */
  const awake = new Set<Connection>()
  const owners = new Map<string, Owner>()
  let judging = 0
  let closing: Promise<void> | undefined

  const served: Served = {
    closeMs,
    code: () => (closing === undefined ? 1000 : 1001),
    gone,
    host: hosting,
    reports: options.report !== undefined,
    woke
  }
  const patience = { silenceMs }

  async function judge(asked: Asked): Promise<Refused | Let> {
    try {
      const why = refuses(asked.header)
      if (why !== undefined) return refused(403, why)
      const version = asked.header("sec-websocket-version")
      // RFC 6455 section 4.4. In older versions a page's origin is in another header, which nobody has looked at.
      if (version !== undefined && version.trim() !== "13")
        return refused(426, "Upgrade required: the version of WebSocket is 13", undefined, ofVersion)
      const offers = offersOf(asked.header("sec-websocket-protocol"))
      if (typeof offers === "string") return refused(400, offers)
      const { protocol, token } = offers
      if (token !== undefined && asked.header("authorization") !== undefined)
        return refused(400, "Bad request: a token came twice, as a header and as a subprotocol")
      const full = crowded(asked.from, authenticate === undefined)
      if (full !== undefined) return full
      const said = await identified(withToken(asked, token))
      const turned = turnedAway(said, token !== undefined || asked.header("authorization") !== undefined)
      if (turned !== undefined) return turned
      const { principal, context } = said as { readonly principal?: string; readonly context?: unknown }
      const client = principal ?? asked.from
      return (
        crowded(client, true) ?? {
          _tag: "Let",
          protocol,
          client,
          came: { principal, context: "context" in said ? context : asked.context }
        }
      )
    } catch (error) {
      hosting.crashed("a WebSocket request", error)
      return refused(500, "Internal error", -32603)
    }
  }

  /** Those who are asked about count, lest there are ever more of them. */
  async function identified(asked: Asked): Promise<Authentication> {
    judging++
    try {
      await hosting.ready
      return authenticate === undefined ? {} : await authenticate(asked)
    } finally {
      judging--
    }
  }

  function crowded(client: string | undefined, counted: boolean): Refused | undefined {
    if (closing !== undefined) return refused(503, "The server is stopping", -32603)
    if (open.size + judging >= maxConnections) return refused(503, "The server has as many connections as it takes")
    if (counted && client !== undefined && (owners.get(client)?.count ?? 0) >= maxConnectionsPerClient)
      return refused(429, "Too many connections: close one first")
    return undefined
  }

  function serve(line: Line, { came, client }: Let): void {
    // It may have become full meanwhile.
    if (crowded(client, true) !== undefined)
      return void new SocketChannel(line, { closeMs, code: () => 1013 }).close("there are too many connections")
    const connection = new Connection(line, served, came, client === undefined ? undefined : owner(client))
    if (open.size === 0) wait()
    open.add(connection)
    connection.session()
  }

  /** With one connection more. */
  function owner(client: string): Owner {
    const known = owners.get(client) ?? { client, count: 0 }
    known.count++
    owners.set(client, known)
    return known
  }

  function gone(channel: SocketChannel): void {
    const connection = channel as Connection
    const { owner } = connection
    awake.delete(connection)
    if (open.delete(connection) && owner !== undefined && --owner.count === 0) owners.delete(owner.client)
  }

  /** Sessions that are there hear of it by themselves. */
  const forget = hosting.onChange((change) => {
    // Of visits a session that rests knows none.
    if (change._tag === "Completed") return
    const dozing = [...open].filter(({ dozes }) => dozes)
    // Who wakes while all are told would be told twice.
    queueMicrotask(() => {
      for (const one of dozing) if (open.has(one)) one.session().feed(change)
    })
  })

  /** One alarm for all of them. */
  function wait(): void {
    const alarm = clock.after(Math.min(heartbeatMs, silenceMs), () => {
      const now = Math.round(clock.now())
      for (const one of open) one.beat(now, patience)
      if (open.size > 0) wait()
    })
    // The connections keep the process alive, not the wait.
    alarm.hold(false)
  }

  function woke(connection: Connection): void {
    if (awake.size === 0) restLater()
    awake.add(connection)
  }

  function restLater(): void {
    const alarm = clock.after(restMs, () => {
      for (const one of awake) if (one.doze()) awake.delete(one)
      if (awake.size > 0) restLater()
    })
    alarm.hold(false)
  }

  async function shut(): Promise<void> {
    forget()
    const left = [...open].map((one) => [one, one.session()] as const)
    for (const [, { feed }] of left) feed({ _tag: "Stopping" })
    await Promise.all(left.map(([one, { closed }]) => closed.then(() => one.close())))
  }

  return {
    ready: hosting.ready,
    judge,
    serve,
    close: () => (closing ??= shut()),
    count: () => open.size
  }
}

/** How often it is looked which sessions can rest, in ms. One that rests costs nothing until it wakes. */
const restMs = 1_000
const ofVersion = { upgrade: "websocket", "sec-websocket-version": "13" }

const withToken = (asked: Asked, token: string | undefined): Asked => ({
  target: asked.target,
  from: asked.from,
  context: asked.context,
  header: (name) => {
    const known = name.toLowerCase()
    // Of what was offered the token is nobody's business but by its own name.
    if (known === "authorization" && token !== undefined) return `Bearer ${token}`
    return asked.header(known)
  }
})

/** @throws TypeError for an answer of `authenticate` that is none */
function turnedAway(said: Authentication, hadToken: boolean): Refused | undefined {
  if (typeof said !== "object" || said === null)
    throw new TypeError(
      "authenticate must return an object: { principal }, { unauthorized: {} } or { forbidden: true }"
    )
  if ("unauthorized" in said) {
    const { resourceMetadata, scope } = said.unauthorized
    const all = [
      ["error", hadToken ? "invalid_token" : undefined],
      ["scope", scope],
      ["resource_metadata", resourceMetadata]
    ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${quotable(value)}"`]))
    return refused(401, "Unauthorized: a valid access token is needed", undefined, {
      "www-authenticate": all.length === 0 ? "Bearer" : `Bearer ${all.join(", ")}`
    })
  }
  if ("forbidden" in said) return refused(403, "Forbidden: the access token is not good for this")
  const { principal } = said
  if (principal !== undefined && (typeof principal !== "string" || principal === ""))
    throw new TypeError("authenticate must return a principal that is a text, and not an empty one")
  return undefined
}

const quotable = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "'")

export const refused = (
  status: number,
  message: string,
  code = -32600,
  more?: Readonly<Record<string, string>>
): Refused => ({
  _tag: "Refused",
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store", ...more },
  body: JSON.stringify({ jsonrpc: "2.0", error: { code, message } })
})
