/** Visits to pages that are under way, and who waits for the server to say that they are complete. */
import { inBrief } from "./calmly.js"
import { CallError } from "./error.js"
import { onAbort } from "./on-abort.js"

export interface Elicitations {
  /** A visit may begin: from now on its completion is news. */
  readonly begin: (id: string) => void
  /** There will be no visit. */
  readonly forget: (id: string) => void
  /** The server says that it is complete. False when no such visit is under way: then it means nothing. */
  readonly complete: (id: string) => boolean
  /** Settles at once when it is complete already. */
  readonly wait: (id: string, signal?: AbortSignal) => Promise<void>
  /** The session is over. */
  readonly close: (why: string) => void
}

interface Visit {
  complete: boolean
  readonly waiting: Set<Waiter>
}

interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: CallError) => void
}

/** How many visits are remembered, so that a server which never completes any costs little. */
const remembered = 1_000

const method = "notifications/elicitation/complete"

export function elicitations(): Elicitations {
  const visits = new Map<string, Visit>()
  let over: string | undefined

  function visit(id: string): Visit {
    const known = visits.get(id)
    if (known !== undefined) return known
    if (visits.size >= remembered)
      for (const [old, { waiting }] of visits)
        if (waiting.size === 0) {
          visits.delete(old)
          break
        }
    const fresh: Visit = { complete: false, waiting: new Set() }
    visits.set(id, fresh)
    return fresh
  }

  return {
    begin: (id) => {
      // The same id again is a visit of its own only when the last one is over.
      if (visits.get(id)?.complete === true) visits.delete(id)
      visit(id)
    },
    forget: (id) => {
      if (visits.get(id)?.waiting.size === 0) visits.delete(id)
    },
    complete: (id) => {
      const found = visits.get(id)
      if (found === undefined || found.complete) return false
      found.complete = true
      for (const { resolve } of found.waiting) resolve()
      return true
    },
    wait: (id, signal) =>
      new Promise((resolve, reject) => {
        if (over !== undefined) return reject(new CallError({ _tag: "Closed", method, why: over }))
        const { complete, waiting } = visit(id)
        if (complete) return resolve()
        let forget: (() => void) | undefined
        const aborted = (): void =>
          done(() => reject(new CallError({ _tag: "Abandoned", method, reason: inBrief(signal!.reason) })))
        const done = (settle: () => void): void => {
          waiting.delete(waiter)
          forget?.()
          settle()
        }
        const waiter: Waiter = { resolve: () => done(resolve), reject: (error) => done(() => reject(error)) }
        if (signal?.aborted === true) return aborted()
        forget = signal && onAbort(signal, aborted)
        waiting.add(waiter)
      }),
    close: (why) => {
      over = why
      for (const { waiting } of visits.values())
        for (const { reject } of waiting) reject(new CallError({ _tag: "Closed", method, why }))
      visits.clear()
    }
  }
}
