/** One request that several wait for, each as long as it likes; it is withdrawn when the last one has left. */
import type { Clock } from "@parley/driver"
import type { CallError } from "./error.js"
import { within } from "./within.js"

export interface Joined<A> {
  /** Waits for the request, which is begun when it is not under way. */
  readonly join: (wait: { readonly totalMs: number; readonly signal?: AbortSignal | undefined }) => Promise<A>
  readonly open: () => boolean
}

interface Open<A> {
  readonly reply: Promise<A>
  readonly stop: AbortController
  waiting: number
}

export function joined<A>(method: string, clock: Clock, begin: (signal: AbortSignal) => Promise<A>): Joined<A> {
  let open: Open<A> | undefined

  function fresh(): Open<A> {
    const stop = new AbortController()
    const one: Open<A> = {
      stop,
      waiting: 0,
      reply: begin(stop.signal).finally(() => {
        if (open === one) open = undefined
      })
    }
    // Of a failure those learn who wait.
    one.reply.catch(() => undefined)
    return one
  }

  return {
    open: () => open !== undefined,
    join: ({ totalMs, signal }) => {
      let one: Open<A>
      const left = (error: CallError): void => {
        if (--one.waiting > 0) return
        if (open === one) open = undefined
        one.stop.abort(error)
      }
      return within({ method, clock, totalMs, signal, left }, () => {
        one = open ??= fresh()
        one.waiting++
        return one.reply
      })
    }
  }
}
