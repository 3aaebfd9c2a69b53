/** A session follows its live server: its machine is the one of what there is now, and its client is told. */
import type { Input, Output, ServerMachine, ServerState } from "@parley/core/server"
import type { Driver } from "@parley/driver"
import type { Live } from "./live.js"
import type { Visits } from "./visits.js"

/** Until the session is over, or the function that is returned is called. */
export function follow(
  live: Live,
  driver: Driver<ServerState, Input, Output>,
  machine: () => ServerMachine,
  visits: Visits
): () => void {
  const forget = live.onChange((change) => {
    if (change._tag === "Completed") return visits.completed(change.elicitationId)
    if (change._tag === "Changed") driver.replace(machine())
    driver.feed(change)
  })
  void driver.closed.then(forget)
  return forget
}
