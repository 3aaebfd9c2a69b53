/** The pages that this session's client was asked to send its user to, and that it may hear of being complete. */
import type { Input } from "@parley/core/server"

export interface Visits {
  readonly asked: (elicitationId: string) => void
  /** Tells the client, once, that the visit is complete; nothing when this client knows of no such visit. */
  readonly completed: (elicitationId: string) => void
  /** How many there are that the client may still hear of. */
  readonly count: () => number
}

/** The oldest is forgotten when there are more. */
const most = 10_000

export function visits(feed: (input: Input) => void): Visits {
  const known = new Set<string>()
  return {
    count: () => known.size,
    asked: (elicitationId) => {
      known.add(elicitationId)
      if (known.size > most) known.delete(known.values().next().value!)
    },
    completed: (elicitationId) => {
      if (!known.delete(elicitationId)) return
      feed({ _tag: "Notified", method: "notifications/elicitation/complete", params: { elicitationId } })
    }
  }
}
