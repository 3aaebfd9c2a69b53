/** All deadlines of one session behind a single alarm: starting and stopping one costs two map operations. */
import type { Timer } from "@parley/core"
import type { Alarm, Clock } from "./clock.js"

export interface Timers<Of extends string> {
  /** Starting a timer that runs already starts it again. */
  readonly start: (timer: Timer<Of>, ms: number) => void
  readonly stop: (timer: Timer<Of>) => void
  /** Stops them all. */
  readonly clear: () => void
}

/** Deadlines closer together than this are met together, in ms. */
const grain = 10

export function timers<Of extends string>(clock: Clock, fire: (timer: Timer<Of>) => void): Timers<Of> {
  const deadlines = new Map<Of, Map<number, number>>()
  let running = 0
  let alarm: Alarm | undefined
  let rings = Infinity

  const ringAt = (time: number, now: number): void => {
    alarm?.cancel()
    rings = time
    alarm = clock.after(Math.max(0, time - now), sweep)
  }

  const sweep = (): void => {
    alarm = undefined
    rings = Infinity
    const now = clock.now()
    const due: Array<Timer<Of>> = []
    let next = Infinity
    for (const [of, calls] of deadlines)
      for (const [call, time] of calls)
        if (time <= now) due.push({ of, call })
        else if (time < next) next = time
    for (const timer of due) {
      // An earlier one may have stopped this one, or started it again.
      const time = deadlines.get(timer.of)?.get(timer.call)
      if (time === undefined || time > now) continue
      deadlines.get(timer.of)!.delete(timer.call)
      running--
      fire(timer)
    }
    if (running > 0 && next < rings) ringAt(Math.max(next, now + grain), now)
  }

  return {
    start: ({ of, call }, ms) => {
      const now = clock.now()
      const calls = deadlines.get(of) ?? new Map<number, number>()
      deadlines.set(of, calls)
      if (!calls.has(call)) running++
      calls.set(call, now + ms)
      if (now + ms < rings) ringAt(now + ms, now)
      else if (running === 1) alarm?.hold(true)
    },
    stop: ({ of, call }) => {
      if (deadlines.get(of)?.delete(call) && --running === 0) alarm?.hold(false)
    },
    clear: () => {
      deadlines.clear()
      running = 0
      rings = Infinity
      alarm?.cancel()
      alarm = undefined
    }
  }
}
