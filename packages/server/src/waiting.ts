/** Calls that wait for answers: each goes on with the handler that it began with. */
import type { Invoke } from "@parley/core/server"
import { elsewhere } from "./elsewhere.js"
import type { Registry } from "./define.js"
import type { Once } from "./once.js"

/** What a call began with, for as long as it waits in this process. */
export interface Begun {
  readonly registry: Registry
  readonly once: Once | undefined
}

export interface Waiting {
  readonly keep: (id: Invoke["id"], begun: Begun) => void
  /** What the call began with; nothing when it begins now, or began in another process. */
  readonly back: (invoke: Invoke) => Begun | undefined
}

/** As many as there may be requests in flight by default. Those that were withdrawn are not told of, and go when there are more. */
const most = 16_384

export function waiting(): Waiting {
  const kept = new Map<Invoke["id"], Begun>()
  return {
    keep: (id, begun) => {
      kept.set(id, begun)
      if (kept.size > most) kept.delete(kept.keys().next().value!)
    },
    back: (invoke) => {
      const { id, answers } = invoke
      if (kept.size === 0 || elsewhere(invoke)) return undefined
      const begun = kept.get(id)
      kept.delete(id)
      return answers === undefined ? undefined : begun
    }
  }
}
