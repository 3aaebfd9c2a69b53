/** How long an answer may take: the person's own time for questions does not count, and progress begins anew, though not for ever. */
export interface Deadline {
  readonly restart: () => void
  /** Nothing runs out meanwhile; as many `resume` as `pause` set it going again, from the start. */
  readonly pause: () => void
  readonly resume: () => void
  readonly stop: () => void
}

/** So many times as long it may take in all, however often it begins anew. */
export const BEGINNINGS = 10

/** `expired` is told once which of the two ran out: `ms`, or all of them together. */
export function deadline(ms: number, expired: (ms: number) => void, now: () => number): Deadline {
  const most = ms * BEGINNINGS
  let timer: NodeJS.Timeout | undefined
  let pauses = 0
  let over = false
  let spent = 0
  let since: number | undefined

  const halt = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (since !== undefined) spent += now() - since
    since = undefined
  }
  const expire = (of: number): void => {
    over = true
    halt()
    expired(of)
  }
  const start = (): void => {
    halt()
    if (over || pauses > 0) return
    const left = most - spent
    // A timer would not come to fire where it is begun anew without a pause.
    if (left <= 0) return expire(most)
    since = now()
    timer = setTimeout(() => expire(left < ms ? most : ms), Math.min(ms, left, LONGEST))
  }
  start()
  return {
    restart: start,
    pause: () => {
      pauses++
      halt()
    },
    resume: () => {
      pauses--
      start()
    },
    stop: () => {
      over = true
      halt()
    }
  }
}

/** A longer one would overflow and fire at once. */
const LONGEST = 2 ** 31 - 1
