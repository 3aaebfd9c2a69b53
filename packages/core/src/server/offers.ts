/** What a row needs, and whether it was declared: by us, or by a client for whom elicitation without modes means forms. */
import { announced } from "../definition.js"
import type { Peer } from "../peer.js"
import type { Revision } from "../revision.js"
import type { Need } from "../row.js"
import type { Compiled } from "./compiled.js"

/** What nobody declared although a row needs it; nothing when all is there. */
export function missing(
  { definition }: Compiled,
  revision: Revision,
  peer: Peer | undefined,
  need: Need | undefined
): string | undefined {
  if (need === undefined) return undefined
  const path = pathOf(need)
  const there = need.startsWith("server.")
    ? announced(definition.capabilities, path)
    : peer !== undefined && offers(revision, peer, path)
  return there ? undefined : path
}

/** The capability without its party. */
export const pathOf = (need: Need): string => need.slice("client.".length)

/** Whether the client declared it. */
export const offers = (revision: Revision, peer: Peer, need: string): boolean =>
  lacking(revision, peer, [need]).length === 0

/**
 * What the client has not declared of what is needed, as it would have to be declared beside the rest.
 * 2025-11-25 client/elicitation, Capabilities: `{}` is forms only, and what names modes has only those. Before, there are only forms.
 */
export function lacking(
  revision: Revision,
  { capabilities }: Peer,
  needs: ReadonlyArray<string>
): ReadonlyArray<string> {
  const modes = revision.features.forms === "full"
  const pages = modes && (needs.includes(page) || announced(capabilities, page))
  const forms = pages ? "elicitation.form" : "elicitation"
  return needs
    .map((need) => (need === "elicitation" || need === "elicitation.form" ? forms : need))
    .filter((need) => !announced(capabilities, need) || (need === page && !modes))
}

export const page = "elicitation.url"
