/** Many who wait for one signal. */

interface Waiting {
  readonly all: Set<{ readonly aborted: () => void }>
  readonly tell: () => void
}

const waiting = new WeakMap<AbortSignal, Waiting>()

/**
 * Calls back when the signal aborts, which it has not done yet. A signal has one listener of ours, however many wait for it: platforms take
 * more than ten for a leak, and say so on stderr. What is given back takes this one off again, and the listener with the last.
 */
export function onAbort(signal: AbortSignal, aborted: () => void): () => void {
  const { all, tell } = waiting.get(signal) ?? waitingFor(signal)
  const one = { aborted }
  all.add(one)
  return () => {
    if (!all.delete(one) || all.size > 0) return
    signal.removeEventListener("abort", tell)
    waiting.delete(signal)
  }
}

function waitingFor(signal: AbortSignal): Waiting {
  const all: Waiting["all"] = new Set()
  const tell = (): void => {
    // Who is taken off meanwhile is not told.
    for (const one of all) if (all.delete(one)) one.aborted()
  }
  const made = { all, tell }
  waiting.set(signal, made)
  signal.addEventListener("abort", tell, { once: true })
  return made
}
