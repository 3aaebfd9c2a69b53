/** Where time comes from: the platform's, or a test's own. */
export interface Clock {
  /** Now, in ms; only differences mean anything. */
  readonly now: () => number
  /** Calls back once, not before `ms` have passed. The returned function takes it back. */
  readonly after: (ms: number, callback: () => void) => Alarm
}

export interface Alarm {
  readonly cancel: () => void
  /** Whether a pending alarm keeps the process alive, where the platform has such a notion. */
  readonly hold: (held: boolean) => void
}

/** The platform's own clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer: unknown = setTimeout(callback, Math.min(ms, longest))
    return {
      cancel: () => clearTimeout(timer as number),
      hold: (held) => {
        const node = timer as { ref?: () => void; unref?: () => void }
        if (held) node.ref?.()
        else node.unref?.()
      }
    }
  }
}

/** A longer delay would overflow and fire at once. */
const longest = 2 ** 31 - 1
