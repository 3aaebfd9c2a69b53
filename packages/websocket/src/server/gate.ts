/** All of a server's connections: who gets one, how many there are, whether they live, and their end. */
import { systemClock } from "@parley/driver"
import type { Live, Server } from "@parley/server"
import type { Host, Hosted } from "@parley/server/host"
import { host } from "@parley/server/host"
import type { Line } from "../line/line.js"
import type { Came, Manner } from "../line/socket-channel.js"
import { SocketChannel } from "../line/socket-channel.js"
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
  const open = new Map<SocketChannel, Hosted>()
  const owned = new Map<string, number>()
  const owners = new Map<SocketChannel, string>()
  let judging = 0
  let closing: Promise<void> | undefined

  const manner: Manner = { closeMs, code: () => (closing === undefined ? 1000 : 1001), gone }
  const patience = { silenceMs }

  async function judge(asked: Asked): Promise<Refused | Let> {
    try {
      const why = refuses(asked.header)
      if (why !== undefined) return refused(403, why)
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
    if (counted && client !== undefined && (owned.get(client) ?? 0) >= maxConnectionsPerClient)
      return refused(429, "Too many connections: close one first")
    return undefined
  }

  function serve(line: Line, { came, client }: Let): void {
    // It may have become full meanwhile.
    if (crowded(client, true) !== undefined)
      return void new SocketChannel(line, { closeMs, code: () => 1013 }).close("there are too many connections")
    const channel = new SocketChannel(line, manner, came)
    if (client !== undefined) {
      owners.set(channel, client)
      owned.set(client, (owned.get(client) ?? 0) + 1)
    }
    if (open.size === 0) wait()
    open.set(channel, hosting.serve(channel))
  }

  function gone(channel: SocketChannel): void {
    open.delete(channel)
    const client = owners.get(channel)
    if (client === undefined) return
    owners.delete(channel)
    const left = owned.get(client)! - 1
    if (left === 0) owned.delete(client)
    else owned.set(client, left)
  }

  /** One alarm for all of them. */
  function wait(): void {
    const alarm = clock.after(Math.min(heartbeatMs, silenceMs), () => {
      const now = clock.now()
      for (const channel of open.keys()) channel.beat(now, patience)
      if (open.size > 0) wait()
    })
    // The connections keep the process alive, not the wait.
    alarm.hold(false)
  }

  async function shut(): Promise<void> {
    const left = [...open]
    for (const [, { feed }] of left) feed({ _tag: "Stopping" })
    await Promise.all(left.map(([channel, { closed }]) => closed.then(() => channel.close())))
  }

  return {
    ready: hosting.ready,
    judge,
    serve,
    close: () => (closing ??= shut()),
    count: () => open.size
  }
}

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
