/** After a while in which nothing could be told: what may be another now is said to be, as the server would have. */
import type { Peer, Revision } from "@parley/core"
import type { Keeping } from "./cache.js"
import type { Catalogue } from "./catalogue.js"
import type { Hub } from "./notifications.js"
import { lists } from "./notifications.js"
import { untold } from "./untold.js"

export interface Doubted {
  readonly revision: Revision
  readonly peer: Peer
  readonly kept: Keeping | undefined
  readonly tools: Catalogue
  readonly heard: Hub
}

/**
 * What was kept is forgotten, and whoever listens for a change of a list hears of one, where the server tells of such; `watched`
 * sees to the resources.
 */
export function doubt({ revision, peer, kept, tools, heard }: Doubted, watched: () => void): void {
  kept?.drop(() => true)
  tools.forget()
  for (const method of lists) if (untold(revision, peer, method) === undefined) heard.tell(method, undefined)
  watched()
}
