/** Whether the next run of a handler that asks may be in another process. */
import { revisionNamed } from "@parley/core/revisions"
import type { Invoke } from "@parley/core/server"
import type { Around } from "./running-call.js"

/** 2026-07-28 basic/patterns/mrtr, Basic Workflow: a question ends the request, and the one with the answers brings all that it needs. */
export const asksByResult = ({ peer }: Invoke): boolean => revisionNamed(peer.revision)?.features.asks === "result"

/** So it is where a question ends the request, and in a session that several processes serve. */
export const elsewhere = (invoke: Invoke & Around): boolean => asksByResult(invoke) || invoke.around?.moves === true
