/** Resources that are watched: one subscription at the server for each URI, however many read it here. */
import type { ResourceUpdatedParams } from "@parley/core"
import { covers } from "./covers.js"
import type { CallOptions } from "./session.js"
import { onAbort } from "./on-abort.js"

/**
 * Updates of one resource, as they come: `for await` ends when it is closed or the session is over, and throws when the server
 * refuses. What was not read yet is kept once for each URI: an update says that there is something new, not what.
 */
export interface Subscription extends AsyncIterableIterator<ResourceUpdatedParams, undefined> {
  /** Settles when the server has confirmed it; rejects `CallError` when it refused. */
  readonly ready: Promise<void>
  /** Ends it. The last one that leaves a URI unsubscribes. Idempotent. */
  readonly close: () => void
}

export interface Subscriptions {
  readonly subscribe: (uri: string, options: CallOptions) => Subscription
  readonly updated: (params: ResourceUpdatedParams) => void
  /** The server tells of this URI no more, though nobody asked it to stop. */
  readonly lost: (uri: string, error: unknown) => void
  /** The session is another one: what is watched is asked for again, and then said to be another. */
  readonly again: () => void
  /** What was told for a while is not known: any of it may be another now. */
  readonly missed: () => void
  /** The session is over. */
  readonly close: () => void
}

interface Reader {
  readonly tell: (params: ResourceUpdatedParams) => void
  readonly end: (error?: unknown) => void
}

/** What is asked of the server for one URI: what it was told last follows what is wanted, one request at a time. */
interface Watched {
  readonly readers: Set<Reader>
  /** In force at the server, as far as is known. */
  subscribed: boolean
  /** The request under way; it settles when the server has been told what is wanted. */
  turn: Promise<void> | undefined
}

/** How the server is told that it is to tell of a URI, and that it need not any more. */
export interface Watching {
  readonly watch: (uri: string, options: CallOptions) => Promise<unknown>
  readonly leave: (uri: string, options: CallOptions) => Promise<unknown>
}

/** How many updates wait for a reader at most; the oldest goes. Only a server that updates things below the URI gets near. */
const kept = 1_000

export function subscriptions({ watch, leave }: Watching): Subscriptions {
  const watched = new Map<string, Watched>()

  function subscribe(uri: string, options: CallOptions): Subscription {
    const entry = watched.get(uri) ?? { readers: new Set(), subscribed: false, turn: undefined }
    watched.set(uri, entry)
    let forget: (() => void) | undefined
    const { reader, iterator } = reading(() => {
      if (entry.readers.delete(reader)) settle(uri, entry, {}).catch(() => undefined)
      forget?.()
    })
    entry.readers.add(reader)
    const { signal } = options
    if (signal?.aborted === true) iterator.close()
    else if (signal !== undefined) forget = onAbort(signal, iterator.close)
    const ready = settle(uri, entry, options)
    // Whoever reads learns of it there.
    ready.catch(() => undefined)
    return Object.assign(iterator, { ready })
  }

  /** Tells the server until it knows what is wanted. */
  async function settle(uri: string, entry: Watched, options: CallOptions): Promise<void> {
    if (entry.turn !== undefined) {
      await entry.turn
      return settle(uri, entry, options)
    }
    const wanted = entry.readers.size > 0
    if (wanted === entry.subscribed) {
      if (!wanted) watched.delete(uri)
      return
    }
    // The signal is one reader's, the subscription everybody's.
    const { signal: _, ...wishes } = options
    entry.subscribed = wanted
    entry.turn = (wanted ? watch(uri, wishes) : leave(uri, wishes))
      .catch((error: unknown) => {
        entry.subscribed = false
        // A server that does not let go is no reason to fail: what it still tells finds no reader.
        if (!wanted) return
        for (const { end } of entry.readers) end(error)
        throw error
      })
      .then(() => undefined)
      .finally(() => {
        entry.turn = undefined
      })
    await entry.turn
    return settle(uri, entry, options)
  }

  const doubt = (uri: string, { readers }: Watched): void => {
    for (const { tell } of readers) tell({ uri })
  }

  return {
    subscribe,
    updated: (params) => {
      for (const [uri, { readers }] of watched)
        if (covers(uri, params.uri)) for (const { tell } of readers) tell(params)
    },
    lost: (uri, error) => {
      const entry = watched.get(uri)
      if (entry === undefined) return
      entry.subscribed = false
      const readers = [...entry.readers]
      // All at once: while one of them is left it would be subscribed to again.
      entry.readers.clear()
      if (entry.turn === undefined) watched.delete(uri)
      for (const { end } of readers) end(error)
    },
    again: () => {
      for (const [uri, entry] of watched) {
        if (!entry.subscribed || entry.turn !== undefined) continue
        entry.subscribed = false
        // Whoever reads learns of it there.
        settle(uri, entry, {}).then(
          () => doubt(uri, entry),
          () => undefined
        )
      }
    },
    missed: () => {
      for (const [uri, entry] of watched) if (entry.subscribed) doubt(uri, entry)
    },
    close: () => {
      for (const { readers } of watched.values()) for (const { end } of readers) end()
      watched.clear()
    }
  }
}

interface Reading {
  readonly reader: Reader
  readonly iterator: Omit<Subscription, "ready">
}

/** One reader's queue. */
function reading(left: () => void): Reading {
  const waiting = new Map<string, ResourceUpdatedParams>()
  const asked: Array<{
    readonly resolve: (result: IteratorResult<ResourceUpdatedParams, undefined>) => void
    readonly reject: (error: unknown) => void
  }> = []
  let ended: { readonly error?: unknown } | undefined
  const done = { done: true as const, value: undefined }

  function end(error?: unknown): void {
    if (ended !== undefined) return
    ended = error === undefined ? {} : { error }
    left()
    for (const { resolve, reject } of asked.splice(0)) {
      if (ended.error === undefined) resolve(done)
      else reject(ended.error)
      ended = {}
    }
  }

  const iterator: Omit<Subscription, "ready"> = {
    [Symbol.asyncIterator]: () => iterator as Subscription,
    next: () => {
      const [first] = waiting
      if (first !== undefined) {
        waiting.delete(first[0])
        return Promise.resolve({ done: false, value: first[1] })
      }
      if (ended === undefined) return new Promise((resolve, reject) => asked.push({ resolve, reject }))
      const { error } = ended
      ended = {}
      return error === undefined ? Promise.resolve(done) : Promise.reject(error)
    },
    return: () => {
      close()
      return Promise.resolve(done)
    },
    close: () => close()
  }

  function close(): void {
    waiting.clear()
    end()
  }

  return {
    reader: {
      tell: (params) => {
        const next = asked.shift()
        if (next !== undefined) return next.resolve({ done: false, value: params })
        if (waiting.size >= kept && !waiting.has(params.uri)) waiting.delete(waiting.keys().next().value!)
        waiting.set(params.uri, params)
      },
      end
    },
    iterator
  }
}
