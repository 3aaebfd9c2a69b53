/** What is to be done later: for all together behind one alarm, or each by an alarm of its own. */
import type { Alarm, Clock } from "@parley/driver"

export interface Deadlines {
  /** Calls back once, not before `ms` have passed, and never keeps the process alive. The returned function takes it back. */
  readonly after: (ms: number, due: () => void) => () => void
  /** Looks about every `ms`, until `look` says that there is nothing to look at. The returned function is to be called when there is again. */
  readonly every: (ms: number, look: () => boolean) => () => void
  /** What is open says so every `ms`. */
  readonly beats: (ms: number) => Beats
  /** How many there are. */
  readonly count: () => number
  readonly clear: () => void
}

/** What shows from time to time that it is alive. */
export interface Heart {
  readonly keepAlive: () => void
}

export interface Beats {
  readonly add: (one: Heart) => void
  readonly delete: (one: Heart) => void
}

/** Those that are closer together than this are met together, in ms. */
const grain = 10

/** `apart`: on some platforms a timer ends with the request that made it, so what belongs to one does not go by another's. */
export function deadlines(clock: Clock, apart = false): Deadlines {
  const { after, count, clear } = apart ? each(clock) : together(clock)

  function every(ms: number, look: () => boolean): () => void {
    let due: number | undefined
    let turn = 0
    const run = (): void => {
      due = undefined
      if (look()) wait()
    }
    const wait = (): void => {
      const mine = ++turn
      due = clock.now() + ms
      after(ms, () => {
        if (mine === turn) run()
      })
    }
    return () => {
      if (due === undefined) wait()
      // The timer has gone with its request.
      else if (clock.now() >= due + ms) run()
    }
  }

  function beats(ms: number): Beats {
    const open = new Set<Heart>()
    const sweep = every(ms, () => {
      for (const one of open) one.keepAlive()
      return open.size > 0
    })
    const again = (one: Heart): void =>
      void after(ms, () => {
        if (!open.has(one)) return
        one.keepAlive()
        again(one)
      })
    return {
      add: (one) => {
        open.add(one)
        if (apart) again(one)
        else sweep()
      },
      delete: (one) => void open.delete(one)
    }
  }

  return { after, every, beats, count, clear }
}

type Waiting = Pick<Deadlines, "after" | "count" | "clear">

function together(clock: Clock): Waiting {
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

/** Nothing is kept of them: one that went with its request does not say so. */
function each(clock: Clock): Waiting {
  let count = 0
  /** Those from before it count no more. */
  let turn = 0
  return {
    after: (ms, due) => {
      const mine = turn
      let over = false
      const end = (): boolean => {
        if (over || mine !== turn) return false
        over = true
        count--
        return true
      }
      count++
      const alarm = clock.after(ms, () => {
        if (end()) due()
      })
      alarm.hold(false)
      return () => {
        if (end()) alarm.cancel()
      }
    },
    count: () => count,
    clear: () => {
      turn++
      count = 0
    }
  }
}
