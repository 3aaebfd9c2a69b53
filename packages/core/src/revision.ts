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
  readonly features: Features
}

/** What a revision has that an older or newer one has not. Narrowing for older peers reads these and nothing else. */
export interface Features {
  /** Arrays of messages are legal (2025-03-26 only). */
  readonly batches: boolean
  /** An error reply whose id could not be read says `id: null` (up to 2025-06-18) or has no id. */
  readonly unreadableId: "null" | "omitted"
  /** Arguments that fail the tool's schema are an `isError` result (from 2025-11-25) or `-32602`. */
  readonly refusedArguments: "result" | "error"
  /** Members of `Implementation` that exist: name and version always. */
  readonly implementation: ReadonlyArray<string>
  /** Server capabilities that exist. */
  readonly serverCapabilities: ReadonlyArray<string>
  /** Client capabilities that exist. */
  readonly clientCapabilities: ReadonlyArray<string>
  /** Members of `Tool` that exist. */
  readonly tool: ReadonlyArray<string>
  /** Content block kinds a tool result may hold. */
  readonly content: ReadonlyArray<string>
  /** Members of content blocks and of their annotations that exist beside the required ones. */
  readonly annotations: ReadonlyArray<string>
  /** Tool results may have `structuredContent`. */
  readonly structuredContent: boolean
  /** Content blocks and listed items may have `_meta`. */
  readonly meta: boolean
  /** Progress notifications may have `message`. */
  readonly progressMessage: boolean
}
