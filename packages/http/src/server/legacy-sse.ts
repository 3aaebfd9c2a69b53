/** The pair of endpoints of 2024-11-05: a stream for all that the server says, and POSTs for what the client says. */
import type { Channel, ChannelEvents, Clock, Outgoing } from "@parley/driver"
import type { Host } from "@parley/server/host"
import { serialise } from "@parley/core"
import type { Exchange, Stream } from "./exchange.js"
import type { Settings } from "./options.js"
import { freshId, turnAway } from "./session-admission.js"
import type { Deadlines } from "./session-deadlines.js"
import { sseComment, sseEvent, streamHeaders } from "./sse.js"

export interface LegacySse {
  /** Whether it was for this pair, and is answered. */
  readonly post: (exchange: Exchange, came: unknown, principal: string | undefined) => boolean
  readonly get: (exchange: Exchange, principal: string | undefined) => boolean
  readonly close: () => Promise<void>
  readonly count: () => number
}

/** How the address that the client is told names its stream. */
const name = "legacy-session"

/** One stream, whose session lasts as long as it does. */
class StreamChannel implements Channel {
  readonly cancels = "message"
  readonly principal: string | undefined
  readonly #stream: Stream
  readonly #ended: () => void
  #on: ChannelEvents | undefined
  #closed = false

  constructor(stream: Stream, principal: string | undefined, ended: () => void) {
    this.#stream = stream
    this.principal = principal
    this.#ended = ended
  }

  open(on: ChannelEvents): void {
    this.#on = on
  }

  /** What came by a POST. */
  takes(came: unknown, context: unknown): void {
    void this.#on?.frame({ _tag: "Parsed", json: came, via: "", principal: this.principal, context })
  }

  send({ message, text }: Outgoing): void | Promise<void> {
    return this.#stream.write(sseEvent(text ?? serialise(message), { event: "message" }))
  }

  abort(): void {}

  keepAlive(): void {
    void this.#stream.write(sseComment)
  }

  /** The client has gone. */
  gone(): void {
    if (this.#closed) return
    this.#closed = true
    this.#ended()
    this.#on?.closed({ _tag: "Gone", detail: "the client closed its stream" })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#stream.end()
    this.#ended()
    this.#on?.closed({ _tag: "Closed" })
  }
}

interface Streamed {
  readonly channel: StreamChannel
  /** Whose it is, for those who count. */
  readonly client: string | undefined
  readonly stop: () => Promise<unknown>
}

export function legacySse(host: Host, settings: Settings, deadlines: Deadlines, clock: Clock): LegacySse {
  const { keepAliveMs, maxSessions, maxSessionsPerClient } = settings
  const known = new Map<string, Streamed>()
  let stopping = false
  const alive = deadlines.beats(keepAliveMs)

  /** Streams end with their connections, so none makes room for another. */
  const crowded = (client: string | undefined): boolean =>
    client !== undefined && [...known.values()].filter((one) => one.client === client).length >= maxSessionsPerClient

  function get(exchange: Exchange, principal: string | undefined): boolean {
    // Whoever has a session wants its stream.
    if (exchange.header("mcp-session-id") !== undefined) return false
    const client = principal ?? exchange.from
    const why = stopping ? "stopping" : known.size >= maxSessions ? "full" : crowded(client) ? "yours" : undefined
    if (why !== undefined) {
      turnAway(exchange, why)
      return true
    }
    const id = freshId()
    const stream = exchange.stream(200, streamHeaders)
    const channel = new StreamChannel(stream, principal, () => {
      known.delete(id)
      alive.delete(channel)
    })
    // 2024-11-05 basic/transports, HTTP with SSE: the first event says where to post.
    void stream.write(
      sseEvent(`${exchange.target}${exchange.target.includes("?") ? "&" : "?"}${name}=${id}`, { event: "endpoint" })
    )
    const { feed, closed } = host.serve(channel, { clock })
    const stop = (): Promise<unknown> => {
      feed({ _tag: "Stopping" })
      return closed
    }
    known.set(id, { channel, client, stop })
    exchange.onGone(() => channel.gone())
    alive.add(channel)
    return true
  }

  function post(exchange: Exchange, came: unknown, principal: string | undefined): boolean {
    const { target } = exchange
    const at = target.indexOf("?")
    const id = at < 0 ? null : new URLSearchParams(target.slice(at)).get(name)
    if (id === null) return false
    const session = known.get(id)
    if (session === undefined || session.channel.principal !== principal) {
      turnAway(exchange, "gone", came)
      return true
    }
    exchange.respond(202, {})
    session.channel.takes(came, exchange.context)
    return true
  }

  return {
    post,
    get,
    close: async () => {
      stopping = true
      await Promise.all([...known.values()].map(({ stop }) => stop()))
    },
    count: () => known.size
  }
}
