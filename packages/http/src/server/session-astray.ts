/** What can not be said on the exchange where it belongs: its client takes no stream there, or has gone before there was one. */
import type { Message } from "@parley/core"
import type { Input } from "@parley/core/server"
import type { Deadlines } from "./session-deadlines.js"

/** The session, as far as this has to do with it. */
export interface Ways {
  readonly deadlines: Deadlines
  /** Whether its client hears what is said on the session's own stream. */
  readonly hears: () => boolean
  /** Says it there. */
  readonly say: (text: string) => void
  readonly feed: (input: Pick<Input & { readonly _tag: "Received" }, "_tag" | "json">) => void
}

/** So long a client may take to open a stream for what it was asked, in ms. */
const soonMs = 2_000

/**
 * A question goes the session's own way, if there is one soon. If not it is answered in place of the client, so that its call does
 * not wait in vain. All else is of no use to a client that takes only the reply.
 */
export class Astray {
  readonly #ways: Ways
  /** Questions for which there is no way to the client yet. */
  readonly #asked = new Map<unknown, string>()

  constructor(ways: Ways) {
    this.#ways = ways
  }

  comes(message: Message, text: string): void {
    if (!("method" in message)) return
    const { deadlines, hears, say, feed } = this.#ways
    if ("id" in message) {
      if (hears()) return say(text)
      const { id } = message
      this.#asked.set(id, text)
      deadlines.after(soonMs, () => {
        if (hears()) this.heard()
        else if (this.#asked.delete(id)) feed(unreachable(id))
      })
    } else if (message.method === "notifications/cancelled") {
      // A question that is taken back: that goes where the question went.
      if (!this.#asked.delete(message.params?.["requestId"]) && hears()) say(text)
    }
  }

  /** The session has a stream of its own. */
  heard(): void {
    const all = [...this.#asked.values()]
    this.#asked.clear()
    for (const text of all) this.#ways.say(text)
  }

  /** The session is over. */
  clear(): void {
    this.#asked.clear()
  }
}

const why = "its request takes no stream (Accept: text/event-stream), and its session has none open (GET)"

const unreachable = (id: unknown) =>
  ({ _tag: "Received", json: { jsonrpc: "2.0", id, error: { code: -32603, message: why } } }) as const
