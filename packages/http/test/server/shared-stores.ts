/** Both stores as another process would offer them: every word takes a while, and what is kept is text. */
import type { EventStore, StoredEvent } from "../../src/server/event-store.js"
import type { SessionStore } from "../../src/server/store.js"

export interface SharedStores {
  readonly sessions: SessionStore
  readonly events: EventStore
  /** What is kept, by id. */
  readonly kept: Map<string, { text: string; version: number }>
  readonly streams: Map<string, Array<StoredEvent>>
  /** How many writes came too late. */
  readonly lost: () => number
  /** From now on nothing can be reached. */
  fail: boolean
}

/** `pause`: how many turns the next word takes. */
export function sharedStores(pause: () => number = () => 1): SharedStores {
  const kept = new Map<string, { text: string; version: number }>()
  const streams = new Map<string, Array<StoredEvent>>()
  const waiting = new Set<() => void>()
  let versions = 0
  let lost = 0
  const turn = async (): Promise<void> => {
    for (let left = pause(); left > 0; left--) await new Promise((done) => setImmediate(done))
    if (stores.fail) throw new Error("the store can not be reached")
  }
  const stores: SharedStores = {
    fail: false,
    kept,
    streams,
    lost: () => lost,
    sessions: {
      create: async (id, text) => {
        await turn()
        if (kept.has(id)) return undefined
        kept.set(id, { text, version: ++versions })
        return String(versions)
      },
      load: async (id) => {
        await turn()
        const found = kept.get(id)
        const answer = found && { text: found.text, version: String(found.version) }
        await turn()
        return answer
      },
      swap: async (id, version, text) => {
        await turn()
        const found = kept.get(id)
        if (found === undefined || String(found.version) !== version) {
          lost++
          return undefined
        }
        kept.set(id, { text, version: ++versions })
        return String(versions)
      },
      touch: turn,
      delete: async (id) => {
        await turn()
        return kept.delete(id)
      }
    },
    events: {
      append: async (session, via, { text, last }) => {
        await turn()
        const key = `${session} ${via}`
        const stream = streams.get(key) ?? []
        streams.set(key, stream)
        const id = String(stream.length + 1)
        stream.push({ id, text, last })
        for (const told of waiting) told()
        return id
      },
      async *tail(session, via, after, signal) {
        await turn()
        const stream = () => streams.get(`${session} ${via}`) ?? []
        let at = 0
        if (after !== undefined) {
          at = stream().findIndex(({ id }) => id === after) + 1
          if (at === 0) throw new Error("not kept")
        }
        while (!signal.aborted) {
          const event = stream()[at]
          if (event !== undefined) {
            at++
            yield event
            if (event.last) return
          } else
            await new Promise<void>((resolve) => {
              const done = (): void => {
                waiting.delete(done)
                signal.removeEventListener("abort", done)
                resolve()
              }
              waiting.add(done)
              signal.addEventListener("abort", done)
            })
        }
      }
    }
  }
  return stores
}
