/** What a client is, as data: who it says it is, what it can be asked, and which revisions it speaks. */
import type { ServerInfo } from "../definition.js"
import type { JsonObject } from "../json.js"
import type { Revision, RevisionName } from "../revision.js"
import type { ClientMachineOptions } from "./machine.js"

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

/** The options of a machine, with defaults for what was not given. */
export type Chosen = Required<Omit<ClientMachineOptions, "prior" | "askMs">> &
  Pick<ClientMachineOptions, "prior" | "askMs">

/** What a machine closes over: the options, the definition, and what follows from it. */
export type Setup = Chosen & {
  readonly definition: ClientDefinition
  /** Those that may be agreed on, the preferred one first. */
  readonly spoken: ReadonlyArray<Spoken>
  /** Those of them that every request names. */
  readonly modern: ReadonlyArray<Spoken>
  /** Those of them that are opened by a handshake. */
  readonly legacy: ReadonlyArray<Spoken>
}

/** A revision, and what is said of ourselves in it. */
export interface Spoken {
  readonly revision: Revision
  /** By which request it is opened, and with which params. */
  readonly method: "initialize" | "server/discover"
  readonly params: JsonObject
  /** What every request says in its `_meta`, in a revision where it does. */
  readonly envelope: JsonObject | undefined
}
