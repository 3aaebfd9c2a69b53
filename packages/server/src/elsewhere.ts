/** Whether the next run of a handler that asks may be in another process. */
import { revisionNamed } from "@parley/core/revisions"
import type { Invoke } from "@parley/core/server"

/** 2026-07-28 basic/patterns/mrtr, Basic Workflow: a question ends the request, and the one with the answers brings all that it needs. */
export const elsewhere = ({ peer }: Invoke): boolean => revisionNamed(peer.revision)?.features.asks === "result"
