/** Servers on standard streams as a host for adapters: one for each session, and one for all requests that stand for themselves. */
import type { Failure, JsonObject, Message, Request, RequestId, Revision } from "@parley/core"
import { errorOf, member } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import type { Input } from "@parley/core/server"
import type { Channel, Closed } from "@parley/driver"
import type { Server } from "@parley/server"
import { defineServer } from "@parley/server"
import type { Host, Hosted, Hosting, Performed, Performer } from "@parley/server/host"
import { Stop } from "../trouble.js"
import type { Child, ChildEvents } from "./child.js"
import { child } from "./child.js"
import { closure, isListen } from "./farewell.js"
import { seenTools } from "./headers.js"
import { clientCapabilities, judged, mismatched, protocolVersion, reported } from "./judged.js"
import type { Relayed } from "./relay.js"
import { passed, relay } from "./relay.js"
import { failed, shared, tooDeep } from "./common-child.js"

export interface Relaying {
  /** A channel to a server that is not started yet. */
  readonly start: () => Channel
  /** Told of what the person should know. */
  readonly say: (text: string) => void
  readonly version: string
  /** Servers that may run at once, beside the one for all; a session more is refused. */
  readonly maxChildren: number
}

export interface RelayHost extends Host {
  /** Whether the server speaks 2026-07-28, as far as is known. */
  readonly modern: () => boolean
  /** Ends all servers. */
  readonly close: () => Promise<void>
}

/** How long a server may be silent on what it speaks until it is served as one of the older revisions only, in ms. */
const probeMs = 3_000
/** How long `initialize` may take, in ms: what starts a server may have to fetch it first. */
const openingMs = 60_000
/** How long what is under way may go on when all is to end, in ms. */
const drainMs = 5_000

export function relayHost({ start, say, version, maxChildren }: Relaying): RelayHost {
  const base = defineServer({ name: "parley-bridge", version }, [])
  const seen = seenTools()
  const ends = new Set<Promise<void>>()
  let sessions = 0
  let modern = false
  let probing = true
  let died: string | undefined
  let current: Server = withRevisions(false)

  function withRevisions(all: boolean): Server {
    const spoken: ReadonlyArray<Revision> = all ? revisions : revisions.filter(({ opening }) => opening === "handshake")
    const definition = { ...base.definition, revisions: spoken, tools: seen.tools() }
    return { ...base, definition }
  }

  const stray = (text: string): void => say(`The server wrote a line that is no message: ${text.slice(0, 200)}`)
  let unplaced = false
  const all = shared((on) => child(start(), on), {
    stray,
    lost: (why) => {
      if (probing) died = why
      else say(`${why}; it is started again for the next request`)
    },
    unplaced: (method) => {
      if (unplaced) return
      unplaced = true
      say(`${method} was not passed on, for it does not say which of several requests it is about`)
    }
  })

  /** What it has is learnt from the lists that go by, and from one of our own. */
  const ask: typeof all.ask = (request, told) =>
    all.ask(request, (message, last) => {
      if (last && seen.look(request, message)) current = withRevisions(modern)
      told(message, last)
    })

  const own = (method: string, params: JsonObject, told: (result: JsonObject | undefined) => void): void => {
    const request = { jsonrpc: "2.0", id: 0, method, params: { ...params, _meta: envelope(version) } } as const
    ask(request, (reply, last) => {
      if (last) told("result" in reply ? reply.result : undefined)
    })
  }

  const list = (cursor: string | undefined, left: number): void =>
    own("tools/list", cursor === undefined ? {} : { cursor }, (result) => {
      const next = result?.["nextCursor"]
      if (typeof next === "string" && left > 0) list(next, left - 1)
    })

  const ready = new Promise<void>((resolve, reject) => {
    const patience = setTimeout(() => {
      probing = false
      resolve()
    }, probeMs)
    own("server/discover", {}, (result) => {
      clearTimeout(patience)
      probing = false
      const spoken = result?.["supportedVersions"]
      modern = Array.isArray(spoken) && revisions.some((one) => one.opening === "request" && spoken.includes(one.name))
      current = withRevisions(modern)
      // A server that ends on what it does not know is one of the older revisions; one that was never there is none.
      if (died !== undefined && /could not be started|was not found|there is no file|code 12[67]/.test(died))
        return reject(new Stop("unopened", died, "check the spelling, and that it is installed"))
      if (died?.startsWith("the connection could not be opened"))
        return reject(new Stop("unopened", died, "check the address, and that the server runs"))
      if (!modern) ends.add(all.close())
      else if (member(result!["capabilities"], "tools") !== undefined) list(undefined, 100)
      resolve()
    })
  })

  function serve(channel: Channel, { stepped, follow }: Hosting = {}): Hosted {
    let settle!: (why: Closed) => void
    const closed = new Promise<Closed>((resolve) => (settle = resolve))
    let withdraw: (() => void) | undefined
    let asked: Request | undefined
    let over = false
    let full = 0
    let patience: NodeJS.Timeout | undefined

    const end = (): void => {
      if (over) return
      over = true
      clearTimeout(patience)
      withdraw?.()
      void channel.close().then(() => settle({ _tag: "Closed" }))
    }

    const answer = (request: Request, message: Message): void => {
      if (over) return
      stepped?.(judged(request, message))
      withdraw = undefined
      try {
        void channel.send({ message, via: "", last: true })
      } catch {
        void channel.send({ message: failed(request.id, tooDeep), via: "", last: true })
      }
      end()
    }

    const refuse = (request: Request, failure: Failure): void => {
      stepped?.(reported(request, failure))
      answer(request, { jsonrpc: "2.0", id: request.id, error: errorOf(failure) })
    }

    const told =
      (request: Request) =>
      (message: Message, last: boolean): void => {
        if (over) return
        if (last) return answer(request, message)
        // Who does not read is not told how far it is.
        if (full > 0 && sparable.has((message as Request).method)) return
        const room = sent(message)
        if (room === undefined) return
        if (++full > mostWaiting) return end()
        void room.then(() => full--)
      }

    const sent = (message: Message): void | Promise<void> => {
      try {
        return channel.send({ message, via: "", last: false })
      } catch {
        say(`${(message as Request).method} was not passed on: ${tooDeep}`)
      }
    }

    const feed = (input: Input): void => {
      switch (input._tag) {
        case "Received": {
          const request = input.json as Request
          const refused = all.behind() ? tooBusy : mismatched(request, input.header)
          if (refused !== undefined) return refuse(request, refused)
          asked = request
          withdraw = ask(request, told(request))
          return
        }
        case "ExchangeClosed":
        case "PeerClosed":
          return end()
        case "Stopping":
          if (withdraw === undefined) return end()
          if (isListen(asked)) {
            withdraw()
            return answer(asked!, closure(asked!.id))
          }
          if (follow === true) return end()
          patience = setTimeout(() => {
            withdraw?.()
            refuse(asked!, { _tag: "Stopping" })
          }, drainMs)
          return
        default:
          // Of the rest a server hears by its own streams.
          return
      }
    }
    return {
      closed,
      feed,
      state: () => relay.initial,
      congested: () => full > 0,
      completed: () => undefined,
      rest: () => false
    }
  }

  function performer(session: Performed): Performer {
    let server: Child | undefined
    const feed = (input: Relayed): void => session.feed(input as unknown as Input)
    let patience: NodeJS.Timeout | undefined
    const on: ChildEvents = {
      message: (json, text) => {
        clearTimeout(patience)
        feed({ _tag: "Said", json, text: text.includes("\r") ? undefined : text, listens: session.listens?.() ?? true })
        if (session.congested()) return eased(session.congested)
      },
      stray,
      lost: (why) => {
        clearTimeout(patience)
        say(`${why}; its session is over`)
        feed({ _tag: "Lost", why: `${why}; open a new session` })
      }
    }
    const begin = (): Child | undefined => {
      if (sessions >= maxChildren) {
        feed({ _tag: "Lost", why: `there are ${sessions} servers already, one for each session: try again later` })
        return undefined
      }
      sessions++
      patience = setTimeout(
        () => feed({ _tag: "Lost", why: `the server did not answer initialize within ${openingMs} ms` }),
        openingMs
      )
      return child(start(), on)
    }
    return {
      perform: (output) => {
        const json = passed(output)
        if (json === undefined || (server ??= begin())?.send(json) !== false) return
        for (const one of Array.isArray(json) ? (json as ReadonlyArray<unknown>) : [json]) {
          const { id, method } = one as { readonly id?: RequestId; readonly method?: string }
          if (id !== undefined && method !== undefined) feed({ _tag: "Said", json: failed(id, tooDeep), listens: true })
        }
      },
      visits: { asked: () => undefined, completed: () => undefined, count: () => 0 },
      say: () => undefined,
      quiet: () => false,
      end: async () => {
        clearTimeout(patience)
        if (server === undefined) return
        const ended = server.close().then(() => {
          sessions--
          ends.delete(ended)
        })
        ends.add(ended)
        await ended
      }
    }
  }

  return {
    ready,
    server: () => current,
    machine: () => relay,
    serve,
    performer,
    voice: () => ({ number: 0, say: () => undefined, met: () => undefined }),
    crashed: (what, error) => say(`${what} failed: ${String(error)}`),
    onChange: () => () => undefined,
    modern: () => modern,
    close: async () => {
      await all.close()
      await Promise.all(ends)
    }
  }
}

const mostWaiting = 10_000
const sparable: ReadonlySet<string> = new Set(["notifications/progress", "notifications/message"])

/** Settles when the reader keeps up again, or has gone. */
async function eased(congested: () => boolean): Promise<void> {
  while (congested()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const tooBusy: Failure = { _tag: "TooManyRequests", limit: 1_000 }

const envelope = (version: string): JsonObject => ({
  [protocolVersion]: "2026-07-28",
  [clientCapabilities]: {},
  "io.modelcontextprotocol/clientInfo": { name: "parley-bridge", version }
})
