/** A clock that stands still until it is told to go on. */
import type { Clock } from "../src/clock.js"

export interface Simulated extends Clock {
  /** Lets time pass, ringing what is due in its order. */
  readonly advance: (ms: number) => void
  /** How late an alarm rings: a busy process. */
  late: number
  /** Alarms that have not rung, and those among them that keep a process alive. */
  readonly pending: () => number
  readonly holding: () => number
  /** How many alarms were ever set. */
  set: number
}

export function simulated(): Simulated {
  let now = 0
  const alarms = new Set<{ at: number; callback: () => void; held: boolean }>()
  const clock: Simulated = {
    late: 0,
    set: 0,
    now: () => now,
    after: (ms, callback) => {
      const alarm = { at: now + ms + clock.late, callback, held: true }
      clock.set++
      alarms.add(alarm)
      return {
        cancel: () => void alarms.delete(alarm),
        hold: (held) => void (alarm.held = held)
      }
    },
    advance: (ms) => {
      const end = now + ms
      for (;;) {
        const due = [...alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        alarms.delete(due)
        now = Math.max(now, due.at)
        due.callback()
      }
      now = end
    },
    pending: () => alarms.size,
    holding: () => [...alarms].filter(({ held }) => held).length
  }
  return clock
}
