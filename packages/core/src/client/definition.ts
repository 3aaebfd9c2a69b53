/** What a client is, as data: who it says it is, what it can be asked, and which revisions it speaks. */
import type { ServerInfo } from "../definition.js"
import type { JsonObject } from "../json.js"
import type { Revision } from "../revision.js"

export interface ClientDefinition {
  /** `clientInfo` as the newest revision spells it; older revisions get the members they have. */
  readonly info: ServerInfo
  /** What the server may ask of us. Anything else is refused with `-32601`. */
  readonly capabilities: JsonObject
  /** The revisions spoken, newest first; at least one. The first is the one proposed. */
  readonly revisions: ReadonlyArray<Revision>
}

export interface Setup {
  readonly definition: ClientDefinition
  readonly limits: Limits
}

export interface Limits {
  /** How long the opening may take, in ms. */
  readonly openingMs: number
  /** How requests are withdrawn on this channel. */
  readonly cancels: "message" | "exchange"
  /** Questions from the server that are open at once; the next one is refused. */
  readonly asks: number
  /** How long a question may stay open, in ms; undefined: as long as the server waits. */
  readonly askMs: number | undefined
  readonly salt: number
}
