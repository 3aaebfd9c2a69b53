/** A revision is a value: its name, its two full tables, and what differs between revisions, as columns. */
import type { Check } from "./check.js"
import type { Rows } from "./row.js"

export type RevisionName = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25"

export interface Revision {
  readonly name: RevisionName
  /** How the two sides agree: by `initialize` and `notifications/initialized`. */
  readonly opening: "handshake"
  /** What the client may send. */
  readonly client: Rows
  /** What the server may send. */
  readonly server: Rows
  /** For each paged list, the check of one item. */
  readonly items: Readonly<Record<string, Check>>
  /** Its place among the revisions, the oldest being 0: what is newer than it is left out of what is sent. */
  readonly place: number
  readonly features: Features
}

/** What a revision has that an older or newer one has not, beside methods and members. */
export interface Features {
  /** Arrays of messages are legal (2025-03-26 only). */
  readonly batches: boolean
  /** An error reply whose id could not be read says `id: null` (up to 2025-06-18) or has no id. */
  readonly unreadableId: "null" | "omitted"
  /** Arguments that fail the tool's schema are an `isError` result (from 2025-11-25) or `-32602`. */
  readonly refusedArguments: "result" | "error"
  /** Forms that clients can show: `full` has choices of several and with titles, and defaults for everything. */
  readonly forms: "flat" | "full"
}
