/** What a client is, as data: who it says it is, what it can be asked, and which revisions it speaks. */
import type { ServerInfo } from "../definition.js"
import type { JsonObject } from "../json.js"
import type { Revision, RevisionName } from "../revision.js"
import type { Prior } from "./vocabulary.js"

export interface ClientDefinition {
  /** `clientInfo` as the newest revision spells it; older revisions get the members they have. */
  readonly info: ServerInfo
  /** What the server may ask of us. Anything else is refused with `-32601`. */
  readonly capabilities: JsonObject
  /** The revisions spoken, newest first; at least one. */
  readonly revisions: ReadonlyArray<Revision>
  /**
   * Which one to agree on when there is a choice: the newest by default, the oldest, or the one of that name and no other.
   * A server is asked first whether it speaks one without a handshake, or last where the oldest is preferred.
   */
  readonly prefer?: "newest" | "oldest" | RevisionName
}

export interface Setup {
  readonly definition: ClientDefinition
  /** Those that may be agreed on, the preferred one first. */
  readonly spoken: ReadonlyArray<Spoken>
  /** Those of them that every request names. */
  readonly modern: ReadonlyArray<Spoken>
  /** Those of them that are opened by a handshake. */
  readonly legacy: ReadonlyArray<Spoken>
  readonly prior: Prior | undefined
  readonly limits: Limits
}

/** A revision, and what is said of ourselves in it. */
export interface Spoken {
  readonly revision: Revision
  readonly info: JsonObject
  readonly capabilities: JsonObject
  /** What every request says in its `_meta`, in a revision where it does. */
  readonly envelope: JsonObject | undefined
}

export interface Limits {
  /** How long the opening may take, in ms. */
  readonly openingMs: number
  /** How long one way of opening may go unanswered before the other is tried, in ms. */
  readonly probeMs: number
  /** How many requests may be made for one call. */
  readonly rounds: number
  /** How requests are withdrawn on this channel. */
  readonly cancels: "message" | "exchange"
  /** Questions from the server that are open at once; the next one is refused. */
  readonly asks: number
  /** How long a question may stay open, in ms; undefined: as long as the server waits. */
  readonly askMs: number | undefined
  readonly salt: number
}
