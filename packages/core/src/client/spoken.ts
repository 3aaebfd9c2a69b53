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
  if (revisions.length === 0) throw new TypeError("A client must speak at least one revision")
  const spoken = revisions.map((revision) => speaking(definition, revision))
  if (prefer === "newest") return spoken
  if (prefer === "oldest") return spoken.reverse()
  const pinned = spoken.filter(({ revision }) => revision.name === prefer)
  if (pinned.length === 0)
    throw new TypeError(
      `The client is to prefer ${prefer}, and speaks ${revisions.map(({ name }) => name).join(", ")} only`
    )
  return pinned
}

export const namesOf = (spoken: ReadonlyArray<Spoken>): ReadonlyArray<RevisionName> =>
  spoken.map(({ revision }) => revision.name)

function speaking(definition: ClientDefinition, revision: Revision): Spoken {
  const info = narrowed(revision, "Implementation", definition.info)
  const capabilities = proposable(revision, definition.capabilities)
  const envelope =
    revision.opening === "request"
      ? { [key.protocolVersion]: revision.name, [key.clientInfo]: info, [key.clientCapabilities]: capabilities }
      : undefined
  return { revision, info, capabilities, envelope }
}

/** Where elicitation has no modes it means forms; a client that only takes pages has none then. */
function proposable(revision: Revision, capabilities: JsonObject): JsonObject {
  const kept = narrowed(revision, "ClientCapabilities", capabilities)
  if (kept["elicitation"] === capabilities["elicitation"] || takesForms(capabilities)) return kept
  return keeping(kept, (name) => name !== "elicitation")
}
