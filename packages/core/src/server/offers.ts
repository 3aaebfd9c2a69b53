/** What a row needs, and whether it was declared: by us, or by a client for whom elicitation without modes means forms. */
import { announced } from "../definition.js"
import { hasMember } from "../narrow.js"
import type { Peer } from "../peer.js"
import type { Revision } from "../revision.js"
import type { Need } from "../row.js"
import type { Compiled } from "./compiled.js"
import type { Phase } from "./state.js"

/** What nobody declared although a row needs it, in words; nothing when all is there. */
export function missing({ definition }: Compiled, revision: Revision, phase: Phase, need: Need): string | undefined {
  const path = pathOf(need)
  if (need.startsWith("server."))
    return announced(definition.capabilities, path) ? undefined : `the capability ${path} was not declared`
  return "peer" in phase && offers(revision, phase.peer, path) ? undefined : `the client did not declare ${path}`
}

/** The capability without its party. */
export const pathOf = (need: Need): string => need.slice("client.".length)

/** 2025-11-25 client/elicitation, Capabilities: `{}` is forms only, and what names modes has only those. Before, there are only forms. */
export function offers(revision: Revision, { capabilities }: Peer, need: string): boolean {
  const modes = hasMember(revision, "ElicitParams", "mode")
  switch (need) {
    case "elicitation":
    case "elicitation.form":
      if (!announced(capabilities, "elicitation")) return false
      return !modes || announced(capabilities, "elicitation.form") || !announced(capabilities, "elicitation.url")
    case "elicitation.url":
      return modes && announced(capabilities, need)
    default:
      return announced(capabilities, need)
  }
}
