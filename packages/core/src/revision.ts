/** A revision is a value: its name, its two full tables, and what differs between revisions, as columns. */
import type { Check } from "./check.js"
import type { Lack } from "./checks/lack.js"
import type { Extension } from "./extension.js"
import type { Party, RequestRow, Rows } from "./row.js"

export type RevisionName = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25" | "2026-07-28"

export interface Revision {
  readonly name: RevisionName
  /** How the two sides agree: by `initialize` and `notifications/initialized`, or by what every request says of its client. */
  readonly opening: "handshake" | "request"
  /** Where every request says so, the check of its `_meta`, which is there then. */
  readonly envelope: Check | undefined
  /** What was added to the tables, in that order. */
  readonly extensions: ReadonlyArray<Extension>
  /** What the client may send. */
  readonly client: Rows
  /** What the server may send. */
  readonly server: Rows
  /** What a server may ask for while it serves a request: requests of its own, or questions inside a result. */
  readonly questions: Rows<RequestRow>
  /** For each paged list, the check of one item. */
  readonly items: Readonly<Record<string, Check>>
  /** The check of what either side says it is. */
  readonly info: Check
  /** The checks of what can be announced, and the names of what can, by who announces it. */
  readonly capabilities: { readonly [party in Party]: Check }
  readonly names: { readonly [party in Party]: ReadonlySet<string> }
  /** What other revisions have of what one of its checks judges, and it has not: that is left out of what is sent. */
  readonly lacks: (check: Check | undefined) => Lack | null
  /** Its place among the revisions, the oldest being 0. */
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
  /** How a server asks the client: by requests of its own, or by a result that lists the questions. */
  readonly asks: "requests" | "result"
  /** Whether a result says its type and its server, and how long it may be kept. */
  readonly stamps: "none" | "whole"
  /** Who sets the level of logs: the session by `logging/setLevel`, or each request for itself. */
  readonly logs: "session" | "request"
  /** A tool that needs what the client did not declare is answered by an `isError` result or by `-32021`. */
  readonly missingCapability: "result" | "error"
  /** The code of a resource that is not there. */
  readonly unknownResource: -32002 | -32602
  /** When the exchange of a running request closes, the request goes on or is cancelled. */
  readonly closedExchange: "ignored" | "cancels"
  /** Whether a tool's structured result, and its schema, may be other than an object's. */
  readonly structured: "object" | "any"
  /** A page to visit before anything can be done is told by error `-32042` or asked for like any other. */
  readonly pageRequired: "error" | "question"
  /** Error codes that no handler may choose, each range from its lowest to its highest. */
  readonly reservedCodes: ReadonlyArray<readonly [lowest: number, highest: number]>
}
