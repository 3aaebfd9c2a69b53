/** Waiting no longer than is wanted, while what is waited for goes on for others. */
import type { Clock } from "@parley/driver"
import { inBrief } from "./calmly.js"
import { CallError } from "./error.js"
import { onAbort } from "./on-abort.js"

export interface Wait {
  /** What is waited for, in the words of an error. */
  readonly method: string
  readonly clock: Clock
  /** How long to wait, in ms: without end when it is undefined or `Infinity`. */
  readonly ms?: number | undefined
  /** How long to wait in all, in ms, however often the wait is begun anew. */
  readonly totalMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told when the wait is over and nothing came. */
  readonly left?: (error: CallError) => void
}

/** `begin` is not called when the signal is aborted already. It is given a function that begins the wait of `ms` anew. */
export function within<A>(wait: Wait, begin: (again: () => void) => Promise<A>): Promise<A> {
  const { method, clock, ms, totalMs, signal, left } = wait
  return new Promise((resolve, reject) => {
    const alarm = (after: number | undefined, total: boolean) =>
      after === undefined || after === Infinity
        ? undefined
        : clock.after(after, () => leave(new CallError({ _tag: "TimedOut", method, ms: after, total })))
    const gone = (): CallError => new CallError({ _tag: "Abandoned", method, reason: inBrief(signal?.reason) })
    if (signal?.aborted === true) return reject(gone())
    let over = false
    let one = alarm(ms, false)
    const all = alarm(totalMs, true)
    const forget = signal && onAbort(signal, () => leave(gone()))

    function done(settle: () => void): void {
      if (over) return
      over = true
      one?.cancel()
      all?.cancel()
      forget?.()
      settle()
    }

    function leave(error: CallError): void {
      done(() => {
        left?.(error)
        reject(error)
      })
    }

    function again(): void {
      if (over) return
      one?.cancel()
      one = alarm(ms, false)
    }

    async function run(): Promise<void> {
      try {
        const value = await begin(again)
        done(() => resolve(value))
      } catch (error) {
        done(() => reject(error))
      }
    }

    void run()
  })
}
