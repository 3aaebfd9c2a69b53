/** What is to be done later, for all sessions together behind one alarm. */
import type { Alarm, Clock } from "@parley/driver"

export interface Deadlines {
  /** Calls back once, not before `ms` have passed, and never keeps the process alive. The returned function takes it back. */
  readonly after: (ms: number, due: () => void) => () => void
  /** How many there are. */
  readonly count: () => number
  readonly clear: () => void
}

/** Those that are closer together than this are met together, in ms. */
const grain = 10

export function deadlines(clock: Clock): Deadlines {
  const waiting = new Set<{ readonly at: number; readonly due: () => void }>()
  let alarm: Alarm | undefined
  let rings = Infinity

  function ringAt(time: number, now: number): void {
    alarm?.cancel()
    rings = time
    alarm = clock.after(Math.max(0, time - now), sweep)
    alarm.hold(false)
  }

  function sweep(): void {
    alarm = undefined
    rings = Infinity
    const now = clock.now()
    let next = Infinity
    const due: Array<{ readonly due: () => void }> = []
    for (const one of waiting)
      if (one.at <= now) due.push(one)
      else if (one.at < next) next = one.at
    // An earlier one may take a later one back.
    for (const one of due) if (waiting.delete(one as never)) one.due()
    if (waiting.size > 0 && next < rings) ringAt(Math.max(next, now + grain), now)
  }

  return {
    after: (ms, due) => {
      const now = clock.now()
      const one = { at: now + ms, due }
      waiting.add(one)
      if (one.at < rings) ringAt(one.at, now)
      return () => void waiting.delete(one)
    },
    count: () => waiting.size,
    clear: () => {
      waiting.clear()
      alarm?.cancel()
      alarm = undefined
      rings = Infinity
    }
  }
}
