/** The revisions that a client may agree on, and what it says of itself in each. */
import * as key from "../envelope.js"
import type { JsonObject } from "../json.js"
import { keeping, narrowed } from "../narrow.js"
import type { Revision, RevisionName } from "../revision.js"
import type { ClientDefinition, Spoken } from "./definition.js"
import { takesForms } from "./question.js"

/** @throws TypeError when there is none */
export function spokenBy(definition: ClientDefinition): ReadonlyArray<Spoken> {
  const { revisions, prefer = "newest" } = definition
  const all = revisions.map((revision) => speaking(definition, revision))
  const pinned = all.filter(({ revision }) => revision.name === prefer)
  const spoken = prefer === "newest" ? all : prefer === "oldest" ? all.toReversed() : pinned
  if (spoken.length > 0) return spoken
  throw new TypeError(
    revisions.length === 0
      ? "A client must speak at least one revision"
      : `The client is to prefer ${prefer}, and speaks ${namesOf(all).join(", ")} only`
  )
}

export const namesOf = (spoken: ReadonlyArray<Spoken>): ReadonlyArray<RevisionName> =>
  spoken.map(({ revision }) => revision.name)

function speaking(definition: ClientDefinition, revision: Revision): Spoken {
  const clientInfo = narrowed(revision, revision.info, definition.info)
  const capabilities = proposable(revision, definition.capabilities)
  if (revision.opening === "handshake") {
    const params = { protocolVersion: revision.name, capabilities, clientInfo }
    return { revision, method: "initialize", params, envelope: undefined }
  }
  const envelope = {
    [key.protocolVersion]: revision.name,
    [key.clientInfo]: clientInfo,
    [key.clientCapabilities]: capabilities
  }
  return { revision, method: "server/discover", params: { _meta: envelope }, envelope }
}

/** Where elicitation has no modes it means forms; a client that only takes pages has none then. */
function proposable(revision: Revision, capabilities: JsonObject): JsonObject {
  const kept = narrowed(revision, revision.capabilities.client, capabilities)
  if (kept["elicitation"] === capabilities["elicitation"] || takesForms(capabilities)) return kept
  return keeping(kept, (name) => name !== "elicitation")
}
